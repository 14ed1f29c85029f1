package luabind_test

import (
	"testing"

	"roclua/luabind/record"
)

// TestCopies copies in all directions, and checks the calls that are made.
func TestCopies(t *testing.T) {
	for name, body := range map[string]string{
		"kinds": `local p, q, a, b = hip.malloc(8), hip.malloc(8), array.of("d", {3}), array.zeros("d", 1)
			local kinds = {hip.memcpy_host_to_host, hip.memcpy_host_to_device, hip.memcpy_device_to_host,
				hip.memcpy_device_to_device}
			hip.memcpy(p, a, 8)
			for i, call in ipairs{{b, a}, {p, a}, {b, p}, {q, p}} do
				for j, kind in ipairs(kinds) do
					local status = hip.try.memcpy(call[1], call[2], 8, kind)
					t:equal(status, i == j and hip.success or hip.error_invalid_memcpy_direction, i .. " " .. j)
				end
				t:equal(hip.try.memcpy(call[1], call[2], 8, hip.memcpy_default), hip.success)
			end
			t:equal({b[1], hip.download(array.zeros("d", 1), q)[1]}, {3, 3})
			hip.free(p) hip.free(q)`,
		"calls": `local p, q, a, s = hip.malloc(8), hip.malloc(8), array.zeros("d", 1), hip.stream_create()
			hip.trace()
			hip.memcpy(p, a, 8) hip.memcpy_async(p, a, 8, 1, s) hip.memcpy(q, p, 8) hip.memcpy_async(q, p, 8, 3, s)
			hip.memcpy(a, p, 8) hip.memcpy_async(a, p, 8, 2, s)
			hip.stream_synchronize(s)
			local calls = {}
			for i, call in ipairs(hip.trace()) do calls[i] = call.call .. " " .. tostring(call.stream) end
			t:equal(table.concat(calls, ", "), "hipMemcpy nil, hipMemcpyAsync 1, hipMemcpy nil, " ..
				"hipMemcpyAsync 1, hipMemcpy nil, hipMemcpyAsync 1, hipStreamSynchronize 1")
			hip.free(p) hip.free(q) hip.stream_destroy(s)`,
		"trace": `hip.trace()
			local p = hip.malloc(64)
			local made = hip.trace()[1]
			t:equal({made.call, made.ptr, made.bytes, made.injected}, {"hipMalloc", p, 64, nil})
			hip.device_synchronize()
			t:equal(hip.trace()[1].ptr, nil)
			hip.free(p)`,
		"leading dimension on the device": `local h, p = rocblas.create_handle(), hip.upload(array.random("s", 16))
			rocblas.set_matrix(2, 2, 8, array.of("d", {1, 2, 3, 4}, 2), 2, p, 4)
			t:equal(h:dasum{n = 2, x = p + 32}, 7)
			t:check(not pcall(h.sasum, h, {n = 4, x = p + 32}), "the second column has its new type")
			t:check(h:sasum{n = 4, x = p + 16} > 0, "the gap has its old type")
			hip.free(p) h:close()`,
		"vector that the host does not wait for": `local p, s = hip.upload(array.of("d", {1, 2})), hip.stream_create()
			local a = array.zeros("d", 3)
			rocblas.get_vector_async(2, 8, p, 1, a, 1, s)
			t:equal(#hip.hazards(), 0)
			a[3] = 1
			t:equal(#hip.hazards(), 0)
			a[2] = 1
			t:equal(#hip.hazards(), 1)
			t:raises(rocblas.status_invalid_size, rocblas.get_vector_async, -1, 8, p, 1, a, 1, s)
			hip.stream_synchronize(s) hip.stream_destroy(s) hip.free(p)`,
		"buffers of an allocation": `local h = rocblas.create_handle()
			local a = h:device_malloc(64, 128)
			t:equal({#a, a[2] - a[1], a.bytes}, {2, 64, 192})
			a:release() h:close()`,
		"results of 64-bit forms": `local h, x = rocblas.create_handle(), hip.upload(array.of("d", {1, -5, 2}))
			t:equal({(h:dasum_64{n = 3, x = x}), (h:idamax_64{n = 3, x = x}), (h:idamax{n = 3, x = x})}, {8, 2, 2})
			hip.free(x) h:close()`,
		"largest integer": `local h = rocblas.create_handle()
			t:equal((rocblas.try.dscal_64(h, 2^53, 1, nil, 1)), rocblas.status_invalid_pointer)
			t:equal(hip.bytes("0"), 0)
			h:close()`,
	} {
		t.Run(name, func(t *testing.T) {
			rec := run(t, scenario("", body), record.Case{})
			if !rec.Passed() || rec.Log != "" {
				t.Errorf("%v %+v %q %q", rec.End, rec.Checks, rec.Problems, rec.Log)
			}
		})
	}
}
