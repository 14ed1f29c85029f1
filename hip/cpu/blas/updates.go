package blas

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

// RankK adds alpha op(A) op(B)^T to the triangle uplo of beta C, of order n. With hermitian it takes the adjoint
// instead of the transpose and makes the diagonal real. op(A) and op(B) have k columns. For complex types op is None,
// or ConjTrans with hermitian and Trans without. With B = A it is syrk and herk, otherwise syrkx and herkx.
func RankK[T Number](uplo Uplo, op Op, hermitian bool, n, k int, alpha T, a, b Matrix[T], beta T, c Matrix[T]) {
	u := rankUpdate[T]{uplo, op, flipped(op, hermitian), hermitian, k, beta, []rankTerm[T]{{alpha, a, b}}}
	u.all(Threads(), n, c)
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
	u.all(Threads(), n, c)
}

// Rank2K adds alpha op(A) op(B)^T and its transpose, or with hermitian its adjoint, to the triangle uplo of beta C. op
// is as for RankK.
func Rank2K[T Number](uplo Uplo, op Op, hermitian bool, n, k int, alpha T, a, b Matrix[T], beta T, c Matrix[T]) {
	terms := []rankTerm[T]{{alpha, a, b}, {conjIf(hermitian, alpha), b, a}}
	u := rankUpdate[T]{uplo, op, flipped(op, hermitian), hermitian, k, beta, terms}
	u.all(Threads(), n, c)
}
