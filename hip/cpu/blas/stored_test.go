package blas

import (
	"fmt"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

// inBand reports whether an element is on a stored diagonal.
func inBand(i, j, below, above int) bool { return i-j <= below && j-i <= above }

// storedAs stores the diagonals of a matrix in a layout. Everything else in its memory is NaN, and so are the imaginary
// parts of the diagonal if they must not be read.
func storedAs[T Number](d dense, layout Layout, below, above int, hermitian bool) Stored[T] {
	rows, cols := len(d), len(d[0])
	s := Stored[T]{LD: rows + 2, Layout: layout, Rows: rows, Below: below, Above: above}
	place := func(i, j int) int { return i + j*s.LD }
	switch {
	case layout == Banded:
		s.LD = below + above + 3
		place = func(i, j int) int { return above + i - j + j*s.LD }
	case layout == Packed && below == 0:
		place = func(i, j int) int { return i + j*(j+1)/2 }
		s.LD = (rows + 1) / 2
	case layout == Packed:
		place = func(i, j int) int { return i + j*(2*rows-j-1)/2 }
		s.LD = (rows + 1) / 2
	}
	s.Data = make([]T, s.LD*cols+rows)
	for i := range s.Data {
		s.Data[i] = FromComplex[T](notANumber)
	}
	for i := range d {
		for j, v := range d[i] {
			if inBand(i, j, below, above) {
				if i == j && hermitian {
					v = complex(real(v), imag(notANumber))
				}
				s.Data[place(i, j)] = FromComplex[T](v)
			}
		}
	}
	return s
}

// wantStored compares the stored elements with a definition; the rest of the memory must be NaN as before.
func wantStored[T Number](t *testing.T, what string, s Stored[T], want dense) {
	t.Helper()
	numbers := 0
	for j := range want[0] {
		low, part := s.Column(j)
		for i, v := range part {
			numbers++
			if !near(v, want[low+i][j]) {
				t.Fatalf("%s: element (%d, %d) is %v, want %v", what, low+i, j, v, want[low+i][j])
			}
		}
	}
	for _, v := range s.Data {
		if !cmplx.IsNaN(ToComplex(v)) {
			numbers--
		}
	}
	if numbers != 0 {
		t.Fatalf("%s: %d elements that are not stored were written", what, -numbers)
	}
}

// shape is a matrix with some of its diagonals, in a layout.
type shape struct {
	full         dense
	layout       Layout
	below, above int
}

func (s shape) String() string {
	return fmt.Sprintf("%d x %d, layout %d, %d diagonals below and %d above", len(s.full), len(s.full[0]), s.layout,
		s.below, s.above)
}

// triangularShape draws a triangular matrix, which is easy to solve.
func triangularShape[T Number](r *rand.Rand, layout Layout, uplo Uplo) shape {
	n := 1 + r.IntN(12)
	diagonals := n
	if layout == Banded {
		diagonals = r.IntN(n + 2)
	}
	s := shape{layout: layout, above: diagonals}
	if uplo == Lower {
		s.below, s.above = diagonals, 0
	}
	a := drawSquare[T](r, n)
	s.full = newDense(n, n, func(i, j int) complex128 {
		if inBand(i, j, s.below, s.above) {
			return ToComplex(a.At(i, j))
		}
		return 0
	})
	return s
}

// eachTriangle calls a function with triangles in every layout.
func eachTriangle[T Number](r *rand.Rand, f func(uplo Uplo, s shape)) {
	for range 10 {
		for _, layout := range []Layout{Dense, Banded, Packed} {
			for _, uplo := range triangles {
				f(uplo, triangularShape[T](r, layout, uplo))
			}
		}
	}
}

func column[T Number](x []T) dense { return columnOf(Vector[T]{x, len(x), 1}) }

func TestTriangle(t *testing.T) {
	each(t, testTriangle[float32], testTriangle[float64], testTriangle[complex64], testTriangle[complex128])
}

// testTriangle multiplies and solves with triangles, without reading other elements.
func testTriangle[T Number](t *testing.T, r *rand.Rand) {
	eachTriangle[T](r, func(uplo Uplo, s shape) {
		n := len(s.full)
		for _, op := range operations {
			for _, diag := range diagonals {
				triangle := Triangle[T]{storedAs[T](s.full, s.layout, s.below, s.above, false), op, diag}
				full := s.full.triangle(uplo, diag)
				if diag == Unit {
					for j := range n { // small elements, because the diagonal is
						_, _, others := triangle.split(j)
						for i := range others {
							others[i] /= 8
						}
					}
					for i := range full {
						for j := range full[i] {
							if i != j {
								full[i][j] /= 8
							}
						}
					}
				}
				what := fmt.Sprintf("%v, op %d, diag %d", s, op, diag)
				b := draw[T](r, n)
				x := append([]T(nil), b...)
				triangle.Solve(x)
				product := append([]T(nil), x...)
				triangle.Multiply(product)
				have := Vector[T]{product, n, 1}
				wantVector(t, "product, "+what, have, have, full.op(op).times(column(x)))
				wantVector(t, "op(A) x of a solve, "+what, have, have, column(b))
			}
		}
	})
}

func TestAddSymmetric(t *testing.T) {
	each(t, testAddSymmetric[float32], testAddSymmetric[float64], testAddSymmetric[complex64],
		testAddSymmetric[complex128])
}

// testAddSymmetric adds the columns of a matrix in two parts and then updates a vector with the sums.
func testAddSymmetric[T Number](t *testing.T, r *rand.Rand) {
	eachTriangle[T](r, func(uplo Uplo, s shape) {
		for _, hermitian := range []bool{false, true} {
			n, middle := len(s.full), r.IntN(len(s.full)+1)
			a := storedAs[T](s.full, s.layout, s.below, s.above, hermitian && IsComplex[T]())
			alpha, beta := factors[T](r)
			x, sums, y := draw[T](r, n), make([]T, n), drawVector[T](r, n, 3)
			before := Vector[T]{append([]T(nil), y.Data...), n, y.Inc}
			a.AddSymmetric(hermitian, x, sums, 0, middle)
			a.AddSymmetric(hermitian, x, sums, middle, n)
			AddScaled(alpha, sums, beta, y)
			want := s.full.symmetric(uplo, hermitian).times(column(x)).
				plus(ToComplex(alpha), columnOf(before), ToComplex(beta))
			what := fmt.Sprintf("%v, hermitian %v, alpha %v, beta %v", s, hermitian, alpha, beta)
			wantVector(t, what, y, before, want)
		}
	})
}

func TestAddOuter(t *testing.T) {
	each(t, testOuter[float32], testOuter[float64], testOuter[complex64], testOuter[complex128])
}

// testOuter updates triangles, and makes their diagonals real, and general matrices.
func testOuter[T Number](t *testing.T, r *rand.Rand) {
	eachTriangle[T](r, func(_ Uplo, s shape) {
		for _, conj := range []bool{false, true} {
			n := len(s.full)
			alpha, x, y := draw[T](r, 1)[0], draw[T](r, n), draw[T](r, n)
			op := Trans
			if conj {
				op = ConjTrans
			}
			want := column(x).times(column(y).op(op)).plus(ToComplex(alpha), s.full, 1)
			a := storedAs[T](s.full, s.layout, s.below, s.above, false)
			a.AddOuter(conj, n, alpha, x, y)
			wantStored(t, fmt.Sprintf("%v, conj %v", s, conj), a, want)
			for i := range want {
				want[i][i] = complex(real(want[i][i]), 0)
			}
			a.MakeDiagonalReal()
			wantStored(t, fmt.Sprintf("%v with a real diagonal", s), a, want)
		}
	})
}

func TestAddProduct(t *testing.T) {
	each(t, testAddProduct[float32], testAddProduct[float64], testAddProduct[complex64], testAddProduct[complex128])
}

// testAddProduct multiplies with band matrices, also with some that have no elements in their last columns.
func testAddProduct[T Number](t *testing.T, r *rand.Rand) {
	for i := range 100 {
		op, m, n := operations[i%3], 1+r.IntN(12), 1+r.IntN(12)
		s := shape{layout: Banded, below: r.IntN(m + 2), above: r.IntN(n + 2)}
		if i%4 == 0 {
			s = shape{layout: Dense, below: m, above: n}
		}
		a := drawMatrix[T](r, m, n)
		s.full = newDense(m, n, func(i, j int) complex128 {
			if inBand(i, j, s.below, s.above) {
				return ToComplex(a.At(i, j))
			}
			return 0
		})
		alpha, x, y := draw[T](r, 1)[0], draw[T](r, rowsOf(op, n, m)), draw[T](r, rowsOf(op, m, n))
		want := s.full.op(op).times(column(x)).plus(ToComplex(alpha), column(y), 1)
		band := storedAs[T](s.full, s.layout, s.below, s.above, false)
		band.AddProduct(op, n, alpha, x, y)
		wantVector(t, fmt.Sprintf("%v, op %d", s, op), Vector[T]{y, len(y), 1}, Vector[T]{y, len(y), 1}, want)
	}
}
