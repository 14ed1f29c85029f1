package workspace_test

import (
	"testing"

	"roclua/hip/routine"
)

// TestScalarsAreRoundedToTheirTypes calls products of null matrices, which succeed if alpha is zero and beta is one.
// The libraries of rocm-6.4 and rocm-7.2 have the same results.
func TestScalarsAreRoundedToTheirTypes(t *testing.T) {
	rt := open(t, "gfx90a", 1<<30)
	h := create(t, rt, "rocm-7.2", nil)
	for _, test := range []struct {
		name        string
		alpha, beta complex128
		ok          bool
	}{
		{"rocblas_sgemm", 1e-50, 1, true}, {"rocblas_sgemm", 1e-45, 1, false}, {"rocblas_sgemm", 0, 1 + 1e-9, true},
		{"rocblas_sgemm", 0, 1 + 1e-6, false}, {"rocblas_dgemm", 1e-50, 1, false},
		{"rocblas_dgemm", 0, 1 + 1e-9, false},
		{"rocblas_cgemm", 1e-50i, 1 + 1e-60i, true}, {"rocblas_zgemm", 1e-50i, 1, false},
		{"rocblas_hgemm", 1e-9, 1.0001, true}, {"rocblas_hgemm", 1e-7, 1, false},
	} {
		r, ok := routine.Lookup(test.name)
		if !ok {
			t.Fatal(test.name)
		}
		a := r.New()
		for _, s := range []routine.Slot{routine.TransA, routine.TransB} {
			a.SetInt(s, routine.OperationNone)
		}
		for _, s := range []routine.Slot{routine.M, routine.N, routine.K, routine.LDA, routine.LDB, routine.LDC} {
			a.SetInt(s, 4)
		}
		a.SetScalar(routine.Alpha, test.alpha)
		a.SetScalar(routine.Beta, test.beta)
		if _, err := h.Call(a); (err == nil) != test.ok {
			t.Errorf("%s, alpha %g, beta %g: %v", test.name, test.alpha, test.beta, err)
		}
	}
}
