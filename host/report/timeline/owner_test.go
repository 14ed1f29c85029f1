package timeline

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/hip/trace"
)

// TestOwners checks which handle a call of the library belongs to.
func TestOwners(t *testing.T) {
	call := func(seconds float64, cause, origin string) trace.Call {
		return trace.Call{Name: "hipFree", Seconds: seconds, Duration: 0.1, Cause: cause, Origin: origin}
	}
	mark := func(handle int, seconds float64, origin string) trace.Mark {
		return trace.Mark{Handle: handle, Seconds: seconds, Origin: origin}
	}
	for _, test := range []struct {
		name  string
		calls []trace.Call
		marks []trace.Mark
		want  []int
	}{
		{"two calls of one growth", []trace.Call{call(1, "growth", "a:1"), call(2, "growth", "a:1")},
			[]trace.Mark{mark(1, 0.5, "a:0"), mark(2, 3, "a:1")}, []int{2, 2}},
		{"two handles that grow", []trace.Call{call(1, "growth", "a:1"), call(3, "growth", "a:2")},
			[]trace.Mark{mark(1, 2, "a:1"), mark(2, 4, "a:2")}, []int{1, 2}},
		{"a call of the script", []trace.Call{call(1, trace.CauseScript, "a:1")},
			[]trace.Mark{mark(1, 2, "a:1")}, []int{0}},
		{"a wait that changes no memory, before another handle grows",
			[]trace.Call{call(1, "set_stream", "a:1"), call(3, "growth", "a:2")},
			[]trace.Mark{mark(2, 4, "a:2")}, []int{0, 2}},
		{"another cause in the same line",
			[]trace.Call{call(1, "set_stream", "a:1"), call(3, "growth", "a:1")},
			[]trace.Mark{mark(2, 4, "a:1")}, []int{0, 2}},
		{"no later mark", []trace.Call{call(5, "growth", "a:1")}, []trace.Mark{mark(1, 2, "a:1")}, []int{0}},
	} {
		have := Of(trace.History{Calls: test.calls, Marks: test.marks}).Owners
		if diff := cmp.Diff(test.want, have); diff != "" {
			t.Errorf("%s (-want +have):\n%s", test.name, diff)
		}
	}
}
