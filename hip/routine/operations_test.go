package routine

import (
	"math"
	"testing"
)

// TestOperations compares counts with figures that are known from definitions: products of small matrices by hand, and
// the operations of LAPACK for order 1000.
func TestOperations(t *testing.T) {
	const n = 1000
	square := map[Slot]int64{M: n, N: n, K: n, NRHS: 1}
	for _, test := range []struct {
		routine string
		values  map[Slot]int64
		want    float64
	}{
		{"rocblas_sgemm", map[Slot]int64{M: 2, N: 3, K: 4}, 48},
		{"rocblas_zgemm", map[Slot]int64{M: 2, N: 3, K: 4}, 192},
		{"rocblas_dgemm_batched", map[Slot]int64{M: 2, N: 3, K: 4, BatchCount: 10}, 480},
		{"rocblas_dgemv", map[Slot]int64{M: 5, N: 7}, 70},
		{"rocblas_ddot", map[Slot]int64{N: 9}, 18},
		{"rocblas_dtrsm", map[Slot]int64{Side: SideLeft, M: 10, N: 3}, 300},
		{"rocblas_dtrsm", map[Slot]int64{Side: SideRight, M: 10, N: 3}, 90},
		{"rocblas_dsyrk", map[Slot]int64{N: 4, K: 2}, 40},
		{"rocsolver_dgetrf", square, 2.0 / 3 * n * n * n},
		{"rocsolver_dgetrf", map[Slot]int64{M: 2 * n, N: n}, 2*n*n*n - n*n*n/3.0},
		{"rocsolver_dpotrf", square, n * n * n / 3.0},
		{"rocsolver_dgeqrf", square, 4.0 / 3 * n * n * n},
		{"rocsolver_dgebrd", square, 8.0 / 3 * n * n * n},
		{"rocsolver_dgetrs", square, 2 * n * n},
		{"rocsolver_dsyevd", square, 0},
	} {
		r, ok := Lookup(test.routine)
		if !ok {
			t.Fatal(test.routine)
		}
		a := r.New()
		for slot, v := range test.values {
			a.SetInt(slot, v)
		}
		if have := a.Operations(); math.Abs(have-test.want) > 1e-9*test.want {
			t.Errorf("%s %v: %g operations, want %g", test.routine, test.values, have, test.want)
		}
	}
}

// TestCountedFamiliesHaveDimensions checks that a count reads only arguments that all routines of its family have.
func TestCountedFamiliesHaveDimensions(t *testing.T) {
	for _, r := range All() {
		count := counts[r.Family.ID]
		if count == nil {
			continue
		}
		a := r.New()
		for i := range r.Params {
			if p := &r.Params[i]; p.Kind == Int32 || p.Kind == Int64 {
				a.SetInt(p.Slot, 3)
			}
		}
		if r.Variant != Plain {
			a.SetInt(BatchCount, 1)
		}
		a.SetInt(Side, SideLeft)
		if a.Operations() <= 0 {
			t.Errorf("%s: %g operations of matrices of order 3", r.CName(), a.Operations())
		}
	}
}
