package conformance

import (
	"bytes"
	"slices"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/workspace"
	"roclua/workspace/sequence"
	"roclua/workspace/status"
)

// TestEmptySolverArrays compares the memory after calls with nothing to compute. The runtime runs the kernels that set
// results to zeros.
func TestEmptySolverArrays(t *testing.T) {
	if findStub() == nil {
		t.Skip("no HIP runtime without a GPU")
	}
	library, model, closeBoth := pair(t, 64<<30)
	defer closeBoth()
	computing, err := hip.Open("cpu", driver.Config{MemoryBytes: 64 << 30})
	if err != nil {
		t.Fatal(err)
	}
	defer computing.Close()
	called := 0
	_, all := admitted()
	for _, r := range all {
		if r.Library != routine.RocSOLVER || r.Family.Uses(buffer.SparseWork) {
			continue
		}
		for _, ints := range EmptyCalls(r) {
			want := contentsAfter(t, computing, model.Profile, r, ints)
			have := contentsAfter(t, library.Runtime, library.Profile, r, ints)
			for s, data := range have {
				if !bytes.Equal(want[s], data) {
					t.Errorf("%s %v: array %d becomes\n%x in the library,\n%x in the model", r.CName(), ints, s, data,
						want[s])
				}
			}
			called++
		}
	}
	t.Logf("%d calls", called)
}

// contentsAfter returns the contents of all arrays after an empty call.
func contentsAfter(
	t *testing.T, rt *hip.Runtime, on *workspace.Profile, r *routine.Routine, ints map[routine.Slot]int64,
) map[routine.Slot][]byte {
	t.Helper()
	h, err := workspace.Create(rt.Device(), workspace.Config{Profile: on})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Destroy()
	a := r.New()
	if err := PlaceEmpty(rt.Device(), a, ints); err != nil {
		t.Fatal(err)
	}
	h.Call(a)
	contents := map[routine.Slot][]byte{}
	for i := range r.Params {
		if p := &r.Params[i]; p.Kind.IsPointer() {
			if contents[p.Slot], err = ReadEmpty(rt.Device(), a, p); err != nil {
				t.Fatal(err)
			}
		}
	}
	return contents
}

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
			t.Errorf("%s, captured: %s by the model: %s %v, by the library: %s %v", d, op.CName(), want, err,
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
