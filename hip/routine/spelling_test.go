package routine

import "testing"

// TestSpelled finds parameters by the spellings of other families.
func TestSpelled(t *testing.T) {
	for _, test := range []struct{ routine, name, want string }{
		{"rocblas_dgemm_strided_batched", "stride_a", "stride_a"},
		{"rocblas_dgemm_strided_batched", "strideA", "stride_a"},
		{"rocblas_dgemm_strided_batched", "stride_C", "stride_c"},
		{"rocsolver_dgetrf_strided_batched", "stride_a", "strideA"},
		{"rocsolver_dgetrf_strided_batched", "strideP", "strideP"},
		{"rocblas_dscal_strided_batched", "stridex", "stride_x"},
		{"rocblas_daxpy_strided_batched", "stride_x", "stridex"},
		{"rocblas_dgemv", "trans", "trans"}, {"rocblas_dgemv", "transA", "trans"},
		{"rocsolver_dgetrs", "transA", "trans"},
		{"rocblas_dtrsm", "trans", "transA"},
		{"rocblas_dgemm", "trans", ""}, {"rocblas_dgemm", "transA", "transA"},
		{"rocblas_dgemm", "stride_a", ""}, {"rocblas_dgemm", "LDA", ""}, {"rocblas_dgemm", "handles", ""},
		{"rocblas_dscal", "y", ""}, {"rocsolver_dgetrf", "a", "A"},
	} {
		r, ok := Lookup(test.routine)
		if !ok {
			t.Fatal(test.routine)
		}
		have := ""
		if p, ok := r.Spelled(test.name); ok {
			have = p.Name
		}
		if have != test.want {
			t.Errorf("%s: %s is %q, want %q", test.routine, test.name, have, test.want)
		}
	}
	for _, r := range All() { // no spelling hides another parameter
		for i := range r.Params {
			if p, ok := r.Spelled(r.Params[i].Name); !ok || p != &r.Params[i] {
				t.Errorf("%s: %s", r.CName(), r.Params[i].Name)
			}
		}
	}
}
