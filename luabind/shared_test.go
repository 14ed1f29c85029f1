package luabind_test

import (
	"os"
	"testing"

	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/luabind/vm/bounds"
)

// reachable lists all fields of the tables that a script can reach from the global variables and the modules, with the
// types of their values.
const reachable = `
	local lines, seen = {}, {}
	local function walk(path, t)
		if seen[t] then return end
		seen[t] = true
		local names = {}
		for k in pairs(t) do names[#names + 1] = tostring(k) end
		table.sort(names)
		for _, k in ipairs(names) do
			local v = rawget(t, k)
			lines[#lines + 1] = path .. "." .. k .. " " .. type(v)
			if type(v) == "table" then walk(path .. "." .. k, v) end
		end
		local meta = getmetatable(t)
		if type(meta) == "table" then walk(path .. "/", meta) end
	end
	walk("_G", _G)
	for _, name in ipairs { "rocblas", "rocsolver", "hip", "array" } do
		local m = require(name)
		walk(name, m)
		lines[#lines + 1] = tostring(getmetatable(m))
	end
	local rocblas, hip = require "rocblas", require "hip"
	lines[#lines + 1] = tostring(rocblas.status_success) .. rocblas.operation_none .. type(rocblas.dgemm)
	lines[#lines + 1] = ("x"):upper() .. string.format("%d", 3) .. math.floor(1.5) .. tostring(os.getenv("left"))
	lines[#lines + 1] = tostring(left)
	print(table.concat(lines, "\n"))`

// vandalize changes all tables, metatables and variables that a script can reach, as far as they can be changed.
const vandalize = `
	os.setenv("left", "behind")
	local seen, rawset, pairs, type, pcall, getmetatable, next = {}, rawset, pairs, type, pcall, getmetatable, next
	local list = { _G, require "rocblas", require "rocsolver", require "hip", require "array" }
	local rocblas = list[2]
	list[#list + 1] = rocblas.try
	local n = 1
	while list[n] do
		local t = list[n]
		for _, v in pairs(t) do
			if type(v) == "table" and not seen[v] then seen[v] = true list[#list + 1] = v end
		end
		if type(getmetatable(t)) == "table" then list[#list + 1] = getmetatable(t) end
		n = n + 1
	end
	for i = n - 1, 1, -1 do
		local t = list[i]
		pcall(function() t.left = "behind" end)
		pcall(function() t.dgemm = 1 t.status_success = 2 t.operation_none = 3 end)
		rawset(t, "left", "behind")
		rawset(t, "dgemm", "behind")
		for k in pairs(t) do if t ~= list[1] then rawset(t, k, nil) end end
	end
	for k in pairs(list[1]) do rawset(list[1], k, nil) end`

// TestCasesShareNoTables runs a case that changes everything that it can reach. The next case must not notice.
func TestCasesShareNoTables(t *testing.T) {
	for _, sandbox := range []string{bounds.SandboxStrict, bounds.SandboxProject} {
		o := luabind.Options{Sandbox: sandbox}
		scenario := func(body string) string { return "return { run = function(t) " + body + " end }" }
		want := runLimited(t, scenario(reachable), record.Limits{}, o)
		if want.End != nil || len(want.Log) < 1000 {
			t.Fatalf("%v: %s", want.End, want.Log)
		}
		for _, source := range []string{scenario(vandalize), vandalize} {
			if r := runLimited(t, source, record.Limits{}, o); r.End != nil {
				t.Fatal(r.End)
			}
			have := runLimited(t, scenario(reachable), record.Limits{}, o)
			if have.End != nil || have.Log != want.Log {
				t.Errorf("%v:\n%s\nwant\n%s", have.End, have.Log, want.Log)
			}
		}
	}
}

// TestEnvironmentInAllSandboxes uses the functions of os that belong to a case.
func TestEnvironmentInAllSandboxes(t *testing.T) {
	for _, sandbox := range bounds.Sandboxes {
		r := runLimited(t, `return { run = function(t)
			os.setenv("ROCLUA_TEST", "1")
			print(os.getenv("ROCLUA_TEST"), os.getenv("PATH"), type(os.time()), pcall(os.getenv))
		end }`, record.Limits{}, luabind.Options{Sandbox: sandbox})
		const want = "1\tnil\tnumber\tfalse\tos.getenv: name: got nil, want a string\n"
		if r.End != nil || r.Log != want {
			t.Errorf("%s: %v %q, want %q", sandbox, r.End, r.Log, want)
		}
		if value, set := os.LookupEnv("ROCLUA_TEST"); set {
			t.Errorf("%s: the environment of the process has the value %q", sandbox, value)
		}
	}
}
