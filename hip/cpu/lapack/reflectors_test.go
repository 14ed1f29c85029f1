package lapack

import (
	"math"
	"math/rand/v2"
	"testing"

	"roclua/hip/cpu/blas"
)

func TestLarfg(t *testing.T) {
	each(t, testLarfg[float32], testLarfg[float64], testLarfg[complex64], testLarfg[complex128])
}

// testLarfg applies the adjoint of the reflection to the vector that it was made of.
func testLarfg[T blas.Number](t *testing.T, r *rand.Rand) {
	for _, inc := range []int{1, 3} {
		for _, n := range []int{1, 2, 3, 20} {
			x := draw[T](r, (n-1)*inc+1, 1)
			c := blas.Matrix[T]{Data: make([]T, n), LD: n}
			c.Data[0] = blas.FromComplex[T](complex(r.NormFloat64(), r.NormFloat64()))
			v := blas.Vector[T]{Data: x.Data, N: n - 1, Inc: inc}
			for i := range n - 1 {
				c.Data[i+1] = v.At(i)
			}
			beta, tau := Larfg(c.Data[0], v)
			if beta != blas.FromReal[T](blas.Real(beta)) {
				t.Errorf("beta is %v, want a real number", beta)
			}
			full := make([]T, n)
			full[0] = 1
			for i := range n - 1 {
				full[i+1] = v.At(i)
			}
			want := blas.Matrix[T]{Data: make([]T, n), LD: n}
			want.Data[0] = beta
			Larf(blas.Left, n, 1, blas.Vector[T]{Data: full, N: n, Inc: 1}, blas.Conj(tau), c)
			wantSame(t, "H^H x", n, 1, c, want, 10)
		}
	}
}

// TestLarfgOfSpecialVectors covers the identity, and vectors whose squares overflow or underflow.
func TestLarfgOfSpecialVectors(t *testing.T) {
	for _, test := range []struct {
		alpha     float64
		x         []float64
		beta, tau float64
	}{
		{3, nil, 3, 0}, {-3, []float64{0, 0}, -3, 0}, {0, []float64{0}, 0, 0}, {0, []float64{2}, -2, 1},
		{3e200, []float64{4e200}, -5e200, 1.6}, {3e-200, []float64{4e-200}, -5e-200, 1.6},
		{3e-309, []float64{4e-309}, -5e-309, 1.6},
	} {
		beta, tau := Larfg(test.alpha, blas.Vector[float64]{Data: test.x, N: len(test.x), Inc: 1})
		for _, v := range test.x {
			if !(math.Abs(v) <= 1) {
				t.Errorf("alpha %v: the vector has %v", test.alpha, v)
			}
		}
		if math.Abs(beta-test.beta) > 1e-14*math.Abs(test.beta) || math.Abs(tau-test.tau) > 1e-14 {
			t.Errorf("alpha %v: beta %v, tau %v, want %v and %v", test.alpha, beta, tau, test.beta, test.tau)
		}
	}
	beta, tau := Larfg(1, blas.Vector[float64]{Data: []float64{math.NaN()}, N: 1, Inc: 1})
	if !math.IsNaN(beta) || !math.IsNaN(tau) {
		t.Errorf("of a NaN: beta %v, tau %v", beta, tau)
	}
}

func TestLarf(t *testing.T) {
	each(t, testLarf[float32], testLarf[float64], testLarf[complex64], testLarf[complex128])
}

// testLarf compares products by a reflection with products by I - tau v v^H.
func testLarf[T blas.Number](t *testing.T, r *rand.Rand) {
	const m, n = 6, 4
	for _, inc := range []int{1, 2, -1, -3} {
		for _, side := range []blas.Side{blas.Left, blas.Right} {
			order := m
			if side == blas.Right {
				order = n
			}
			v := blas.Vector[T]{Data: draw[T](r, (order-1)*max(inc, -inc)+1, 1).Data, N: order, Inc: inc}
			tau := draw[T](r, 1, 1).Data[0]
			c, h := draw[T](r, m, n), eye[T](order)
			for j := range order {
				for i := range order {
					h.Set(i, j, h.At(i, j)-tau*v.At(i)*blas.Conj(v.At(j)))
				}
			}
			have := clone(c)
			Larf(side, m, n, v, tau, have)
			wantSame(t, "larf", m, n, have, multiplied(side, blas.None, m, n, h, c), 100)
			wantUnchanged(t, "larf", have, c, func(i, _ int) bool { return i < m })
			Larf(side, m, n, v, 0, c)
			before := clone(c)
			wantUnchanged(t, "larf of the identity", c, before, func(int, int) bool { return false })
		}
	}
}
