package conformance

import (
	"slices"
	"testing"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/sequence"
	"roclua/workspace/status"
)

// TestEmptySolverCalls compares the statuses of captured calls with nothing to compute, and whether they add nodes that
// set info to the graph. The library rejects some calls, because one dimension must not be smaller than another.
func TestEmptySolverCalls(t *testing.T) {
	library, model, closeBoth := pair(t, 64<<30)
	defer closeBoth()
	begin(t, library, model)
	defer end(t, library, model)
	const stream = 2
	same := func(d *sequence.Call, op *sequence.Operation) sequence.Result {
		want, err := model.Run(op)
		have, failed := library.Run(op)
		if err != nil || failed != nil || !have.Same(want) {
			t.Errorf("%s, captured: %s by the model: %s %v, by the library: %s %v", d.Lua(), op.CName(), want, err,
				have, failed)
		}
		return have
	}
	_, all := admitted()
	called := 0
	var refused []routine.FamilyID
	for _, r := range all {
		if r.Library != routine.RocSOLVER {
			continue
		}
		for _, ints := range EmptyCalls(r) {
			d := sequence.NewCall(r, ints)
			same(d, sequence.SetStream(stream))
			same(d, sequence.BeginCapture(stream, driver.CaptureRelaxed))
			if same(d, &sequence.Operation{Call: d, Unlogged: true}).Status == status.InvalidSize.Short() {
				refused = append(refused, r.Family.ID)
			}
			same(d, sequence.EndCapture(stream))
			called++
		}
	}
	slices.Sort(refused)
	t.Logf("%d calls, of which %d are refused, by %v", called, len(refused), slices.Compact(refused))
}
