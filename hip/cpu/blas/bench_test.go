package blas

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkGemm measures products of square matrices in Go and by OpenBLAS.
func BenchmarkGemm(b *testing.B) {
	b.Run("s", benchmarkGemm[float32])
	b.Run("d", benchmarkGemm[float64])
	b.Run("c", benchmarkGemm[complex64])
	b.Run("z", benchmarkGemm[complex128])
}

func benchmarkGemm[T Number](b *testing.B) {
	o, _ := library()
	for _, n := range []int{16, 64, 256, 1024, 2048} {
		r := rand.New(rand.NewPCG(1, 2))
		x, y, z := drawMatrix[T](r, n, n), drawMatrix[T](r, n, n), drawMatrix[T](r, n, n)
		for _, side := range []struct {
			name    string
			library *OpenBLAS
		}{{"go", nil}, {"openblas", o}} {
			b.Run(fmt.Sprintf("%d/%s", n, side.name), func(b *testing.B) {
				if side.name == "openblas" && o == nil {
					b.Skip("no OpenBLAS")
				}
				for b.Loop() {
					Gemm(side.library, None, None, n, n, n, 1, x, y, 0, z)
				}
				flops := 2 * float64(n) * float64(n) * float64(n)
				if IsComplex[T]() {
					flops *= 4
				}
				b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gflop/s")
			})
		}
	}
}
