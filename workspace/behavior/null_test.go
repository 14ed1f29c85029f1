package behavior

import (
	"testing"

	"roclua/hip/routine"
	"roclua/workspace/status"
)

// TestNullHandle checks that only trsm_ex reports an unknown compute type before the null handle.
func TestNullHandle(t *testing.T) {
	for _, test := range []struct {
		name    string
		compute int64
		want    status.Status
	}{
		{"rocblas_trsm_ex", 0, status.NotImplemented},
		{"rocblas_trsm_ex", routine.DatatypeF64, status.InvalidHandle},
		{"rocblas_gemm_ex", 0, status.InvalidHandle},
		{"rocblas_dtrsm", 0, status.InvalidHandle},
	} {
		r, ok := routine.Lookup(test.name)
		if !ok {
			t.Fatalf("%s is not in the table", test.name)
		}
		a := r.New()
		if test.compute != 0 {
			a.SetInt(routine.ComputeType, test.compute)
		}
		if d := Decide(a, Mode{NoHandle: true}); d.Status != test.want || d.Effect != Ends || d.Reason() == "" {
			t.Errorf("%s with compute type %d: %s (%s), want %s", test.name, test.compute, d.Status, d.Reason(),
				test.want)
		}
	}
}
