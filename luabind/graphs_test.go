package luabind_test

import (
	"slices"
	"strings"
	"testing"

	"roclua/luabind/record"
)

// passes runs the body of a scenario, which must pass.
func passes(t *testing.T, body string) {
	t.Helper()
	rec := run(t, scenario("", body), record.Case{})
	if !rec.Passed() {
		t.Errorf("%+v %v\n%v", rec.End, rec.Problems, rec.Checks)
	}
}

// TestGraphsInScripts captures two streams, and launches the graph with other data.
func TestGraphsInScripts(t *testing.T) {
	passes(t, `
		local s, other = hip.stream_create(), hip.stream_create_with_flags(hip.stream_non_blocking)
		t:defer(hip.stream_destroy, s) t:defer(hip.stream_destroy, other)
		local fork, join = hip.event_create(), hip.event_create()
		t:defer(hip.event_destroy, fork) t:defer(hip.event_destroy, join)
		local p = hip.malloc(64)
		t:defer(hip.free, p)
		local input, output = array.zeros("d", 4), array.zeros("d", 4)
		t:equal(hip.stream_is_capturing(s), hip.stream_capture_status_none)
		hip.stream_begin_capture(s, hip.stream_capture_mode_global)
		local status, id = hip.stream_get_capture_info(s)
		t:equal(status, hip.stream_capture_status_active)
		t:equal(id, 1)
		hip.memcpy_async(p, input, 32, hip.memcpy_host_to_device, s)
		hip.event_record(fork, s)
		hip.stream_wait_event(other, fork)
		hip.memcpy_async(p + 32, p, 32, hip.memcpy_default, other)
		hip.event_record(join, other)
		hip.stream_wait_event(s, join)
		local q = hip.malloc_async(96, s)
		hip.free_async(q, s)
		hip.memcpy_async(output, p + 32, 32, hip.memcpy_default, s)
		local graph = hip.stream_end_capture(s)
		t:defer(hip.graph_destroy, graph)
		local types = {}
		for i, node in ipairs(hip.graph_get_nodes(graph)) do
			types[i] = node.type .. ":" .. (node.bytes or "") .. ":" .. table.concat(node.dependencies, ",")
		end
		t:equal(table.concat(types, " "), "1:32: 1:32:1 10:96:1,2 11::3 1:32:4")
		local exec = hip.graph_instantiate(graph)
		t:defer(hip.graph_exec_destroy, exec)
		for i = 1, 3 do
			input[1] = i
			hip.graph_launch(exec, other)
			hip.stream_synchronize(other)
			t:equal(output[1], i)
		end
		t:equal(hip.stats().live_bytes, 64)`)
}

// TestArraysThatGraphsFill reads an array before the launch that fills it is waited for.
func TestArraysThatGraphsFill(t *testing.T) {
	passes(t, `
		local s = hip.stream_create()
		t:defer(hip.stream_destroy, s)
		local output = array.zeros("d", 4)
		local p = hip.upload(output)
		t:defer(hip.free, p)
		hip.stream_begin_capture(s, hip.stream_capture_mode_relaxed)
		hip.memcpy_async(output, p, 32, hip.memcpy_default, s)
		t:equal(output[1], 0)
		local graph = hip.stream_end_capture(s)
		local exec = hip.graph_instantiate(graph)
		t:equal(output[1], 0)
		t:equal(#hip.hazards(), 0)
		hip.graph_launch(exec, s)
		local _ = output[1]
		local found = hip.hazards()
		t:equal(#found, 1)
		t:equal(found[1].earlier.call, "hipGraphLaunch")
		t:equal(found[1].later.host, true)
		hip.graph_exec_destroy(exec)
		hip.graph_destroy(graph)`)
}

// TestWrongGraphs checks the status and the message of wrong calls: the message names both lines.
func TestWrongGraphs(t *testing.T) {
	for _, test := range []struct{ body, want string }{
		{`hip.stream_end_capture(s)`, "hipErrorIllegalState: stream 1 is not captured"},
		{"hip.stream_begin_capture(s, 0)\n hip.stream_begin_capture(s, 0)",
			"hipErrorIllegalState: stream 1 is already captured, since hipStreamBeginCapture at test.lua:2"},
		{"hip.stream_begin_capture(nil, 0)", "hipErrorStreamCaptureUnsupported: the null stream cannot be captured"},
		{"hip.stream_begin_capture(s, 0)\n hip.event_record(e, s)\n hip.event_query(e)",
			"hipErrorCapturedEvent: hipEventQuery of an event that is captured; it invalidates the capture of " +
				"stream 1 that hipStreamBeginCapture at test.lua:2 began"},
		{"hip.stream_begin_capture(s, 0)\n hip.try.malloc(8)\n hip.stream_end_capture(s)",
			"hipErrorStreamCaptureInvalidated: the capture of stream 1 that hipStreamBeginCapture at test.lua:2 " +
				"began was invalidated by hipMalloc at test.lua:3"},
		{"hip.stream_begin_capture(s, 0)\n hip.try.malloc(8)\n hip.memset_async(nil, 0, 8, s)",
			"hipErrorStreamCaptureInvalidated: the capture of stream 1 that hipStreamBeginCapture at test.lua:2 " +
				"began was invalidated by hipMalloc at test.lua:3"},
		{"hip.malloc_managed(8, 2)", "hip.malloc_managed: flags: got 2, want 1"},
		{"hip.stream_begin_capture(s, 0)\n local g = hip.stream_end_capture(s)\n local x = hip.graph_instantiate(g)\n" +
			"hip.graph_exec_destroy(x)\n hip.graph_launch(x, s)", "hipErrorInvalidValue: the executable graph of " +
			"hipGraphInstantiate at test.lua:4 was destroyed by hipGraphExecDestroy at test.lua:5"},
		{"hip.stream_begin_capture(s, 0)\n local g = hip.stream_end_capture(s)\n hip.graph_destroy(g)\n" +
			"hip.graph_destroy(g)", "hipErrorIllegalState: the graph of hipStreamEndCapture at test.lua:3 was " +
			"destroyed by hipGraphDestroy at test.lua:4"},
		{"hip.stream_begin_capture(s, 0)\n local p = hip.malloc_async(8, s)\n local g = hip.stream_end_capture(s)\n" +
			"local x = hip.graph_instantiate(g)\n hip.graph_launch(x, s)\n hip.graph_launch(x, s)",
			"hipErrorInvalidValue: the graph allocates 8 bytes for hipMallocAsync at test.lua:3, which are still " +
				"allocated since the launch by hipGraphLaunch at test.lua:6"},
	} {
		rec := run(t, scenario("", "local s, e = hip.stream_create(), hip.event_create()\n"+test.body),
			record.Case{})
		if rec.End == nil || !strings.Contains(rec.End.String(), test.want) {
			t.Errorf("%s\n%+v\nwant %s", test.body, rec.End, test.want)
		}
	}
}

// TestArraysThatInnerGraphsFill launches a graph whose copy fills an array in a capture, and reads the array before the
// launch of the outer graph is waited for.
func TestArraysThatInnerGraphsFill(t *testing.T) {
	passes(t, `
		local s, p, a = hip.stream_create(), hip.upload(array.of("d", { 7 })), array.zeros("d", 1)
		t:defer(hip.free, p)
		local function capture(work)
			hip.stream_begin_capture(s, hip.stream_capture_mode_global)
			work()
			local graph = hip.stream_end_capture(s)
			t:defer(hip.graph_destroy, graph)
			local exec = hip.graph_instantiate(graph)
			t:defer(hip.graph_exec_destroy, exec)
			return exec
		end
		t:defer(hip.stream_destroy, s)
		local inner = capture(function() hip.memcpy_async(a, p, 8, hip.memcpy_device_to_host, s) end)
		local outer = capture(function() hip.graph_launch(inner, s) end)
		t:equal(#hip.hazards(), 0)
		hip.graph_launch(outer, s)
		t:equal(a[1], 7)
		t:equal(#hip.hazards(), 1, "the array was read before the copy was waited for")
		hip.stream_synchronize(s)`)
}

// TestDeviceAfterInvalidatedCapture uses the device after errors.
func TestDeviceAfterInvalidatedCapture(t *testing.T) {
	passes(t, `
		local s = hip.stream_create()
		t:defer(hip.stream_destroy, s)
		for _, mode in ipairs{ hip.stream_capture_mode_global, hip.stream_capture_mode_thread_local } do
			hip.stream_begin_capture(s, mode)
			t:raises(hip.error_stream_capture_unsupported, hip.malloc, 64)
			t:equal(hip.peek_at_last_error(), hip.error_stream_capture_unsupported)
			t:equal(hip.get_last_error(), hip.error_stream_capture_unsupported)
			t:equal(hip.get_last_error(), hip.success)
			t:raises(hip.error_stream_capture_implicit, hip.memset, nil, 0, 64)
			t:raises(hip.error_stream_capture_invalidated, hip.stream_end_capture, s)
			hip.free(hip.malloc(64))
		end
		local before = hip.thread_exchange_stream_capture_mode(hip.stream_capture_mode_relaxed)
		hip.stream_begin_capture(s, hip.stream_capture_mode_global)
		hip.free(hip.malloc(64))
		t:equal(hip.thread_exchange_stream_capture_mode(before), hip.stream_capture_mode_relaxed)
		hip.graph_destroy(hip.stream_end_capture(s))`)
}

// TestPoolAndRows uses managed memory, attributes of the pool, and copies of rows.
func TestPoolAndRows(t *testing.T) {
	passes(t, `
		hip.mem_pool_set_attribute(hip.mem_pool_attr_release_threshold, 64)
		t:equal(hip.mem_pool_get_attribute(hip.mem_pool_attr_release_threshold), 64)
		local p = hip.malloc_async(96, nil)
		t:equal(hip.mem_pool_get_attribute(hip.mem_pool_attr_used_mem_current), 96)
		hip.free_async(p, nil)
		t:equal(hip.mem_pool_get_attribute(hip.mem_pool_attr_reserved_mem_current), 96)
		hip.device_synchronize()
		t:equal(hip.mem_pool_get_attribute(hip.mem_pool_attr_reserved_mem_current), 64)
		t:equal(hip.mem_pool_get_attribute(hip.mem_pool_attr_used_mem_high), 96)
		hip.mem_pool_set_attribute(hip.mem_pool_attr_used_mem_high, 0)
		t:equal(hip.mem_pool_get_attribute(hip.mem_pool_attr_used_mem_high), 0)
		t:raises(hip.error_invalid_value, hip.mem_pool_set_attribute, hip.mem_pool_attr_used_mem_current, 0)
		t:raises(hip.error_invalid_value, hip.mem_pool_get_attribute, 99)

		local managed = hip.malloc_managed(64)
		t:defer(hip.free, managed)
		local input, output = array.zeros("d", 6), array.zeros("d", 4)
		for i = 1, 6 do input[i] = i end
		hip.memset(managed, 0, 64)
		hip.memcpy2d(managed, 16, input, 24, 16, 2)            -- columns 1 2, 4 5
		hip.memcpy2d(managed + 32, 16, managed + 8, 16, 8, 2)  -- 2, 5
		hip.memcpy2d_async(output, 8, managed + 32, 16, 8, 2, hip.memcpy_device_to_host, nil)
		hip.stream_synchronize(nil)
		t:equal(output[1], 2)
		t:equal(output[2], 5)
		hip.memcpy2d(output, 16, input, 24, 16, 2)
		t:equal(output[3], 4)
		t:raises(hip.error_invalid_pitch_value, hip.memcpy2d, managed, 8, input, 24, 16, 2)
		t:raises(hip.error_invalid_memcpy_direction, hip.memcpy2d, managed, 16, input, 24, 16, 2, 2)
		t:check(not pcall(hip.memcpy2d, managed, 16, input, 24, 16, 3), "the array is too small")
		hip.memcpy2d(managed, 16, input, 24, 16, 0)`)
}

// TestOpenCaptures ends a case while a stream is captured: the handle of the case can be closed nonetheless.
func TestOpenCaptures(t *testing.T) {
	rec := run(t, scenario(`schemes = "any",`, `
		local s = hip.stream_create()
		t:defer(hip.stream_destroy, hip.stream_create())
		rocblas.set_stream(t.handle, s)
		hip.stream_begin_capture(s, hip.stream_capture_mode_global)
		error("stop")`), record.Case{Scheme: "managed"})
	want := []string{"leak: the capture that hipStreamBeginCapture at test.lua:5 began was not ended",
		"leak: an open stream from hipStreamCreate at test.lua:2"}
	if !slices.Equal(rec.Problems, want) {
		t.Errorf("problems %q, want %q", rec.Problems, want)
	}
}
