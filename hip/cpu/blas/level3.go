package blas

import (
	"math"

	"roclua/hip/cpu/vector"
)

func as[T any](v any) T { return v.(T) }

// Gemm stores alpha op(A) op(B) + beta C in C, which is m x n; op(A) has k columns.
func Gemm[T Number](opA, opB Op, m, n, k int, alpha T, a Matrix[T], b Matrix[T], beta T, c Matrix[T]) {
	gemmThreads(Threads(), opA, opB, m, n, k, alpha, a, b, beta, c)
}

// gemmThreads is Gemm with at most the given number of threads.
func gemmThreads[T Number](
	threads int, opA, opB Op, m, n, k int, alpha T, a Matrix[T], b Matrix[T], beta T, c Matrix[T],
) {
	if m == 0 || n == 0 {
		return
	}
	if alpha == 0 || k == 0 {
		ScaleMatrix(beta, m, n, c)
		return
	}
	if factor := ToComplex(alpha); imag(factor) == 0 && m*n*k <= directSize {
		ScaleMatrix(beta, m, n, c)
		addDirectly(opA, opB, m, n, k, real(factor), a, b, c)
		return
	}
	gemmPanels(threads, opA, opB, m, n, k, alpha, a, b, beta, c)
}

// gemmPanels is gemmThreads for large matrices.
func gemmPanels[T Number](
	threads int, opA, opB Op, m, n, k int, alpha T, a Matrix[T], b Matrix[T], beta T, c Matrix[T],
) {
	switch x := any(a).(type) {
	case Matrix[float32]:
		realProduct(opA, opB, m, n, k, as[float32](alpha), x, as[Matrix[float32]](b),
			as[float32](beta), as[Matrix[float32]](c)).run(threads)
	case Matrix[float64]:
		realProduct(opA, opB, m, n, k, as[float64](alpha), x, as[Matrix[float64]](b),
			as[float64](beta), as[Matrix[float64]](c)).run(threads)
	case Matrix[complex64]:
		ScaleMatrix(beta, m, n, c)
		complexProduct[float32](opA, opB, m, n, k, as[complex64](alpha), x, as[Matrix[complex64]](b),
			as[Matrix[complex64]](c)).run(threads)
	case Matrix[complex128]:
		ScaleMatrix(beta, m, n, c)
		complexProduct[float64](opA, opB, m, n, k, as[complex128](alpha), x, as[Matrix[complex128]](b),
			as[Matrix[complex128]](c)).run(threads)
	}
}

// ScaleMatrix multiplies the m x n elements of C by beta.
func ScaleMatrix[T Number](beta T, m, n int, c Matrix[T]) {
	for j := range n {
		scaleSlice(beta, c.Data[j*c.LD:][:m])
	}
}

// Trsm replaces B, m x n, by the solution X of op(A) X = alpha B, or X op(A) = alpha B.
func Trsm[T Number](side Side, uplo Uplo, op Op, diag Diag, m, n int, alpha T, a Matrix[T], b Matrix[T]) {
	triangular[T]{true, side, uplo, op, diag, Threads()}.all(m, n, alpha, a, b)
}

// Trmm replaces B, m x n, by alpha op(A) B, or alpha B op(A).
func Trmm[T Number](side Side, uplo Uplo, op Op, diag Diag, m, n int, alpha T, a Matrix[T], b Matrix[T]) {
	triangular[T]{false, side, uplo, op, diag, Threads()}.all(m, n, alpha, a, b)
}

// symmetricColumns is the number of columns of a symmetric matrix that are multiplied at once.
const symmetricColumns = 256

// Symm stores alpha A B + beta C, or alpha B A + beta C, in C, m x n, with A symmetric, or Hermitian.
func Symm[T Number](side Side, uplo Uplo, hermitian bool, m, n int, alpha T, a, b Matrix[T], beta T, c Matrix[T]) {
	if m == 0 || n == 0 {
		return
	}
	ScaleMatrix(beta, m, n, c)
	if alpha == 0 {
		return
	}
	order := m
	if side == Right {
		order = n
	}
	WithScratch(order*min(order, symmetricColumns), func(memory []T) {
		columns := Matrix[T]{memory, order}
		for from := 0; from < order; from += symmetricColumns {
			count := min(symmetricColumns, order-from)
			CopySymmetric(uplo, hermitian, order, from, count, a, columns)
			if side == Left {
				Gemm(None, None, m, n, count, alpha, columns, b.From(from, 0), 1, c)
			} else {
				Gemm(None, None, m, count, n, alpha, b, columns, 1, c.From(0, from))
			}
		}
	})
}

// mirrored is the number of columns whose stored rows are transposed at once.
const mirrored = 16

// CopySymmetric copies columns of a symmetric or Hermitian matrix, with all their elements.
func CopySymmetric[T Number](uplo Uplo, hermitian bool, order, from, count int, a, to Matrix[T]) {
	mirror := func(rows, columns int, a, to Matrix[T]) {
		transpose(to.Data, to.LD, a.Data, a.LD, rows, columns)
		if hermitian {
			conjugate(rows, columns, to)
		}
	}
	for end := from + count; from < end; from += mirrored {
		n := min(mirrored, end-from)
		after := from + n
		if uplo == Upper {
			CopyMatrix(from, n, a.From(0, from), to)
			mirror(order-after, n, a.From(from, after), to.From(after, 0))
		} else {
			mirror(from, n, a.From(from, 0), to)
			CopyMatrix(order-after, n, a.From(after, from), to.From(after, 0))
		}
		for j := range n {
			for i := range n {
				to.Set(from+i, j, symmetricAt(uplo, hermitian, a, from+i, from+j))
			}
		}
		to = to.From(0, n)
	}
}

// Combine joins each element of D, m x n, with a row of alpha op(A) and a column of alpha op(B), which have k elements:
// with the minimum of the sums of their elements, and largest, or if plus is true with the sum of the smaller elements.
// A NaN is not smaller than any number.
func Combine[T Number](plus bool, opA, opB Op, m, n, k int, alpha T, a, b Matrix[T], largest float64, d Matrix[T]) {
	for j := range n {
		column := d.Data[j*d.LD:][:m]
		for i, v := range column {
			if !plus {
				column[i] = smaller(v, FromReal[T](largest))
			}
		}
		for l := range k {
			y := alpha * b.at(opB, l, j)
			for i, v := range column {
				if x := alpha * a.at(opA, i, l); plus {
					column[i] = v + smaller(x, y)
				} else {
					column[i] = smaller(v, x+y)
				}
			}
		}
	}
}

// smaller returns the smaller one of two real numbers, and the other one if one is NaN.
func smaller[T Number](x, y T) T {
	if v, w := Real(x), Real(y); w < v || math.IsNaN(v) {
		return y
	}
	return x
}

// at returns op(A)(i, j).
func (m Matrix[T]) at(op Op, i, j int) T {
	if op == None {
		return m.At(i, j)
	}
	return m.At(j, i)
}

// Add stores alpha op(A) + beta op(B) in C, m x n, which may be A or B. A matrix whose factor is 0 is not read.
func Add[T Number](opA, opB Op, m, n int, alpha T, a Matrix[T], beta T, b, c Matrix[T]) {
	for j := range n {
		for i := range m {
			var sum T
			if alpha != 0 {
				sum = alpha * conjIf(opA == ConjTrans, a.at(opA, i, j))
			}
			if beta != 0 {
				sum += beta * conjIf(opB == ConjTrans, b.at(opB, i, j))
			}
			c.Set(i, j, sum)
		}
	}
}

// MultiplyDiagonal stores A with its rows on the left, or its columns on the right, multiplied by the elements of x in
// C, m x n, which may be A.
func MultiplyDiagonal[T Number](side Side, m, n int, a Matrix[T], x []T, c Matrix[T]) {
	for j := range n {
		for i := range m {
			factor := j
			if side == Left {
				factor = i
			}
			c.Set(i, j, a.At(i, j)*x[factor])
		}
	}
}

// smallSymmetric is the order of diagonal blocks that are computed as full matrices.
const smallSymmetric = 32

// transposed returns the operation that makes the other triangle from the stored one.
func transposed(hermitian bool) Op {
	if hermitian {
		return ConjTrans
	}
	return Trans
}

// triangular is a product of a triangular matrix and B, or the solution of such a system, in place. The matrix is
// halved until it is small, so that almost all of the work are products of large matrices.
type triangular[T Number] struct {
	solve   bool
	side    Side
	uplo    Uplo
	op      Op
	diag    Diag
	threads int // of products
}

// smallTriangle is the order of the matrices that are not halved.
const smallTriangle = 32

// all computes alpha times the result, for a matrix A and an m x n matrix B. Columns of B on the left, and rows on the
// right, do not depend on each other: threads share them.
func (t triangular[T]) all(m, n int, alpha T, a, b Matrix[T]) {
	if m == 0 || n == 0 {
		return
	}
	ScaleMatrix(alpha, m, n, b)
	if alpha == 0 {
		return
	}
	order, count := m, n
	if t.side == Right {
		order, count = n, m
	}
	if count <= t.narrowest() {
		t.narrow(order, count, a, b)
		return
	}
	part := count
	if t.threads > 1 && m*n*order/2 >= 2*worthAThread {
		part = max(64, roundUp((count+2*t.threads-1)/(2*t.threads), 16))
	}
	if part < count {
		threads := t.threads
		t.threads = 1
		Parallel(threads, (count+part-1)/part, func(task int) {
			from := task * part
			t.halve(order, min(part, count-from), a, t.shifted(b, from))
		})
		return
	}
	t.halve(order, count, a, b)
}

// shifted returns the part of B from a column on the left, or a row on the right.
func (t triangular[T]) shifted(b Matrix[T], from int) Matrix[T] {
	if t.side == Left {
		return b.From(0, from)
	}
	return b.From(from, 0)
}

// forward reports whether the first half of B is computed before the second half when a system is solved.
func (t triangular[T]) forward() bool {
	return ((t.uplo == Lower) == (t.op == None)) == (t.side == Left)
}

// halve computes the result for a matrix A of an order. B has count columns on the left, or rows on the right.
func (t triangular[T]) halve(order, count int, a, b Matrix[T]) {
	if order <= smallTriangle {
		t.small(order, count, a, b)
		return
	}
	h := roundUp(order/2, smallTriangle/2)
	second, off := b.From(h, 0), a.From(h, 0)
	if t.side == Right {
		second = b.From(0, h)
	}
	if t.uplo == Upper {
		off = a.From(0, h)
	}
	first := func() { t.halve(h, count, a, b) }
	last := func() { t.halve(order-h, count, a.From(h, h), second) }
	switch {
	case t.solve && t.forward():
		first()
		t.add(-1, order-h, h, count, off, b, second)
		last()
	case t.solve:
		last()
		t.add(-1, h, order-h, count, off, second, b)
		first()
	case t.forward():
		last()
		t.add(1, order-h, h, count, off, b, second)
		first()
	default:
		first()
		t.add(1, h, order-h, count, off, second, b)
		last()
	}
}

// add adds a factor times the product of the off-diagonal block of A and a half of B to the other half of B. op of the
// block has the given rows and depth on the left, or depth and rows on the right.
func (t triangular[T]) add(factor T, rows, depth, count int, off, from, to Matrix[T]) {
	if t.side == Left {
		gemmThreads(t.threads, t.op, None, rows, count, depth, factor, off, from, 1, to)
	} else {
		gemmThreads(t.threads, None, t.op, count, rows, depth, factor, from, off, 1, to)
	}
}

// small computes the result for a small matrix A by columns. On the left the columns of X are rows of B, which are
// copied to other memory and back, some at a time.
func (t triangular[T]) small(order, count int, a, b Matrix[T]) {
	f := t.factors(a)
	if t.side == Right {
		t.columns(order, count, f, b)
		return
	}
	const chunk = 128
	rows := min(chunk, count)
	WithScratch(order*rows, func(memory []T) {
		x := Matrix[T]{memory, rows}
		for ; count > 0; count -= chunk {
			n := min(chunk, count)
			transpose(x.Data, x.LD, b.Data, b.LD, n, order)
			t.columns(order, n, f, x)
			transpose(b.Data, b.LD, x.Data, x.LD, order, n)
			b = b.From(0, chunk)
		}
	})
}

// factors returns A as factors of columns of X, which are rows of B on the left: element (i, j) is the factor of column
// i in column j.
func (t triangular[T]) factors(a Matrix[T]) vector.Factor[T] {
	f := vector.Factor[T]{Data: a.Data, Down: 1, Right: a.LD, Conj: t.op == ConjTrans && IsComplex[T]()}
	if (t.op == None) == (t.side == Left) {
		f.Down, f.Right = f.Right, f.Down
	}
	return f
}

// columns solves for, or multiplies, count rows of X. A product computes the columns in the reverse order of a
// solution, because its columns need the old values of the columns whose new values a solution needs.
func (t triangular[T]) columns(order, count int, f vector.Factor[T], x Matrix[T]) {
	alpha, forward := 1.0, t.forward()
	if t.solve {
		alpha = -1
	}
	for step := range order {
		j := step
		if forward != t.solve {
			j = order - 1 - step
		}
		column, diagonal := x.Data[j*x.LD:][:count], T(1)
		if t.diag == NonUnit {
			diagonal = conjIf(f.Conj, f.Data[j*(f.Down+f.Right)])
		}
		if !t.solve && t.diag == NonUnit {
			vector.Scale(diagonal, column)
		}
		low, high := 0, j
		if !forward {
			low, high = j+1, order
		}
		if low < high {
			others := f
			others.Data = f.Data[low*f.Down+j*f.Right:]
			vector.Update(count, 1, high-low, alpha, x.Data[low*x.LD:], x.LD, others, column, x.LD)
		}
		if t.solve && t.diag == NonUnit {
			Divide(diagonal, column)
		}
	}
}

// rankUpdate is an update of one triangle of C: beta C plus alpha op(A) op(B) for each term. With hermitian the
// diagonal is real.
type rankUpdate[T Number] struct {
	uplo      Uplo
	opA, opB  Op
	hermitian bool
	k         int
	beta      T
	terms     []rankTerm[T]
}

// rankTerm is a product of an update.
type rankTerm[T Number] struct {
	alpha T
	a, b  Matrix[T]
}

// all updates the block of order n on the diagonal that begins in a row, which it halves. The halves are independent of
// each other: threads share them.
func (u *rankUpdate[T]) all(threads, from, n int, c Matrix[T]) {
	if n <= smallSymmetric {
		u.diagonal(from, n, c)
		return
	}
	h := roundUp(n/2, smallSymmetric)
	row, col, height, width := h, 0, n-h, h
	if u.uplo == Upper {
		row, col, height, width = col, row, width, height
	}
	u.product(threads, from+row, from+col, height, width, u.beta, c.From(row, col))
	if n*n/2*u.k < worthAThread {
		threads = 1
	}
	Parallel(threads, 2, func(half int) {
		if half == 0 {
			u.all((threads+1)/2, from, h, c)
		} else {
			u.all((threads+1)/2, from+h, n-h, c.From(h, h))
		}
	})
}

// product stores the terms of a block plus beta C in C.
func (u *rankUpdate[T]) product(threads, row, col, height, width int, beta T, c Matrix[T]) {
	for _, t := range u.terms {
		a, b := t.a.From(row, 0), t.b.From(col, 0)
		if u.opA != None {
			a = t.a.From(0, row)
		}
		if u.opB == None {
			b = t.b.From(0, col)
		}
		gemmThreads(threads, u.opA, u.opB, height, width, u.k, t.alpha, a, b, beta, c)
		beta = 1
	}
}

// diagonal updates a small block by the triangle of its product.
func (u *rankUpdate[T]) diagonal(from, n int, c Matrix[T]) {
	WithScratch(n*n, func(memory []T) {
		full := Matrix[T]{memory, n}
		u.product(1, from, from, n, n, 0, full)
		u.addTriangle(n, full, c)
	})
}

// addTriangle stores the triangle of a product plus beta C in C, of order n.
func (u *rankUpdate[T]) addTriangle(n int, product, c Matrix[T]) {
	for j := range n {
		low, high := 0, j+1
		if u.uplo == Lower {
			low, high = j, n
		}
		column, diagonal := c.Data[j*c.LD:], j*(c.LD+1)
		if u.hermitian && u.beta != 0 {
			c.Data[diagonal] = FromReal[T](Real(c.Data[diagonal]))
		}
		scaleSlice(u.beta, column[low:high])
		Axpy(1, product.Data[low+j*product.LD:high+j*product.LD], column[low:])
		if u.hermitian {
			c.Data[diagonal] = FromReal[T](Real(c.Data[diagonal]))
		}
	}
}

// RankK adds alpha op(A) op(B)^T to the triangle uplo of beta C, of order n. With hermitian it takes the adjoint
// instead of the transpose and makes the diagonal real. op(A) and op(B) have k columns. For complex types op is None,
// or ConjTrans with hermitian and Trans without. With B = A it is syrk and herk, otherwise syrkx and herkx.
func RankK[T Number](uplo Uplo, op Op, hermitian bool, n, k int, alpha T, a, b Matrix[T], beta T, c Matrix[T]) {
	u := rankUpdate[T]{uplo, op, flipped(op, hermitian), hermitian, k, beta, []rankTerm[T]{{alpha, a, b}}}
	u.all(Threads(), 0, n, c)
}

// flipped returns the operation on the second factor of a rank-k update, whose first one has the given operation.
func flipped(op Op, hermitian bool) Op {
	if op != None {
		return None
	}
	return transposed(hermitian)
}

// TriangleOfProduct adds the triangle uplo of alpha op(A) op(B) to the triangle of beta C, of order n. op(A) has k
// columns.
func TriangleOfProduct[T Number](uplo Uplo, opA, opB Op, n, k int, alpha T, a, b Matrix[T], beta T, c Matrix[T]) {
	u := rankUpdate[T]{uplo, opA, opB, false, k, beta, []rankTerm[T]{{alpha, a, b}}}
	u.all(Threads(), 0, n, c)
}

// Rank2K adds alpha op(A) op(B)^T and its transpose, or with hermitian its adjoint, to the triangle uplo of beta C. op
// is as for RankK.
func Rank2K[T Number](uplo Uplo, op Op, hermitian bool, n, k int, alpha T, a, b Matrix[T], beta T, c Matrix[T]) {
	terms := []rankTerm[T]{{alpha, a, b}, {conjIf(hermitian, alpha), b, a}}
	u := rankUpdate[T]{uplo, op, flipped(op, hermitian), hermitian, k, beta, terms}
	u.all(Threads(), 0, n, c)
}
