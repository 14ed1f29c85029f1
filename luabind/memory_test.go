package luabind_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/workspace"
)

// runMemory runs a scenario with a handle h. unwritten(n) checks how many reads of unwritten memory there were.
func runMemory(t *testing.T, body string) *record.Record {
	return run(t, scenario("", `local h = rocblas.create_handle()
		local function upload(a) local p = hip.upload(a) t:defer(hip.free, p) return p end
		local function malloc(n) local p = hip.malloc(n) t:defer(hip.free, p) return p end
		local function unwritten(...)
			local have = {}
			for i, read in ipairs(hip.unwritten_reads()) do
				have[i] = ("%s %s %d"):format(read.call, read.param or "-", read.bytes)
			end
			t:equal(have, {...})
		end
		local function mismatch(fn, ...)
			local ok, err = pcall(fn, ...)
			t:check(not ok and tostring(err):find("is read as elements of type", 1, true), tostring(err))
		end
		local lower, unit = rocblas.fill_lower, rocblas.diagonal_unit
		`+body+` h:close()`), record.Case{})
}

// TestTypesOfMemory checks which reads of memory as another type are errors.
func TestTypesOfMemory(t *testing.T) {
	for name, body := range map[string]string{
		"kernel": `local x = upload(array.random("s", 4, 4))
			mismatch(h.dasum, h, {n = 4, x = x})
			mismatch(rocblas.try.dasum, h, 4, x, 1)
			t:check(h:sasum{n = 16, x = x} > 0)`,
		"complex numbers are not pairs": `local x = upload(array.random("c", 4))
			mismatch(h.sasum, h, {n = 8, x = x})
			mismatch(h.zdotu, h, {n = 1, x = x, y = x})`,
		"copy to the host": `local x = upload(array.random("s", 4))
			mismatch(hip.download, array.zeros("d", 2), x)
			mismatch(hip.try.memcpy, array.zeros("i32", 4), x, 16)
			t:equal(hip.download(array.zeros("i8", 16), x).type, "i8", "i8 takes any bytes")
			hip.reinterpret(x, 16, "i32")
			t:check(hip.download(array.zeros("i32", 4), x)[1] ~= 0)`,
		"reinterpret": `local x = upload(array.of("c", {{3, 4}, {0, 0}}))
			hip.reinterpret(x, 16, "s")
			t:equal(h:sasum{n = 4, x = x}, 7)
			mismatch(h.scasum, h, {n = 2, x = x})`,
		"memset": `local x = upload(array.random("s", 4))
			hip.memset(x, 0, 16)
			t:equal({(h:dasum{n = 2, x = x}), (h:sasum{n = 4, x = x})}, {0, 0})`,
		"a kernel changes the type": `local x, y = upload(array.of("d", {1, 2})), upload(array.random("s", 4))
			h:dgemm{m = 2, n = 1, k = 1, A = x, B = x, C = y}
			t:equal(hip.download(array.zeros("d", 2), y):totable(), {1, 2})
			mismatch(hip.download, array.zeros("s", 4), y)
			mismatch(h.sgemm, h, {m = 1, n = 1, k = 0, beta = 2, C = y})`,
		"part of an array": `local x = upload(array.random("d", 8))
			hip.memcpy(x + 24, array.zeros("i32", 2), 8)
			t:check(h:dasum{n = 3, x = x} >= 0)
			mismatch(h.dasum, h, {n = 4, x = x})
			t:check(h:dasum{n = 3, x = x + 8 * 4} >= 0)
			t:check(h:dasum{n = 2, incx = 4, x = x} >= 0, "gaps are not read")`,
		"device copies": `local x, y = upload(array.random("s", 4)), malloc(16)
			hip.memcpy(y, x, 16)
			mismatch(h.dasum, h, {n = 2, x = y})`,
		"pivots": `local A, B = upload(array.identity("d", 2)), upload(array.random("d", 2))
			local ipiv = upload(array.of("i64", {1, 2}))
			mismatch(h.dgetrs, h, {n = 2, nrhs = 1, A = A, ipiv = ipiv, B = B})`,
		"arrays of pointers": `local x = upload(array.random("s", 4))
			local p = upload(array.pointers(x, 2, 8))
			t:equal(h:sasum_batched{n = 2, x = p, batch_count = 2}.rows, 2)
			mismatch(h.dasum_batched, h, {n = 1, x = p, batch_count = 2})
			mismatch(h.sasum_batched, h, {n = 2, x = x, batch_count = 2})`,
		"mixed types": `local x, f16 = upload(array.random("f16", 4)), rocblas.datatype_f16_r
			t:check(h:nrm2_ex{n = 4, x = x, x_type = f16, execution_type = rocblas.datatype_f32_r} >= 0)
			mismatch(h.nrm2_ex, h, {n = 2, x = x, x_type = rocblas.datatype_f32_r})`,
		"addresses": `local x = malloc(80)
			hip.memset(x, 0, 80)
			local function refused(message, fn, ...)
				local ok, err = pcall(fn, ...)
				t:check(not ok and tostring(err):find(message, 1, true), tostring(err))
			end
			refused("rocblas_dscal: x is at", rocblas.dscal, h, 4, 2, x + 4, 1)
			refused("which is not a multiple of 8, as elements of type d (double) need it", rocblas.dcopy, h, 4, x, 1,
				x + 41, 1)
			refused("is not a multiple of 4", rocblas.csscal, h, 1, 2, x + 2, 1)
			refused("is not a multiple of 8", rocblas.sscal_batched, h, 1, 2, x + 4, 1, 1)
			rocblas.cscal(h, 4, 2, x + 4, 1)
			rocblas.zscal(h, 2, 2, x + 40, 1)`,
		"set_vector": `local x = malloc(64)
			rocblas.set_vector(4, 4, array.random("s", 4), 1, x, 2)
			t:check(h:sasum{n = 4, x = x, incx = 2} > 0)
			mismatch(rocblas.get_vector, 4, 4, x, 2, array.zeros("i32", 4), 1)
			mismatch(h.dasum, h, {n = 1, x = x})`,
	} {
		t.Run(name, func(t *testing.T) {
			if rec := runMemory(t, body); !rec.Passed() {
				t.Errorf("%v %+v %q", rec.End, rec.Checks, rec.Problems)
			}
		})
	}
}

// TestManagedMemory checks that the host and the device use the same memory, and what the host does too early or too
// late.
func TestManagedMemory(t *testing.T) {
	view := `local function managed(kind, rows, cols)
			local p = hip.malloc_managed(8 * rows * (cols or 1))
			t:defer(hip.free, p)
			return p, array.view(kind, p, rows, cols)
		end
		local function hazards(...)
			local have = {}
			for i, z in ipairs(hip.hazards()) do have[i] = z.earlier.call .. " " .. z.later.call end
			t:equal(have, {...})
		end
		local function refused(message, f, ...)
			local ok, err = pcall(f, ...)
			t:check(not ok and tostring(err):find(message, 1, true), tostring(err))
		end
		`
	for name, body := range map[string]string{
		"QR factorization of rocSOLVER's sample": `if hip.device_get_attribute(
				hip.device_attribute_managed_memory, hip.get_device()) == 0 then t:skip("no managed memory") end
			local source = {{12, -51, 4}, {6, 167, -68}, {-4, 24, -41}}
			local m, n, lda = 3, 3, 3
			local p, A = managed("d", lda, n)
			for i = 1, m do
				for j = 1, n do A:set(i, j, source[i][j]) end
			end
			local before, tau = A:copy(), managed("d", n)
			local size = h:query(function() h:dgeqrf{m = m, n = n, lda = lda} end)
			local work = managed("i8", size)
			rocblas.set_workspace(h, work, size)
			rocsolver.dgeqrf(h, m, n, p, lda, tau)
			hip.stream_synchronize(rocblas.get_stream(h))
			t:near(A:get(1, 1), -14, 1e-12)
			t:near(A:get(2, 2), -175, 1e-12)
			t:near(A:get(3, 3), -35, 1e-12)
			t:near(array.qr_residual(before, A, array.view("d", tau, n)), 0, 1e-15)
			rocblas.set_workspace(h, nil, 0)
			hazards()`,
		"a use without a wait": `local p, A = managed("d", 4)
			A:fill(1)
			h:dscal{n = 2, alpha = 3, x = p}
			A[3] = 5
			hazards()
			t:equal(A[1], 3)
			A[2] = 7
			hazards("rocblas_dscal array[i]")
			h:dscal{n = 2, alpha = 3, x = p}
			A:paste(3, 1, array.of("d", {8}))
			t:equal(A:totable(), {9, 21, 8, 1})
			hazards("rocblas_dscal array:totable")
			h:dasum{n = 2, x = p}
			A:set(1, 1, 4)
			hazards()
			t:equal(hip.download(array.zeros("d", 4), p):totable(), {4, 21, 8, 1})`,
		"a stream that the host does not wait for": `local s = hip.stream_create_with_flags(hip.stream_non_blocking)
			t:defer(hip.stream_destroy, s)
			local p, A = managed("d", 2)
			hip.memset_async(p, 0, 16, s)
			hip.stream_synchronize(nil)
			t:equal(A[1], 0)
			hazards("hipMemsetAsync array[i]")
			hip.memset_async(p, 0, 16, s)
			hip.stream_synchronize(s)
			t:equal(A[1], 0)
			hazards()`,
		"unwritten": `local p, A = managed("d", 4)
			A:set(2, 1, 1)
			t:check(A[1] ~= A[1] and A[2] == 1)
			unwritten("array[i] - 8")
			h:dasum{n = 3, x = p}
			unwritten("rocblas_dasum x 8")`,
		"types": `local p, A = managed("d", 2)
			A:fill(1)
			refused("elements of type s", function() return array.view("s", p, 4)[1] end)
			hip.reinterpret(p, 16, "i64")
			t:equal(array.view("i64", p, 2)[1] > 0, true)`,
		"freed": `local p = hip.malloc_managed(1048576)
			local A = array.view("d", p, 131072)
			A:fill(2)
			hip.free(p)
			refused("already freed by hipFree", function() return A[1] end)
			refused("already freed by hipFree", function() A[1] = 2 end)
			refused("already freed by hipFree", array.norm, A)
			t:defer(hip.free, hip.malloc_managed(1048576))
			refused("already freed by hipFree", A.copy, A)`,
		"refused": `local p = managed("d", 4)
			refused("the host can use memory of hipMallocManaged only", array.view, "d", malloc(8), 1)
			refused("40 bytes from byte 0 exceed a block of 32 bytes", array.view, "d", p, 5)
			refused("is not a multiple of 8", array.view, "d", p + 4, 1)
			refused("is not an address of device memory", array.view, "d", nil, 1)
			t:equal(#array.view("s", p + 4, 7), 7)`,
		"copies": `local p, A = managed("d", 2)
			local q = malloc(16)
			A:fill(3)
			hip.memcpy(q, p, 16, hip.memcpy_host_to_device)
			hip.memcpy(A, q, 16, hip.memcpy_device_to_host)
			hip.memcpy(A, array.of("d", {1, 2}), 16, hip.memcpy_host_to_host)
			hip.memcpy_async(q, A, 16, hip.memcpy_host_to_device)
			refused("the kind is", hip.memcpy, q, p, 16, hip.memcpy_host_to_host)
			t:equal(hip.download(A, q):totable(), {1, 2})
			hazards()`,
	} {
		t.Run(name, func(t *testing.T) {
			if rec := runMemory(t, view+body); !rec.Passed() {
				t.Errorf("%v %+v %q", rec.End, rec.Checks, rec.Problems)
			}
		})
	}
}

// TestUnwrittenMemory checks which reads of unwritten memory are found.
func TestUnwrittenMemory(t *testing.T) {
	for name, body := range map[string]string{
		"kernel": `h:dasum{n = 3, x = malloc(64)}
			unwritten("rocblas_dasum x 24")`,
		"once": `local x = malloc(64)
			for i = 1, 3 do h:dasum{n = 3, x = x} end
			unwritten("rocblas_dasum x 24")`,
		"pattern": `local x = malloc(64)
			for _, T in ipairs{"s", "d", "c", "z", "f16", "bf16"} do
				local v = hip.download(array.zeros(T, 2), x):norm()
				t:check(v ~= v, T)
			end
			unwritten("hipMemcpy - 8", "hipMemcpy - 8", "hipMemcpy - 16")`,
		"part": `local x = malloc(64)
			hip.memset(x, 0, 20)
			h:dasum{n = 4, x = x}
			unwritten("rocblas_dasum x 12")`,
		"device copies": `local x, y = malloc(64), malloc(64)
			hip.memcpy(y, x, 64)
			unwritten()
			h:dasum{n = 8, x = y}
			unwritten("rocblas_dasum x 64")`,
		"beta of 0": `local x, y = upload(array.identity("d", 2)), malloc(32)
			h:dgemm{m = 2, n = 2, k = 2, A = x, B = x, C = y}
			unwritten()
			t:equal(hip.download(array.zeros("d", 2, 2), y):totable(), {1, 0, 0, 1})
			h:dgemm{m = 2, n = 2, k = 2, alpha = 0, beta = 2, A = malloc(32), B = x, C = malloc(32)}
			unwritten("rocblas_dgemm C 32")
			h:dsyrk{uplo = lower, n = 2, k = 2, A = x, C = malloc(32)}
			h:dgemv{m = 2, n = 2, A = x, x = x, y = malloc(16)}
			unwritten()`,
		"scalars on the device": `rocblas.set_pointer_mode(h, rocblas.pointer_mode_device)
			local x, zero, one = upload(array.identity("d", 2)), upload(array.of("d", {0})), upload(array.of("d", {1}))
			h:dsyrk{uplo = lower, n = 2, k = 2, alpha = one, beta = zero, A = x, C = malloc(32)}
			h:dgemv{m = 2, n = 2, alpha = one, beta = zero, A = x, x = x, y = malloc(16)}
			hip.device_synchronize()
			unwritten()
			h:dgemv{m = 2, n = 2, alpha = one, beta = one, A = x, x = x, y = malloc(16)}
			unwritten("rocblas_dgemv y 16")
			h:dgemv{m = 2, n = 2, alpha = malloc(8), beta = zero, A = x, x = x, y = malloc(16)}
			unwritten("rocblas_dgemv alpha 8")`,
		"triangles": `local A, x = malloc(72), upload(array.random("d", 3))
			hip.memset(A, 0, 24) hip.memset(A + 32, 0, 16) hip.memset(A + 64, 0, 8)
			h:dtrmv{uplo = lower, n = 3, A = A, x = x}
			unwritten()
			h:dtrmv{uplo = rocblas.fill_upper, n = 3, A = A, x = x}
			unwritten("rocblas_dtrmv A 24")`,
		"unit diagonal": `local A, x = malloc(32), upload(array.random("d", 2))
			hip.memset(A + 8, 0, 8)
			h:dtrsv{uplo = lower, diag = unit, n = 2, A = A, x = x}
			unwritten()`,
		"gaps": `local A, x = malloc(8 * 12), upload(array.random("d", 4))
			for j = 0, 2 do hip.memset(A + 32 * j, 0, 16) end
			h:dgemv{m = 2, n = 3, lda = 4, A = A, x = x, y = malloc(16)}
			unwritten()
			h:dgemv{m = 3, n = 3, lda = 4, A = A, x = x, y = malloc(24)}
			unwritten("rocblas_dgemv A 24")`,
		"outputs of solvers": `local A, ipiv, info = upload(array.identity("d", 3)), malloc(12), malloc(4)
			h:dgetrf{m = 3, n = 3, A = A, ipiv = ipiv, info = info}
			t:equal(hip.download(array.zeros("i32", 3), ipiv):totable(), {1, 2, 3})
			h:dgetrs{n = 3, nrhs = 1, A = A, ipiv = ipiv, B = malloc(24)}
			unwritten("rocsolver_dgetrs B 24")`,
		"workspace": `local x, w = upload(array.random("d", 2000)), malloc(1024)
			rocblas.set_workspace(h, w, 1024)
			t:check(h:dasum{n = 2000, x = x} > 0)
			hip.download(array.zeros("i8", 16), w)
			unwritten()
			rocblas.set_workspace(h, nil, 0)`,
		"many columns": `local n = 10000
			local x = malloc(16 * n)
			h:dasum{n = n, x = x, incx = 2}
			unwritten("rocblas_dasum x 32768")
			hip.memset(x, 0, 16 * n)
			t:equal(h:dasum{n = n, x = x, incx = 2}, 0)
			unwritten()`,
	} {
		t.Run(name, func(t *testing.T) {
			if rec := runMemory(t, body); !rec.Passed() {
				t.Errorf("%v %+v %q", rec.End, rec.Checks, rec.Problems)
			}
		})
	}
}

// TestUnwrittenMemoryIsAProblem checks that a case fails, with both places, unless memory is not checked.
func TestUnwrittenMemoryIsAProblem(t *testing.T) {
	source := scenario("", `local h = rocblas.create_handle()
		local x = hip.malloc(64)
		t:metric("sum", h:dasum{n = 8, x = x})
		hip.free(x) h:close()`)
	rec := run(t, source, record.Case{})
	if len(rec.Problems) != 1 {
		t.Fatalf("%q", rec.Problems)
	}
	for _, part := range []string{"rocblas_dasum at test.lua:3 reads x", "64 of 64 bytes", "hipMalloc at test.lua:2"} {
		if !strings.Contains(rec.Problems[0], part) {
			t.Errorf("%q does not contain %q", rec.Problems[0], part)
		}
	}
	rt, err := hip.Open("cpu", driver.Config{Unchecked: true})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	script, err := luabind.Compile("test.lua", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	profile, err := workspace.FindProfile(workspace.DefaultProfileOf("cpu"))
	if err != nil {
		t.Fatal(err)
	}
	rec = luabind.Run(context.Background(), script, record.Case{}, luabind.Options{Runtime: rt, Profile: profile})
	if !rec.Passed() || fmt.Sprint(rec.Metrics[0].Value) != "0" {
		t.Errorf("unchecked: %q %+v", rec.Problems, rec.Metrics)
	}
}

// TestChecksWithKernelsOff compares what is checked with and without memory checks: kernels that are off change nothing
// about it, except that reading what they should have computed fails the case.
func TestChecksWithKernelsOff(t *testing.T) {
	for name, test := range map[string]struct{ body, checked, result string }{
		"another type":  {`h:dscal{n = 8, alpha = 2, x = x} h:sscal{n = 8, alpha = 2, x = x}`, "holds d (double)", ""},
		"unwritten":     {`h:dscal{n = 8, alpha = 2, x = y}`, "nothing has written 64 of 64 bytes", ""},
		"copied":        {`hip.memcpy(y, x, 64) hip.download(a, y)`, "", ""},
		"a result":      {`h:dscal{n = 8, alpha = 2, x = x} hip.download(a, x)`, "", "dscal is not computed"},
		"its copy":      {`h:dcopy{n = 8, x = x, y = y} hip.memcpy(z, y, 64) hip.download(a, z)`, "", "dcopy is not"},
		"on the host":   {`t:log(h:ddot{n = 8, x = x, y = x})`, "", "ddot is not computed on cpu with kernels"},
		"in other work": {`h:dcopy{n = 8, x = x, y = y} h:dscal{n = 8, alpha = 2, x = y}`, "", ""},
	} {
		script, err := luabind.Compile("test.lua", []byte(scenario("", `local h, a = t:open(), array.zeros("d", 8)
			local x, y, z = t:upload(a), t:malloc(64), t:malloc(64) `+test.body)))
		if err != nil {
			t.Fatal(err)
		}
		for _, cfg := range []driver.Config{{}, {Unchecked: true}, {Kernels: driver.KernelsOff},
			{Unchecked: true, Kernels: driver.KernelsOff}} {
			rec, want := runOn(t, t.Context(), script, record.Case{}, cfg), ""
			if cfg.Kernels == driver.KernelsOff {
				want = test.result
			}
			if !cfg.Unchecked {
				want += test.checked
			}
			have := strings.Join(rec.Problems, "; ")
			if rec.End != nil {
				have += rec.End.Message
			}
			if !strings.Contains(have, want) || (have == "") != (want == "") || len(rec.Problems) > 1 {
				t.Errorf("%s, %+v: %q, want %q", name, cfg, have, want)
			}
		}
	}
}

// TestHazardsOfHostArrays uses host arrays before and after the host has waited for copies to them.
func TestHazardsOfHostArrays(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       string // the later use of the hazard, or "" if there is none
	}{
		{"read", `local x = a[1]`, "array[i]"},
		{"write", `a[1] = 5`, "array[i]"},
		{"last element of the copy", `a[4] = 5`, "array[i]"},
		{"element behind the copy", `a[5] = 5`, ""},
		{"norm", `a:norm()`, "array.norm"},
		{"function", `array.residual(one, a:copy(), a)`, "array:copy"},
		{"option", `array.product_residual(one, one, one, {C0 = a:copy()})`, "array:copy"},
		{"source of a copy", `hip.memcpy(q, a, 32)`, "hip.memcpy"},
		{"source of an asynchronous copy", `hip.memcpy_async(q, a, 32, 4, s)`, "hip.memcpy_async"},
		{"source on the host", `hip.memcpy(array.zeros("d", 8), a, 32)`, "hip.memcpy"},
		{"destination on the host", `hip.memcpy(a, array.of("d", {5, 6, 7, 8}), 32)`, "hip.memcpy"},
		{"upload", `hip.free(hip.upload(a))`, "hip.upload"},
		{"vector to the device", `rocblas.set_vector(4, 8, a, 1, q, 1)`, "rocblas.set_vector"},
		{"copy in another stream", `hip.memcpy_async(a, p, 32, 4, other)`, "hipMemcpyAsync"},
		{"vector in another stream", `rocblas.get_vector_async(4, 8, p, 1, a, 1, other)`, "rocblas_get_vector_async"},
		{"download", `hip.download(a, p)`, "hip.download"},
		{"copy in the same stream", `hip.memcpy_async(a, p, 32, 4, s)`, ""},
		{"copy after an event", `local e = hip.event_create() hip.event_record(e, s)
			hip.stream_wait_event(other, e) hip.memcpy_async(a, p, 32, 4, other)
			hip.stream_synchronize(other) a[1] = 1 hip.event_destroy(e)`, ""},
		{"synchronized stream", `hip.stream_synchronize(s) a[1] = a[2]`, ""},
		{"synchronized device", `hip.device_synchronize() a[1] = a[2]`, ""},
		{"synchronized other stream", `hip.stream_synchronize(other) a[1] = a[2]`, "array[i]"},
		{"shape", `local n = #a + a.rows`, ""},
		{"reported once", `a[1] = a[1] + a[2]`, "array[i]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			rec := run(t, scenario("", `
				local p, one = hip.upload(array.of("d", {1, 2, 3, 4, 5, 6, 7, 8})), array.of("d", {1})
				local s, other = hip.stream_create_with_flags(1), hip.stream_create_with_flags(1)
				local a, q = array.zeros("d", 8), hip.malloc(64)
				hip.memcpy_async(a, p, 32, 4, s)
				pcall(function() `+test.body+` end)
				local list, found = hip.hazards(), ""
				t:check(#list <= 1, "at most one hazard")
				for _, h in ipairs(list) do
					found = h.later.call
					t:equal({h.ptr == nil, h.bytes, h.earlier.call, h.earlier.stream, h.earlier.write},
						{true, 32, "hipMemcpyAsync", 1, true})
				end
				t:metric("found", found)
				hip.device_synchronize()
				t:equal(a[4] ~= 0, true)
				hip.free(p) hip.free(q) hip.stream_destroy(s) hip.stream_destroy(other)`), record.Case{})
			if !rec.Passed() || rec.Metrics[0].Value != test.want {
				t.Errorf("%+v\nend %v problems %q", rec.Metrics, rec.End, rec.Problems)
				for _, c := range rec.Checks {
					t.Logf("%+v", c)
				}
			}
		})
	}
}

// TestHazardOfHostArrayFails checks that the hazard fails the case, with both places.
func TestHazardOfHostArrayFails(t *testing.T) {
	rec := run(t, scenario("", `local p, s = hip.upload(array.of("d", {1})), hip.stream_create()
		local a = array.zeros("d", 1)
		hip.memcpy_async(a, p, 8, 4, s)
		t:equal(a:norm(), 1)
		hip.free(p) hip.stream_destroy(s)`), record.Case{})
	want := "hazard: array.norm on the host (test.lua:4) uses memory that hipMemcpyAsync in stream 1 (test.lua:3) " +
		"may still be using; synchronize the streams or wait for an event"
	if len(rec.Problems) != 1 || rec.Problems[0] != want || !rec.Checks[0].Passed {
		t.Errorf("%q %+v", rec.Problems, rec.Checks)
	}
}
