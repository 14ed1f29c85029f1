package blas

// smallSymmetric is the order of diagonal blocks that are computed as full matrices.
const smallSymmetric = 64

// symmetric is the product of a symmetric or Hermitian matrix, of which one triangle is stored, and a matrix.
type symmetric[T Number] struct {
	side      Side
	uplo      Uplo
	hermitian bool
	alpha     T
}

// add adds alpha A B, or alpha B A, to C. A has the given order; B and C have count columns on the left, or rows on the
// right.
func (s *symmetric[T]) add(order, count int, a, b, c Matrix[T]) {
	if order <= smallSymmetric {
		full := Matrix[T]{make([]T, order*order), order}
		for j := range order {
			for i := range order {
				full.Set(i, j, symmetricAt(s.uplo, s.hermitian, a, i, j))
			}
		}
		s.addProduct(None, order, order, count, full, b, c)
		return
	}
	h := roundUp(order/2, smallSymmetric/2)
	rest := order - h
	b2, c2 := b.From(h, 0), c.From(h, 0)
	if s.side == Right {
		b2, c2 = b.From(0, h), c.From(0, h)
	}
	other := transposed(s.hermitian)
	lowerLeft, opLower, opUpper := a.From(h, 0), None, other
	if s.uplo == Upper {
		lowerLeft, opLower, opUpper = a.From(0, h), other, None
	}
	s.add(h, count, a, b, c)
	s.add(rest, count, a.From(h, h), b2, c2)
	if s.side == Left {
		s.addProduct(opLower, rest, h, count, lowerLeft, b, c2)
		s.addProduct(opUpper, h, rest, count, lowerLeft, b2, c)
	} else {
		s.addProduct(opUpper, rest, h, count, lowerLeft, b, c2)
		s.addProduct(opLower, h, rest, count, lowerLeft, b2, c)
	}
}

// transposed returns the operation that makes the other triangle from the stored one.
func transposed(hermitian bool) Op {
	if hermitian {
		return ConjTrans
	}
	return Trans
}

// addProduct adds the product of a part of A and a part of B, with depth common elements, to a part of C.
func (s *symmetric[T]) addProduct(op Op, rows, depth, count int, a, b, c Matrix[T]) {
	if s.side == Left {
		gemmGo(op, None, rows, count, depth, s.alpha, a, b, 1, c)
	} else {
		gemmGo(None, op, count, rows, depth, s.alpha, b, a, 1, c)
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

// all updates a matrix of order n. Blocks on the diagonal are independent of each other: threads share them.
func (u *rankUpdate[T]) all(threads, n int, c Matrix[T]) {
	block := n
	if n > 2*smallSymmetric {
		block = 2 * smallSymmetric
		u.off(threads, 0, n, block, c)
	}
	if block == 0 {
		return
	}
	blocks := (n + block - 1) / block
	if n*n/2*u.k < worthAThread {
		threads = 1
	}
	Parallel(threads, blocks, func(i int) { u.diagonal(i*block, min(block, n-i*block), c) })
}

// off updates the part of the triangle that is outside the diagonal blocks, of n rows from the given one.
func (u *rankUpdate[T]) off(threads, from, n, block int, c Matrix[T]) {
	if n <= block {
		return
	}
	h := roundUp(n/2, block)
	rows, cols, height, width := from+h, from, n-h, h
	if u.uplo == Upper {
		rows, cols, height, width = cols, rows, width, height
	}
	u.product(threads, rows, cols, height, width, u.beta, c.From(rows, cols))
	u.off(threads, from, h, block, c)
	u.off(threads, from+h, n-h, block, c)
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

// diagonal updates a block of order n on the diagonal.
func (u *rankUpdate[T]) diagonal(from, n int, c Matrix[T]) {
	if n > smallSymmetric/2 {
		u.off(1, from, n, smallSymmetric/2, c)
	}
	for end := from + n; from < end; from += smallSymmetric / 2 {
		n := min(smallSymmetric/2, end-from)
		WithScratch(n*n, func(memory []T) {
			full := Matrix[T]{memory, n}
			u.product(1, from, from, n, n, 0, full)
			u.addTriangle(n, full, c.From(from, from))
		})
	}
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
