package blas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var (
	operations = []Op{None, Trans, ConjTrans}
	triangles  = []Uplo{Upper, Lower}
	sides      = []Side{Left, Right}
	diagonals  = []Diag{NonUnit, Unit}
)

// factors returns random alpha and beta, or 0 or 1, which have their own meaning.
func factors[T Number](r *rand.Rand) (alpha, beta T) {
	special := []T{0, 1, draw[T](r, 1)[0]}
	return special[r.IntN(3)], special[r.IntN(3)]
}

func TestGemm(t *testing.T) {
	each(t, testGemm[float32], testGemm[float64], testGemm[complex64], testGemm[complex128])
}

func testGemm[T Number](t *testing.T, r *rand.Rand) {
	for range 20 {
		for _, opA := range operations {
			for _, opB := range operations {
				m, n, k := 1+r.IntN(6), 1+r.IntN(6), 1+r.IntN(6)
				alpha, beta := factors[T](r)
				a, b, c := stored[T](r, opA, m, k), stored[T](r, opB, k, n), drawMatrix[T](r, m, n)
				want := denseOf(a, rowsOf(opA, m, k), rowsOf(opA, k, m)).op(opA).
					times(denseOf(b, rowsOf(opB, k, n), rowsOf(opB, n, k)).op(opB)).
					plus(ToComplex(alpha), denseOf(c, m, n), ToComplex(beta))
				before := c.clone()
				Gemm(opA, opB, m, n, k, alpha, a, b, beta, c)
				wantMatrix(t, fmt.Sprintf("op %d, op %d, alpha %v, beta %v", opA, opB, alpha, beta), c, before, want)
			}
		}
	}
}

// rowsOf returns the stored extent of an operand whose op has the first extent.
func rowsOf(op Op, first, second int) int {
	if op == None {
		return first
	}
	return second
}

func TestTriangularProductsAndSolves(t *testing.T) {
	each(t, testTriangular[float32], testTriangular[float64], testTriangular[complex64], testTriangular[complex128])
}

func testTriangular[T Number](t *testing.T, r *rand.Rand) {
	for range 10 {
		for _, side := range sides {
			for _, uplo := range triangles {
				for _, op := range operations {
					for _, diag := range diagonals {
						checkTriangular[T](t, r, side, uplo, op, diag)
					}
				}
			}
		}
	}
}

func checkTriangular[T Number](t *testing.T, r *rand.Rand, side Side, uplo Uplo, op Op, diag Diag) {
	t.Helper()
	m, n := 1+r.IntN(6), 1+r.IntN(6)
	order := m
	if side == Right {
		order = n
	}
	alpha, _ := factors[T](r)
	a, b := drawSquare[T](r, order), drawMatrix[T](r, m, n)
	full := denseOf(a, order, order).triangle(uplo, diag).op(op)
	product := func(x dense) dense {
		if side == Left {
			return full.times(x)
		}
		return x.times(full)
	}
	what := fmt.Sprintf("side %d, uplo %d, op %d, diag %d, alpha %v", side, uplo, op, diag, alpha)
	old, before := denseOf(b, m, n), b.clone()
	Trmm(side, uplo, op, diag, m, n, alpha, a, b)
	wantMatrix(t, "trmm, "+what, b, before, product(old).plus(ToComplex(alpha), nil, 0))

	x := before.clone()
	Trsm(side, uplo, op, diag, m, n, alpha, a, x)
	back := before.clone()
	for j, value := range product(denseOf(x, m, n)).op(Trans) {
		for i := range value {
			back.Set(i, j, FromComplex[T](value[i]))
		}
	}
	wantMatrix(t, "op(A) X of trsm, "+what, back, before, old.plus(ToComplex(alpha), nil, 0))
	for at, v := range x.Data {
		if at%x.LD >= m && v != before.Data[at] {
			t.Fatalf("trsm, %s: place %d between the columns becomes %v", what, at, v)
		}
	}
}

func TestSymmetricProductsAndUpdates(t *testing.T) {
	each(t, testSymmetric[float32], testSymmetric[float64], testSymmetric[complex64], testSymmetric[complex128])
}

func testSymmetric[T Number](t *testing.T, r *rand.Rand) {
	for range 10 {
		for _, uplo := range triangles {
			for _, hermitian := range []bool{false, true} {
				for _, side := range sides {
					checkSymm[T](t, r, side, uplo, hermitian)
				}
				checkRankUpdates[T](t, r, uplo, None, hermitian)
				checkRankUpdates[T](t, r, uplo, map[bool]Op{false: Trans, true: ConjTrans}[hermitian], hermitian)
			}
		}
	}
}

func checkSymm[T Number](t *testing.T, r *rand.Rand, side Side, uplo Uplo, hermitian bool) {
	t.Helper()
	m, n := 1+r.IntN(6), 1+r.IntN(6)
	order := m
	if side == Right {
		order = n
	}
	alpha, beta := factors[T](r)
	a, b, c := drawMatrix[T](r, order, order), drawMatrix[T](r, m, n), drawMatrix[T](r, m, n)
	full := denseOf(a, order, order).symmetric(uplo, hermitian)
	product := full
	if side == Left {
		product = full.times(denseOf(b, m, n))
	} else {
		product = denseOf(b, m, n).times(full)
	}
	before := c.clone()
	Symm(side, uplo, hermitian, m, n, alpha, a, b, beta, c)
	wantMatrix(t, fmt.Sprintf("symm, side %d, uplo %d, hermitian %v", side, uplo, hermitian), c, before,
		product.plus(ToComplex(alpha), denseOf(before, m, n), ToComplex(beta)))
}

func checkRankUpdates[T Number](t *testing.T, r *rand.Rand, uplo Uplo, op Op, hermitian bool) {
	t.Helper()
	n, k, flip := 1+r.IntN(6), r.IntN(6), Trans
	alpha, beta := factors[T](r)
	c := drawMatrix[T](r, n, n)
	if hermitian {
		flip, beta = ConjTrans, FromReal[T](Real(beta)) // as the type of herk's beta
	}
	if beta == 0 {
		spoilTriangle(c, n, uplo)
	}
	for _, twice := range []bool{false, true} {
		a, b, have := stored[T](r, op, n, k), stored[T](r, op, n, k), c.clone()
		product := newDense(n, n, func(int, int) complex128 { return 0 })
		if k > 0 {
			left := denseOf(a, rowsOf(op, n, k), rowsOf(op, k, n)).op(op)
			right := denseOf(b, rowsOf(op, n, k), rowsOf(op, k, n)).op(op)
			product = left.times(right.op(flip)).plus(ToComplex(alpha), nil, 0)
		}
		update := RankK[T]
		if twice {
			update, product = Rank2K[T], product.plus(1, product.op(flip), 1)
		}
		want := product.plus(1, denseOf(c, n, n).symmetric(uplo, hermitian), ToComplex(beta))
		for i := range want {
			if hermitian {
				want[i][i] = complex(real(want[i][i]), 0)
			}
		}
		update(uplo, op, hermitian, n, k, alpha, a, b, beta, have)
		wantMatrix(t, fmt.Sprintf("twice %v, uplo %d, op %d, hermitian %v, alpha %v, beta %v", twice, uplo, op,
			hermitian, alpha, beta), have, c, want.onlyTriangle(uplo))
	}
}

// TestEmptyMatricesNeedNoMemory calls level 3 routines without rows or without columns.
func TestEmptyMatricesNeedNoMemory(t *testing.T) {
	var none Matrix[float64]
	for _, size := range [][2]int{{0, 3}, {3, 0}, {0, 0}} {
		m, n := size[0], size[1]
		Gemm(None, None, m, n, 2, 1, none, none, 1, none)
		Trsm(Left, Upper, None, NonUnit, m, n, 1, none, none)
		Trmm(Left, Upper, None, NonUnit, m, n, 1, none, none)
		Symm(Left, Upper, false, m, n, 1, none, none, 1, none)
	}
}

// TestFactorsOfZero multiplies by an alpha of 0: no operand is read.
func TestFactorsOfZero(t *testing.T) {
	each(t, testZero[float32], testZero[float64], testZero[complex64], testZero[complex128])
}

func testZero[T Number](t *testing.T, r *rand.Rand) {
	const n = 40
	nan, c := Matrix[T]{slices.Repeat([]T{FromReal[T](math.NaN())}, n*n), n}, draw[T](r, n*n)
	doubled, zero := slices.Clone(c), make([]T, n*n)
	for i := range doubled {
		doubled[i] *= 2
	}
	for name, run := range map[string]struct {
		compute func(c Matrix[T])
		want    []T
	}{
		"trsm": {func(c Matrix[T]) { Trsm(Left, Upper, None, NonUnit, n, n, 0, nan, c) }, zero},
		"trmm": {func(c Matrix[T]) { Trmm(Right, Lower, Trans, Unit, n, n, 0, nan, c) }, zero},
		"symm": {func(c Matrix[T]) { Symm(Left, Upper, true, n, n, 0, nan, nan, 2, c) }, doubled},
		"gemm": {func(c Matrix[T]) { Gemm(None, Trans, n, n, n, 0, nan, nan, 2, c) }, doubled},
	} {
		have := Matrix[T]{slices.Clone(c), n}
		if run.compute(have); !slices.Equal(have.Data, run.want) {
			t.Errorf("%s reads an operand", name)
		}
	}
}
