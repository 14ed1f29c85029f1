package routine

import (
	"slices"
	"testing"
)

// TestNamed looks up names of scripts, of C, and of other libraries.
func TestNamed(t *testing.T) {
	for name, want := range map[string][]string{
		"dgetrf":                        {"rocsolver_dgetrf"},
		"rocsolver_dgetrf":              {"rocsolver_dgetrf"},
		"rocsolver.dgetrf":              {"rocsolver_dgetrf"},
		"rocblas_dgetrf":                nil,
		"dtrtri":                        {"rocblas_dtrtri", "rocsolver_dtrtri"},
		"rocsolver_dtrtri":              {"rocsolver_dtrtri"},
		"rocblas.dtrtri":                {"rocblas_dtrtri"},
		"dtrtri_":                       {"rocsolver_dtrtri"},
		"DTRTRI":                        {"rocsolver_dtrtri"},
		"LAPACKE_ztrtri_work":           {"rocsolver_ztrtri"},
		"hipblasDtrtriBatched":          {"rocblas_dtrtri_batched"},
		"hipsolverDtrtri":               nil,
		"cusolverDnDtrtri":              nil,
		"hipblasDsyevd":                 nil,
		"hipblasGemmExWithFlags":        {"rocblas_gemm_ex"},
		"dgetrf_":                       {"rocsolver_dgetrf"},
		"DGETRF":                        {"rocsolver_dgetrf"},
		"dgetrf_64_":                    {"rocsolver_dgetrf"},
		"LAPACKE_dgetrf":                {"rocsolver_dgetrf"},
		"LAPACKE_zungqr_work":           {"rocsolver_zungqr"},
		"cblas_dgemm":                   {"rocblas_dgemm"},
		"cblas_zdotu_sub":               {"rocblas_zdotu"},
		"cblas_idamax":                  {"rocblas_idamax"},
		"hipblasDgemm":                  {"rocblas_dgemm"},
		"hipblasDgemm_64":               {"rocblas_dgemm_64"},
		"hipblasCgemmStridedBatched_64": {"rocblas_cgemm_strided_batched_64"},
		"hipblasZdscalBatched":          {"rocblas_zdscal_batched"},
		"hipblasGemmEx":                 {"rocblas_gemm_ex"},
		"hipsolverSsyevd":               {"rocsolver_ssyevd"},
		"hipsolverDnSsygvd_bufferSize":  {"rocsolver_ssygvd"},
		"hipsolverSSgels":               {"rocsolver_sgels"},
		"hipblasGemmStridedBatchedEx":   {"rocblas_gemm_strided_batched_ex"},
		"hipblasDotcEx_64":              {"rocblas_dotc_ex_64"},
		"hipblasCgemm_v2":               {"rocblas_cgemm"},
		"hipblasDgetrfBatched":          {"rocsolver_dgetrf_batched"},
		"hipsolverDgetrf":               {"rocsolver_dgetrf"},
		"cusolverDnDgetrf":              {"rocsolver_dgetrf"},
		"hipsolverDgetrf_bufferSize":    {"rocsolver_dgetrf"},
		"hipsolverDnZpotrf_bufferSize":  {"rocsolver_zpotrf"},
		"hipsolverDpotrfBatched":        {"rocsolver_dpotrf_batched"},
		"hipsolverDsyevjBatched":        {"rocsolver_dsyevj_strided_batched"},
		"hipsolverDDgels":               {"rocsolver_dgels"},
		"hipsolverDgemm":                nil,
		"hipblas":                       nil,
		"hipsolver":                     nil,
		"hipsolverBatched":              nil,
		"nothing":                       nil,
		"":                              nil,
	} {
		var have []string
		for _, r := range Named(name) {
			have = append(have, r.CName())
		}
		if !slices.Equal(have, want) {
			t.Errorf("%s: %v, want %v", name, have, want)
		}
	}
	for _, r := range All() {
		if list := Named(r.CName()); len(list) != 1 || list[0] != r {
			t.Errorf("%s: %v", r.CName(), list)
		}
	}
}

// TestOnlyLAPACK checks that functions of LAPACK that no library exports are explained, and that no list of them has a
// routine.
func TestOnlyLAPACK(t *testing.T) {
	for _, name := range []string{"dgeev", "zgelss", "ssyevr"} {
		if have := Documented(name); have != "neither rocBLAS nor rocSOLVER of rocm-6.4, rocm-7.1 or rocm-7.2 exports "+
			"this function of LAPACK; later releases may" {
			t.Errorf("%s: %q", name, have)
		}
	}
	for _, name := range []string{"dgetfr", "geev", "d", ""} {
		if have := Documented(name); have != "" {
			t.Errorf("%s: %q, want no explanation", name, have)
		}
	}
	for _, name := range onlyLAPACK() {
		if list := Named("d" + name); list != nil {
			t.Errorf("%s is a function of LAPACK only, and %s", name, list[0].CName())
		}
	}
}
