package blas

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// The tests in this file compare routines that halve their matrices with products of full matrices, at orders whose
// some parts are not halved.

// rebuilt returns a full n x n matrix of the elements that at returns.
func rebuilt[T Number](n int, at func(i, j int) T) Matrix[T] {
	full := Matrix[T]{make([]T, n*n), n}
	for j := range n {
		for i := range n {
			full.Set(i, j, at(i, j))
		}
	}
	return full
}

// multiplied returns A B, or B A on the right, with A square and B m x n.
func multiplied[T Number](side Side, op Op, m, n int, alpha T, a, b Matrix[T]) Matrix[T] {
	c := Matrix[T]{make([]T, m*n), m}
	if side == Left {
		gemmThreads(1, op, None, m, n, m, alpha, a, b, 0, c)
	} else {
		gemmThreads(1, None, op, m, n, n, alpha, b, a, 0, c)
	}
	return c
}

// wantEqual compares m x n elements where in is true, and expects the other elements of an array to be unchanged.
func wantEqual[T Number](
	t *testing.T, what string, m, n int, have, before, want Matrix[T], in func(i, j int) bool, size float64,
) {
	t.Helper()
	for at, v := range have.Data {
		i, j := at%have.LD, at/have.LD
		if i < m && in(i, j) {
			wantAlike(t, what, i, j, v, want.At(i, j), size)
		} else if v != before.Data[at] {
			t.Fatalf("%s: element (%d, %d) becomes %v, want it unchanged", what, i, j, v)
		}
	}
}

func everywhere(int, int) bool { return true }

func TestTriangularOfAllOrders(t *testing.T) {
	eachSet(t, testHalvedTriangles[float32], testHalvedTriangles[float64], testHalvedTriangles[complex64],
		testHalvedTriangles[complex128])
}

// drawOrder draws an order. Most are small: a large one takes as long as many of them. Orders with -short, which the
// race detector uses, take a tenth of the time.
func drawOrder(r *rand.Rand) int {
	if testing.Short() {
		return 1 + r.IntN(70)
	}
	return 1 + r.IntN(1+r.IntN(200))
}

func testHalvedTriangles[T Number](t *testing.T, r *rand.Rand) {
	for _, side := range sides {
		for _, uplo := range triangles {
			for _, op := range operations {
				checkHalvedTriangle[T](t, r, side, uplo, op, drawOrder(r), drawOrder(r))
				for count := 1; count <= 5; count++ { // columns on the left, rows on the right
					m, n := 1+r.IntN(60), count
					if side == Right {
						m, n = n, m
					}
					checkHalvedTriangle[T](t, r, side, uplo, op, m, n)
				}
			}
		}
	}
}

func checkHalvedTriangle[T Number](t *testing.T, r *rand.Rand, side Side, uplo Uplo, op Op, m, n int) {
	t.Helper()
	diag, order := diagonals[r.IntN(2)], m
	if side == Right {
		order = n
	}
	a, b := drawMatrix[T](r, order, order), drawMatrix[T](r, m, n)
	for j := range order {
		for i := range order {
			a.Set(i, j, a.At(i, j)/FromReal[T](float64(2*order)))
			if i == j {
				a.Set(i, i, a.At(i, i)+1)
			}
		}
	}
	full := rebuilt(order, func(i, j int) T {
		switch {
		case i == j && diag == Unit:
			return 1
		case inTriangle(uplo, i, j):
			return a.At(i, j)
		}
		return 0
	})
	for j := range order {
		for i := range order {
			if !inTriangle(uplo, i, j) || i == j && diag == Unit {
				a.Set(i, j, FromComplex[T](notANumber))
			}
		}
	}
	what := fmt.Sprintf("side %d, uplo %d, op %d, diag %d, %d x %d", side, uplo, op, diag, m, n)
	alpha, before, x := draw[T](r, 1)[0], b.clone(), b.clone()
	threads := 1 + r.IntN(3)
	triangular[T]{false, side, uplo, op, diag, threads}.all(m, n, alpha, a, b)
	want := multiplied(side, op, m, n, alpha, full, before)
	wantEqual(t, "trmm, "+what, m, n, b, before, want, everywhere, 1000)

	triangular[T]{true, side, uplo, op, diag, threads}.all(m, n, alpha, a, x)
	back, scaled := multiplied(side, op, m, n, 1, full, x), before.clone()
	ScaleMatrix(alpha, m, n, scaled)
	wantEqual(t, "op(A) X of trsm, "+what, m, n, back, back, scaled, everywhere, 1000)
	wantEqual(t, "trsm, "+what, m, n, x, before, x, everywhere, 1000)
}

func TestSymmetricOfAllOrders(t *testing.T) {
	eachSet(t, testHalvedSymmetric[float32], testHalvedSymmetric[float64], testHalvedSymmetric[complex64],
		testHalvedSymmetric[complex128])
}

func testHalvedSymmetric[T Number](t *testing.T, r *rand.Rand) {
	for _, uplo := range triangles {
		for _, hermitian := range []bool{false, true} {
			for _, side := range sides {
				checkHalvedSymm[T](t, r, side, uplo, hermitian)
			}
			for _, op := range []Op{None, transposed(hermitian)} {
				checkHalvedUpdates[T](t, r, uplo, op, hermitian)
			}
		}
	}
}

func checkHalvedSymm[T Number](t *testing.T, r *rand.Rand, side Side, uplo Uplo, hermitian bool) {
	t.Helper()
	m, n := drawOrder(r), drawOrder(r)
	order := m
	if side == Right {
		order = n
	}
	a, b, c := drawMatrix[T](r, order, order), drawMatrix[T](r, m, n), drawMatrix[T](r, m, n)
	alpha, beta, before := draw[T](r, 1)[0], draw[T](r, 1)[0], c.clone()
	full := rebuilt(order, func(i, j int) T { return symmetricAt(uplo, hermitian, a, i, j) })
	Symm(side, uplo, hermitian, m, n, alpha, a, b, beta, c)
	want := multiplied(side, None, m, n, alpha, full, b)
	for j := range n {
		for i := range m {
			want.Set(i, j, want.At(i, j)+beta*before.At(i, j))
		}
	}
	what := fmt.Sprintf("symm, side %d, uplo %d, hermitian %v, %d x %d", side, uplo, hermitian, m, n)
	wantEqual(t, what, m, n, c, before, want, everywhere, 1000)
}

func checkHalvedUpdates[T Number](t *testing.T, r *rand.Rand, uplo Uplo, op Op, hermitian bool) {
	t.Helper()
	n, k := 1+r.IntN(1+r.IntN(300)), 1+r.IntN(60)
	a, b, c := stored[T](r, op, n, k), stored[T](r, op, n, k), drawMatrix[T](r, n, n)
	alpha, beta, before := draw[T](r, 1)[0], draw[T](r, 1)[0], c.clone()
	opB := transposed(hermitian)
	if op != None {
		opB = None
	}
	for _, both := range []bool{false, true} {
		want := Matrix[T]{make([]T, n*n), n}
		gemmThreads(1, op, opB, n, n, k, alpha, a, b, 0, want)
		if both {
			gemmThreads(1, op, opB, n, n, k, conjIf(hermitian, alpha), b, a, 1, want)
		}
		for j := range n {
			for i := range n {
				update(hermitian, want.At(i, j), beta, before, i, j)
			}
		}
		want, before = before, c.clone()
		if both {
			Rank2K(uplo, op, hermitian, n, k, alpha, a, b, beta, c)
		} else {
			RankK(uplo, op, hermitian, n, k, alpha, a, b, beta, c)
		}
		what := fmt.Sprintf("both %v, uplo %d, op %d, hermitian %v, %d, %d", both, uplo, op, hermitian, n, k)
		in := func(i, j int) bool { return inTriangle(uplo, i, j) }
		wantEqual(t, what, n, n, c, before, want, in, 1000)
		before = c.clone()
	}
}

// update stores x + beta c in C(i, j).
func update[T Number](hermitian bool, x, beta T, c Matrix[T], i, j int) {
	if beta != 0 {
		old := c.At(i, j)
		if hermitian && i == j {
			old = FromReal[T](Real(old))
		}
		x += beta * old
	}
	if hermitian && i == j {
		x = FromReal[T](Real(x))
	}
	c.Set(i, j, x)
}
