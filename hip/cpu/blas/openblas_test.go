package blas_test

import (
	"math/rand/v2"
	"testing"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/blas/openblastest"
	"roclua/internal/randomtest"
)

// TestOpenBLASAgreesWithGo compares products and triangular solves with OpenBLAS's.
func TestOpenBLASAgreesWithGo(t *testing.T) {
	o, r := openblastest.Open(t), randomtest.New(t)
	t.Run("s", func(t *testing.T) { compare[float32](t, o, r, 1e-3) })
	t.Run("d", func(t *testing.T) { compare[float64](t, o, r, 1e-12) })
	t.Run("c", func(t *testing.T) { compare[complex64](t, o, r, 1e-3) })
	t.Run("z", func(t *testing.T) { compare[complex128](t, o, r, 1e-12) })
}

func compare[T blas.Number](t *testing.T, o *openblastest.OpenBLAS, r *rand.Rand, tolerance float64) {
	const ld = 45
	draw := func(n int) []T {
		v := make([]T, n)
		for i := range v {
			v[i] = blas.FromComplex[T](complex(r.NormFloat64(), r.NormFloat64()))
		}
		return v
	}
	drawn := func() blas.Matrix[T] { return blas.Matrix[T]{Data: draw(ld * ld), LD: ld} }
	for range 50 {
		m, n, k := 1+r.IntN(40), 1+r.IntN(40), 1+r.IntN(40)
		opA, opB := blas.None+blas.Op(r.IntN(3)), blas.None+blas.Op(r.IntN(3))
		alpha, beta := draw(1)[0], draw(1)[0]
		a, b, c := drawn(), drawn(), drawn()
		want := blas.Matrix[T]{Data: append([]T(nil), c.Data...), LD: ld}
		openblastest.Gemm(o, opA, opB, m, n, k, alpha, a, b, beta, want)
		blas.Gemm(opA, opB, m, n, k, alpha, a, b, beta, c)
		same(t, "gemm", c, want, tolerance)

		for i := range ld {
			for j := range ld { // small, so that a diagonal of ones has a solution of moderate size
				a.Set(i, j, a.At(i, j)*blas.FromReal[T](0.01))
			}
			a.Set(i, i, blas.FromReal[T](2))
		}
		side, uplo := blas.Left+blas.Side(r.IntN(2)), blas.Upper+blas.Uplo(r.IntN(2))
		diag := blas.NonUnit + blas.Diag(r.IntN(2))
		want = blas.Matrix[T]{Data: append([]T(nil), b.Data...), LD: ld}
		openblastest.Trsm(o, side, uplo, opA, diag, m, n, alpha, a, want)
		blas.Trsm(side, uplo, opA, diag, m, n, alpha, a, b)
		same(t, "trsm", b, want, tolerance)
	}
}

func same[T blas.Number](t *testing.T, what string, have, want blas.Matrix[T], tolerance float64) {
	t.Helper()
	for i := range want.Data {
		if d := blas.Abs1(have.Data[i] - want.Data[i]); !(d <= tolerance) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, have.Data[i], want.Data[i])
		}
	}
}
