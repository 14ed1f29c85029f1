package lapack

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"roclua/hip/cpu/blas"
)

var forms = []Form{QR, QL, LQ, RQ}

// storage returns the rows and columns of the matrix that keeps k vectors of an order.
func (f Form) storage(order, k int) (rows, cols int) {
	if f.Rows {
		return k, order
	}
	return order, k
}

// explicit returns H, the product of k reflections of an order, one reflection after the other.
func explicit[T blas.Number](form Form, order, k int, v blas.Matrix[T], tau []T) blas.Matrix[T] {
	h := part(blas.Matrix[T]{}, order, order, func(int, int) bool { return false })
	for i := range order {
		h.Set(i, i, 1)
	}
	w := blockIn(make([]T, blockSize(order, k)), form, order, k, v).w
	for i := range k {
		scalar := tau[i]
		if form.Backward {
			scalar = tau[k-1-i] // the vectors are in the reverse order
		}
		column := blas.Matrix[T]{Data: w.Data[i*w.LD:], LD: order}
		inner := product(blas.None, blas.None, order, 1, order, h, column)
		blas.Gemm(blas.None, blas.ConjTrans, order, order, 1, -scalar, inner, column, 1, h)
	}
	return h
}

// TestVectors compares the vectors of each form with the rows and columns of a matrix that keeps them. Its nines are
// elements of the triangle.
func TestVectors(t *testing.T) {
	for _, test := range []struct {
		form    Form
		v, want blas.Matrix[complex128]
	}{
		{QR, blas.Matrix[complex128]{Data: []complex128{9, 1i, 2i, 9, 9, 4i}, LD: 3},
			blas.Matrix[complex128]{Data: []complex128{1, 1i, 2i, 0, 1, 4i}, LD: 3}},
		{QL, blas.Matrix[complex128]{Data: []complex128{1i, 9, 9, 2i, 4i, 9}, LD: 3},
			blas.Matrix[complex128]{Data: []complex128{2i, 4i, 1, 1i, 1, 0}, LD: 3}},
		{LQ, blas.Matrix[complex128]{Data: []complex128{9, 9, 1i, 9, 2i, 4i}, LD: 2},
			blas.Matrix[complex128]{Data: []complex128{1, -1i, -2i, 0, 1, -4i}, LD: 3}},
		{RQ, blas.Matrix[complex128]{Data: []complex128{1i, 2i, 9, 4i, 9, 9}, LD: 2},
			blas.Matrix[complex128]{Data: []complex128{-2i, -4i, 1, -1i, 1, 0}, LD: 3}},
	} {
		wantSame(t, fmt.Sprintf("%+v", test.form), 3, 2,
			blockIn(make([]complex128, blockSize(3, 2)), test.form, 3, 2, test.v).w, test.want, 1)
	}
}

func TestReflectionBlocks(t *testing.T) {
	each(t, testBlocks[float32], testBlocks[float64], testBlocks[complex64], testBlocks[complex128])
}

// testBlocks compares I - V T V^H with the product of the reflections, and products with it.
func testBlocks[T blas.Number](t *testing.T, r *rand.Rand) {
	for _, size := range []struct{ order, k int }{{1, 1}, {5, 5}, {9, 3}, {40, 19}} {
		for _, form := range forms {
			order, k := size.order, size.k
			what := fmt.Sprintf("%+v, order %d, %d reflections", form, order, k)
			v, tau := reflections[T](r, form, order, k)
			h, t0 := explicit(form, order, k, v, tau), draw[T](r, k, k)
			unread, before := clone(t0), clone(v)
			Larft(form, order, k, v, tau, t0)
			wantUnchanged(t, "V, "+what, v, before, func(int, int) bool { return false })
			wantUnchanged(t, "T, "+what, t0, unread, func(i, _ int) bool { return i < k })
			for j := range k {
				for i := range k {
					if (i > j) != form.Backward && i != j && t0.At(i, j) != 0 {
						t.Errorf("%s: T(%d, %d) is %v, want 0", what, i, j, t0.At(i, j))
					}
					if (i > j) != form.Backward && i != j {
						t0.Set(i, j, 1e30) // Larfb does not read it
					}
				}
			}
			const count = 7
			for _, side := range []blas.Side{blas.Left, blas.Right} {
				for _, op := range []blas.Op{blas.None, blas.ConjTrans} {
					m, n := order, count
					if side == blas.Right {
						m, n = count, order
					}
					c := draw[T](r, m, n)
					have := clone(c)
					Larfb(form, side, op, m, n, k, v, t0, have)
					wantSame(t, what, m, n, have, multiplied(side, op, m, n, h, c), 100)
					wantUnchanged(t, what, have, c, func(i, _ int) bool { return i < m })
				}
			}
		}
	}
}

// multiplied returns op(H) C or C op(H).
func multiplied[T blas.Number](side blas.Side, op blas.Op, m, n int, h, c blas.Matrix[T]) blas.Matrix[T] {
	if side == blas.Left {
		return product(op, blas.None, m, n, m, h, c)
	}
	return product(blas.None, op, m, n, n, c, h)
}

// reflections draws the vectors and scalars of k reflections by a factorization.
func reflections[T blas.Number](r *rand.Rand, form Form, order, k int) (v blas.Matrix[T], tau []T) {
	rows, cols := form.storage(order, k)
	v, tau = draw[T](r, rows, cols), make([]T, k)
	Factor(form, rows, cols, v, tau)
	return v, tau
}

func TestFactor(t *testing.T) {
	each(t, testFactor[float32], testFactor[float64], testFactor[complex64], testFactor[complex128])
}

// testFactor multiplies the factors of each factorization.
func testFactor[T blas.Number](t *testing.T, r *rand.Rand) {
	for _, size := range []struct{ m, n int }{{1, 1}, {1, 3}, {3, 1}, {6, 6}, {9, 4}, {4, 9},
		{reflectorWidth + 9, reflectorWidth + 5}, {reflectorWidth + 5, reflectorWidth + 20}} {
		for _, form := range forms {
			m, n := size.m, size.n
			k := min(m, n)
			what := fmt.Sprintf("%+v, %d x %d", form, m, n)
			a := draw[T](r, m, n)
			factors, tau := clone(a), make([]T, k)
			Factor(form, m, n, factors, tau)
			wantUnchanged(t, what, factors, a, func(i, _ int) bool { return i < m })
			shift := 0
			if form.Backward {
				shift = m - n
			}
			triangle := part(factors, m, n, func(i, j int) bool {
				return i == j+shift || (i < j+shift) == (form == QR || form == RQ)
			})
			for j := range n {
				i := j + shift
				if i < 0 || i >= m {
					continue
				}
				if d := triangle.At(i, j); d != blas.FromReal[T](blas.Real(d)) {
					t.Errorf("%s: the diagonal has %v, want a real number", what, d)
				}
			}
			order, side, op := m, blas.Left, blas.None
			if form.Rows {
				order, side, op = n, blas.Right, blas.ConjTrans
			}
			h := explicit(form, order, k, vectorsIn(form, m, n, k, factors), tau)
			wantSame(t, what, m, n, multiplied(side, op, m, n, h, triangle), a, float64(10*(m+n)))
		}
	}
}

// vectorsIn returns the part of an m x n matrix that keeps k vectors.
func vectorsIn[T blas.Number](form Form, m, n, k int, a blas.Matrix[T]) blas.Matrix[T] {
	switch {
	case !form.Backward:
		return a
	case form.Rows:
		return a.From(m-k, 0)
	}
	return a.From(0, n-k)
}

func TestGenerateAndMultiply(t *testing.T) {
	each(t, testGenerate[float32], testGenerate[float64], testGenerate[complex64], testGenerate[complex128])
}

// testGenerate compares the generated matrix with rows and columns of the product of the reflections, and multiplies.
func testGenerate[T blas.Number](t *testing.T, r *rand.Rand) {
	for _, size := range []struct{ order, width, k int }{{1, 1, 1}, {4, 4, 0}, {5, 3, 3}, {6, 6, 4}, {9, 5, 2},
		{3, 0, 0},
		{2*reflectorWidth + 9, reflectorWidth + 9, reflectorWidth + 4},
		{reflectorWidth + 9, reflectorWidth + 9, reflectorWidth}} {
		for _, form := range forms {
			order, k := size.order, size.k
			what := fmt.Sprintf("%+v, %+v", form, size)
			v, tau := reflections[T](r, form, order, k)
			q := explicit(form, order, k, v, tau)
			if form.Rows {
				q = product(blas.ConjTrans, blas.None, order, order, order, q, eye[T](order))
			}
			m, n := form.storage(order, size.width)
			a := draw[T](r, m, n)
			rows, cols := form.storage(order, k)
			blas.CopyMatrix(rows, cols, v, vectorsIn(form, m, n, k, a))
			before := clone(a)
			Generate(form, m, n, k, a, tau)
			if form.Backward {
				q = q.From(order-m, order-n)
			}
			wantSame(t, "Q, "+what, m, n, a, q, 100)
			wantUnchanged(t, what, a, before, func(i, _ int) bool { return i < m })
			testMultiply(t, r, form, order, k, v, tau, what)
		}
	}
}

func testMultiply[T blas.Number](
	t *testing.T, r *rand.Rand, form Form, order, k int, v blas.Matrix[T], tau []T, what string,
) {
	t.Helper()
	q := explicit(form, order, k, v, tau)
	if form.Rows {
		q = product(blas.ConjTrans, blas.None, order, order, order, q, eye[T](order))
	}
	ops := []blas.Op{blas.None, blas.ConjTrans}
	if !blas.IsComplex[T]() {
		ops = append(ops, blas.Trans)
	}
	const count = 5
	for _, op := range ops {
		for _, side := range []blas.Side{blas.Left, blas.Right} {
			m, n := order, count
			if side == blas.Right {
				m, n = count, order
			}
			c := draw[T](r, m, n)
			have := clone(c)
			Multiply(form, side, op, m, n, k, v, tau, have)
			wantSame(t, fmt.Sprintf("%s, side %d, op %d", what, side, op), m, n, have,
				multiplied(side, op, m, n, q, c), 100)
			wantUnchanged(t, what, have, c, func(i, _ int) bool { return i < m })
		}
	}
}

func eye[T blas.Number](n int) blas.Matrix[T] {
	out := blas.Matrix[T]{Data: make([]T, max(1, n*n)), LD: max(1, n)}
	for i := range n {
		out.Set(i, i, 1)
	}
	return out
}
