package luabind_test

// escape is a script that tries to reach what the sandbox keeps from it. It prints ESCAPED if it succeeds.
type escape struct{ group, name, body string }

// escapes try the modules, objects and functions of this package. The tests of package vm try Lua itself.
var escapes = []escape{
	{"require", "loaded modules of another case", `rawset(require("array"), "polluted", true) polluted = true`},

	{"metatables", "of the test", `if type(getmetatable(t)) ~= "string" then escaped("the test's") end
		attempt(setmetatable, t, {})`},
	{"metatables", "of modules", `for _, m in ipairs { "rocblas", "rocsolver", "hip", "array" } do
		if type(getmetatable(require(m))) ~= "string" then escaped(m) end attempt(setmetatable, require(m), {}) end`},
	{"metatables", "of objects", `local rocblas, hip, array = require "rocblas", require "hip", require "array"
		local p = hip.malloc(8)
		for _, o in ipairs { rocblas.status_success, hip.success, p, array.zeros("d", 1) } do
		if type(getmetatable(o)) ~= "string" then escaped(tostring(o)) end attempt(setmetatable, o, {}) end
			hip.free(p)`},
	{"metatables", "statuses changed", `attempt(function() require("rocblas").status_success.code = 5 return
		require("rocblas").status_success.code == 5 end)`},
	{"metatables", "modules changed", `attempt(function() require("rocblas").create_handle = nil return
		require("rocblas").create_handle == nil end)`},
	{"metatables", "modules changed by rawset", `rawset(require("rocblas"), "create_handle", print)
		rawset(require("hip"), "malloc", print) rawset(require("hip"), "polluted", true)`},
	{"metatables", "of an error object", `local _, e = pcall(function() return require("rocblas").nothing end) if
		type(getmetatable(e)) ~= "string" then escaped("an error's") end`},
	{"metatables", "methods called on wrong objects", `local hip, array = require "hip", require "array" local a, p
		= array.zeros("d", 1), hip.malloc(8)
		attempt(a.get, p, 1, 1) attempt(a.copy, t) attempt(t.metric, a, "x", 1) hip.free(p)`},

	{"coroutines", "yield out of a query", `local rocblas = require "rocblas" local h = rocblas.create_handle()
		local co = coroutine.create(function() h:query(function(q) coroutine.yield() end) end)
		for i = 1, 3 do coroutine.resume(co) end pcall(rocblas.stop_device_memory_size_query, h)
			pcall(rocblas.destroy_handle, h)`},

	{"machine", "unusual arrays", `local array = require "array" local a = array.zeros("d", 2, 2) for _, n in
		ipairs { -1, 0, 5, 1e300, 0/0, "x" } do pcall(function() return a[n] end) pcall(function() a[n] = n end)
		pcall(a.get, a, n, n) pcall(array.zeros, "d", n, n) pcall(array.random, "d", n) end pcall(array.zeros, "d",
		2^40, 2^40) pcall(array.zeros, "q", 1)`},
	{"machine", "a copy beyond the end of an array", `local hip, array = require "hip", require "array" local a, p
		= array.zeros("d", 1), hip.malloc(64) pcall(hip.memcpy, a, p, 64) pcall(hip.memcpy, p, a, 64)
		pcall(hip.memcpy, p, p, 2^50) pcall(hip.memset, p, 0, 2^50) hip.free(p)`},
	{"machine", "reports of tables that contain themselves", `local a, b = {}, {} a.a, b.a = a, b t:equal(a, b)
		t:check(true, "x") t:equal({ a }, { b })`},
	{"machine", "reports of tables with millions of items", `local a, b = {}, {} for i = 1, 40 do a, b = { a, a },
		{ b, b } end t:equal(a, b) t:equal(a, b)`},
	{"machine", "defer and skip in the wrong place", `pcall(function() t:defer(function() t:defer(function() end)
		end) end) pcall(t.defer, t, nil) pcall(t.raises, t, nil, error)`},
}
