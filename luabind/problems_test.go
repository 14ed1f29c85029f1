package luabind_test

import (
	"strings"
	"testing"

	"roclua/luabind/record"
)

// TestFewProblems causes as many problems as a record describes.
func TestFewProblems(t *testing.T) {
	list := run(t, scenario("", `for i = 1, 10 do hip.malloc(i) end`), record.Case{}).Problems
	if len(list) != 10 || strings.Contains(list[9], "more") {
		t.Errorf("%q", list)
	}
}

// TestProblemsAreSummarized causes more problems of each kind than a record describes.
func TestProblemsAreSummarized(t *testing.T) {
	for _, test := range []struct{ body, first, rest string }{
		{`for i = 1, 30 do hip.malloc(i) end`, "leak: 1 byte of device memory from hipMalloc at test.lua:",
			"leak: 20 more; 30 allocations, 465 bytes of device memory in all"},
		{`for i = 1, 12 do hip.stream_create() end`, "leak: an open stream from hipStreamCreate",
			"leak: 2 more; 12 open streams in all"},
		{`for i = 1, 11 do hip.event_create() end`, "leak: an open event from hipEventCreate",
			"leak: 1 more; 11 open events in all"},
		{`for i = 1, 13 do rocblas.create_handle() end`, "leak: the handle made at test.lua:",
			"leak: 3 more; 13 handles in all"},
		{`for i = 1, 14 do t:defer(function() error("broken") end) end`, "a deferred function failed: test.lua:",
			"a deferred function failed: 4 more; 14 in all"},
		{`local r, s, p = hip.stream_create(), hip.stream_create(), hip.malloc(8)
			for i = 1, 8 do hip.memset_async(p, 0, 8, r) hip.memset_async(p, 0, 8, s) end
			hip.device_synchronize() hip.free(p) hip.stream_destroy(r) hip.stream_destroy(s)`,
			"hazard: hipMemsetAsync", "hazard: 5 more; 15 in all"},
		{`local a = array.zeros("d", 1) for i = 1, 15 do local p = hip.malloc(8) hip.memcpy(a, p, 8) hip.free(p) end`,
			"unwritten memory: ", "unwritten memory: 5 more reads; 15 in all"},
	} {
		list := run(t, scenario("", test.body), record.Case{}).Problems
		if len(list) != 11 || !strings.HasPrefix(list[0], test.first) || list[10] != test.rest {
			t.Errorf("%s\n%s", test.body, strings.Join(list, "\n"))
		}
	}
}

// TestStreamsDestroyedInUse destroys streams that handles use, and streams that they do not use any more.
func TestStreamsDestroyedInUse(t *testing.T) {
	const begin = "local s, h = hip.stream_create(), rocblas.create_handle()\n h:set_stream(s) "
	for _, test := range []struct {
		body string
		used bool
	}{
		{begin + "hip.stream_destroy(s) rocblas.destroy_handle(h)", true},
		{begin + "hip.stream_destroy(s) h:set_stream(nil) rocblas.destroy_handle(h)", true},
		{begin + "t:defer(rocblas.destroy_handle, h) t:defer(hip.stream_destroy, s)", true},
		{begin + "h:set_stream(nil) hip.stream_destroy(s) rocblas.destroy_handle(h)", false},
		{begin + "rocblas.destroy_handle(h) hip.stream_destroy(s)", false},
		{begin + "t.handle:set_stream(s) rocblas.destroy_handle(h) t:defer(hip.stream_destroy, s)", false},
		{begin + "t.handle:set_stream(s) rocblas.destroy_handle(h) hip.stream_destroy(s)", true},
		{"t.handle:set_stream(t:stream())", false}, // the handle lives until the end of the case
		{"t.handle:set_stream(hip.stream_per_thread)", false},
	} {
		r := run(t, scenario(`schemes = "any",`, test.body), record.Case{Scheme: "managed"})
		used := len(r.Problems) == 1 &&
			strings.Contains(r.Problems[0], "destroyed stream 1 of hipStreamCreate at test.lua:")
		if r.End != nil || used != test.used || !used && len(r.Problems) > 0 {
			t.Errorf("%s\n%v, %q", test.body, r.End, r.Problems)
		}
	}
}

// TestFaultsOfKernels ends cases after a kernel that uses memory out of bounds. Whichever call then waits for the
// device returns its fault, which is a problem without that call.
func TestFaultsOfKernels(t *testing.T) {
	const kernel = "local p = hip.malloc(64) hip.memset(p, 0, 64) t.handle:dscal{ n = 100, alpha = 2, x = p } "
	for _, end := range []string{"t:defer(hip.free, p)", "t:defer(function() hip.free(p) end)",
		"t:defer(hip.device_synchronize) t:defer(hip.free, p)"} {
		r := run(t, scenario(`schemes = "any",`, kernel+end), record.Case{Scheme: "managed"})
		const want = "a kernel failed: hipErrorIllegalAddress: rocblas_dscal at test.lua:"
		if r.End != nil || len(r.Problems) == 0 || !strings.HasPrefix(r.Problems[0], want) {
			t.Errorf("%s: %v, %q, want %q", end, r.End, r.Problems, want)
		}
	}
}
