package blas

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
	scaleAll(alpha, m, n, b)
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

// add adds a factor times the product of the other half of A, of which op has the given rows and columns on the left,
// or columns and rows on the right, and a half of B to the other one.
func (t triangular[T]) add(factor T, rows, depth, count int, off, from, to Matrix[T]) {
	if t.side == Left {
		gemmThreads(t.threads, t.op, None, rows, count, depth, factor, off, from, 1, to)
	} else {
		gemmThreads(t.threads, None, t.op, count, rows, depth, factor, from, off, 1, to)
	}
}

// small computes the result for a small matrix A by columns. On the left those are rows of B, which it copies to other
// memory and back, some at a time.
func (t triangular[T]) small(order, count int, a, b Matrix[T]) {
	const chunk = 128
	rows := min(chunk, count)
	withScratch(order*order+order*rows, func(memory []T) {
		w := weights[T]{order, t.diag == Unit, memory[:order*order]}
		w.read(t, a)
		if t.side == Right {
			w.columns(t.solve, t.forward(), count, b)
			return
		}
		x := Matrix[T]{memory[order*order:], rows}
		for ; count > 0; count -= chunk {
			n := min(chunk, count)
			for j := range n {
				for i, v := range b.Data[j*b.LD:][:order] {
					x.Data[j+i*x.LD] = v
				}
			}
			w.columns(t.solve, t.forward(), n, x)
			for j := range n {
				column := b.Data[j*b.LD:][:order]
				for i := range column {
					column[i] = x.Data[j+i*x.LD]
				}
			}
			b = b.From(0, chunk)
		}
	})
}

// weights has the elements of a small triangular matrix: at [i + j*order] the factor of column i in column j. Elements
// outside the triangle have any values.
type weights[T Number] struct {
	order int
	unit  bool
	of    []T
}

// read copies the triangle, which it transposes on the left unless op does.
func (w *weights[T]) read(t triangular[T], a Matrix[T]) {
	conj := t.op == ConjTrans && IsComplex[T]()
	turned := (t.op == None) == (t.side == Left)
	for j := range w.order {
		low, high := 0, j+1
		if t.uplo == Lower {
			low, high = j, w.order
		}
		for i, v := range a.Data[low+j*a.LD : high+j*a.LD] {
			if conj {
				v = Conj(v)
			}
			if turned {
				w.of[j+(low+i)*w.order] = v
			} else {
				w.of[low+i+j*w.order] = v
			}
		}
	}
}

// columns solves for, or multiplies, count rows of X. forward is the order of columns in a solution; a product has the
// reverse order, because its columns need the old values of those columns whose new values a solution needs.
func (w *weights[T]) columns(solve, forward bool, count int, x Matrix[T]) {
	for step := range w.order {
		j := step
		if forward != solve {
			j = w.order - 1 - step
		}
		column, diagonal := x.Data[j*x.LD:][:count], w.of[j+j*w.order]
		if !solve && !w.unit {
			scaleBy(diagonal, column)
		}
		low, high := 0, j
		if !forward {
			low, high = j+1, w.order
		}
		for i := low; i < high; i++ {
			factor := w.of[i+j*w.order]
			if solve {
				factor = -factor
			}
			Axpy(factor, x.Data[i*x.LD:][:count], column)
		}
		if solve && !w.unit {
			Divide(diagonal, column)
		}
	}
}
