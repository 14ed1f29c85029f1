package luabind_test

import (
	"runtime"
	"testing"

	"roclua/luabind/record"
)

// TestArrays compares arrays and norms with small cases that can be checked by hand.
func TestArrays(t *testing.T) {
	for name, body := range map[string]string{
		"shape": `local a = array.zeros("z", 2, 3)
			t:equal({#a, a.rows, a.cols, a.type, a.bytes}, {6, 2, 3, "z", 96})`,
		"column-major": `local a = array.of("d", {1, 2, 3, 4, 5, 6}, 2)
			t:equal({a:get(1, 3), a:get(2, 1), a[4]}, {5, 2, 4})
			a:set(2, 3, 9) t:equal(a[6], 9)`,
		"complex": `local a = array.zeros("c", 1) a[1] = {1, -2} t:equal(a[1], {1, -2})
			a[1] = 3 t:equal(a[1], {3, 0})`,
		"identity": `local a = array.identity("s", 3) t:equal(a:totable(), {1, 0, 0, 0, 1, 0, 0, 0, 1})`,
		"halves": `local a, b = array.of("f16", {2049, 0.1}), array.of("bf16", {257, -3})
			t:equal({a[1], b[1], b[2], a.bytes, b.bytes}, {2048, 256, -3, 4, 4})`,
		"bytes": `local a = array.of("i8", {-128, 127, 5})
			t:equal({a[1], a[2], a[3], a.bytes}, {-128, 127, 5, 3})`,
		"hilbert": `t:equal(array.hilbert("d", 2):totable(), {1, 1/2, 1/2, 1/3})`,
		"norms": `local a = array.of("d", {3, -4, 0, 0}, 2)
			t:equal({array.norm(a), array.norm(a, "max"), array.norm(a, "one")}, {5, 4, 7})`,
		"nan": `local a = array.of("d", {0/0, 1}) t:check(array.norm(a, "max") ~= array.norm(a, "max"),
			"a NaN is never small")`,
		"residual": `local A = array.of("d", {2, 0, 0, 4}, 2)
			t:equal(array.residual(A, array.of("d", {1, 1}), array.of("d", {2, 4})), 0)
			t:check(array.residual(A, array.of("d", {1, 1}), array.of("d", {2, 5})) > 0.1)`,
		"lu residual": `local A = array.of("d", {1, 4, 2, 4}, 2)
			local LU = array.of("d", {4, 0.25, 4, 1}, 2)
			t:equal(array.lu_residual(A, LU, array.of("i32", {2, 2})), 0)
			t:check(array.lu_residual(A, LU, array.of("i32", {1, 2})) > 0.1, "the exchange matters")`,
		"pointers": `local p = hip.malloc(256)
			local a = array.pointers(p, 3, 64)
			t:equal({a[1] == p, a[3] - p}, {true, 128})
			hip.free(p)`,
		"seeded": `t:equal(array.random("d", 4, 1, 7):totable(), array.random("d", 4, 1, 7):totable())`,
		"round trip": `local a = array.random("z", 5, 4)
			local p = hip.upload(a)
			t:equal(array.max_difference(hip.download(array.zeros("z", 5, 4), p), a), 0)
			hip.memset(p, 0, a.bytes)
			t:equal(array.norm(hip.download(array.zeros("z", 5, 4), p)), 0)
			hip.free(p)`,
		"errors": `t:equal(pcall(function() return array.zeros("d", 3)[4] end), false)
			t:equal(pcall(array.zeros, "q", 3), false)
			t:equal(pcall(array.zeros, "d", 2^35), false)
			t:equal(pcall(function() array.zeros("i32", 1)[1] = 2^31 end), false)
			t:equal(pcall(function() array.zeros("d", 1)[1] = {1, 1} end), false)`,
	} {
		t.Run(name, func(t *testing.T) {
			if rec := run(t, scenario("", body), record.Case{}); !rec.Passed() {
				t.Errorf("%v %+v %v", rec.End, rec.Checks, rec.Problems)
			}
		})
	}
}

// TestRoutinesFromLua calls routines in the ways that a script can: by position, by name, in both pointer modes, in
// batches, with complex numbers.
func TestRoutinesFromLua(t *testing.T) {
	for name, body := range map[string]string{
		"datatypes follow the first": `local x, r = hip.upload(array.of("s", {3, 4})), rocblas.datatype_f32_r
			t:near(h:nrm2_ex{n = 2, x = x, x_type = r}, 5, 1e-6)
			t:near(h:dot_ex{n = 2, x = x, x_type = r, y = x}, 25, 1e-6)
			local z = hip.upload(array.of("c", {{0, 3}, 4}))
			t:near(h:nrm2_ex{n = 2, x = z, x_type = rocblas.datatype_f32_c}, 5, 1e-6)
			t:equal(h:dotc_ex{n = 2, x = z, x_type = rocblas.datatype_f32_c, y = z}, {25, 0})
			hip.free(x) hip.free(z)`,
		"named defaults": `local A, C = hip.upload(array.identity("d", 3)), hip.malloc(48)
			local B = hip.upload(array.of("d", {1, 2, 3, 4, 5, 6}, 3))
			h:dgemm{m = 3, n = 2, k = 3, A = A, B = B, C = C}
			t:equal(hip.download(array.zeros("d", 3, 2), C):totable(), {1, 2, 3, 4, 5, 6})
			hip.free(A) hip.free(B) hip.free(C)`,
		"complex scalars": `local x = hip.upload(array.of("z", {{1, 2}, {0, 1}}))
			t:equal((rocblas.zdotu(h, 2, x, 1, x, 1)), {-4, 4})
			t:equal((rocblas.zdotc(h, 2, x, 1, x, 1)), {6, 0})
			t:equal((rocblas.dzasum(h, 2, x, 1)), 4)
			t:check(h:dscal{n = 0, alpha = {2, 0}}.ok, "a real number as a complex one")
			local c = rocblas.datatype_f64_c
			h:scal_ex{n = 2, alpha = {0, 1}, alpha_type = c, x = x, x_type = c, execution_type = c}
			t:equal(hip.download(array.zeros("z", 2), x):totable(), {{-2, 1}, {-1, 0}})
			h:scal_ex{n = 2, alpha = {0, -1}, alpha_type = c, x = x, x_type = c, execution_type = c}
			local y = hip.malloc(32)
			h:zgemm{m = 2, n = 1, k = 1, alpha = {0, 1}, A = x, B = x, C = y}
			t:equal(hip.download(array.zeros("z", 2), y):totable(), {{-4, -3}, {-1, -2}}) -- i (1+2i)^2 and i (i) (1+2i)
			hip.free(x) hip.free(y)`,
		"device pointer mode": `rocblas.set_pointer_mode(h, rocblas.pointer_mode_device)
			local x, result = hip.upload(array.of("d", {3, -4})), hip.malloc(8)
			local alpha, beta = hip.upload(array.of("d", {2})), hip.upload(array.of("d", {0}))
			local status = rocblas.dnrm2(h, 2, x, 1, result)
			t:status(rocblas.status_success, status)
			t:equal(select("#", rocblas.dnrm2(h, 2, x, 1, result)), 1)
			local refused, err = rocblas.try.dnrm2(h, 2, nil, 1, result)
			t:status(rocblas.status_invalid_pointer, refused)
			t:status(refused, err.status)
			t:equal(hip.download(array.zeros("d", 1), result)[1], 5)
			local y = hip.malloc(16)
			h:dgemm{m = 2, n = 1, k = 1, alpha = alpha, beta = beta, A = x, B = alpha, C = y}
			t:equal(hip.download(array.zeros("d", 2), y):totable(), {12, -16})
			for _, p in ipairs{x, result, alpha, beta, y} do hip.free(p) end`,
		"null handle": `local p = hip.malloc(64)
			local none, op, invalid = nil, rocblas.operation_none, rocblas.status_invalid_handle
			rocblas.set_pointer_mode(h, rocblas.pointer_mode_device)
			for _, one in ipairs { 1, p } do
				t:status(invalid, (rocblas.try.dgemm(none, op, op, 1, 1, 1, one, p, 1, p, 1, one, p, 1)))
				t:status(invalid, (rocblas.try.dgemm { m = 1, n = 1, k = 1, alpha = one, beta = one }))
				t:status(invalid, (rocblas.try.dgemv(none, op, 1, 1, one, p, 1, p, 1, one, p, 1)))
			end
			t:status(invalid, (select(2, rocblas.try.dnrm2(none, 1, p, 1))))
			t:status(invalid, (select(2, rocblas.try.dnrm2 { n = 1, x = p })))
			t:status(invalid, (rocblas.try.dnrm2(none, 1, p, 1, p)))
			t:status(invalid, (rocblas.try.dnrm2 { n = 1, x = p, result = p }))
			t:status(invalid, (rocsolver.try.dgetrf(none, 1, 1, p, 1, p, p)))
			t:raises(invalid, rocblas.dnrm2, none, 1, p, 1, p)
			t:raises(invalid, rocblas.set_stream, none, nil)
			t:check(not pcall(rocblas.dgemv, none, op, 1, 1, "1", p, 1, p, 1, 0, p, 1), "a string is not a scalar")
			t:check(not pcall(rocblas.dnrm2, none, 1, p), "too few arguments")
			hip.free(p)`,
		"batched results": `local x = hip.upload(array.of("s", {1, -2, 3, 4, 5, -6}))
			local sums = rocblas.sasum_strided_batched(h, 2, x, 1, 2, 3)
			t:equal(sums:totable(), {3, 7, 11})
			t:equal(rocblas.isamax_strided_batched(h, 2, x, 1, 2, 3):totable(), {2, 2, 2})
			local p = hip.upload(array.pointers(x, 3, 8))
			t:equal(rocblas.sasum_batched(h, 2, p, 1, 3):totable(), {3, 7, 11})
			hip.free(p) hip.free(x)`,
		"singular": `local A, ipiv, info = hip.upload(array.of("d", {1, 2, 2, 4}, 2)), hip.malloc(8), hip.malloc(4)
			h:dgetrf{m = 2, n = 2, A = A, ipiv = ipiv, info = info}
			t:equal(hip.download(array.zeros("i32", 1), info)[1], 2)
			hip.free(A) hip.free(ipiv) hip.free(info)`,
		"beyond a block": `local A, ipiv, info = hip.malloc(8 * 99), hip.malloc(40), hip.malloc(4)
			h:dgetrf{m = 10, n = 10, A = A, ipiv = ipiv, info = info}
			local err = t:raises(hip.error_illegal_address, hip.device_synchronize)
			t:check(tostring(err):find("rocsolver_dgetrf", 1, true) ~= nil, tostring(err))
			hip.free(A) hip.free(ipiv) hip.free(info)`,
	} {
		t.Run(name, func(t *testing.T) {
			rec := run(t, scenario("", "local h = rocblas.create_handle() "+body+" h:close()"), record.Case{})
			if !rec.Passed() {
				t.Errorf("%v %+v %q", rec.End, rec.Checks, rec.Problems)
			}
		})
	}
}

// TestArraysTakeTheirSize makes an array and measures what was allocated.
func TestArraysTakeTheirSize(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rec := run(t, scenario("", `t:equal(array.zeros("s", 2^20).bytes, 2^22)`), record.Case{})
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; !rec.Passed() || made < 4<<20 || made > 64<<20 {
		t.Errorf("an array of 4 MiB: %d bytes, %v", made, rec.End)
	}
}

func TestStreamsAndHazards(t *testing.T) {
	for name, body := range map[string]string{
		"hazard without an order": `local p = hip.malloc(64)
			local s1, s2 = hip.stream_create_with_flags(hip.stream_non_blocking),
				hip.stream_create_with_flags(hip.stream_non_blocking)
			hip.memset_async(p, 1, 64, s1)
			hip.memset_async(p, 2, 64, s2)
			local found = hip.hazards()
			t:equal(#found, 1)
			t:equal({found[1].later.call, found[1].bytes}, {"hipMemsetAsync", 64})
			hip.stream_destroy(s1) hip.stream_destroy(s2) hip.free(p)`,
		"ordered by an event": `local p = hip.malloc(64)
			local s1, s2, e = hip.stream_create_with_flags(hip.stream_non_blocking),
				hip.stream_create_with_flags(hip.stream_non_blocking), hip.event_create()
			hip.memset_async(p, 1, 64, s1)
			hip.event_record(e, s1)
			hip.stream_wait_event(s2, e)
			hip.memset_async(p, 2, 64, s2)
			t:equal(#hip.hazards(), 0)
			hip.stream_destroy(s1) hip.stream_destroy(s2) hip.event_destroy(e) hip.free(p)`,
		"queries answer": `local s = hip.stream_create()
			hip.stream_synchronize(s)
			t:equal(hip.stream_query(s), hip.success)
			t:equal(hip.stream_destroy(s).ok, true)
			t:raises(hip.error_invalid_handle, hip.stream_synchronize, s)`,
		"elapsed time": `local a, b = hip.event_create(), hip.event_create()
			hip.event_record(a, nil) hip.event_record(b, nil) hip.event_synchronize(b)
			t:check(hip.event_elapsed_time(a, b) >= 0)
			hip.event_destroy(a) hip.event_destroy(b)`,
		"out of bounds": `local p = hip.malloc(64)
			t:raises(hip.error_invalid_value, hip.memset, p, 0, 65)
			hip.free(p)
			t:raises(hip.error_invalid_value, hip.free, p)`,
		"devices": `t:equal(hip.get_device_count(), 1)
			t:equal(hip.get_device_properties(0).warp_size, 64)
			t:raises(hip.error_invalid_device, hip.set_device, 1)`,
	} {
		t.Run(name, func(t *testing.T) {
			if rec := run(t, scenario("", body), record.Case{}); !rec.Passed() {
				t.Errorf("%v %+v %v", rec.End, rec.Checks, rec.Problems)
			}
		})
	}
}
