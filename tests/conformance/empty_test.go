package conformance

import (
	"slices"
	"testing"

	"roclua/hip/routine"
	"roclua/workspace/difftest"
	"roclua/workspace/status"
)

// TestEmptySolverCalls compares the statuses of calls without anything to compute. The library refuses some of them,
// because one dimension must not be smaller than another.
func TestEmptySolverCalls(t *testing.T) {
	library, model, closeBoth := pair(t, 64<<30)
	defer closeBoth()
	begin(t, library, model)
	defer end(t, library, model)
	_, all := admitted()
	called := 0
	var refused []routine.FamilyID
	for _, r := range all {
		if r.Library != routine.RocSOLVER {
			continue
		}
		for _, ints := range EmptyCalls(r) {
			d := difftest.NewCall(r, ints)
			op := &difftest.Operation{Call: d, Unlogged: true}
			want, err := model.Run(op)
			if err != nil {
				t.Errorf("%s: %v", d.Lua(), err)
				continue
			}
			have, err := library.Run(op)
			if err != nil || !have.Same(want) {
				t.Errorf("%s: the model: %s, the library: %s %v", d.Lua(), want, have, err)
			}
			if have.Status == status.InvalidSize.Short() {
				refused = append(refused, r.Family.ID)
			}
			called++
		}
	}
	slices.Sort(refused)
	t.Logf("%d calls, of which %d are refused, by %v", called, len(refused), slices.Compact(refused))
}
