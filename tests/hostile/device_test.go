//go:build linux

package hostile

// deviceAttacks use up device memory, which the cpu platform allocates on the host, and kernel time.
func deviceAttacks() []attack {
	return []attack{
		{name: "device memory that is written", limit: "device_memory", sample: atRun, body: `
			while true do local p = hip.malloc(2^22) hip.memset(p, 1, 2^22) end`},
		{name: "one block of device memory that is written", limit: "device_memory", harmless: true, body: `
			local p = hip.malloc(2^33) hip.memset(p, 1, 2^33)`},
		{name: "device memory of the stream-ordered pool", limit: "device_memory", body: `
			local s = hip.stream_create() while true do
			  local p = hip.malloc_async(2^22, s) hip.memset_async(p, 1, 2^22, s)
			  hip.stream_synchronize(s) end`},
		{name: "device memory freed and taken in other sizes", limit: "device_memory", harmless: true, body: `
			local i = 0 while true do i = i + 1 local n = 2^20 + i * 4096
			  if n > 2^25 then i = 0 end local p = hip.malloc(n) hip.memset(p, 1, n) hip.free(p) end`},
		{name: "pool memory freed and taken in other sizes", limit: "device_memory", harmless: true, body: `
			local s, i = hip.stream_create(), 0
			while true do i = (i + 1) % 7000 local n = 2^20 + i * 4096
			  local p = hip.malloc_async(n, s) hip.memset_async(p, 1, n, s) hip.free_async(p, s) end`},
		{name: "uploads of arrays", limit: "device_memory", body: `
			local a = array.random("d", 1e6) while true do hip.upload(a) end`},
		{name: "workspaces of handles", limit: "device_memory", harmless: true, body: `
			while true do local h = rocblas.create_handle() h:set_device_memory_size(2^24) end`},
		{name: "device memory without a limit", limit: "device_memory", set: map[string]string{"device_memory": "0"},
			harmless: true, flags: []string{"--device-memory", "256MiB"}, body: `
			while true do local p = hip.malloc(2^24) hip.memset(p, 1, 2^24) end`},
		{name: "small blocks of device memory", limit: "device_memory", harmless: true, body: `
			while true do hip.malloc(1) end`},
		{name: "kernel that never ends", limit: "timeout", body: `
			local h, n = rocblas.create_handle(), 1600
			  local A, B, C = hip.malloc(8*n*n), hip.malloc(8*n*n), hip.malloc(8*n*n)
			while true do rocblas.dgemm(h, 111, 111, n, n, n, 1, A, n, B, n, 0, C, n) end`, harmless: true},
		{name: "large kernel that is awaited", limit: "timeout", harmless: true, body: `
			local h, n = rocblas.create_handle(), 1600 local A = hip.upload(array.random("d", n, n))
			local p = hip.malloc(4 * n + 4)
			while true do rocsolver.dgetrf(h, n, n, A, n, p, p + 4 * n) hip.device_synchronize() end`},
		{name: "kernels queued without end", limit: "heap", harmless: true, body: `
			local h, s = rocblas.create_handle(), hip.stream_create() rocblas.set_stream(h, s) local n = 1000
			local A = hip.malloc(8 * n * n) while true do rocblas.dscal(h, 2, 1, A, 1)
			  rocblas.dgemm(h, 111, 111, n, n, n, 1, A, n, A, n, 0, A, n) end`},
		{name: "copies queued without end", limit: "heap", harmless: true, body: `
			local s, a = hip.stream_create(), array.zeros("d", 1e5) local p = hip.malloc(8e5)
			while true do hip.memcpy_async(p, a, 8e5, nil, s) end`},
		{name: "kernel over a batch of 2^31", limit: "timeout", harmless: true, body: `
			local h, p = rocblas.create_handle(), hip.malloc(4096)
			rocblas.dgemm_strided_batched(h, 111, 111, 1, 1, 1, 1, p, 1, 0, p, 1, 0, 0, p, 1, 0, 2^31 - 1)
			hip.device_synchronize()`},
		{name: "vector of length 2^31 with increment 0", limit: "timeout", harmless: true, body: `
			local h, p = rocblas.create_handle(), hip.malloc(4096)
			rocblas.daxpy(h, 2^31 - 1, 1, p, 0, p, 0) hip.device_synchronize()`},
		{name: "graphs of kernels launched without end", limit: "timeout", harmless: true, body: `
			local s, p = hip.stream_create(), hip.malloc(2^24) hip.stream_begin_capture(s, 0)
			for i = 1, 100 do hip.memset_async(p, i, 2^24, s) end
			local g = hip.graph_instantiate(hip.stream_end_capture(s)) while true do hip.graph_launch(g, s) end`},
		{name: "device wait in a deferred function", limit: "timeout", harmless: true, body: `
			local h, n = rocblas.create_handle(), 1600 local A = hip.malloc(8*n*n)
			t:defer(function() for i = 1, 1e6 do rocblas.dgemm(h, 111, 111, n, n, n, 1, A, n, A, n, 0, A, n) end
			  hip.device_synchronize() end) while true do end`},
	}
}
