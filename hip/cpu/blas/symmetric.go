package blas

// smallSymmetric is the order of diagonal blocks that are computed as full matrices.
const smallSymmetric = 64

// symmetric is the product of a symmetric or Hermitian matrix, with one triangle stored, and a matrix.
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
		Gemm(op, None, rows, count, depth, s.alpha, a, b, 1, c)
	} else {
		Gemm(None, op, count, rows, depth, s.alpha, b, a, 1, c)
	}
}
