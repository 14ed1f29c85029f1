package lapack

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"roclua/hip/cpu/blas"
)

func TestPositiveInverse(t *testing.T) {
	each(t, testPositiveInverse[float32], testPositiveInverse[float64], testPositiveInverse[complex64],
		testPositiveInverse[complex128])
}

// testPositiveInverse multiplies triangles, and multiplies the inverse of a matrix with it.
func testPositiveInverse[T blas.Number](t *testing.T, r *rand.Rand) {
	for _, n := range []int{1, 2, 9, 3*smallInverse + 5} {
		for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
			what := fmt.Sprintf("order %d, uplo %d", n, uplo)
			kept := func(i, j int) bool { return i < n && (i == j || (i < j) == (uplo == blas.Upper)) }
			a := draw[T](r, n, n)
			for i := range n {
				a.Set(i, i, blas.FromReal[T](float64(n)+4))
			}
			factor := triangle(a, n, uplo, blas.NonUnit)
			ops := [2]blas.Op{blas.None, blas.ConjTrans} // of U U^H, and of the matrix L L^H
			if uplo == blas.Lower {
				slices.Reverse(ops[:])
			}
			squared := clone(a)
			Lauum(uplo, n, squared)
			want := product(ops[0], ops[1], n, n, n, factor, factor)
			wantSame(t, "lauum, "+what, n, n, triangle(squared, n, uplo, blas.NonUnit),
				triangle(want, n, uplo, blas.NonUnit), float64(n*n))
			wantUnchanged(t, "lauum, "+what, squared, a, kept)

			inverse := clone(a)
			if info := Potri(uplo, n, inverse); info != 0 {
				t.Errorf("%s: info %d", what, info)
			}
			wantUnchanged(t, "potri, "+what, inverse, a, kept)
			matrix := product(ops[1], ops[0], n, n, n, factor, factor)
			back := blas.Matrix[T]{Data: make([]T, n*n), LD: n}
			blas.Symm(blas.Left, uplo, true, n, n, 1, inverse, matrix, 0, back)
			wantSame(t, "potri, "+what, n, n, back, eye[T](n), float64(100*n))
		}
	}
}

// TestSingularInverses expects the place of the zero. The inverses in place leave the matrix as it is.
func TestSingularInverses(t *testing.T) {
	draw := func() blas.Matrix[float64] {
		return blas.Matrix[float64]{Data: []float64{2, 1, 1, 1, 0, 1, 1, 1, 0}, LD: 3}
	}
	for name, invert := range map[string]func(a blas.Matrix[float64]) int{
		"potri": func(a blas.Matrix[float64]) int { return Potri(blas.Lower, 3, a) },
		"trtri": func(a blas.Matrix[float64]) int { return Trtri(blas.Upper, blas.NonUnit, 3, a) },
		"getri without pivots": func(a blas.Matrix[float64]) int {
			return Getri(3, a, nil, make([]float64, 9))
		},
		"getri elsewhere": func(a blas.Matrix[float64]) int {
			c := draw()
			info := GetriOutOfPlace(3, a, nil, c)
			if x := c.At(0, 0); !math.IsInf(x, 0) && !math.IsNaN(x) {
				t.Errorf("the inverse of a singular matrix has %v", x)
			}
			return info
		},
	} {
		a := draw()
		if info := invert(a); info != 2 || !slices.Equal(a.Data, draw().Data) {
			t.Errorf("%s: info %d, %v, want 2 and no change", name, info, a.Data)
		}
	}
	unit := draw()
	if info := Trtri(blas.Upper, blas.Unit, 3, unit); info != 0 {
		t.Errorf("trtri of a unit triangle: info %d", info)
	}
}

func TestInverseOfFactors(t *testing.T) {
	each(t, testInverse[float32], testInverse[float64], testInverse[complex64], testInverse[complex128])
}

// testInverse multiplies inverses, with and without pivots, with the matrix.
func testInverse[T blas.Number](t *testing.T, r *rand.Rand) {
	for _, n := range []int{1, 3, 2*panelWidth + 3, 70} {
		for _, pivoting := range []bool{false, true} {
			what := fmt.Sprintf("order %d, pivoting %v", n, pivoting)
			a := draw[T](r, n, n)
			for i := range n {
				a.Set(i, i, a.At(i, i)+blas.FromReal[T](float64(2*n)))
			}
			var pivots []int32
			if pivoting {
				pivots = make([]int32, n)
			}
			factors := clone(a)
			Getrf(n, n, factors, pivots)
			before, c := clone(factors), draw[T](r, n, n)
			if info := GetriOutOfPlace(n, factors, pivots, c); info != 0 {
				t.Errorf("%s: info %d", what, info)
			}
			wantUnchanged(t, what, factors, before, func(int, int) bool { return false })
			wantSame(t, what, n, n, product(blas.None, blas.None, n, n, n, a, c), eye[T](n), float64(100*n))
			if info := Getri(n, factors, pivots, make([]T, n*n)); info != 0 {
				t.Errorf("%s: info %d", what, info)
			}
			wantSame(t, what, n, n, factors, c, float64(100*n))
		}
	}
}

func TestSygst(t *testing.T) {
	each(t, testSygst[float32], testSygst[float64], testSygst[complex64], testSygst[complex128])
}

// testSygst reverts the division by the factor, or multiplies with it, and expects a real diagonal.
func testSygst[T blas.Number](t *testing.T, r *rand.Rand) {
	for _, n := range []int{1, 4, 70} {
		for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
			for _, divide := range []bool{false, true} {
				what := fmt.Sprintf("order %d, uplo %d, divide %v", n, uplo, divide)
				kept := func(i, j int) bool { return i < n && (i == j || (i < j) == (uplo == blas.Upper)) }
				a, b := draw[T](r, n, n), draw[T](r, n, n)
				for i := range n {
					b.Set(i, i, blas.FromReal[T](float64(n)+4))
				}
				have := clone(a)
				Sygst(divide, uplo, n, have, b)
				wantUnchanged(t, what, have, a, kept)
				l := triangle(b, n, uplo, blas.NonUnit)
				left, right := blas.ConjTrans, blas.None // U^H C U, and L^H A L
				if (uplo == blas.Upper) != divide {
					left, right = right, left
				}
				if divide {
					have, a = a, have
				}
				full := blas.Matrix[T]{Data: make([]T, n*n), LD: n}
				blas.Symm(blas.Left, uplo, true, n, n, 1, a, eye[T](n), 0, full)
				want := product(blas.None, right, n, n, n, product(left, blas.None, n, n, n, l, full), l)
				for i := range n {
					have.Set(i, i, blas.FromReal[T](blas.Real(have.At(i, i)))) // the given one is not read
				}
				wantSame(t, what, n, n, triangle(have, n, uplo, blas.NonUnit), triangle(want, n, uplo, blas.NonUnit),
					float64(n*n*n))
			}
		}
	}
}
