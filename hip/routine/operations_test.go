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
		// Bands that fill the matrix, and a tridiagonal matrix.
		{"rocblas_dgbmv", map[Slot]int64{M: 5, N: 7, KL: 4, KU: 6}, 70},
		{"rocblas_dgbmv", map[Slot]int64{M: 10, N: 10, KL: 1, KU: 1}, 2 * 28},
		{"rocblas_dgbmv", map[Slot]int64{M: 2, N: 10, KL: 9, KU: 0}, 2 * 3},
		{"rocblas_dsbmv", map[Slot]int64{N: 10, K: 9}, 200}, {"rocblas_dsbmv", map[Slot]int64{N: 10, K: 1}, 2 * 28},
		{"rocblas_dtbmv", map[Slot]int64{N: 10, K: 9}, 100}, {"rocblas_dtbsv", map[Slot]int64{N: 10, K: 1}, 2*19 - 10},
		{"rocsolver_dpotri", square, 2.0 / 3 * n * n * n},
		{"rocsolver_dsygst", square, n * n * n},
		{"rocsolver_dorgtr", map[Slot]int64{N: n + 1}, 4.0 / 3 * n * n * n},
		{"rocsolver_dormtr", map[Slot]int64{Side: SideLeft, M: n + 1, N: n}, 2 * n * n * n},
		{"rocsolver_dorgbr", map[Slot]int64{Storev: StorevColumns, M: n, N: n, K: n}, 4.0 / 3 * n * n * n},
		{"rocsolver_dorgbr", map[Slot]int64{Storev: StorevRows, M: n + 1, N: n + 1, K: 2 * n}, 4.0 / 3 * n * n * n},
		{"rocsolver_dormbr", map[Slot]int64{Storev: StorevRows, Side: SideLeft, M: n + 1, N: n, K: n + 1},
			2 * n * n * n},
		{"rocsolver_dgels", map[Slot]int64{M: n, N: n, NRHS: 1}, 4.0/3*n*n*n + 3*n*n},
		{"rocsolver_dgels", map[Slot]int64{M: n, N: 2 * n, NRHS: 2}, 10.0/3*n*n*n + 2*7*n*n},
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

// TestFamiliesWithoutCount lists the families without a count by the reason why they have no standard one.
func TestFamiliesWithoutCount(t *testing.T) {
	reasons := map[string][]FamilyID{
		"they compute nothing with most elements": {Iamax, Iamin, Copy, Swap, Rotg, Rotm, Rotmg, Lacgv, Laswp,
			GemmKernelName},
		"auxiliary routines, which LAPACK Working Note 41 does not count": {Larfg, Larf, Larft, Larfb, Labrd, Latrd,
			Lasyf, Lasr},
		"the numbers decide how many steps they take": {Sterf, Steqr, Stedc, Stebz, Stein, Syev, Syevd, Syevj, Syevdj,
			Sygv, Sygvd, Sygvj, Sygvdj, Syevx, Syevdx, Sygvx, Sygvdx, Bdsqr, Gesvd, Gesvdj, Bdsvdx, Gesvdx, Gesdd},
		"not in LAPACK": {GeblttrfNpvt, GeblttrfNpvtInterleaved, GeblttrsNpvt, GeblttrsNpvtInterleaved},
		"the structure of the sparse matrix decides": {CsrrfAnalysis, CsrrfSumlu, CsrrfSplitlu, CsrrfRefactlu,
			CsrrfRefactchol, CsrrfSolve},
	}
	without := map[FamilyID]bool{}
	for _, list := range reasons {
		for _, id := range list {
			without[id] = true
		}
	}
	for _, f := range Families() {
		if (f.operations == nil) != without[f.ID] {
			t.Errorf("%s: has a count: %t, has a reason for none: %t", f.Name, f.operations != nil, without[f.ID])
		}
	}
}

// TestCountedFamiliesHaveDimensions checks that a count reads only arguments that all routines of its family have.
func TestCountedFamiliesHaveDimensions(t *testing.T) {
	for _, r := range All() {
		if r.Family.operations == nil {
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
		a.SetInt(Storev, StorevColumns)
		if a.Operations() <= 0 {
			t.Errorf("%s: %g operations of matrices of order 3", r.CName(), a.Operations())
		}
	}
}
