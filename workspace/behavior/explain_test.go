package behavior

import "testing"

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		call string
		mode Mode
		want string
	}{
		{"rocblas_dgemv m=8 lda=3", Mode{}, "lda is 3, must be at least max(1, m) = 8"},
		{"rocblas_dtbmv k=4 lda=4", Mode{}, "lda is 4, must be at least max(1, k+1) = 5"},
		{"rocblas_dgemm transB=112 n=8 ldb=3", Mode{}, "ldb is 3, must be at least transB is none ? k : n = 8"},
		{"rocblas_dtrtri n=8 lda=8 ldinvA=3", Mode{}, "ldinvA is 3, must be at least n = 8"},
		{"rocsolver_dpotrf uplo=150", Mode{Query: true}, "uplo is 150, must be fill_upper (121) or fill_lower (122)"},
		{"rocblas_dgemv_strided_batched transA=0", Mode{}, "transA is 0, must be operation_none (111), " +
			"operation_transpose (112) or operation_conjugate_transpose (113)"},
		{"rocblas_zherk transA=112", Mode{}, "transA is 112, must be operation_none (111) or " +
			"operation_conjugate_transpose (113)"},
		{"rocsolver_dgetrf null=ipiv", Mode{}, "ipiv is null"},
		{"rocblas_dgemm k=-1", Mode{}, "k is -1, must not be negative"},
		{"rocblas_dtrmv incx=0", Mode{}, "incx is 0, must not be 0"},
		{"rocblas_dasum null=result", Mode{}, "result is null"},
		{"rocblas_dasum_batched null=results", Mode{DevicePointers: true}, "results is null"},
		{"rocblas_dasum_batched batch_count=-3", Mode{}, "batch_count is -3"},
		{"rocblas_dgemv alpha=0", Mode{}, "alpha is 0 and beta is 1"},
		{"rocblas_dtrsm null=alpha", Mode{Query: true},
			"alpha is null, and the library reads it unchecked: the process crashes"},
		{"rocblas_dgemm", Mode{Query: true}, "rocblas_dgemm needs no workspace"},
		{"rocblas_dtrmv_64 n=lda=2147483648", Mode{}, "n is 2147483648, and there are no kernels beyond 2147483647"},
		{"rocblas_dtrmv_64 n=lda=2147483648", Mode{Query: true}, ""},
		{"rocblas_dgemm", Mode{}, ""},
		{"rocblas_trsm_ex compute_type=150", Mode{}, "there is no kernel for compute_type datatype_f16_r"},
		{"rocblas_nrm2_ex x_type=151", Mode{Query: true}, ""},
		{"rocblas_nrm2_ex x_type=151", Mode{}, "there is no kernel for x_type datatype_f32_r, result_type " +
			"datatype_f64_r, execution_type datatype_f64_r"},
		{"rocblas_gemm_ex", Mode{Query: true}, "rocblas_gemm_ex of these datatypes needs no workspace"},
		{"rocblas_dtrsm alpha=0", Mode{Query: true}, ""},
	} {
		if have := reason(call(t, c.call), c.mode); have != c.want {
			t.Errorf("%s %+v: %q, want %q", c.call, c.mode, have, c.want)
		}
	}
}

func TestExplainInPlaceProduct(t *testing.T) {
	a := call(t, "rocblas_dtrmm ldb=5 ldc=6")
	a.SetPtr(matC, a.Ptr(matB))
	want := "invalid_value: C is B, so ldc, 6, must be ldb = 5"
	if have := outcome(a, Mode{}) + ": " + reason(a, Mode{}); have != want {
		t.Errorf("%s, want %s", have, want)
	}
}
