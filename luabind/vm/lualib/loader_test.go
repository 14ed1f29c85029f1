package lualib_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"roclua/luabind/vm/lualib"
	"roclua/luabind/vm/script"
)

// TestRequireOfItself requires modules that require each other, and a module that failed before.
func TestRequireOfItself(t *testing.T) {
	folder := t.TempDir()
	for name, source := range map[string]string{
		"a.lua": `return require "b"`, "b.lua": `return require "a"`,
		"failing.lua": `tries = (tries or 0) + 1 if tries < 2 then error("first") end return tries`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := options{library: lualib.Options{LibraryPaths: []string{folder}}}
	_, err := run(t, `require "a"`, o)
	var e *script.Error
	if !errors.As(err, &e) || e.Message != `require: module "a" requires itself, directly or through other modules` ||
		e.File != filepath.Join(folder, "b.lua") {
		t.Errorf("%#v", err)
	}
	if out, err := run(t, `print(pcall(require, "failing") == false, require "failing")`, o); err != nil ||
		out != "true\t2\n" {
		t.Errorf("%q, %v", out, err)
	}
}
