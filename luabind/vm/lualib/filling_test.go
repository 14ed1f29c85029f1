package lualib_test

import (
	"strings"
	"testing"

	"roclua/luabind/vm"
	"roclua/luabind/vm/bounds"
	"roclua/luabind/vm/lualib"
)

// listed prints the names of the globals and of the fields of all libraries, in the order of pairs.
const listed = `
	local function names(t) local list = {} for k in pairs(t) do list[#list + 1] = tostring(k) end
		return table.concat(list, " ") end
	print(names(_G))
	for _, name in ipairs { "string", "table", "math", "os", "io", "coroutine" } do print(name, names(_G[name])) end`

// TestLibrariesAreWhole lists the libraries before and after a script uses some of their fields. The order must be the
// same, because results must not depend on it.
func TestLibrariesAreWhole(t *testing.T) {
	for _, sandbox := range []string{bounds.SandboxStrict, bounds.SandboxProject} {
		t.Run(sandbox, func(t *testing.T) {
			want, err := run(t, listed, options{library: lualib.Options{Sandbox: sandbox}})
			if err != nil || strings.Count(want, " ") < 90 {
				t.Fatalf("%q, %v", want, err)
			}
			for _, before := range []string{
				`local s = ("x"):upper():rep(3)`, `local t = tostring(type(unpack))`, `local u = undefined`,
				`local f, g = string.gsub, math.sin`, `local v = ("x").upper or ("x").none`,
				`pairs, print = pairs, print`,
				`_G.print = print`, `rawset(_G, "type", rawget(_G, "type"))`,
				`local n = next(_G)`,
			} {
				have, err := run(t, before+listed, options{library: lualib.Options{Sandbox: sandbox}})
				if err != nil || have != want {
					t.Errorf("after %s: %v\n%s\nwant\n%s", before, err, have, want)
				}
			}
		})
	}
}

// TestLibraryFields runs checks of fields of the libraries in new machines, where no field was used before.
func TestLibraryFields(t *testing.T) {
	for _, check := range []string{
		// the same values, however they are reached
		`rawget(_G, "print") == print`, `_G.string == string and string.rep == ("x").rep`, `_G._G == _G`,
		`table.unpack == unpack`, `string.gfind == string.gmatch`, `collectgarbage == gcinfo`,
		`pairs {} == next`,
		`(pairs {}) == (pairs { 1 })`, `(ipairs {}) == (ipairs { 1 })`,
		// no traces
		`getmetatable(_G) == nil`, `getmetatable("") == "string" and getmetatable(string) == "string"`,
		`getmetatable(table) == nil and getmetatable(math) == nil`, `getmetatable(os) == "os"`,
		`rawget(_G, "undefined") == nil and undefined == nil`, `("x").none == nil and ("x")[1] == nil`,
		`#_G == 0 and #string == 0`, `next(_G) == "_G"`,
		// removed and replaced fields
		`(function() print = nil return print == nil and rawget(_G, "print") == nil end)()`,
		`(function() string.rep = nil return string.rep == nil and not pcall(function() ("x"):rep(2) end) end)()`,
		`(function() string.rep = function() return "mine" end return ("x"):rep(2) end)() == "mine"`,
		`(function() local u = unpack unpack = nil return table.unpack == u end)()`,
		`(function() unpack = 1 return type(table.unpack) end)() == "function"`,
		`(function() next = 1 local n = 0 for _ in pairs { 1, 2 } do n = n + 1 end return n end)() == 2`,
		`(function() string.gmatch = 1 return type(string.gfind) end)() == "function"`,
		`(function() string = nil return ("x"):rep(2) end)() == "xx"`,
		`(function() math = { floor = 1 } return math.floor end)() == 1`,
		`(function() x = 1 x = nil return x == nil and rawget(_G, "x") == nil end)()`,
		`(function() x = 1 local last for k in pairs(_G) do last = k end return last end)() == "x"`,
		// metatables
		`(function() setmetatable(_G, { __index = function(_, k) return k end }) return x end)() == "x"`,
		`(function() setmetatable(_G, { __newindex = error }) return pcall(function() x = 1 end) end)() == false`,
		`setmetatable({}, { __index = _G }).print == print`, `setmetatable({}, { __index = string }).rep == string.rep`,
		`loadstring("return print")() == print`, `coroutine.wrap(function() return print end)() == print`,
	} {
		out, err := run(t, `assert(`+check+`)`, options{})
		if err != nil {
			t.Errorf("%s: %v %s", check, err, out)
		}
	}
}

// TestMachinesShareNoTables changes everything of Lua's library that a script can reach. Another machine, made before
// or after, must not notice.
func TestMachinesShareNoTables(t *testing.T) {
	const change = `
		local pairs, type, set, globals = pairs, type, rawset, _G
		for name, lib in pairs(_G) do
			if type(lib) == "table" and name ~= "_G" then
				for k in pairs(lib) do set(lib, k, nil) end
				set(lib, "left", "behind")
			end
		end
		for name in pairs(globals) do set(globals, name, nil) end
		left = "behind"`
	const untouched = `assert(left == nil and string.left == nil and table.left == nil and math.left == nil)
		assert(("x"):rep(2) == "xx" and getmetatable("").left == nil)` + listed
	want, err := run(t, untouched, options{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	before, _ := newMachine(t, options{machine: vm.Options{Output: &out}})
	defer before.Close()
	if _, err := run(t, change, options{}); err != nil {
		t.Fatal(err)
	}
	if have, err := run(t, untouched, options{}); err != nil || have != want {
		t.Errorf("%v: %s\nwant\n%s", err, have, want)
	}
	if _, err := before.Run(compile(t, untouched), 0); err != nil || out.String() != want {
		t.Errorf("%v: %s\nwant\n%s", err, out.String(), want)
	}
}
