package blas

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

var increments = []int{1, 2, -1, -3}

func TestGemv(t *testing.T) {
	each(t, testGemv[float32], testGemv[float64], testGemv[complex64], testGemv[complex128])
}

func testGemv[T Number](t *testing.T, r *rand.Rand) {
	for i := range 100 {
		op, m, n := operations[i%3], 1+r.IntN(6), 1+r.IntN(6)
		alpha, beta := factors[T](r)
		a := drawMatrix[T](r, m, n)
		x := drawVector[T](r, rowsOf(op, n, m), increments[r.IntN(4)])
		y := drawVector[T](r, rowsOf(op, m, n), increments[r.IntN(4)])
		if beta == 0 {
			for i := range y.N {
				y.Set(i, FromComplex[T](notANumber))
			}
		}
		before := Vector[T]{append([]T(nil), y.Data...), y.N, y.Inc}
		want := denseOf(a, m, n).op(op).times(columnOf(x)).plus(ToComplex(alpha), columnOf(y), ToComplex(beta))
		if alpha == 0 {
			a.Data, x.Data = nil, nil // they are not read
		}
		Gemv(op, m, n, alpha, a, x, beta, y)
		wantVector(t, fmt.Sprintf("op %d, increments %d and %d, alpha %v, beta %v", op, x.Inc, y.Inc, alpha, beta), y,
			before, want)
	}
}
