package lapack

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	gonumblas "gonum.org/v1/gonum/blas"

	"roclua/hip/cpu/blas"
	"roclua/internal/randomtest"
)

// bidiagonalKinds are functions that make the elements of d and e numbered i of n from random numbers.
var bidiagonalKinds = []struct {
	name string
	make func(r *rand.Rand, i, n int) (d, e float64)
}{
	{"random", func(r *rand.Rand, _, _ int) (d, e float64) { return r.NormFloat64(), r.NormFloat64() }},
	{"zeros", func(r *rand.Rand, _, _ int) (d, e float64) {
		return float64(r.IntN(3)) * r.NormFloat64(), float64(r.IntN(3)) * r.NormFloat64()
	}},
	{"no diagonal", func(r *rand.Rand, _, _ int) (d, e float64) { return 0, r.NormFloat64() }},
	{"singular in one row", func(_ *rand.Rand, i, n int) (d, e float64) { return float64(i - n/2), 1 }},
	{"descending", func(r *rand.Rand, i, n int) (d, e float64) {
		size := math.Pow(10, -60*float64(i)/float64(n))
		return size * (1 + r.Float64()), size * r.NormFloat64()
	}},
	{"ascending", func(r *rand.Rand, i, n int) (d, e float64) {
		size := math.Pow(10, 60*float64(i)/float64(n))
		return size * (1 + r.Float64()), size * r.NormFloat64()
	}},
	{"of any size", func(r *rand.Rand, _, _ int) (d, e float64) {
		return math.Pow(10, -20*r.Float64()), math.Pow(10, -20*r.Float64())
	}},
	{"repeated", func(*rand.Rand, int, int) (d, e float64) { return 1, 1e-9 }},
	{"negative", func(r *rand.Rand, _, _ int) (d, e float64) { return -r.Float64(), -r.Float64() }},
}

// TestBidiagonalLikeGonum compares singular values with gonum's, each to about its own precision, and multiplies the
// vectors.
func TestBidiagonalLikeGonum(t *testing.T) {
	r := randomtest.New(t)
	for _, n := range []int{0, 1, 2, 3, 4, 15, 16, 17, 40, 101} {
		for _, kind := range bidiagonalKinds {
			for _, scale := range []float64{1, 0x1p800, 0x1p-600} {
				d, e := make([]float64, n), make([]float64, n)
				for i := range n {
					d[i], e[i] = kind.make(r, i, n)
				}
				e = e[:max(n-1, 0)]
				want := iteratedValues(t, d, e)
				for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
					what := fmt.Sprintf("order %d, %s, scale %g, uplo %d", n, kind.name, scale, uplo)
					checkBidiagonal(t, what, uplo, scale, d, e, want)
				}
			}
		}
	}
}

// iteratedValues returns the singular values that gonum's QR iteration finds, descending.
func iteratedValues(t *testing.T, d, e []float64) []float64 {
	t.Helper()
	n, values := len(d), slices.Clone(d)
	if !iterations.Dbdsqr(gonumblas.Upper, n, 1, 0, 0, values, slices.Clone(e), make([]float64, n), 1, nil, 1, nil, 1,
		make([]float64, 4*n+4)) {
		t.Fatal("gonum does not converge")
	}
	return values
}

// checkBidiagonal computes the singular values, and vectors, of a matrix that is multiplied by a scale.
func checkBidiagonal(t *testing.T, what string, uplo blas.Uplo, scale float64, d, e, want []float64) {
	t.Helper()
	n := len(d)
	for _, wanted := range [][2]bool{{false, false}, {true, true}, {true, false}, {false, true}} {
		s, rest := slices.Clone(d), slices.Clone(e)
		multiplyAll(scale, s)
		multiplyAll(scale, rest)
		var vectors [2]blas.Matrix[float64]
		for i := range vectors {
			if wanted[i] {
				vectors[i] = blas.Matrix[float64]{Data: make([]float64, n*n), LD: n}
			}
		}
		left, right := vectors[0], vectors[1]
		if info := Bdsqr(uplo, n, s, rest, left.Data, right.Data); info != 0 || countNonzero(rest) != 0 {
			t.Fatalf("%s: info %d, e %v", what, info, rest)
		}
		multiplyAll(1/scale, s)
		for i, v := range s {
			if !(v >= 0 && math.Abs(v-want[i]) <= 1e-11*want[i]+1e-100*want[0]) {
				t.Fatalf("%s: values %v, want %v", what, s, want)
			}
		}
		for i, v := range vectors {
			if wanted[i] {
				wantVectors(t, what, n, n, v)
			}
		}
		if wanted == [2]bool{true, true} && n > 0 {
			b := bidiagonalMatrix(uplo, d, e)
			wantSame(t, "U S V, "+what, n, n, withValues(left, blas.ConjTrans, right, n, n, s), b, float64(n)*want[0])
		}
	}
}

func bidiagonalMatrix(uplo blas.Uplo, d, e []float64) blas.Matrix[float64] {
	b := blas.NewMatrix[float64](len(d), len(d))
	for i, v := range d {
		b.Set(i, i, v)
	}
	for i, v := range e {
		if uplo == blas.Upper {
			b.Set(i, i+1, v)
		} else {
			b.Set(i+1, i, v)
		}
	}
	return b
}

// TestBidiagonalEnds checks that divide and conquer ends if it finds no root.
func TestBidiagonalEnds(t *testing.T) {
	for at := range 4 {
		d, e := []float64{1, 1, 2, 3}, []float64{1, 1, 1}
		d[at] = math.NaN()
		if bidiagonalVectors(d, e, blas.NewMatrix[float64](4, 4), blas.NewMatrix[float64](4, 4)) {
			t.Errorf("NaN at %d: divide and conquer finds the roots %v", at, d)
		}
	}
}

// TestBdsqrOfOneElement takes the sign of a negative value to the right, as LAPACK does.
func TestBdsqrOfOneElement(t *testing.T) {
	for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
		d, left, right := []float64{-3}, []float64{0}, []float64{0}
		if Bdsqr(uplo, 1, d, nil, left, right); d[0] != 3 || left[0] != 1 || right[0] != -1 {
			t.Errorf("%d: %g = %g * %g", uplo, d, left, right)
		}
	}
}
