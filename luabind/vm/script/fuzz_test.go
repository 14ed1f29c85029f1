package script_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/gopher-lua/parse"

	"roclua/luabind/vm/script"
)

// FuzzCompile compiles any text. gopher-lua's parser accepts all that this one accepts, and errors have places in the
// text.
func FuzzCompile(f *testing.F) {
	err := filepath.WalkDir("../../../scripts", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".lua" {
			return err
		}
		text, err := os.ReadFile(path)
		f.Add(text)
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{"goto x ::x:: do ::x:: end", "x = {[1] = 2, y = 3; f'z', ...}",
		"a.b['c']:d{e = 1}.f = not -#g ^ 2 .. 'h'",
		"for i = 1, 2 do break end for k, v in p() do repeat until k end",
		"while x do if y then elseif z then else end end",
		"local function f(a, ...) return ..., a, [==[x]]]==], 0x1p4, '\\065\\n' end --[[ x ]] --y"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := script.Compile("x.lua", text)
		if err == nil {
			if bytes.HasPrefix(text, []byte("#!")) {
				text = append([]byte("--"), text...)
			}
			if _, err := parse.Parse(bytes.NewReader(text), "x.lua"); err != nil {
				t.Errorf("gopher-lua: %v", err)
			}
			return
		}
		var e *script.Error
		if !errors.As(err, &e) || e.Message == "" {
			t.Fatalf("%#v", err)
		}
		lines := strings.Split(string(text), "\n")
		switch {
		case e.Line == 0 && e.Cause != nil: // of the compiler
		case e.Line < 1 || e.Line > len(lines)+1 || e.Column > len(e.Source)+1:
			t.Errorf("line %d of %d, column %d of %q: %s", e.Line, len(lines), e.Column, e.Source, e.Message)
		}
	})
}
