//go:build linux

package hostile

// hostAttacks use functions of the host: records of the test, arrays, records of calls.
func hostAttacks() []attack {
	return []attack{
		{name: "hip.trace of many calls", limit: "heap", harmless: true, sample: atRun, body: `
			for i = 1, 2e5 do hip.free(hip.malloc(64)) end local l = {} for i = 1, 1e6 do l[i] = hip.trace() end`},
		{name: "hip.trace kept in a loop", limit: "heap", body: `
			local l = {} while true do for i = 1, 100 do hip.free(hip.malloc(64)) end l[#l + 1] = hip.trace() end`},
		{name: "records of calls", limit: "heap", harmless: true, body: `while true do hip.free(hip.malloc(64)) end`},
		{name: "records of calls from a long chunk name", limit: "heap", harmless: true, body: `
			local f = loadstring([[local hip = ...
			  while true do hip.free(hip.malloc(64)) end]], "@" .. ("n"):rep(1e6)) f(hip)`},
		{name: "chunk names that differ for each call", limit: "heap", harmless: true, body: `
			local i = 0 while true do i = i + 1
			  loadstring("local hip = ... hip.free(hip.malloc(64))", "@" .. i .. ("n"):rep(1e5))(hip) end`},
		{name: "failing calls with tracebacks", limit: "heap", harmless: true, body: `
			local h = rocblas.create_handle()
			while true do pcall(rocsolver.dgetrf, h, -1, -1, nil, 1, nil, nil) end`},
		{name: "details of failed tries kept", limit: "heap", harmless: true, body: `
			local l = {} while true do l[#l + 1] = { hip.try.malloc(2^50) } end`},
		{name: "hip.stats kept", limit: "heap", body: `local l = {} while true do l[#l + 1] = hip.stats() end`},
		{name: "device properties kept", limit: "heap", body: `
			local l = {} while true do l[#l + 1] = hip.get_device_properties(0) end`},
		{name: "streams created and destroyed", limit: "heap", harmless: true, body: `
			while true do hip.stream_destroy(hip.stream_create()) end`},
		{name: "streams created", limit: "heap", harmless: true, body: `while true do hip.stream_create() end`},
		{name: "events created", limit: "heap", harmless: true, body: `while true do hip.event_create() end`},
		{name: "events created and destroyed", limit: "heap", harmless: true, body: `
			while true do hip.event_destroy(hip.event_create()) end`},
		{name: "events recorded without end", limit: "heap", harmless: true, body: `
			local s, e = hip.stream_create(), hip.event_create() while true do hip.event_record(e, s) end`},
		{name: "waits between streams without end", limit: "heap", harmless: true, body: `
			local s, r, e = hip.stream_create(), hip.stream_create(), hip.event_create()
			while true do hip.event_record(e, s) hip.stream_wait_event(r, e) end`},
		{name: "captures without end", limit: "heap", harmless: true, body: `
			local s = hip.stream_create() local p = hip.malloc(64) hip.stream_begin_capture(s, 0)
			while true do hip.memset_async(p, 0, 64, s) end`},
		{name: "graphs kept", limit: "heap", harmless: true, body: `
			local s, p = hip.stream_create(), hip.malloc(64)
			while true do hip.stream_begin_capture(s, 0) for i = 1, 100 do hip.memset_async(p, 0, 64, s) end
			  hip.graph_instantiate(hip.stream_end_capture(s)) end`},
		{name: "handles created", limit: "heap", harmless: true, body: `while true do rocblas.create_handle() end`},
		{name: "handles created and destroyed", limit: "heap", harmless: true, body: `
			while true do rocblas.destroy_handle(rocblas.create_handle()) end`},
		{name: "t:open in a loop", limit: "heap", harmless: true, body: `while true do t:open { bytes = 1024 } end`},
		{name: "t:defer in a loop", limit: "heap", harmless: true, body: `
			while true do t:defer(function() error("x") end) end`},
		{name: "deferred functions with long arguments", limit: "heap", harmless: true, body: `
			local i = 0 while true do i = i + 1 t:defer(print, ("x"):rep(1e5) .. i) end`},
		{name: "50 deferred functions that fail with long errors", limit: "output",
			harmless: true, sample: atRun, body: `
			local s = ("x"):rep(1e7) for i = 1, 50 do t:defer(function() error(s .. i) end) end`},
		{name: "50 deferred functions that never end", limit: "timeout", body: `
			for i = 1, 50 do t:defer(function() while true do end end) end while true do end`},
		{name: "teardown that never ends", limit: "timeout", body: `while true do end`,
			fields: `teardown = function() while true do end end`},
		{name: "teardown that takes memory", limit: "heap", body: `local l = {} while true do l[#l + 1] = {} end`,
			fields: `teardown = function() local l = {} while true do l[#l + 1] = {} end end`},
		{name: "teardown that prints", limit: "output", body: `while true do print(("x"):rep(1000)) end`,
			fields: `teardown = function() while true do print(("x"):rep(1000)) end end`},
		{name: "setup that never ends", limit: "timeout", body: ``, fields: `setup = function() while true do end end`},
		{name: "failing setup, run and teardown", limit: "output", harmless: true, body: `error(("r"):rep(3e7))`,
			fields: `setup = function() error(("s"):rep(3e7)) end, teardown = function() error(("t"):rep(3e7)) end`},
		{name: "complex array to a table", limit: "heap", body: `
			local a = array.zeros("z", 3e6) local l = a:totable()`},
		{name: "array to a table, kept", limit: "heap", body: `
			local a, l = array.zeros("d", 1e5), {} while true do l[#l + 1] = a:totable() end`},
		{name: "arrays kept", limit: "heap", sample: atRun, body: `
			local l = {} while true do l[#l + 1] = array.zeros("d", 1e6) end`},
		{name: "copies of arrays kept", limit: "heap", body: `
			local l = { array.zeros("d", 1e6) } while true do l[#l + 1] = l[1]:copy() end`},
		{name: "garbage arrays at a high rate", limit: "timeout", body: `while true do array.zeros("d", 4e6) end`},
		{name: "results of array arithmetic at a high rate", limit: "timeout", harmless: true, body: `
			local a = array.zeros("d", 1e6) while true do array.add(a, array.scale(a, 2)) end`},
		{name: "array with 2^53 elements", limit: "heap", harmless: true, body: `array.zeros("d", 2^53)`},
		{name: "array whose size overflows", limit: "heap", harmless: true, body: `array.zeros("z", 2^32, 2^32)`},
		{name: "residual with a dimension of 2^36", limit: "timeout", harmless: true, sample: atRun, body: `
			local A, x = array.zeros("d", 0, 2^36), array.zeros("d", 2^36, 0)
			array.residual(A, x, array.zeros("d", 0, 0))`},
		{name: "residuals with empty dimensions", limit: "timeout", harmless: true, body: `
			local A = array.zeros("d", 2^36, 0)
			for _, f in ipairs { "lu_residual", "cholesky_residual", "qr_residual", "orthogonality", "norm" } do
			  pcall(array[f], A, A, A) pcall(array[f], A, A, "U") end`},
		{name: "residual over 2^36 problems", limit: "timeout", harmless: true, body: `
			local A = array.zeros("d", 0, 0) array.residual(A, A, A, 2^36)`},
		{name: "transpose of an empty matrix of 2^40 rows", limit: "timeout", harmless: true, body: `
			local A = array.zeros("d", 2^40, 0) local B = A:transpose() B:row(1) A:diagonal() A:totable()
			  array.multiply(A, B)`},
		{name: "product of large arrays", limit: "timeout", harmless: true, body: `
			local A = array.random("d", 1400, 1400) while true do array.multiply(A, A) end`},
		{name: "orthogonal matrix of order 2000", limit: "timeout", harmless: true,
			body: `array.orthogonal("d", 2000, 2000)`},
		{name: "positive definite matrix of order 2500", limit: "timeout", harmless: true,
			body: `array.positive_definite("d", 2500)`},
		{name: "Hilbert matrices of low precision", limit: "timeout", harmless: true, body: `
			while true do array.hilbert("s", 3000, 3000) end`},
		{name: "array.of a long list", limit: "heap", harmless: true, body: `
			local l = {} for i = 1, 5e5 do l[i] = i end local k = {} while true do k[#k + 1] = array.of("z", l) end`},
		{name: "array.of a table with holes and a far index", limit: "heap", harmless: true, body: `
			local l = setmetatable({}, { __len = function() return 2^40 end, __index = function() return 1 end })
			array.of("d", l)`},
		{name: "array.pointers of 2^40", limit: "heap", harmless: true,
			body: `array.pointers(hip.malloc(64), 2^40, 8)`},
		{name: "shown arrays in t:equal", limit: "output", harmless: true, body: `
			local a, b = array.zeros("z", 1e5), array.identity("z", 300, 300) for i = 1, 1e4 do t:equal(a, b) end`},
		{name: "tostring of arrays and objects", limit: "timeout", harmless: true, body: `
			local a = array.zeros("z", 1e6) local h = rocblas.create_handle() while true do
			  tostring(a) tostring(h) end`},
		{name: "unknown argument with a name of a megabyte", limit: "timeout", harmless: true, sample: atRun, body: `
			local h = rocblas.create_handle()
			for i = 1, 20 do pcall(function() h:dgetrf { [("x"):rep(2^20) .. i] = 1 } end) end`},
		{name: "unknown function with a name of a megabyte", limit: "timeout", harmless: true, body: `
			for i = 1, 20 do pcall(function() return rocsolver[("dgetrf"):rep(2e5) .. i]() end)
			  pcall(function() return hip[("malloc"):rep(2e5) .. i]() end)
			  pcall(function() return array[("zeros"):rep(2e5) .. i]() end) end`},
		{name: "unknown type, kind and option of a megabyte", limit: "timeout", harmless: true, body: `
			local s = ("x"):rep(2^20) local a = array.zeros("d", 2) for i = 1, 20 do pcall(array.zeros, s, 1)
			  pcall(array.norm, a, s) pcall(array.is_sorted, a, s) pcall(t.open, t, { [s] = 1 }) end`},
		{name: "unknown field of t of a megabyte", limit: "timeout", harmless: true, body: `
			for i = 1, 100 do pcall(function() return t[("x"):rep(2^20) .. i]() end) end`},
		{name: "hip.bytes of a long string", limit: "timeout", harmless: true, body: `
			local s = ("9"):rep(2^24) for i = 1, 1e3 do pcall(hip.bytes, s) end`},
		{name: "table of arguments with a million names", limit: "timeout", harmless: true, body: `
			local h, args = rocblas.create_handle(), {} for i = 1, 2e5 do args["n" .. i] = i end
			while true do pcall(h.dgetrf, h, args) end`},
		{name: "array of arguments as a pointer array", limit: "heap", harmless: true, body: `
			local h = rocblas.create_handle()
			rocblas.dgemm_batched(h, 111, 111, 1, 1, 1, 1, nil, 1, nil, 1, 0, nil, 1, 2^31 - 1)`},
		{name: "queries in a loop", limit: "timeout", body: `
			local h = rocblas.create_handle()
			  while true do h:query(function(q) q:dgetrf { m = 1000, n = 1000 } end) end`},
		{name: "query of a million calls", limit: "heap", harmless: true, body: `
			local h = rocblas.create_handle()
			h:query(function(q) while true do q:dgetrf { m = 1000, n = 1000 } end end)`},
		{name: "hazards without end", limit: "heap", harmless: true, body: `
			local s, r, p = hip.stream_create(), hip.stream_create(), hip.malloc(4096)
			while true do hip.memset_async(p, 0, 4096, s) hip.memset_async(p, 1, 4096, r) end`},
		{name: "unwritten reads without end", limit: "heap", harmless: true, body: `
			local a = array.zeros("d", 8) while true do local p = hip.malloc(64) hip.memcpy(a, p, 64) hip.free(p) end`},
		{name: "hip.reinterpret of scattered pieces", limit: "heap", harmless: true, body: `
			local p = hip.malloc(2^25) local i = 0
			while true do i = (i + 24) % (2^25 - 16) hip.reinterpret(p + i, 8, i % 48 == 0 and "d" or "i64") end`},
		{name: "writes of scattered pieces", limit: "heap", harmless: true, body: `
			local p, i = hip.malloc(2^25), 0 while true do i = (i + 3) % (2^25 - 8) hip.memset(p + i, 1, 1) end`},
		{name: "changes of __index of the test", limit: "timeout", harmless: true, body: `
			t.log = function() while true do end end t:log("x")`},
	}
}
