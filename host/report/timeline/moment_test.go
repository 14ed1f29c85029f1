package timeline

import (
	"roclua/hip/trace"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestStepsOfAHandle checks when a handle's memory changes: at the end of the library's call just before the mark, or
// at the mark.
func TestStepsOfAHandle(t *testing.T) {
	own := trace.Call{Name: "hipMalloc", Seconds: 1, Duration: 0.5, Cause: trace.CauseGrowth}
	script := own
	script.Cause = trace.CauseScript
	long := own
	long.Duration = 5
	refused := trace.Mark{Handle: 1, Seconds: 2, Bytes: 64, Text: "refused"}
	changed := trace.Mark{Handle: 1, Seconds: 2, Bytes: 64}
	later := trace.Call{Name: "hipFree", Seconds: 3, Cause: trace.CauseGrowth}
	same := trace.Call{Name: "hipFree", Seconds: 2, Cause: trace.CauseScript}
	for _, test := range []struct {
		name  string
		mark  trace.Mark
		calls []trace.Call
		want  float64
	}{
		{"no call", changed, nil, 2},
		{"a library call", changed, []trace.Call{own, later}, 1.5},
		{"a call of the script", changed, []trace.Call{script}, 2},
		{"a later call", changed, []trace.Call{later}, 2},
		{"a call that ends after the mark", changed, []trace.Call{long}, 2},
		{"a call of the script at the time of the mark", changed, []trace.Call{own, same}, 2},
		{"a call that failed", refused, []trace.Call{own}, 2},
	} {
		line := Of(trace.History{Marks: []trace.Mark{test.mark}, Calls: test.calls})
		if diff := cmp.Diff([]Track{{Handle: 1, Steps: []Step{{test.want, 64}}}}, line.Handles); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestEndOfATimeline(t *testing.T) {
	line := Of(trace.History{Calls: []trace.Call{{Seconds: 2, Duration: 0.5}}, Marks: []trace.Mark{{Seconds: 2.25}}})
	if line.Seconds != 2.5 {
		t.Errorf("the end of the last call is %v, want 2.5", line.Seconds)
	}
	line = Of(trace.History{Kernels: []trace.Kernel{{Queued: 3}, {Queued: 1, End: 2}}})
	if line.Seconds != 3 {
		t.Errorf("a kernel that did not run ends the timeline at %v, want 3", line.Seconds)
	}
}
