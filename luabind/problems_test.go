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
