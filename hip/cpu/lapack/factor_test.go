package lapack

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"roclua/hip/cpu/blas"
)

func TestCholesky(t *testing.T) {
	each(t, testCholesky[float32], testCholesky[float64], testCholesky[complex64], testCholesky[complex128])
}

// testCholesky multiplies the factor with its adjoint, and solves with it.
func testCholesky[T blas.Number](t *testing.T, r *rand.Rand) {
	sizes := []int{1, 2, 7, panelWidth, panelWidth + 1, smallCholesky, smallCholesky + 1, 5*smallCholesky + 7}
	for _, n := range sizes {
		for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
			const nrhs = 3
			what := fmt.Sprintf("order %d, uplo %d", n, uplo)
			root := draw[T](r, n, n+3)
			full := product(blas.None, blas.ConjTrans, n, n, n+3, root, root)
			a := draw[T](r, n, n) // the other triangle is not read
			kept := func(i, j int) bool { return i < n && (i == j || (i < j) == (uplo == blas.Upper)) }
			for j := range n {
				for i := range n {
					if kept(i, j) {
						a.Set(i, j, full.At(i, j))
					}
				}
			}
			for i := range n {
				a.Set(i, i, a.At(i, i)+1)
				full.Set(i, i, full.At(i, i)+1)
			}
			before := clone(a)
			if info := Potrf(uplo, n, a); info != 0 {
				t.Errorf("%s: info %d", what, info)
			}
			factor := triangle(a, n, uplo, blas.NonUnit)
			opLeft, opRight := blas.None, blas.ConjTrans
			if uplo == blas.Upper {
				opLeft, opRight = opRight, opLeft
			}
			wantSame(t, "product of the factors, "+what, n, n, product(opLeft, opRight, n, n, n, factor, factor), full,
				float64(4*n))
			wantUnchanged(t, what, a, before, kept)

			b := draw[T](r, n, nrhs)
			x := clone(b)
			Potrs(uplo, n, nrhs, a, x)
			wantSame(t, "A X, "+what, n, nrhs, product(blas.None, blas.None, n, nrhs, n, full, x), b, float64(100*n))
			wantUnchanged(t, what, x, b, func(i, _ int) bool { return i < n })
		}
	}
}

// TestNotPositiveDefinite expects the order of the first leading minor that is not positive, whose value replaces the
// element of the diagonal.
func TestNotPositiveDefinite(t *testing.T) {
	for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
		for _, test := range []struct {
			n, at int
			value float64
		}{{1, 0, 0}, {3, 0, -1}, {4, 2, 0}, {4, 3, math.NaN()}, {panelWidth + 5, panelWidth + 2, -7},
			{smallCholesky + 5, smallCholesky + 2, -7}, {5 * smallCholesky, 1, -7}} {
			a := blas.Matrix[float64]{Data: make([]float64, test.n*test.n), LD: test.n}
			for i := range test.n {
				a.Set(i, i, 4)
			}
			a.Set(test.at, test.at, test.value)
			if info := Potrf(uplo, test.n, a); info != test.at+1 {
				t.Errorf("order %d, %v at %d: info %d", test.n, test.value, test.at, info)
			}
			if have := a.At(test.at, test.at); have != test.value && !math.IsNaN(test.value) {
				t.Errorf("order %d: the diagonal has %v at %d, want %v", test.n, have, test.at, test.value)
			}
		}
	}
}

func TestGeqrf(t *testing.T) {
	each(t, testGeqrf[float32], testGeqrf[float64], testGeqrf[complex64], testGeqrf[complex128])
}

// testGeqrf multiplies the reflections with R.
func testGeqrf[T blas.Number](t *testing.T, r *rand.Rand) {
	for _, size := range []struct{ m, n int }{{1, 1}, {1, 3}, {6, 6}, {9, 4}, {4, 9},
		{smallReflector + 1, smallReflector + 1}, {150, reflectorWidth + 30}, {reflectorWidth + 30, 150}} {
		m, n := size.m, size.n
		a := draw[T](r, m, n)
		factors, tau := clone(a), make([]T, min(m, n))
		Geqrf(m, n, factors, tau)
		what := fmt.Sprintf("%d x %d", m, n)
		back := part(factors, m, n, func(i, j int) bool { return i <= j })
		for j := len(tau) - 1; j >= 0; j-- {
			v := part(factors, m, n, func(i, c int) bool { return c == j && i > j })
			v.Set(j, j, 1)
			column := blas.Matrix[T]{Data: v.Data[j*v.LD : j*v.LD+m], LD: m}
			// H y = y - tau v (v^H y)
			inner := product(blas.ConjTrans, blas.None, 1, n, m, column, back)
			blas.Gemm(blas.None, blas.None, m, n, 1, -tau[j], column, inner, 1, back)
		}
		wantSame(t, "Q R, "+what, m, n, back, a, float64(10*(m+n)))
		wantUnchanged(t, what, factors, a, func(i, _ int) bool { return i < m })
		for j := range tau {
			if d := factors.At(j, j); blas.Abs1(d-blas.FromReal[T](blas.Real(d))) != 0 {
				t.Errorf("%s: R(%d, %d) is %v, want a real number", what, j, j, d)
			}
		}
	}
}

// TestReflections covers columns whose reflection is the identity, and the sign of the diagonal.
func TestReflections(t *testing.T) {
	for _, test := range []struct {
		name      string
		x         []complex128
		tau, beta complex128
	}{
		{"a real number above zeros", []complex128{3, 0}, 0, 3},
		{"a negative number above zeros", []complex128{-3, 0, 0}, 0, -3},
		{"one imaginary number", []complex128{2i}, complex(1, 1), -2},
		{"a positive number", []complex128{3, 4}, 1.6, -5},
		{"a negative number", []complex128{-3, 4i}, 1.6, 5},
	} {
		a := blas.Matrix[complex128]{Data: append([]complex128(nil), test.x...), LD: len(test.x)}
		tau := make([]complex128, 1)
		Geqrf(len(test.x), 1, a, tau)
		if blas.Abs1(tau[0]-test.tau) > 1e-15 || blas.Abs1(a.Data[0]-test.beta) > 1e-15 {
			t.Errorf("%s: tau %v, R %v, want %v and %v", test.name, tau[0], a.Data[0], test.tau, test.beta)
		}
	}
	// The next column stays as it is when the first needs no reflection.
	a, tau := blas.Matrix[float64]{Data: []float64{2, 0, 5, 7}, LD: 2}, make([]float64, 2)
	Geqrf(2, 2, a, tau)
	if tau[0] != 0 || a.At(0, 1) != 5 || math.Abs(a.At(1, 1)) != 7 {
		t.Errorf("%v, tau %v", a.Data, tau)
	}
}
