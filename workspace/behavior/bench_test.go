package behavior

import "testing"

// BenchmarkDecide measures calls that pass every check.
func BenchmarkDecide(b *testing.B) {
	for _, text := range []string{
		"rocblas_dasum", "rocblas_dgemv_batched", "rocblas_dgemm", "rocblas_zher2k_64", "rocblas_dtrsm",
		"rocsolver_dgetrf", "rocsolver_dposv_batched",
	} {
		a := call(b, text)
		for name, mode := range map[string]Mode{"": {}, "/query": {Query: true}} {
			b.Run(a.Routine.Name+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					Decide(a, mode)
				}
			})
		}
	}
}
