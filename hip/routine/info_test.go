package routine_test

import (
	"strings"
	"testing"

	"roclua/hip/routine"
)

// TestInfoSaysWhatItMeans requires a meaning of info for each routine that has one, and a pivot only where there are
// pivots.
func TestInfoSaysWhatItMeans(t *testing.T) {
	for _, r := range routine.All() {
		p, ok := r.ParamAt(routine.Info)
		if !ok {
			continue
		}
		if strings.Count(p.About, ", or ") == 0 {
			t.Errorf("info of %s has no meaning: %q", r.CName(), p.About)
		}
		if strings.Contains(p.About, "pivot") && !r.Has(routine.Ipiv) &&
			!strings.Contains(r.Family.Name, "npvt") {
			t.Errorf("info of %s is a pivot: %q", r.CName(), p.About)
		}
	}
	for name, want := range map[string]string{
		"rocsolver_dgels":           "0, or the 1-based place of the first zero on the diagonal of A",
		"rocsolver_dsterf":          "0, or the number of elements of E that did not converge to zero",
		"rocsolver_dstebz":          "0, or 1 if some eigenvalues did not converge",
		"rocsolver_dstein":          "0, or the number of vectors that did not converge, which ifail lists",
		"rocsolver_dgesvdj_batched": "0, or 1 if the method did not converge; one per problem",
		"rocsolver_zhegv": "0, or the number of elements of E that did not converge to zero, or n + i if the leading " +
			"minor of order i of B is not positive definite",
		"rocsolver_dsygvdx": "0, or the number of vectors that did not converge, or n + i if the leading minor of " +
			"order i of B is not positive definite",
	} {
		r, _ := routine.Lookup(name)
		if p, _ := r.ParamAt(routine.Info); !strings.HasPrefix(p.About, want) {
			t.Errorf("info of %s: %q, want %q", name, p.About, want)
		}
	}
}
