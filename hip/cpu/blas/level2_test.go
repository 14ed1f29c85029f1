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

// TestColumnDot adds products of parts of a column, which are the product of the whole column.
func TestColumnDot(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 0))
	for _, op := range []Op{Trans, ConjTrans} {
		a, x := drawMatrix[complex128](r, 9, 4), drawVector[complex128](r, 9, -2)
		want := denseOf(a, 9, 4).op(op).times(columnOf(x))
		for j := range 4 {
			have := ColumnDot(op, a, x, j, 0, 3) + ColumnDot(op, a, x, j, 3, 8) + ColumnDot(op, a, x, j, 8, 9)
			if !near(have, want[j][0]) {
				t.Errorf("op %d, column %d: %v, want %v", op, j, have, want[j][0])
			}
		}
	}
}

func TestTriangle(t *testing.T) {
	each(t, testTriangle[float32], testTriangle[float64], testTriangle[complex64], testTriangle[complex128])
}

// testTriangle multiplies and solves with a triangular matrix of some diagonals, of which no other element is read.
func testTriangle[T Number](t *testing.T, r *rand.Rand) {
	for range 10 {
		for _, uplo := range triangles {
			for _, op := range operations {
				for _, diag := range diagonals {
					checkTriangle[T](t, r, uplo, op, diag)
				}
			}
		}
	}
}

func checkTriangle[T Number](t *testing.T, r *rand.Rand, uplo Uplo, op Op, diag Diag) {
	t.Helper()
	n := 1 + r.IntN(7)
	band := r.IntN(n + 2)
	a := drawSquare[T](r, n)
	full := denseOf(a, n, n).triangle(uplo, diag)
	for i := range full {
		for j := range full {
			if max(i-j, j-i) > band {
				full[i][j] = 0
			}
		}
	}
	what := fmt.Sprintf("n %d, band %d, uplo %d, op %d, diag %d", n, band, uplo, op, diag)
	read := func(i, j int) T {
		if !inTriangle(uplo, i, j) || i == j && diag == Unit {
			t.Fatalf("%s: element (%d, %d) is read", what, i, j)
		}
		return FromComplex[T](full[i][j])
	}
	triangle := Triangle[T]{N: n, Uplo: uplo, Op: op, Diag: diag, At: read}
	x, y := drawVector[T](r, n, increments[r.IntN(4)]), drawVector[T](r, n, increments[r.IntN(4)])
	before := Vector[T]{append([]T(nil), y.Data...), n, y.Inc}
	triangle.Solve(y)
	back := Vector[T]{append([]T(nil), y.Data...), n, y.Inc}
	for i, v := range full.op(op).times(columnOf(y)) {
		back.Set(i, FromComplex[T](v[0]))
	}
	wantVector(t, "op(A) x of a solve, "+what, back, before, columnOf(before))

	triangle.At = func(i, j int) T {
		if max(i-j, j-i) > band {
			t.Fatalf("%s: element (%d, %d) outside of the band is read", what, i, j)
		}
		return read(i, j)
	}
	before = Vector[T]{append([]T(nil), y.Data...), n, y.Inc}
	triangle.Multiply(x, y, band)
	wantVector(t, "product, "+what, y, before, full.op(op).times(columnOf(x)))
}

// TestSymmetricColumns adds the columns of a matrix in two parts and then updates a vector with the sums.
func TestSymmetricColumns(t *testing.T) {
	each(t, testColumns[float32], testColumns[float64], testColumns[complex64], testColumns[complex128])
}

func testColumns[T Number](t *testing.T, r *rand.Rand) {
	for range 10 {
		for _, uplo := range triangles {
			for _, hermitian := range []bool{false, true} {
				n := 2 + r.IntN(6)
				alpha, beta := factors[T](r)
				a, x := drawMatrix[T](r, n, n), drawVector[T](r, n, -2)
				y, sums := drawVector[T](r, n, 3), make([]T, n)
				middle := r.IntN(n + 1)
				SymmetricColumns(uplo, hermitian, n, a, x, sums, 0, middle)
				SymmetricColumns(uplo, hermitian, n, a, x, sums, middle, n)
				before := Vector[T]{append([]T(nil), y.Data...), n, y.Inc}
				AddScaled(alpha, sums, beta, y)
				want := denseOf(a, n, n).symmetric(uplo, hermitian).times(columnOf(x)).
					plus(ToComplex(alpha), columnOf(before), ToComplex(beta))
				wantVector(t, fmt.Sprintf("uplo %d, hermitian %v, alpha %v, beta %v", uplo, hermitian, alpha, beta), y,
					before, want)
			}
		}
	}
}
