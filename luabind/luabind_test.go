package luabind_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"roclua/hip"
	_ "roclua/hip/cpu"
	"roclua/hip/driver"
	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/workspace"
)

// run executes a script on the simulated device.
func run(t *testing.T, source string, c record.Case) *record.Record {
	t.Helper()
	script, err := luabind.Compile("test.lua", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return runScript(t, context.Background(), script, c)
}

func runScript(t testing.TB, ctx context.Context, script *luabind.Script, c record.Case) *record.Record {
	t.Helper()
	return runOn(t, ctx, script, c, driver.Config{Devices: 1, MemoryBytes: 1 << 30})
}

func runOn(t testing.TB, ctx context.Context, script *luabind.Script, c record.Case, cfg driver.Config) *record.Record {
	t.Helper()
	rt, err := hip.Open("cpu", cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	profile, err := workspace.FindProfile(workspace.DefaultProfileOf("cpu"))
	if err != nil {
		t.Fatal(err)
	}
	return luabind.Run(ctx, script, c, luabind.Options{Runtime: rt, Profile: profile, History: true})
}

// prelude is one line, so that the line numbers of what follows it start with 1.
const prelude = `local rocblas, rocsolver = require "rocblas", require "rocsolver" ` +
	`local hip, array = require "hip", require "array" `

func TestMessages(t *testing.T) {
	for _, test := range []struct{ name, script, want string }{
		{"wrong type", `hip.malloc("much")`,
			`test.lua:1: hip.malloc: size: got the string "much", want a number of bytes`},
		{"negative size", `hip.malloc(-1)`, `hip.malloc: size: got -1, want a number of bytes that is not negative`},
		{"fraction", `hip.malloc(1.5)`, `hip.malloc: size: got 1.5, want a number of bytes without a fraction`},
		{"not a number", `hip.malloc(0/0)`, `hip.malloc: size: got NaN`},
		{"inexact", `hip.malloc(2^60)`, `of at most 2^53`},
		{"beyond memory", `hip.malloc(2^40)`, `hipMalloc: hipErrorOutOfMemory`},
		{"too many arguments", `hip.malloc(1, 2)`, `hip.malloc: takes 1 argument (size), got 2`},
		{"too many optional arguments", `array.zeros("d", 1, 1, 1)`,
			`array.zeros: takes at most 3 arguments (type, rows, cols), got 4`},
		{"negative bytes", `hip.bytes("-1")`, `hip.bytes: size: the size is negative`},
		{"wrong bytes", `hip.bytes("x")`, `hip.bytes: size: `},
		{"device", `hip.get_device_properties(1)`, `hipGetDeviceProperties: hipErrorInvalidDevice`},
		{"status in place of a pointer", `hip.free(rocblas.status_success)`,
			`hip.free: ptr: got the status rocblas_status_success, want a device pointer or nil`},
		{"kind of a copy", `hip.memcpy(hip.malloc(8), array.zeros("d", 1), 8, hip.memcpy_device_to_host)`,
			`hipMemcpy: hipErrorInvalidMemcpyDirection`},
		{"unknown function", `rocblas.dgem()`, `did you mean "dgemm" or "dgemv"?`},
		{"other library", `rocblas.dgetrf()`, `rocsolver.dgetrf is the one`},
		{"documented name", `rocblas.gemm_ex_batched()`, `the library exports gemm_batched_ex`},
		{"argument count", `rocblas.dasum(rocblas.create_handle(), 1)`, `takes 4 arguments (handle, n, x, incx), got`},
		{"unknown parameter", `local h = rocblas.create_handle() h:dgetrf{m = 1, n = 1, ldaa = 3}`,
			`unknown parameter "ldaa", did you mean "lda"?`},
		{"argument without a name", `local h = rocblas.create_handle() h:dgetrf{m = 1, n = 1, 5}`,
			`rocsolver.dgetrf: the table of arguments has an item 1 without a name`},
		{"missing parameter", `local h = rocblas.create_handle() h:dgetrf{m = 1}`,
			`rocsolver.dgetrf: parameter n is missing: columns of A`},
		{"unknown status", `local s = rocblas.status_to_string(99) error(s, 0)`, `<undefined rocblas_status value>`},
		{"32 bits", `local h = rocblas.create_handle() h:dgemv{m = 2^31, n = 1}`,
			`rocblas.dgemv_64 takes 64-bit sizes`},
		{"32 bits of an option", `local h = rocblas.create_handle()
			h:gemm_ex{m = 1, n = 1, k = 1, a_type = 151, flags = 2^32}`,
			`flags: 4294967296 does not fit the uint32_t of rocblas_gemm_ex (0 to 4294967295)`},
		{"missing datatype", `local h = rocblas.create_handle() h:dot_ex{n = 1}`,
			`rocblas.dot_ex: parameter x_type is missing: datatype of x`},
		{"unknown size", `local h = rocblas.create_handle() local bytes, reason = h:query(function(q)
			q:gemm_ex{m = 8, n = 8, k = 8,
				a_type = rocblas.datatype_f16_r, compute_type = rocblas.datatype_f32_r} end)
			error(tostring(bytes) .. " because " .. reason)`,
			`nil because rocblas_gemm_ex: the model cannot know: `},
		{"unknown size of a stopped query", `local h = rocblas.create_handle() rocblas.start_device_memory_size_query(h)
			h:gemm_ex{m = 8, n = 8, k = 8, a_type = rocblas.datatype_f16_r, compute_type = rocblas.datatype_f32_r}
			error("size " .. tostring(rocblas.stop_device_memory_size_query(h)))`, `size nil`},
		{"bound of an unknown size", `local h = rocblas.create_handle() error("size " .. h:query(function(q)
			q:gemm_ex{m = 8, n = 8, k = 8,
				a_type = rocblas.datatype_f16_r, compute_type = rocblas.datatype_f32_r} end, 1000))`, `size 1024`},
		{"kernel of no datatype", `local h = rocblas.create_handle() local p = hip.malloc(64)
			h:dot_ex{n = 1, x = p, x_type = rocblas.datatype_i8_r, y = p}`,
			`there is no kernel for x_type datatype_i8_r`},
		{"method of another object", `local h = rocblas.create_handle()
			h:device_malloc(64).release(hip.stream_create())`,
			`a method was called on a stream; write object:method(...)`},
		{"addition of strangers", `local p = hip.malloc(64) p.offset(hip.stream_create(), 1)`,
			`a stream cannot be moved by the number 1`},
		{"number too large for i8", `array.zeros("i8", 1)[1] = 128`,
			`128 does not fit an array of i8, which holds -128 to 127`},
		{"host array", `local h = rocblas.create_handle() h:dasum{n = 4, x = array.zeros("d", 4)}`,
			`got a host array, want a device pointer`},
		{"destroyed handle", "local h = rocblas.create_handle()\nrocblas.destroy_handle(h)\nh:dasum{n = 0}",
			`test.lua:3: rocblas.dasum: handle: the handle was destroyed at test.lua:2`},
		{"destroyed object", `local s = require "hipsolver" local info = s.CreateSyevjInfo() s.DestroySyevjInfo(info)
			s.XsyevjSetMaxSweeps(info, 1)`, `hipsolver.XsyevjSetMaxSweeps: info: the object was destroyed`},
		{"routine without a header", `local s = require "hipsolver"
			s.DnXpotrf(s.Create(), s.DnCreateParams(), "lower", -2, 0, nil, 2, 0, nil, 0, nil, 0, nil)`,
			`hipsolverDnXpotrf: HIPSOLVER_STATUS_INVALID_VALUE: invalid_size: n is -2, must not be negative`},
		{"null handle", `rocblas.set_workspace(nil, nil, 0)`,
			`rocblas_set_workspace: invalid_handle: the handle is null`},
		{"no handle", `rocblas.get_stream()`, `rocblas_get_stream: invalid_handle: the handle is null; call it as ` +
			`handle:get_stream, with a colon, or pass a handle`},
		{"method without a colon", `local h = rocblas.create_handle() h.set_stream(nil)`,
			`invalid_handle: the handle is null; call it as handle:set_stream, with a colon`},
		{"routine without a colon", `local h = rocblas.create_handle() h.dgetrf{m = 1, n = 1}`,
			`invalid_handle: the handle is null; call it as handle:dgetrf, with a colon`},
		{"complex factor of real numbers", `local h = rocblas.create_handle() h:dscal{n = 0, alpha = {1, 2}}`,
			`rocblas.dscal: alpha: got a number with an imaginary part, want a real one`},
		{"no number", `local h = rocblas.create_handle() h:dscal{n = 0, alpha = "1"}`,
			`rocblas.dscal: alpha: got the string "1", want a number`},
		{"names of parts", `local h = rocblas.create_handle() h:zscal{n = 0, alpha = {re = 1, im = 2}}`,
			`rocblas.zscal: alpha: got a table, want a number or {re, im}, such as {1, 0}`},
		{"element before the first", `array.zeros("d", 4)[0] = 1`,
			`array.[]: index: got 0, want an integer between 1 and 4`},
		{"element between two", `local x = array.zeros("d", 4)[1.5]`,
			`array.[]: index: got 1.5, want an integer between 1 and 4`},
		{"element after the last", `local x = array.zeros("d", 4)[5]`,
			`array.[]: index: got 5, want an integer between 1 and 4`},
		{"new field of an array", `array.zeros("d", 4).size = 1`,
			`array.[]: index: got the string "size", want an integer between 1 and 4`},
		{"no buffer", `local h = rocblas.create_handle() local buffer = h:device_malloc(8)[2]`,
			`allocation.[]: index: got 2, want 1`},
		{"field of a status", `local fine = rocblas.status_success.okay`,
			`a status has no field "okay", did you mean "ok"?`},
		{"new field of a status", `rocblas.status_success.code = 3`,
			`the status rocblas_status_success has no field "code" that can be set`},
		{"field of a stream", `local id = hip.stream_create().id`, `a stream has no field "id"`},
		{"field of a call", `hip.free(hip.malloc(8)) local name = hip.trace()[1].nmae`,
			`a roclua.trace_call has no field "nmae"`},
		{"field of counts", `local bytes = hip.stats().live_byte`,
			`a roclua.stats has no field "live_byte", did you mean "live_bytes"?`},
		{"field of a device", `local bytes = hip.get_device_properties().total_mem`,
			`a roclua.properties has no field "total_mem"`},
		{"name of a variable", `os.setenv("A=B", "1")`, `os.setenv: name: got "A=B", want a name without "="`},
		{"no name", `os.setenv("", "1")`, `os.setenv: name: got "", want a name`},
		{"name with a zero byte", `os.setenv("A\0B", "1")`, `os.setenv: name: got "A\x00B", want a name`},
		{"wrong type of a variable", `os.setenv("A", {})`, `os.setenv: value: got a table, want a string`},
		{"no such device", `hip.get_device_properties(1)`,
			`hipGetDeviceProperties: hipErrorInvalidDevice: there is no device 1, the devices are 0 to 0`},
		{"kind of a copy", `hip.memcpy(hip.malloc(8), array.zeros("d", 1), 8, hip.memcpy_device_to_host)`,
			`the kind is hip.memcpy_device_to_host, but the destination is device memory and the source is a host ` +
				`array: hip.memcpy_host_to_device`},
		{"kind of a copy of rows", `hip.memcpy2d(array.zeros("d", 1), 8, hip.malloc(8), 8, 8, 1,
			hip.memcpy_host_to_host)`, `the kind is hip.memcpy_host_to_host, but the destination is a host array and ` +
			`the source is device memory: hip.memcpy_device_to_host`},
		{"need and have", `local h = rocblas.create_handle()
			local w = hip.malloc(1048576) rocblas.set_workspace(h, w, 1048576)
			local A, p, i = hip.malloc(8*1024*1024), hip.malloc(4096), hip.malloc(4)
			rocsolver.dgetrf(h, 1024, 1024, A, 1024, p, i)`,
			`rocsolver_dgetrf: memory_error: needs 4732160 bytes (4.5 MiB), ` +
				`the handle's user_owned workspace has 1048576 bytes (1.0 MiB)`},
		{"bad argument", `local h = rocblas.create_handle() h:query(function(q) q:dgetrf{m = 8, n = 8, lda = 3} end)`,
			`rocsolver_dgetrf: invalid_size: lda is 3`},
		{"double free", `local p = hip.malloc(64) hip.free(p) hip.free(p)`, `hipFree: hipErrorInvalidValue`},
		{"metric with a measured name", `return { run = function(t) t:metric("hip.malloc", 0) end }`,
			`t:metric: name: "hip.malloc" is the name of a measured value (seconds, kernels, peak_bytes, ` +
				`defects, skipped, outcome, hip.*, syncs.*, status.*, faults.*); choose another name`},
		{"own error", `error("broken")`, `test.lua:1: broken`},
		{"unknown module", `require "rocblass"`, `did you mean "rocblas"?`},
		{"climbing module", `require "../secret"`, `not found: not a name of a module`},
	} {
		t.Run(test.name, func(t *testing.T) {
			rec := run(t, prelude+test.script, record.Case{})
			if rec.End == nil || !strings.Contains(rec.End.String(), test.want) {
				t.Errorf("got %v\nwant %s", rec.End, test.want)
			}
		})
	}
}

// TestCloseTwice closes a handle again, which does nothing.
func TestCloseTwice(t *testing.T) {
	passes(t, `local h = rocblas.create_handle() h:close() h:close() t:check(not pcall(rocblas.destroy_handle, h))`)
}

// TestNullHandle passes the null handle, which is not a mistake in writing a method.
func TestNullHandle(t *testing.T) {
	rec := run(t, prelude+`rocblas.get_stream(nil)`, record.Case{})
	if want := "test.lua:1: rocblas_get_stream: invalid_handle: the handle is null"; rec.End.String() != want {
		t.Errorf("got %s\nwant %s", rec.End, want)
	}
}

func TestSyntaxError(t *testing.T) {
	_, err := luabind.Compile("broken.lua", []byte("local x = 1\nlocal = 2\n"))
	var e *luabind.Error
	if !errors.As(err, &e) || e.Line != 2 || e.Source != "local = 2" || !strings.HasPrefix(e.Error(), "broken.lua:2:") {
		t.Errorf("got %#v", err)
	}
}

// scenario wraps a body of run into a scenario.
func scenario(fields, body string) string {
	return prelude + "return { " + fields + " run = function(t) " + body + " end }"
}

func TestScenario(t *testing.T) {
	rec := run(t, scenario(`params = { n = 3, type = "d" }, schemes = "any",`, `
		t:metric("n", t.n, "elements")
		t:equal(t.type, "s")
		t:near(0/0, 0, 1)
		t:status(rocblas.status_success, rocblas.set_device_memory_size(t.handle, 100))
		t:raises(rocblas.status_memory_error, rocblas.dasum, t.handle, 100000, hip.malloc(800000), 1)
		print("hello", 4732160)
		t:check(false, "soft")
		t:equal({1, {2}}, {1, {2}})`), record.Case{Scheme: "managed", Params: map[string]any{"n": 5.0}})
	if rec.End != nil {
		t.Fatal(rec.End)
	}
	var passed []bool
	for _, c := range rec.Checks {
		passed = append(passed, c.Passed)
	}
	want := []bool{false, false, true, true, false, true}
	if len(passed) != len(want) {
		t.Fatalf("checks %+v", rec.Checks)
	}
	for i := range want {
		if passed[i] != want[i] {
			t.Errorf("check %d: %+v", i, rec.Checks[i])
		}
	}
	if len(rec.Metrics) != 1 || rec.Metrics[0] != (record.Metric{Name: "n", Value: int64(5), Unit: "elements"}) {
		t.Errorf("metrics %+v", rec.Metrics)
	}
	if rec.Log != "hello\t4732160\n" {
		t.Errorf("log %q", rec.Log)
	}
	leak := "leak: 800000 bytes (781.2 KiB) of device memory from hipMalloc at test.lua:"
	if len(rec.Problems) != 1 || !strings.Contains(rec.Problems[0], leak) {
		t.Errorf("problems %q", rec.Problems)
	}
}

func TestSchemes(t *testing.T) {
	for _, scheme := range workspace.Schemes {
		t.Run(scheme, func(t *testing.T) {
			rec := run(t, scenario(`schemes = "any", bytes = 4096,`, `
				local fixed = t.scheme ~= "managed" and t.scheme ~= "stream_ordered"
				t:equal(rocblas.get_device_memory_size(t.handle), fixed and 4096 or 33554432)
				t:equal(rocblas.is_managing_device_memory(t.handle), not fixed)`), record.Case{Scheme: scheme})
			if !rec.Passed() {
				t.Errorf("%+v", rec)
			}
		})
	}
}

func TestTeardownAlwaysRuns(t *testing.T) {
	rec := run(t, prelude+`return {
		setup = function(t) t:defer(function() print("first") end) t:defer(function() print("second") end) end,
		run = function(t) error("broken") end,
		teardown = function(t) print("teardown") end }`, record.Case{})
	if rec.End == nil || rec.Log != "second\nfirst\nteardown\n" {
		t.Errorf("err %v, log %q", rec.End, rec.Log)
	}
}

// TestDeferWhileTheCaseEnds defers functions in a deferred function and in teardown. All are called.
func TestDeferWhileTheCaseEnds(t *testing.T) {
	rec := run(t, `return {
		run = function(t)
			t:defer(print, "last")
			t:defer(function()
				t:defer(print, "by deferred 1")
				t:defer(print, "by deferred 2")
				error("broken")
			end)
		end,
		teardown = function(t)
			t:defer(function() print("by teardown") t:defer(print, "by that") end)
			print("teardown")
		end }`, record.Case{})
	if want := "by deferred 2\nby deferred 1\nlast\nteardown\nby teardown\nby that\n"; rec.Log != want {
		t.Errorf("log %q, want %q", rec.Log, want)
	}
	if len(rec.Problems) != 1 || !strings.Contains(rec.Problems[0], "broken") {
		t.Errorf("problems: %q", rec.Problems)
	}
}

// TestDeferWithoutEnd defers a function that defers itself. It ends with the time of the case, and teardown runs.
func TestDeferWithoutEnd(t *testing.T) {
	rec := runLimited(t, `return {
		run = function(t) local function again() t:defer(again) end again() end,
		teardown = function(t) print("done") end }`, record.Limits{Timeout: 200 * time.Millisecond}, luabind.Options{})
	if rec.Log != "done\n" || len(rec.Problems) == 0 {
		t.Errorf("%q %q", rec.Log, rec.Problems)
	}
}

// TestTeardownUsesTheDevice ends cases at limits, and uses the device in teardown. A limit of device memory allows then
// what the case had.
func TestTeardownUsesTheDevice(t *testing.T) {
	for body, limits := range map[string]record.Limits{
		`while true do end`: {Instructions: 10_000},
		`hip.malloc(2^20)`:  {DeviceMemory: 1 << 19},
	} {
		rec := runLimited(t, prelude+`local p = hip.malloc(2^18) return {
			run = function(t) p = p `+body+` end,
			teardown = function(t)
				hip.free(p)
				hip.free(hip.malloc(2^18)) hip.memset(hip.malloc(8), 0, 8)
				print("done")
			end }`, limits, luabind.Options{})
		if rec.End == nil || rec.End.Kind != record.EndLimit || rec.Log != "done\n" {
			t.Errorf("%s: %v, log %q, problems %q", body, rec.End, rec.Log, rec.Problems)
		}
	}
}

// TestHandleOfTheScheme opens the handle of a case before run, which does not use it, unless setup fails.
func TestHandleOfTheScheme(t *testing.T) {
	managed := record.Case{Scheme: "managed"}
	rec := run(t, scenario(`schemes = "any",`, `t:check(hip.stats().live_bytes > 0)`), managed)
	if !rec.Passed() {
		t.Errorf("%v %+v", rec.End, rec.Checks)
	}
	rec = run(t, prelude+`return { schemes = "any", setup = function() error("broken") end, run = print,
		teardown = function() print(hip.stats().live_bytes) end }`, managed)
	if rec.Log != "0\n" {
		t.Errorf("after a failed setup: %q", rec.Log)
	}
}

func TestAbortCannotBeCaught(t *testing.T) {
	rec := run(t, scenario("", `
		local h = rocblas.create_handle()
		local allocation = h:device_malloc(64)
		pcall(function() pcall(rocblas.destroy_handle, h) print("survived") end)
		print("survived")`), record.Case{})
	if rec.End == nil || rec.End.Kind != record.EndAbort || strings.Contains(rec.Log, "survived") {
		t.Errorf("err %v, log %q", rec.End, rec.Log)
	}
}

func TestTimeout(t *testing.T) {
	script, err := luabind.Compile("loop.lua", []byte(`return {
		run = function(t) while true do pcall(function() while true do end end) end end,
		teardown = function(t) print("done") end,
	}`))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	rec := runScript(t, ctx, script, record.Case{})
	if rec.End == nil || rec.End.Kind != record.EndTimeout || rec.Log != "done\n" {
		t.Errorf("err %v, log %q", rec.End, rec.Log)
	}
}

func TestTry(t *testing.T) {
	rec := run(t, scenario("", `
		local h, status, detail = rocblas.try.create_handle()
		t:equal(status.ok, true) t:equal(detail, nil)
		rocblas.set_device_memory_size(h, 64)
		local x = hip.malloc(80000)
		local sum, status, detail = rocblas.try.dasum(h, 10000, x, 1)
		t:equal(sum, nil)
		t:equal(status, rocblas.status_memory_error)
		t:equal(tostring(status), "rocblas_status_memory_error")
		t:equal({detail.required, detail.available, detail.scheme, detail.func}, {192, 64, "user_managed",
			"rocblas_dasum"})
		local p, status = hip.try.malloc(2^50)
		t:equal(p, nil) t:equal(status, hip.error_out_of_memory)
		t:equal(pcall(rocblas.try.dasum, h, "x", x, 1), false)
		hip.free(x) h:close()`), record.Case{})
	if !rec.Passed() {
		t.Errorf("%+v", rec)
	}
}

func TestStatusInLastPlaceIsDropped(t *testing.T) {
	rec := run(t, scenario("", `
		local h = rocblas.create_handle()
		hip.stream_synchronize(rocblas.get_stream(h))
		hip.free(hip.malloc(64))
		t:equal(rocblas.status_to_string(rocblas.status_memory_error), "rocblas_status_memory_error")
		rocblas.destroy_handle(h)`), record.Case{})
	if !rec.Passed() {
		t.Errorf("%+v", rec)
	}
}

func TestSeededRandomNumbers(t *testing.T) {
	source := scenario("", `print(math.random(), math.random(1000), array.random("z", 2)[2][1])`)
	first, again := run(t, source, record.Case{Seed: 7}), run(t, source, record.Case{Seed: 7})
	other := run(t, source, record.Case{Seed: 8})
	if first.End != nil || first.Log != again.Log || first.Log == other.Log {
		t.Errorf("%q, %q, %q (%v)", first.Log, again.Log, other.Log, first.End)
	}
}
