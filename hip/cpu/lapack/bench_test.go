//go:build unix

package lapack

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"roclua/hip/cpu/blas"
	"roclua/tests/busy"
)

// BenchmarkMatrices measures products and factorizations in Go and by OpenBLAS. It reports processor time in addition,
// which depends less on other programs.
func BenchmarkMatrices(b *testing.B) {
	b.Run("s", benchmark[float32])
	b.Run("d", benchmark[float64])
	b.Run("c", benchmark[complex64])
	b.Run("z", benchmark[complex128])
}

func benchmark[T blas.Number](b *testing.B) {
	blas.SetThreads(0)
	o, _ := blas.Open("auto")
	for _, n := range []int{64, 256, 1024, 2048} {
		r := rand.New(rand.NewPCG(1, 2))
		from, plain := draw[T](r, n, n), draw[T](r, n, n)
		for i := range n {
			from.Set(i, i, blas.FromReal[T](float64(n)))
		}
		a, pivots, tau := clone(from), make([]int32, n), make([]T, n)
		for _, test := range []struct {
			name string
			run  func(o *blas.OpenBLAS)
		}{
			{"gemm", func(o *blas.OpenBLAS) {
				blas.Gemm(o, blas.None, blas.None, n, n, n, 1, from, from, 0, a)
			}},
			{"getrf", func(o *blas.OpenBLAS) { Getrf(o, n, n, a, pivots) }},
			{"potrf", func(o *blas.OpenBLAS) { Potrf(o, blas.Lower, n, a) }},
			{"geqrf", func(o *blas.OpenBLAS) { GeqrfBy(o, n, n, a, tau) }},
			{"gelqf", func(o *blas.OpenBLAS) { Factor(o, LQ, n, n, a, tau) }},
			{"orgqr", func(o *blas.OpenBLAS) { Generate(o, QR, n, n, n, a, tau) }},
			{"ormqr", func(o *blas.OpenBLAS) { Multiply(o, QR, blas.Left, blas.None, n, n, n, from, tau, a) }},
			{"ormlq", func(o *blas.OpenBLAS) { Multiply(o, LQ, blas.Left, blas.None, n, n, n, from, tau, a) }},
			{"trtri", func(*blas.OpenBLAS) { Trtri(blas.Lower, blas.NonUnit, n, a) }},
			{"potri", func(*blas.OpenBLAS) { Potri(blas.Lower, n, a) }},
			{"sytrf", func(*blas.OpenBLAS) { Sytrf(blas.Lower, n, a, pivots) }},
			{"sytrf upper", func(*blas.OpenBLAS) { Sytrf(blas.Upper, n, a, pivots) }},
			{"syev", func(o *blas.OpenBLAS) {
				Heev(o, true, blas.Lower, n, a, make([]float64, n), make([]float64, n))
			}},
			{"gesvd", func(o *blas.OpenBLAS) {
				Gesvd(o, n, n, clone(plain), make([]float64, n), make([]float64, n), n, a, n, clone(from))
			}},
			{"syevj", func(*blas.OpenBLAS) {
				copy(a.Data, plain.Data)
				Heevj(true, true, blas.Lower, n, a, 0, 100, make([]float64, n))
			}},
			{"gesvdj", func(o *blas.OpenBLAS) {
				Gesvdj(o, n, n, clone(plain), 0, 100, make([]float64, n), n, a, n, clone(from))
			}},
			{"gels", func(o *blas.OpenBLAS) { Gels(o, blas.None, n, n, 8, a, clone(from)) }},
		} {
			b.Run(fmt.Sprintf("%s/%d/go", test.name, n), func(b *testing.B) {
				repeat(b, func() { copy(a.Data, from.Data); test.run(nil) })
			})
			if o != nil {
				b.Run(fmt.Sprintf("%s/%d/openblas", test.name, n), func(b *testing.B) {
					repeat(b, func() { copy(a.Data, from.Data); test.run(o) })
				})
			}
		}
	}
}

// repeat measures a function, and reports the least processor time of a call.
func repeat(b *testing.B, run func()) {
	var least time.Duration
	for b.Loop() {
		before := busy.Time()
		run()
		if used := busy.Time() - before; least == 0 || used < least {
			least = used
		}
	}
	b.ReportMetric(float64(least.Microseconds()), "least-cpu-µs")
}
