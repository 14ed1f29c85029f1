//go:build linux

package hostile

import "fmt"

// depthAttacks nest calls, callbacks, coroutines and the text of scripts.
func depthAttacks() []attack {
	list := []attack{
		{name: "gsub callbacks in 190 coroutines", limit: "depth", planned: true, harmless: true, sample: atRun, body: `
			local chain
			local function deep(n, k)
			  if n == 0 then return chain(k - 1) end
			  return (("x"):gsub("x", function() return deep(n - 1, k) end))
			end
			function chain(k)
			  if k == 0 then return "" end
			  return coroutine.wrap(function() return deep(180, k) end)()
			end
			chain(190)`},
		{name: "coroutines in coroutines", limit: "depth", planned: true, body: `
			local function chain(k) if k > 0 then return coroutine.wrap(function() return chain(k - 1) end)() end end
			chain(1e6)`},
		{name: "recursive __index functions", limit: "depth", planned: true, body: `
			local t t = setmetatable({}, {__index = function(_, k) return t[k + 1] end}) return t[1]`},
		{name: "recursive __call", limit: "depth", planned: true, body: `
			local f f = setmetatable({}, {__call = function() return f() + 1 end}) f()`},
		{name: "recursive __eq", limit: "depth", planned: true, body: `
			local m = {} m.__eq = function(a, b) return setmetatable({}, m) == setmetatable({}, m) end
			return setmetatable({}, m) == setmetatable({}, m)`},
		{name: "recursive __concat", limit: "depth", planned: true, body: `
			local m = {} m.__concat = function(a, b) return a .. b .. "" end
			return setmetatable({}, m) .. setmetatable({}, m)`},
		{name: "recursive __tostring", limit: "depth", planned: true, body: `
			local x x = setmetatable({}, {__tostring = function() return tostring(x) end}) tostring(x)`},
		{name: "recursive __lt in sort", limit: "depth", planned: true, body: `
			local m = {} local function sorted() local l = {} for i = 1, 4 do l[i] = setmetatable({}, m) end
			  table.sort(l) end
			m.__lt = function() sorted() return true end sorted()`},
		{name: "xpcall handlers that fail", limit: "depth", planned: true, harmless: true, body: `
			local function h(e) return xpcall(error, h, e) end xpcall(error, h, "x")`},
		{name: "sort in sort", limit: "depth", planned: true, body: `
			local function s() table.sort({ 1, 2, 3 }, function(a, b) s() return a < b end) end s()`},
		{name: "load readers in load readers", limit: "depth", planned: true, body: `
			local function l() return load(function() l() return nil end) end l()`},
		{name: "require of itself in callbacks", limit: "depth", planned: true, harmless: true,
			files: map[string]string{"again.lua": `return (("x"):gsub("x", function() return require "again" end))`},
			body:  `require "again"`},
		{name: "t:raises in t:raises", limit: "depth", harmless: true, body: `
			local function f() t:raises(rocblas.status_memory_error, f) end f()`},
		{name: "handle:query in handle:query", limit: "depth", harmless: true, body: `
			local h = rocblas.create_handle() local function f() h:query(f) end f()`},
		{name: "t:defer in t:defer", limit: "timeout", harmless: true, body: `
			local function f() t:defer(f) end f()`},
		{name: "recursion in C and Lua, with large frames", limit: "depth", planned: true, harmless: true, body: `
			local function f(a, b, c, d, e, g, h, i, j, k, l)
			  return select(1, pcall(f, a, b, c, d, e, g, h, i, j, k, l)) end
			f(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)`},
		{name: "varargs of a million values", limit: "depth", planned: true, body: `
			local t = {} for i = 1, 1e6 do t[i] = i end print(select("#", unpack(t)))`},
		{name: "varargs that double", limit: "depth", planned: true, body: `
			local function f(...) return f(..., ...) end
			local function g(...) return g(1, 2, 3, 4, 5, 6, 7, 8, ...) end g()`},
		{name: "string.char and byte of many values", limit: "depth", planned: true, harmless: true, body: `
			local s = ("x"):rep(1e6) print(#string.char(s:byte(1, -1)))`},
		{name: "tail calls in coroutines", limit: "depth", planned: true, body: `
			local function f() return coroutine.wrap(f)() end f()`},
		{name: "dofile of itself", limit: "depth", planned: true, harmless: true,
			files: map[string]string{"again.lua": `dofile("again.lua")`}, body: `dofile("again.lua")`},
		{name: "cyclic table in t:equal", limit: "timeout", harmless: true, body: `
			local a, b = {}, {} a.a, b.a = a, b t:equal(a, b)`},
		{name: "chain of a million tables in t:equal", limit: "timeout", harmless: true, body: `
			local function chain() local x = {} for i = 1, 1e5 do x = { x } end return x end
			  t:equal(chain(), chain())`},
		{name: "chain of tables as an error object", limit: "timeout", harmless: true, body: `
			local x = {} for i = 1, 1e5 do x = { x } end error(x)`},
		{name: "__index chain of 100000 tables", limit: "timeout", planned: true, harmless: true, body: `
			local x = {} for i = 1, 1e5 do x = setmetatable({}, {__index = x}) end for i = 1, 1e9 do
			  local _ = x.y end`},
	}
	for _, n := range []int{1, 10, 100, 1000, 5000} {
		list = append(list, depthsOf(n)...)
	}
	for _, n := range []int{10, 100, 1000} {
		list = append(list, attack{name: fmt.Sprintf("%d coroutines with deep calls", n), limit: "heap", planned: true,
			harmless: true, sample: atRunIf(n == 1000), body: fmt.Sprintf(`
			local list = {} local function f(k) if k == 0 then coroutine.yield() else f(k - 1) end return 1 end
			for i = 1, %d do list[i] = coroutine.create(f) coroutine.resume(list[i], 180) end`, n)})
	}
	return list
}

// depthsOf are scripts nested to a given depth.
func depthsOf(n int) []attack {
	at := func(name string) string { return fmt.Sprintf("%s, depth %d", name, n) }
	return []attack{
		{name: at("pcall"), limit: "timeout", planned: true, harmless: true, sample: atRunIf(n == 5000),
			body: fmt.Sprintf(`
			local function f(k) if k == 0 then error("x") end local ok, e = pcall(f, k - 1) error(e, 0) end
			for i = 1, 1e9 do pcall(f, %d) end`, n)},
		{name: at("xpcall with a handler"), limit: "timeout", planned: true, harmless: true, body: fmt.Sprintf(`
			local function f(k) if k == 0 then error("x") end
			  xpcall(f, function(e) error(e .. "y") end, k - 1) error("z") end
			for i = 1, 1e9 do pcall(f, %d) end`, n)},
		{name: at("gsub callbacks that raise"), limit: "timeout", planned: true, harmless: true, body: fmt.Sprintf(`
			local function f(k) if k == 0 then error("x") end
			  return (("x"):gsub("x", function() return f(k - 1) end)) end
			for i = 1, 1e9 do pcall(f, %d) end`, n)},
		{name: at("coroutines that raise"), limit: "timeout", planned: true, harmless: true, body: fmt.Sprintf(`
			local function f(k) if k == 0 then error("x") end return coroutine.wrap(f)(k - 1) end
			for i = 1, 1e9 do pcall(f, %d) end`, n)},
		{name: at("parentheses"), limit: "depth", planned: true, harmless: true,
			body: "local x = " + nested(n, "(", "1", ")")},
		{name: at("functions"), limit: "depth", planned: true, harmless: true,
			body: nested(n, "local function f() ", "", " end ")},
		{name: at("table constructors"), limit: "depth", planned: true, harmless: true,
			body: "local x = " + nested(n, "{", "1", "}")},
		{name: at("loadstring of unary operators"), limit: "depth", planned: true, harmless: true,
			body: fmt.Sprintf(`for i = 1, 1000 do loadstring("return " .. ("not "):rep(%d * i) .. "1") end`, n)},
	}
}
