package region

import (
	"testing"

	"roclua/hip/routine"
)

// TestTraffic counts the bytes of calls: matrices that are changed count twice, triangles half.
func TestTraffic(t *testing.T) {
	for _, test := range []struct {
		name string
		set  values
		want uint64
	}{
		{"rocblas_dgemm", values{routine.M: 2, routine.N: 3, routine.K: 4, routine.LDA: 9, routine.LDB: 9,
			routine.LDC: 9}, 8 * (2*4 + 4*3 + 2*2*3)},
		{"rocblas_daxpy", values{routine.N: 10, routine.IncX: 7, routine.IncY: 1}, 8 * 30},
		{"rocsolver_dpotrf", values{routine.N: 4, routine.LDA: 5, routine.Uplo: routine.FillUpper}, 2*8*10 + 4},
		{"rocsolver_dpotrf", values{routine.N: 4, routine.LDA: 5, routine.Uplo: routine.FillLower}, 2*8*10 + 4},
	} {
		r, ok := routine.Lookup(test.name)
		if !ok {
			t.Fatal(test.name)
		}
		a := r.New()
		for i := range r.Params {
			if p := &r.Params[i]; p.Kind == routine.Array {
				a.SetPtr(p.Slot, uint64(i+1)<<20)
			}
		}
		for slot, v := range test.set {
			a.SetInt(slot, v)
		}
		a.SetScalar(routine.Alpha, 1)
		a.SetScalar(routine.Beta, 1)
		if have := Traffic(a); have != test.want {
			t.Errorf("%s: %d bytes, want %d", test.name, have, test.want)
		}
	}
}
