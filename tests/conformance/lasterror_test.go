package conformance

import (
	"errors"
	"runtime"
	"testing"

	"roclua/hip/routine"
	"roclua/workspace/sequence"
)

// TestEarlierErrors compares calls to every routine, small and larger ones, executed and in size queries, after a
// failed HIP call with an unread error. Few routines return it.
func TestEarlierErrors(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	library, model, closeBoth := pair(t, 64<<30)
	defer closeBoth()
	begin(t, library, model)
	_, all := admitted()
	called := 0
	for _, r := range all {
		for _, n := range []int64{3, 70} {
			d := sequence.SquareCall(r, n)
			for _, ops := range [][]*sequence.Operation{sequence.Execute(d), sequence.Query(d)} {
				called += compareAfterError(t, library, model, r, ops)
			}
		}
	}
	end(t, library, model)
	t.Logf("%d calls after an error agree", called)
}

// compareAfterError leaves an error on both sides before each operation and compares them. It returns the number of
// operations.
func compareAfterError(t *testing.T, library, model *sequence.Side, r *routine.Routine, ops []*sequence.Operation) int {
	t.Helper()
	called := 0
	for _, op := range ops {
		for _, side := range []*sequence.Side{library, model} {
			side.Runtime.LastError()
			if _, err := side.Runtime.Device().Malloc(1 << 50); err == nil {
				t.Fatal("the device has that much memory")
			}
			side.Runtime.Trace()
		}
		if err := compareOperation(library, model, op); err == nil {
			called++
		} else if !errors.Is(err, sequence.ErrNotComparable) {
			t.Errorf("%s: %v", r.CName(), err)
		}
	}
	return called
}
