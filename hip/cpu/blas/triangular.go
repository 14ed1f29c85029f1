package blas

import "roclua/hip/cpu/vector"

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
