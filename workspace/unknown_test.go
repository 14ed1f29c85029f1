package workspace_test

import (
	"errors"
	"testing"

	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/status"
)

// TestCallsWhoseNeedIsUnknown queries and runs a gemm_ex whose kernel the library chooses: the query has no
// result, or counts the bound that it is given, and the call runs.
func TestCallsWhoseNeedIsUnknown(t *testing.T) {
	rt := open(t, "gfx90a", 1<<30)
	h := create(t, rt, "rocm-7.2", nil)
	r, _ := routine.Lookup("rocblas_gemm_ex")
	a := r.New()
	for i := range r.Params {
		if d, ok := r.Default(&r.Params[i]); ok {
			d.Set(a)
		}
	}
	p, err := rt.Device().Malloc(4096)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []routine.Slot{routine.A, routine.B, routine.C, routine.D} {
		a.SetPtr(s, uint64(p))
	}
	for s, v := range map[routine.Slot]int64{routine.M: 4, routine.N: 4, routine.K: 4, routine.LDA: 4, routine.LDB: 4,
		routine.LDC: 4, routine.LDD: 4, routine.AType: routine.DatatypeF16, routine.BType: routine.DatatypeF16,
		routine.CType: routine.DatatypeF16, routine.DType: routine.DatatypeF16,
		routine.ComputeType: routine.DatatypeF32} {
		a.SetInt(s, v)
	}
	for _, test := range []struct {
		bounded bool
		want    uint64
	}{{false, 0}, {true, 1024}, {false, 0}} { // a bound counts for one query only
		h.BoundUnknown(500) // no query is open
		if err := h.StartQuery(); err != nil {
			t.Fatal(err)
		}
		if test.bounded {
			h.BoundUnknown(1000)
		}
		out, err := h.Call(a)
		if err != nil || (out.Unknown == "") != test.bounded {
			t.Fatalf("bounded %v: %+v, %v", test.bounded, out, err)
		}
		bytes, err := h.StopQuery(false)
		var unknown *workspace.Unknown
		if bytes != test.want || errors.As(err, &unknown) == test.bounded {
			t.Errorf("bounded %v: the query returns %d, %v, want %d", test.bounded, bytes, err, test.want)
		}
		if out, err := h.Call(a); err != nil || out.Status != status.Success || out.Unknown == "" {
			t.Errorf("bounded %v: the call returns %+v, %v", test.bounded, out, err)
		}
	}
	rt.Device().Free(p)
	if err := h.Destroy(); err != nil {
		t.Error(err)
	}
}

// TestFirstUnknown checks that the error of a query names the first call whose need is not known.
func TestFirstUnknown(t *testing.T) {
	h := create(t, open(t, "gfx90a", 1<<30), "rocm-7.2", nil)
	mixed := map[routine.Slot]int64{routine.AType: routine.DatatypeF16, routine.ComputeType: routine.DatatypeF32}
	wantStatus(t, h.StartQuery(), status.Success)
	for _, a := range []*routine.Args{
		named(t, "rocblas_gemm_batched_ex", mixed), named(t, "rocblas_gemm_ex", mixed),
	} {
		for i := range a.Routine.Params {
			p := &a.Routine.Params[i]
			if d, ok := a.Routine.Default(p); ok && p.Slot != routine.AType && p.Slot != routine.ComputeType {
				d.Set(a)
			}
		}
		for _, s := range []routine.Slot{routine.M, routine.N, routine.K, routine.LDA, routine.LDB, routine.LDC,
			routine.LDD} {
			a.SetInt(s, 4)
		}
		if out, err := h.Call(a); err != nil || out.Unknown == "" {
			t.Fatalf("%s: %+v, %v", a.Routine.CName(), out, err)
		}
	}
	_, err := h.StopQuery(false)
	var unknown *workspace.Unknown
	if !errors.As(err, &unknown) || unknown.Func != "rocblas_gemm_batched_ex" {
		t.Errorf("the query returns %v", err)
	}
}
