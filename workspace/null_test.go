package workspace_test

import (
	"errors"
	"testing"

	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/status"
)

// TestNullHandleOfEveryRoutine calls every routine with the null handle. Only trsm_ex checks something before it: the
// libraries of both releases return these statuses.
func TestNullHandleOfEveryRoutine(t *testing.T) {
	for _, r := range routine.All() {
		want := status.InvalidHandle
		switch r.Family.ID {
		case routine.TrsmEx: // compute_type is 0
			want = status.NotImplemented
		case routine.GemmKernelName: // it checks nothing
			want = status.NotImplemented
		}
		checkNullCall(t, r.New(), want)
		if r.Family.ID == routine.TrsmEx {
			a := r.New()
			a.SetInt(routine.ComputeType, routine.DatatypeF64)
			checkNullCall(t, a, status.InvalidHandle)
		}
	}
}

func checkNullCall(t *testing.T, a *routine.Args, want status.Status) {
	t.Helper()
	out, err := workspace.Null.Call(a)
	var refused *workspace.Error
	if !errors.As(err, &refused) || refused.Status != want || out.Status != want || refused.Reason == "" {
		t.Errorf("%s: %v, want %s", a.Routine.CName(), err, want)
	}
}
