package verify

import (
	"testing"

	"roclua/workspace/difftest"
)

// TestEndsUnlike compares three operations, in the last of which the model ends the process.
func TestEndsUnlike(t *testing.T) {
	ops := []*difftest.Operation{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	success, refused := difftest.Result{Status: "success"}, difftest.Result{Status: "invalid_handle"}
	want := []outcome{{Result: success}, {Result: success}, {Result: success, aborts: true}}
	for name, test := range map[string]struct {
		have map[int]difftest.Result
		want disagreement
	}{
		"the same": {map[int]difftest.Result{0: success, 1: success}, disagreement{}},
		"it returns": {map[int]difftest.Result{0: success, 1: success, 2: refused},
			disagreement{ops[2], aborts, refused.String()}},
		"it ends early": {map[int]difftest.Result{0: success}, disagreement{ops[1], success.String(), "SIGABRT"}},
		"another status": {map[int]difftest.Result{0: refused, 1: success},
			disagreement{ops[0], success.String(), refused.String()}},
	} {
		have := disagreement{}
		if d := endsUnlike(ops, want, test.have, "SIGABRT"); d != nil {
			have = *d
		}
		if have != test.want {
			t.Errorf("%s: %+v, want %+v", name, have, test.want)
		}
	}
}
