package conformance

import (
	"slices"
	"testing"

	"roclua/hip/routine"
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
			d := &callTemplate{r: r, ints: ints}
			op := &operation{name: "call", draft: d, unlogged: true}
			want, err := model.run(op)
			if err != nil {
				t.Errorf("%s: %v", d.script(), err)
				continue
			}
			have, err := library.run(op)
			if err != nil || !have.same(want) {
				t.Errorf("%s: the model: %s, the library: %s %v", d.script(), want, have, err)
			}
			if have.status == status.InvalidSize.Short() {
				refused = append(refused, r.Family.ID)
			}
			called++
		}
	}
	slices.Sort(refused)
	t.Logf("%d calls, of which %d are refused, by %v", called, len(refused), slices.Compact(refused))
}
