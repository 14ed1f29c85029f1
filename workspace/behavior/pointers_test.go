package behavior

import (
	"testing"

	"roclua/hip/routine"
)

// TestNeededArrays checks that an array can be null if the sizes and options do not need it.
func TestNeededArrays(t *testing.T) {
	for text, want := range map[string]string{
		"rocsolver_dlarfg n=1 null=x":       "continues",
		"rocsolver_dlarfg n=2 null=x":       "invalid_pointer",
		"rocsolver_dsteqr null=C":           "invalid_pointer",
		"rocsolver_dsteqr evect=213 null=C": "continues",
		"rocsolver_dsteqr n=0 null=C,D,E":   "continues",
		"rocsolver_dsteqr evect=213 null=D": "invalid_pointer",
	} {
		if have := outcome(call(t, text), Mode{}); have != want {
			t.Errorf("%s: %s, want %s", text, have, want)
		}
	}
}

// TestSumsInPlace checks that C of geam can be a factor, if that has no operation and the same leading dimension.
func TestSumsInPlace(t *testing.T) {
	for text, want := range map[string][2]string{
		"rocblas_dgeam":            {"continues", "continues"},
		"rocblas_dgeam lda=8":      {"invalid_size", "continues"},
		"rocblas_dgeam ldb=8":      {"continues", "invalid_size"},
		"rocblas_dgeam transA=112": {"invalid_size", "continues"},
		"rocblas_dgeam transB=112": {"continues", "invalid_size"},
	} {
		a := call(t, text)
		own := a.Ptr(matC)
		if have := outcome(a, Mode{}); have != "continues" {
			t.Errorf("%s: %s", text, have)
		}
		for i, s := range []routine.Slot{matA, matB} {
			a.SetPtr(matC, a.Ptr(s))
			if have := outcome(a, Mode{}); have != want[i] {
				t.Errorf("%s, C is factor %d: %s, want %s", text, i+1, have, want[i])
			}
			a.SetPtr(matC, own)
		}
	}
}
