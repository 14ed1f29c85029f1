package luabind_test

import (
	"strings"
	"testing"
	"time"

	"roclua/luabind"
	"roclua/luabind/record"
)

// hostFunctionScript is the beginning of the scripts of the tests: a stream, memory and an array.
const hostFunctionScript = `local s, p, a = hip.stream_create(), hip.malloc(16), array.zeros("d", 2)
	t:defer(hip.stream_destroy, s) t:defer(hip.free, p)
	hip.memset(p, 0, 16)
`

// TestHostFunctions runs functions in stream order, when the script waits for their stream.
func TestHostFunctions(t *testing.T) {
	passes(t, hostFunctionScript+`
		local other, log = hip.stream_create_with_flags(hip.stream_non_blocking), {}
		t:defer(hip.stream_destroy, other)
		hip.memcpy_async(a, p, 16, hip.memcpy_device_to_host, s)
		hip.launch_host_func(s, function(data) log[#log + 1] = data .. a[1] end, "one ")
		hip.launch_host_func(s, function(...) log[#log + 1] = select("#", ...) end)
		hip.launch_host_func(other, function() log[#log + 1] = "other" end)
		hip.stream_synchronize(other)
		t:equal(table.concat(log, ","), "other", "only functions before what the host waits for")
		hip.device_synchronize()
		t:equal(table.concat(log, ","), "other,one 0,1")
		t:equal(hip.stats().calls.hipLaunchHostFunc, 3)
		-- In a coroutine, and with a copy of the same stream that waits for the function that reads the array.
		coroutine.wrap(function()
			hip.launch_host_func(s, function() t:equal(a[1], 0) end)
			hip.memcpy_async(a, p, 16, hip.memcpy_device_to_host, s)
			hip.stream_synchronize(s)
		end)()
		t:equal(#hip.hazards(), 0)`)
}

// TestHazardsOfHostFunctions reads an array in a function that another stream still fills.
func TestHazardsOfHostFunctions(t *testing.T) {
	passes(t, hostFunctionScript+`
		local other = hip.stream_create_with_flags(hip.stream_non_blocking)
		t:defer(hip.stream_destroy, other)
		hip.memcpy_async(a, p, 16, hip.memcpy_device_to_host, other)
		hip.launch_host_func(s, function() return a[1] end)
		hip.stream_synchronize(s)
		local found = hip.hazards()
		t:equal(#found, 1)
		t:equal(found[1].later.host, true)
		-- A function orders its stream, not the host: the copy after it is not done.
		hip.launch_host_func(s, function() return a[1] end)
		hip.memcpy_async(a, p, 16, hip.memcpy_device_to_host, s)
		local event = hip.event_create()
		t:defer(hip.event_destroy, event)
		hip.launch_host_func(other, function() end)
		hip.event_record(event, other)
		hip.event_synchronize(event)
		local _ = a[1]
		t:equal(#hip.hazards(), 1)
		hip.device_synchronize()`)
}

// TestWrongHostFunctions checks the messages, which have both places.
func TestWrongHostFunctions(t *testing.T) {
	for _, test := range []struct{ body, want string }{
		{"hip.launch_host_func(s, function() error('no data') end)\n hip.stream_synchronize(s)",
			"the function of hipLaunchHostFunc at test.lua:4 failed: test.lua:4: no data " +
				"(it ran in hipStreamSynchronize at test.lua:5)"},
		{"hip.launch_host_func(s, function() hip.free(p) end)\n hip.memcpy(a, p, 16, hip.memcpy_default)",
			"failed: test.lua:4: hipFree: hipErrorNotPermitted: the function that hipLaunchHostFunc at test.lua:4 " +
				"queued cannot call HIP (it ran in hipMemcpy at test.lua:5)"},
		{"local h = rocblas.create_handle()\n t:defer(rocblas.destroy_handle, h)\n" +
			"hip.launch_host_func(s, function() rocblas.dscal{ handle = h, n = 1, alpha = 1, x = p } end)\n" +
			"hip.try.device_synchronize()", "hipErrorNotPermitted: the function of hipLaunchHostFunc at " +
			"test.lua:6 cannot call HIP or its libraries (it ran in hipDeviceSynchronize at test.lua:7)"},
		{"hip.stream_begin_capture(s, 0)\n hip.launch_host_func(s, function() error() end)\n" +
			"local x = hip.graph_instantiate(hip.stream_end_capture(s))\n hip.graph_launch(x, s)\n" +
			"hip.stream_synchronize(s)", "the function of hipLaunchHostFunc at test.lua:5, launched at test.lua:7 " +
			"failed: test.lua:5: a nil was raised as error: nil (it ran in hipStreamSynchronize at test.lua:8)"},
		{"hip.launch_host_func(s)", "hip.launch_host_func: fn: got nil, want a function"},
		{"hip.stream_begin_capture(s, 0)\n hip.launch_host_func(nil, function() end)", "hipErrorStreamCaptureImplicit"},
		{"local d = hip.stream_create() hip.stream_destroy(d)\n hip.launch_host_func(d, function() end)",
			"hipErrorInvalidHandle: stream 2 of hipStreamCreate at test.lua:4 was destroyed by hipStreamDestroy at " +
				"test.lua:4"},
	} {
		rec := run(t, scenario("", hostFunctionScript+test.body), record.Case{})
		if rec.End == nil || !strings.Contains(rec.End.String(), test.want) {
			t.Errorf("%s\n%+v\nwant %s", test.body, rec.End, test.want)
		}
	}
}

// TestCaughtErrorsOfHostFunctions continues after an error, which has the status of its cause.
func TestCaughtErrorsOfHostFunctions(t *testing.T) {
	passes(t, hostFunctionScript+`
		local ran = 0
		hip.launch_host_func(s, function() hip.malloc(1) end)
		hip.launch_host_func(s, function() ran = ran + 1 end)
		t:raises(hip.error_not_permitted, hip.stream_synchronize, s)
		t:equal(ran, 1, "the other function has run, too")
		hip.stream_synchronize(s)
		hip.launch_host_func(s, function() ran = select(2, hip.try.malloc(1)) end)
		hip.stream_synchronize(s)
		t:equal(ran, hip.error_not_permitted)`)
}

// TestFirstErrorOfHostFunctions looks at which of two errors the call raises that waited for both functions.
func TestFirstErrorOfHostFunctions(t *testing.T) {
	rec := run(t, scenario("", hostFunctionScript+`hip.launch_host_func(s, function() error("first") end)
		hip.launch_host_func(s, function() error("second") end) hip.stream_synchronize(s)`), record.Case{})
	if rec.End == nil || !strings.Contains(rec.End.String(), "test.lua:4: first (it ran") {
		t.Errorf("%+v", rec.End)
	}
}

// TestHostFunctionsThatAreNotQueued passes a function to a stream that was destroyed. It is not one that has not run.
func TestHostFunctionsThatAreNotQueued(t *testing.T) {
	passes(t, `local s = hip.stream_create() hip.stream_destroy(s)
		t:raises(hip.error_invalid_handle, hip.launch_host_func, s, function() end)`)
}

// TestHostFunctionsAtTheEnd reports functions that have not run, and stops one that takes too long.
func TestHostFunctionsAtTheEnd(t *testing.T) {
	rec := run(t, scenario("", `local s = hip.stream_create()
		t:defer(hip.stream_destroy, s)
		hip.launch_host_func(s, function() t:check(false) end)`), record.Case{})
	want := "the function of hipLaunchHostFunc at test.lua:3 has not run: no call waited for its stream"
	if len(rec.Problems) != 1 || rec.Problems[0] != want || len(rec.Checks) != 0 {
		t.Errorf("%q %v", rec.Problems, rec.Checks)
	}
	script, err := luabind.Compile("test.lua", []byte(scenario("", `local s = hip.stream_create()
		t:defer(hip.stream_destroy, s) t:defer(hip.device_synchronize)
		hip.launch_host_func(s, function() while true do end end)
		hip.launch_host_func(s, function() print "after" end)
		pcall(hip.stream_synchronize, s)
		print "not here"`)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := luabind.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	rec = runScript(t, ctx, script, record.Case{})
	if rec.End == nil || rec.End.Kind != record.EndTimeout || strings.Contains(rec.Log, "not") ||
		len(rec.Problems) > 0 {
		t.Errorf("%+v %q %q", rec.End, rec.Log, rec.Problems)
	}
}
