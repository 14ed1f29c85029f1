//go:build unix

package lapack

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/blas/openblastest"
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
	for _, n := range []int{64, 256, 1024, 2048} {
		r := rand.New(rand.NewPCG(1, 2))
		from, plain := draw[T](r, n, n), draw[T](r, n, n)
		for i := range n {
			from.Set(i, i, blas.FromReal[T](float64(n)))
		}
		a, pivots, tau := clone(from), make([]int32, n), make([]T, n)
		for _, test := range []struct {
			name     string
			run      func()
			openblas func(*openblastest.OpenBLAS) // nil if only Go computes it
		}{
			{"gemm", func() {
				blas.Gemm(blas.None, blas.None, n, n, n, 1, from, from, 0, a)
			}, func(o *openblastest.OpenBLAS) {
				openblastest.Gemm(o, blas.None, blas.None, n, n, n, 1, from, from, 0, a)
			}},
			{"getrf", func() { Getrf(n, n, a, pivots) }, func(o *openblastest.OpenBLAS) {
				openblastest.LU(o, n, n, a, pivots)
			}},
			{"potrf", func() { Potrf(blas.Lower, n, a) }, func(o *openblastest.OpenBLAS) {
				openblastest.Cholesky(o, blas.Lower, n, a)
			}},
			{"geqrf", func() { Geqrf(n, n, a, tau) }, func(o *openblastest.OpenBLAS) {
				openblastest.QR(o, n, n, a, tau)
			}},
			{"gelqf", func() { Factor(LQ, n, n, a, tau) }, nil},
			{"orgqr", func() { Generate(QR, n, n, n, a, tau) }, nil},
			{"ormqr", func() { Multiply(QR, blas.Left, blas.None, n, n, n, from, tau, a) }, nil},
			{"ormlq", func() { Multiply(LQ, blas.Left, blas.None, n, n, n, from, tau, a) }, nil},
			{"trtri", func() { Trtri(blas.Lower, blas.NonUnit, n, a) }, nil},
			{"potri", func() { Potri(blas.Lower, n, a) }, nil},
			{"sytrf", func() { Sytrf(blas.Lower, n, a, pivots) }, nil},
			{"sytrf upper", func() { Sytrf(blas.Upper, n, a, pivots) }, nil},
			{"syev", func() {
				Heev(true, blas.Lower, n, a, make([]float64, n), make([]float64, n))
			}, func(o *openblastest.OpenBLAS) {
				openblastest.Eigen(o, true, blas.Lower, n, a, make([]float64, n))
			}},
			{"gesvd", func() {
				Gesvd(n, n, clone(plain), make([]float64, n), make([]float64, n), Vectors[T]{n, n, a, clone(from)})
			}, func(o *openblastest.OpenBLAS) {
				openblastest.SingularValues(o, n, n, clone(plain), make([]float64, n), n, a, n, clone(from))
			}},
			{"syevj", func() {
				copy(a.Data, plain.Data)
				Heevj(true, true, blas.Lower, n, a, 0, 100, make([]float64, n))
			}, nil},
			{"gesvdj", func() {
				Gesvdj(n, n, clone(plain), 0, 100, make([]float64, n), Vectors[T]{n, n, a, clone(from)})
			}, nil},
			{"gels", func() { Gels(blas.None, n, n, 8, a, clone(from)) }, nil},
		} {
			b.Run(fmt.Sprintf("%s/%d/go", test.name, n), func(b *testing.B) {
				repeat(b, func() { copy(a.Data, from.Data); test.run() })
			})
			if test.openblas != nil {
				b.Run(fmt.Sprintf("%s/%d/openblas", test.name, n), func(b *testing.B) {
					o := openblastest.Open(b)
					o.SetThreads(blas.Threads())
					repeat(b, func() { copy(a.Data, from.Data); test.openblas(o) })
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

// BenchmarkRatios reports how much processor time eigenvalues and singular values with their vectors take in Go, as a
// multiple of OpenBLAS's: the median of the ratios of calls that alternate, each with one thread.
func BenchmarkRatios(b *testing.B) {
	o := openblastest.Open(b)
	defer blas.SetThreads(0)
	blas.SetThreads(1)
	for _, n := range []int{256, 768} {
		from := draw[float64](rand.New(rand.NewPCG(1, 2)), n, n)
		a, u, v := clone(from), clone(from), clone(from)
		w, e := make([]float64, n), make([]float64, n)
		for name, run := range map[string][2]func(){
			"syevd": {func() { Heev(true, blas.Lower, n, a, w, e) },
				func() { openblastest.Eigen(o, true, blas.Lower, n, a, w) }},
			"gesvd": {func() { Gesvd(n, n, a, w, e, Vectors[float64]{n, n, u, v}) },
				func() { openblastest.SingularValues(o, n, n, a, w, n, u, n, v) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				var ratios []float64
				for b.Loop() {
					var used [2]time.Duration
					for i, call := range run {
						copy(a.Data, from.Data)
						before := busy.Time()
						call()
						used[i] = busy.Time() - before
					}
					ratios = append(ratios, float64(used[0])/float64(used[1]))
				}
				slices.Sort(ratios)
				b.ReportMetric(ratios[len(ratios)/2], "ratio")
			})
		}
	}
}
