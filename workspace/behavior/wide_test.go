package behavior

import "testing"

// TestWide checks 64-bit forms at the smallest orders that the libraries compute in 32 bits, or have no kernels for.
func TestWide(t *testing.T) {
	const huge, last = "=2147483648", "=2147483647"
	for text, want := range map[string]string{
		"rocblas_dsymm_64 m=lda=ldb=ldc" + last:                         "continues",
		"rocblas_dsymm_64 m=lda=ldb=ldc" + huge:                         "invalid_size",
		"rocblas_dsymm_64 n" + huge:                                     "continues",
		"rocblas_dsymm_64 side=142 n=lda" + huge:                        "invalid_size",
		"rocblas_zhemm_strided_batched_64 m=lda=ldb=ldc" + huge:         "invalid_size",
		"rocblas_zhemm_batched_64 m=lda=ldb=ldc" + huge:                 "continues",
		"rocblas_dsymm_64 m=lda=ldb=ldc" + huge + " alpha=0 null=A,B,C": "success",
		"rocblas_dsymm_64 m=lda=ldb=ldc" + huge + " null=C":             "invalid_pointer",
		"rocblas_dsymm_64 m=lda=ldb=ldc" + huge + " ldb=7":              "invalid_size",
		"rocblas_dgemmt_64 transA=112 transB=111 k" + huge:              "continues",
		"rocblas_dgemmt_64 transA=112 transB=111 k=4294967304":          "continues",
		"rocblas_dgemmt_64 transA=112 transB=111 k=4294967306":          "invalid_size",
		"rocblas_dgemmt_64 n=4294967300":                                "continues",
		"rocblas_dsyr_64 n=lda=4294967296":                              "success",
		"rocblas_dsyr_strided_batched_64 n=lda=8589934592":              "success",
		"rocblas_dsyr_64 n=lda=4294967297":                              "continues",
		"rocblas_dsyr_64 n=lda=4294967296 null=A":                       "invalid_pointer",
		"rocblas_dtrmm_64 n=4294967296 alpha=0":                         "success",
		"rocblas_dtrmm_64 m=lda=ldb=ldc=4294967296 alpha=0":             "success",
		"rocblas_dtrmm_64 n=4294967296":                                 "continues",
		"rocblas_dtrmm_64 n=4294967297 alpha=0":                         "continues",
	} {
		a := call(t, text)
		if have := outcome(a, Mode{}); have != want {
			t.Errorf("%s: %s (%s), want %s", text, have, reason(a, Mode{}), want)
		}
	}
}

// TestSymmetricOfAnyOrder checks where symm refuses large orders in device pointer mode: before it copies scalars and
// looks at arrays. In an earlier release it takes them.
func TestSymmetricOfAnyOrder(t *testing.T) {
	for text, later := range map[string]string{
		"rocblas_dsymm_64 m=lda=ldb=ldc=2147483648":         "invalid_size",
		"rocblas_dsymm_64 m=lda=ldb=ldc=2147483648 alpha=0": "invalid_size",
		"rocblas_dsymm_64 m=lda=ldb=ldc=2147483648 null=C":  "invalid_size",
		"rocblas_dsymm_batched_64 m=lda=ldb=ldc=2147483648": "continues",
		"rocblas_dsymm_64": "continues",
	} {
		a := call(t, text)
		for _, mode := range []Mode{{DevicePointers: true}, {DevicePointers: true, SymmetricOfAnyOrder: true}} {
			want := later
			if mode.SymmetricOfAnyOrder && want == "invalid_size" {
				want = "continues"
				if a.Scalar(alpha) == 0 {
					want = "success"
				}
			}
			if have := outcome(a, mode); have != want {
				t.Errorf("%s, %+v: %s, want %s", text, mode, have, want)
			}
			if copied, _ := fetches(a, mode); copied == (want == "invalid_size") {
				t.Errorf("%s, %+v: copies alpha: %v", text, mode, copied)
			}
		}
	}
}
