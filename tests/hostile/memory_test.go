//go:build linux

package hostile

import "fmt"

// memoryAttacks build large values in the interpreter.
func memoryAttacks() []attack {
	list := []attack{
		{name: "list of tables", limit: "heap", planned: true, sample: atPlan, body: `
			local l, i = {}, 0 while true do i = i + 1 l[i] = {} end`},
		{name: "list of closures", limit: "heap", planned: true, body: `
			local l, i = {}, 0 while true do i = i + 1 l[i] = function() return i end end`},
		{name: "table with one far index", limit: "heap", planned: true, harmless: true, body: `
			local l = {} for i = 1, 1e4 do l[i] = {} l[i][6.7e7] = 1 end`},
		{name: "table grown in the hash part", limit: "heap", planned: true, body: `
			local l, i = {}, 0 while true do i = i + 1 l[i + 0.5] = i end`},
		{name: "table with keys that are tables", limit: "heap", planned: true, body: `
			local l = {} while true do l[{}] = {} end`},
		{name: "keys that are removed again", limit: "heap", planned: true, harmless: true, body: `
			local l, i = {}, 0 while true do i = i + 1 l["k" .. i] = 1 l["k" .. i] = nil end`},
		{name: "weak tables", limit: "heap", planned: true, body: `
			local l = setmetatable({}, { __mode = "kv" }) while true do l[{}] = {} end`},
		{name: "metatables with metatables", limit: "heap", planned: true, body: `
			local m = {} while true do m = setmetatable({}, { __index = m, __newindex = m }) end`},
		{name: "upvalues that keep strings", limit: "heap", planned: true, body: `
			local l, i = {}, 0 while true do i = i + 1
			  local s = ("x"):rep(1e5) .. i l[i] = function() return s end end`},
		{name: "coroutines that keep strings", limit: "heap", planned: true, body: `
			local l, i = {}, 0 while true do i = i + 1
			  l[i] = coroutine.wrap(function(s) local k = s .. i
			  coroutine.yield() return k end) l[i](("x"):rep(1e5)) end`},
		{name: "coroutines that were never resumed", limit: "heap", planned: true, body: `
			local l, i = {}, 0 while true do i = i + 1 l[i] = coroutine.create(function() end) end`},
		{name: "coroutines that are dropped", limit: "timeout", planned: true, harmless: true, body: `
			while true do local c = coroutine.wrap(function() coroutine.yield() end) c() end`},
		{name: "globals", limit: "heap", planned: true, body: `
			local i = 0 while true do i = i + 1 _G["g" .. i] = ("x"):rep(1000) .. i end`},
		{name: "fields of the library", limit: "heap", planned: true, body: `
			local i = 0 while true do i = i + 1 string["f" .. i] = { i } end`},
		{name: "loaded functions kept", limit: "heap", planned: true, body: `
			local l, i = {}, 0
			  while true do i = i + 1 l[i] = loadstring("return '" .. ("x"):rep(1000) .. i .. "'") end`},
		{name: "strings of a megabyte in registers", limit: "heap", planned: true, body: `
			local function f(n) local s = ("x"):rep(1e6) .. n return n < 150 and f(n + 1) .. s or s end f(1)`},
		{name: "garbage at a high rate", limit: "timeout", planned: true, body: `
			while true do local s = ("x"):rep(1e7) end`},
		{name: "garbage tables at a high rate", limit: "timeout", planned: true, body: `
			while true do local l = {} for i = 1, 1e4 do l[i] = {} end end`},
		{name: "garbage in coroutines at a high rate", limit: "timeout", planned: true, body: `
			while true do coroutine.wrap(function() local s = ("x"):rep(3e7) end)() end`},
		{name: "table constructor with a million items", limit: "heap", planned: true, harmless: true, body: `
			local f = loadstring("return {" .. ("{},"):rep(3e5) .. "}") local l = {}
			  while true do l[#l + 1] = f() end`},
		{name: "memory in __tostring", limit: "heap", planned: true, body: `
			local l = {} local v = setmetatable({}, {__tostring = function()
			  while true do l[#l + 1] = {} end end}) print(v)`},
		{name: "memory in a comparator", limit: "heap", planned: true, body: `
			local l = {} table.sort({ 3, 2, 1 }, function(a, b) while true do l[#l + 1] = {} end end)`},
		{name: "memory in an error handler", limit: "heap", planned: true, body: `
			xpcall(error, function() local l = {} while true do l[#l + 1] = {} end end)`},
		{name: "memory after a caught error", limit: "heap", planned: true, body: `
			pcall(function() local s = ("x"):rep(2^40) end) local l = {}
			  while true do l[#l + 1] = ("x"):rep(1e6) .. #l end`},
		{name: "modules that keep memory", limit: "heap", planned: true,
			files: map[string]string{"greedy.lua": `local l = {} while true do l[#l + 1] = {} end`},
			body:  `require "greedy"`},
		{name: "environment tables copied", limit: "heap", planned: true, body: `
			local l = {} while true do local c = {} for k, v in pairs(_G) do c[k] = v end l[#l + 1] = c end`},
		{name: "results of pcall kept", limit: "heap", planned: true, body: `
			local l = {} while true do l[#l + 1] = { pcall(error, ("x"):rep(1e4) .. #l) } end`},
		{name: "tracebacks kept", limit: "heap", planned: true, body: `
			local l = {} local function f(k) if k == 0 then error({}) end return 1 + f(k - 1) end
			while true do local _, e = pcall(f, 150) l[#l + 1] = e end`},
	}
	for _, n := range []string{"2^20", "2^24", "2^28", "2^30", "2^40", "2^62", "1e300"} {
		list = append(list, attack{name: "string.rep of " + n, limit: "heap", planned: true, harmless: true,
			body: fmt.Sprintf(`local l = {} while true do l[#l + 1] = ("x"):rep(%s) .. #l end`, n)})
	}
	return list
}
