package lualib_test

import (
	"fmt"
	"testing"

	"roclua/luabind/vm/bounds"
	"roclua/luabind/vm/lualib"
)

// TestAbsent uses functions and values of Lua 5.1 that the sandbox does not have.
func TestAbsent(t *testing.T) {
	for _, tt := range []struct{ sandbox, source, want string }{
		{bounds.SandboxStrict, `os.exit()`, "os.exit is not available in the sandbox"},
		{bounds.SandboxStrict, `local exit = os.exit; exit(1)`, "os.exit is not available in the sandbox"},
		{bounds.SandboxStrict, `local exit = os.exit; (function() exit() end)()`,
			"os.exit is not available in the sandbox"},
		{bounds.SandboxStrict, `os["exit"]()`, "os.exit is not available in the sandbox"},
		{bounds.SandboxStrict, `io.open("x")`, "io.open is not available in the sandbox"},
		{bounds.SandboxStrict, `for l in io.lines("x") do end`, "io.lines is not available in the sandbox"},
		{bounds.SandboxStrict, `io.stdin:read()`, "io.stdin is not available in the sandbox"},
		{bounds.SandboxStrict, `string.dump(print)`, "string.dump is not available"},
		{bounds.SandboxStrict, `("x"):dump()`, "string.dump is not available"},
		{bounds.SandboxStrict, `debug.traceback()`, "debug is not available in the sandbox"},
		{bounds.SandboxStrict, `local d = debug; d.sethook()`, "debug is not available in the sandbox"},
		{bounds.SandboxStrict, `package.path = "x"`, "package.path cannot be changed: require searches " +
			"the folder of the script, then the folders of the key library, and loads a module once"},
		{bounds.SandboxStrict, `return package.loaders[2]`, "package.loaders is not available in the sandbox"},
		{bounds.SandboxStrict, `package.loadlib("x")`, "package.loadlib is not available in the sandbox"},
		{bounds.SandboxStrict, `package.nothing()`, "attempt to call field 'nothing' (a nil value)"},
		{bounds.SandboxStrict, `setfenv(1, {})`, "setfenv is not available in the sandbox"},
		{bounds.SandboxStrict, `local load = loadfile; load("x")`, "loadfile is not available in the sandbox"},
		{bounds.SandboxStrict, `dofile("x")`, "dofile is not available in the sandbox"},
		{bounds.SandboxProject, `os.remove("x")`, "os.remove is not available in the sandbox"},
		{bounds.SandboxProject, `module("x")`, "module is not available in the sandbox"},
		{bounds.SandboxFull, `debug.sethook()`, "debug.sethook is not available"},
		{bounds.SandboxFull, `string.dump(print)`, "string.dump is not available"},
		{bounds.SandboxStrict, `do local x = os.exit end local a a()`, "attempt to call local 'a' (a nil value)"},
		{bounds.SandboxStrict, `do local y, x = 1, os.exit end local a, b b()`,
			"attempt to call local 'b' (a nil value)"},
		{bounds.SandboxStrict, `local f = os.exit local a, b f()`, "os.exit is not available in the sandbox"},
		{bounds.SandboxStrict, `local a, f = 1, os.exit a = nil f()`, "os.exit is not available in the sandbox"},
		{bounds.SandboxStrict, `os.nothing()`, "attempt to call field 'nothing' (a nil value)"},
		{bounds.SandboxStrict, `debug = {} debug.traceback()`, "attempt to call field 'traceback' (a nil value)"},
		{bounds.SandboxStrict, `os.exit = 1 os.exit()`, "attempt to call field 'exit' (a number value)"},
	} {
		t.Run(tt.sandbox+" "+tt.source, func(t *testing.T) {
			source := fmt.Sprintf("print(pcall(function() %s end))", tt.source)
			out, err := run(t, source, options{library: lualib.Options{Sandbox: tt.sandbox}})
			if want := "false\ttest.lua:1: " + tt.want + "\n"; err != nil || out != want {
				t.Errorf("%v, printed %q, want %q", err, out, want)
			}
		})
	}
	out, err := run(t, `print(debug, newproxy, setfenv, io.stdin, rawget(os, "exit"))
		for k in pairs(io) do print(k) end`, options{})
	if want := "nil\tnil\tnil\tnil\tnil\nwrite\ntype\nstdout\nstderr\n"; err != nil || out != want {
		t.Errorf("%v, printed %q, want %q", err, out, want)
	}
}
