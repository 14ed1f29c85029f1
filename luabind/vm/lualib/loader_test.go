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
	if !errors.As(err, &e) || e.Message != `loop or previous error loading module 'a': it requires itself` ||
		e.File != filepath.Join(folder, "b.lua") {
		t.Errorf("%#v", err)
	}
	if out, err := run(t, `print(pcall(require, "failing") == false, require "failing")`, o); err != nil ||
		out != "true\t2\n" {
		t.Errorf("%q, %v", out, err)
	}
}

// libraryStyles are modules in the styles of common libraries: they look for Lua's libraries by require, ask package
// about the system, are folders with parts, keep a table of classes, and write to streams.
var libraryStyles = map[string]string{
	"unit.lua": `local M, string, os = {}, require "string", require "os"
		function M.run(tests) for name, f in pairs(tests) do
			io.stdout:write(string.format("%s %s\n", name, tostring(pcall(f)))) end io.stdout:flush() end
		M.clock = os.clock() return M`,
	"pl/init.lua": `return require "pl.compat"`,
	"pl/compat.lua": `local compat = { dir_separator = package.config:sub(1, 1), lua51 = _VERSION == "Lua 5.1" }
		if not package.searchpath then function package.searchpath(name, path) return (path:gsub("%?", name)) end end
		compat.is_loaded = package.loaded["pl.compat"] ~= nil and package.loaded.string == string return compat`,
	"class.lua": `local function class(base) local c = { static = {} } c.__index = c
		return setmetatable(c, { __index = base, __call = function(c, ...)
			local o = setmetatable({}, c) if o.initialize then o:initialize(...) end return o end }) end return class`,
	"json.lua": `local json, escapes = {}, { ["\\"] = "\\", ["\""] = "\"", ["\n"] = "n" }
		local function quote(c) return "\\" .. (escapes[c] or ("u%04x"):format(c:byte())) end
		function json.encode(v) if type(v) ~= "table" then return type(v) == "string" and
			'"' .. v:gsub('[%c"\\]', quote) .. '"' or tostring(v) end
			local list = {} for i, x in ipairs(v) do list[i] = json.encode(x) end
			return "[" .. table.concat(list, ",") .. "]" end return json`,
}

// TestLibraries loads libraries and uses them.
func TestLibraries(t *testing.T) {
	folder := t.TempDir()
	for name, source := range libraryStyles {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for source, want := range map[string]string{
		`require "unit".run { works = function() end }`: "works true\n",
		`local c = require "pl" print(c.dir_separator, c.lua51, c.is_loaded, package.searchpath("x", "?.lua"),
			package.loaded.pl == c)`: "/\ttrue\tfalse\tx.lua\ttrue\n",
		`local class = require "class" local A = class() function A:initialize(x) self.x = x end
			local B = class(A) function B:get() return self.x end print(B(3):get(), io.type(io.stderr))`: "3\tfile\n",
		`io.stderr:write(require "json".encode { 1, "a\n\1", { true } }, "\n")`: `[1,"a\n\u0001",[true]]` + "\n",
		`for _, n in ipairs { "_G", "string", "table", "math", "coroutine", "os", "io", "package" } do
			assert(require(n) == _G[n] and package.loaded[n] == _G[n], n) end print(package.path)`: filepath.Join(
			folder, "?.lua") + ";" + filepath.Join(folder, "?", "init.lua") + "\n",
	} {
		if out, err := run(t, source, options{library: lualib.Options{LibraryPaths: []string{folder}}}); err != nil ||
			out != want {
			t.Errorf("%s\n printed %q, %v; want %q", source, out, err, want)
		}
	}
}
