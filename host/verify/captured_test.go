package verify

import (
	"testing"

	"roclua/workspace/sequence"
)

// TestEndsUnlike compares three operations; the model ends the process in the last.
func TestEndsUnlike(t *testing.T) {
	ops := []*sequence.Operation{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	success, refused := sequence.Result{Status: "success"}, sequence.Result{Status: "invalid_handle"}
	want := []outcome{{Result: success}, {Result: success}, {Result: success, aborts: true}}
	for name, test := range map[string]struct {
		have map[int]sequence.Result
		want disagreement
	}{
		"the same": {map[int]sequence.Result{0: success, 1: success}, disagreement{}},
		"it returns": {map[int]sequence.Result{0: success, 1: success, 2: refused},
			disagreement{ops[2], aborts, refused.String()}},
		"it ends early": {map[int]sequence.Result{0: success}, disagreement{ops[1], success.String(), "SIGABRT"}},
		"another status": {map[int]sequence.Result{0: refused, 1: success},
			disagreement{ops[0], success.String(), refused.String()}},
	} {
		have := disagreement{}
		if d := endsUnlike(ops, want, test.have, "SIGABRT", false); d != nil {
			have = *d
		}
		if have != test.want {
			t.Errorf("%s: %+v, want %+v", name, have, test.want)
		}
	}
}
