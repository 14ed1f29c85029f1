package conformance

import (
	"errors"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/fault"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/sequence"
)

// newSide returns the model on its own device, with a handle in an environment.
func newSide(t *testing.T, env map[string]string) (*sequence.Side, *hip.Runtime) {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{Arch: "gfx90a", MemoryBytes: 4 << 30,
		Unchecked: true, Kernels: driver.KernelsIdle})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	profile, err := workspace.FindProfile("rocm-6.4")
	if err != nil {
		t.Fatal(err)
	}
	side := &sequence.Side{Runtime: rt, Profile: profile, Log: func() []string { return sequence.MemoryCalls(rt) }}
	if err := side.Prepare(); err != nil {
		t.Fatal(err)
	}
	if _, err := side.Run(sequence.CreateHandle(env)); err != nil {
		t.Fatal(err)
	}
	return side, rt
}

// halfProduct is a routine whose bytes the model does not know for 16-bit matrices.
const halfProduct = "rocblas_gemm_ex"

// callOf returns a routine call of order 200.
func callOf(t *testing.T, name string) *sequence.Call {
	t.Helper()
	rt, ok := routine.Lookup(name)
	if !ok {
		t.Fatalf("no routine %s", name)
	}
	ints := map[routine.Slot]int64{routine.N: 200, routine.LDA: 200, routine.Uplo: 121, routine.BatchCount: 2}
	if name == halfProduct {
		for _, s := range []routine.Slot{routine.M, routine.K, routine.LDB, routine.LDC, routine.LDD} {
			ints[s] = 200
		}
		for _, s := range []routine.Slot{routine.AType, routine.BType, routine.CType, routine.DType} {
			ints[s] = routine.DatatypeF16
		}
		ints[routine.TransA], ints[routine.TransB] = routine.OperationNone, routine.OperationNone
		ints[routine.ComputeType] = routine.DatatypeF32
	}
	return sequence.NewCall(rt, ints)
}

// TestQueryOfUnknownBytesEnds checks that the library ends a size query with a result unknown to the model.
func TestQueryOfUnknownBytesEnds(t *testing.T) {
	library, _ := newSide(t, nil)
	model, _ := newSide(t, nil)
	for range 2 {
		for i, op := range sequence.Query(callOf(t, halfProduct)) {
			err := compareOperation(library, model, op)
			if known := i == 0; known && err != nil || !known && !errors.Is(err, sequence.ErrNotComparable) {
				t.Errorf("%s: %v", op.CName(), err)
			}
		}
	}
}

// TestCallsWithoutMemoryAreNotMade checks that the library does not make a call that ignores a failed allocation.
func TestCallsWithoutMemoryAreNotMade(t *testing.T) {
	env := map[string]string{workspace.EnvStreamOrderAlloc: "1"}
	library, vendor := newSide(t, env)
	model, modelled := newSide(t, env)
	vendor.Trace()
	op := &sequence.Operation{Call: callOf(t, "rocsolver_dpotf2_batched")}
	modelled.SetFaults(fault.Plan{Nth: []int{1}}.Begin())
	if err := compareOperation(library, model, op); !errors.Is(err, errLacksMemory) {
		t.Errorf("without memory: %v", err)
	}
	if calls := sequence.MemoryCalls(vendor); len(calls) > 0 {
		t.Errorf("the library made the call: %v", calls)
	}
	for _, op := range []*sequence.Operation{op, sequence.DestroyHandle()} { // with memory
		if err := compareOperation(library, model, op); err != nil {
			t.Errorf("%s: %v", op.CName(), err)
		}
	}
}
