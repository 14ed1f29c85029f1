package workspace_test

import (
	"errors"
	"testing"

	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/status"
)

// TestCallsWhoseNeedIsUnknown queries and runs a gemm_ex for which the library chooses a kernel: the query has no
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
	}
	if out, err := h.Call(a); err != nil || out.Status != status.Success || out.Unknown == "" {
		t.Errorf("the call returns %+v, %v", out, err)
	}
	rt.Device().Free(p)
	if err := h.Destroy(); err != nil {
		t.Error(err)
	}
}
