package workspace_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/internal/randomtest"
	"roclua/workspace"
	"roclua/workspace/sequence"
)

// TestPlans draws sequences of operations and makes each call several times, with other operations between: of the
// handle's memory, pointer mode and algorithms, size queries and captures. Handles that keep their decisions must
// behave as handles that decide about each call.
func TestPlans(t *testing.T) {
	var routines []*routine.Routine
	for _, r := range routine.All() {
		if !r.Wide {
			routines = append(routines, r)
		}
	}
	count := 600
	if *all {
		count = 6000
	}
	randomtest.Each(t, count, 200, func(t *testing.T, r *rand.Rand, length int) {
		profile := r.IntN(len(recorded))
		few := []*routine.Routine{routines[r.IntN(len(routines))], routines[r.IntN(len(routines))]}
		ops := repeated(r, sequence.DrawSequence(r, few, 1, false))
		planned, deciding := newSide(t, profile, &workspace.Plan{}), newSide(t, profile, nil)
		for n, op := range ops[:min(length, len(ops))] {
			have, err := planned.Run(op)
			want, wantErr := deciding.Run(op)
			if have.String() != want.String() || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("operation %d, %s:\nhave %v, %v\nwant %v, %v", n, op.CName(), have, err, want, wantErr)
			}
			if errors.Is(err, sequence.ErrNotComparable) || planned.Handle == nil {
				break
			}
			changeAlgorithms(r, planned, deciding)
		}
	})
}

// repeated makes one of the last calls again after some of the operations.
func repeated(r *rand.Rand, ops []*sequence.Operation) (list []*sequence.Operation) {
	var calls []*sequence.Operation
	for _, op := range ops {
		list = append(list, op)
		if op.Call != nil {
			calls = append(calls[max(0, len(calls)-2):], op)
		}
		for calls != nil && r.IntN(2) == 0 && op.Name != "destroy_handle" {
			list = append(list, calls[r.IntN(len(calls))])
		}
	}
	return list
}

// changeAlgorithms sets the mode of an algorithm at times.
func changeAlgorithms(r *rand.Rand, sides ...*sequence.Side) {
	function, mode, rare := int64(routine.FunctionSterf), int64(routine.AlgModeGPU)+r.Int64N(2), r.IntN(5) == 0
	for _, s := range sides {
		if s.Handle != nil && rare {
			s.Handle.SetAlgMode(function, mode)
		}
	}
}

// newSide opens a device for a sequence on one of the recorded releases.
func newSide(t *testing.T, i int, p *workspace.Plan) *sequence.Side {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{Arch: "gfx90a", MemoryBytes: 1 << 30, Kernels: driver.KernelsIdle})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	profile, err := workspace.FindProfile(recorded[i])
	if err != nil {
		t.Fatal(err)
	}
	s := &sequence.Side{Runtime: rt, Profile: profile, Plan: p,
		Log: func() []string { return sequence.MemoryCalls(rt) }}
	if err := s.Prepare(); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPlannedCallsDoNotAllocate counts the allocations of calls whose plan has the decision.
func TestPlannedCallsDoNotAllocate(t *testing.T) {
	s := newSide(t, 0, nil)
	_, restore := s.Runtime.Recorder().Unrecord()
	defer restore()
	h, err := workspace.Create(s.Runtime.Device(), workspace.Config{Profile: s.Profile})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"rocblas_dgemm", "rocsolver_dgetrf", "rocsolver_dgetrs"} {
		p := workspace.Plan{}
		a := callOf(t, s.Runtime, name, map[routine.Slot]int64{routine.M: 16, routine.N: 16, routine.K: 16})
		n := testing.AllocsPerRun(100, func() {
			if _, err := h.Repeat(a, &p); err != nil {
				t.Fatal(err)
			}
		})
		if n > 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}
