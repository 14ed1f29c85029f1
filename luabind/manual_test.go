package luabind_test

import (
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/luabind"
	"roclua/luabind/manual"
)

// maxStub is the size above which the language server does not load a file.
const maxStub = 500 * 1000

// TestStubsAreLua compiles the annotations, which are Lua with comments, and looks for every routine.
func TestStubsAreLua(t *testing.T) {
	declared := map[string]bool{}
	for name, text := range manual.Stubs() {
		if _, err := luabind.Compile(name, []byte(text)); err != nil {
			t.Error(err)
		}
		if len(text) > maxStub {
			t.Errorf("%s has %d bytes; a language server loads at most %d", name, len(text), maxStub)
		}
		for line := range strings.Lines(text) {
			if function, _, ok := strings.Cut(line, "(handle"); ok {
				declared[function] = true
			}
		}
	}
	for _, r := range slices.Concat(routine.All(), routine.HipBLAS.Routines(), routine.HipSOLVER.Routines()) {
		if !declared["function "+r.Library.String()+"."+r.Name] {
			t.Errorf("no stub of %s", r.CName())
		}
	}
}
