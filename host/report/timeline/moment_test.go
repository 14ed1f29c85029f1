package timeline

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/hip"
)

// TestStepsOfAHandle checks when a handle's memory changes: at the end of the library's call just before the mark, or
// at the mark.
func TestStepsOfAHandle(t *testing.T) {
	own := hip.Call{Name: "hipMalloc", Seconds: 1, Duration: 0.5, Cause: hip.CauseGrowth}
	script := own
	script.Cause = hip.CauseScript
	long := own
	long.Duration = 5
	refused := hip.Mark{Handle: 1, Seconds: 2, Bytes: 64, Text: "refused"}
	changed := hip.Mark{Handle: 1, Seconds: 2, Bytes: 64}
	later := hip.Call{Name: "hipFree", Seconds: 3, Cause: hip.CauseGrowth}
	same := hip.Call{Name: "hipFree", Seconds: 2, Cause: hip.CauseScript}
	for _, test := range []struct {
		name  string
		mark  hip.Mark
		calls []hip.Call
		want  float64
	}{
		{"no call", changed, nil, 2},
		{"a call of the library", changed, []hip.Call{own, later}, 1.5},
		{"a call of the script", changed, []hip.Call{script}, 2},
		{"a later call", changed, []hip.Call{later}, 2},
		{"a call that ends after the mark", changed, []hip.Call{long}, 2},
		{"a call of the script at the time of the mark", changed, []hip.Call{own, same}, 2},
		{"a call that failed", refused, []hip.Call{own}, 2},
	} {
		line := Of(hip.History{Marks: []hip.Mark{test.mark}, Calls: test.calls})
		if diff := cmp.Diff([]Track{{Handle: 1, Steps: []Step{{test.want, 64}}}}, line.Handles); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestEndOfATimeline(t *testing.T) {
	line := Of(hip.History{Calls: []hip.Call{{Seconds: 2, Duration: 0.5}}, Marks: []hip.Mark{{Seconds: 2.25}}})
	if line.Seconds != 2.5 {
		t.Errorf("the end of the last call is %v, want 2.5", line.Seconds)
	}
	line = Of(hip.History{Kernels: []hip.Kernel{{Queued: 3}, {Queued: 1, End: 2}}})
	if line.Seconds != 3 {
		t.Errorf("a kernel that did not run ends the timeline at %v, want 3", line.Seconds)
	}
}
