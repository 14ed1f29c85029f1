package lapack

import (
	"roclua/hip/cpu/blas"
)

// Generate replaces the vectors of k reflections in A, m x n, by rows or columns of Q: the first n columns for QR, the
// last n columns for QL, the first m rows for LQ, the last m rows for RQ. The vectors are in the first k columns or
// rows of A, in the last ones for backward forms.
func Generate[T blas.Number](form Form, m, n, k int, a blas.Matrix[T], tau []T) {
	if m == 0 || n == 0 {
		return
	}
	v := blas.Matrix[T]{Data: make([]T, m*n), LD: m}
	blas.CopyMatrix(m, n, a, v)
	for j := range n {
		column := a.Data[j*a.LD:][:m]
		clear(column)
		one := j
		if form.Backward {
			one += m - n
		}
		if one >= 0 && one < m {
			column[one] = 1
		}
	}
	side, op, order := blas.Left, blas.None, m
	if form.Rows {
		side, op, order = blas.Right, blas.ConjTrans, n
	}
	if form.Backward && form.Rows {
		v = v.From(m-k, 0)
	} else if form.Backward {
		v = v.From(0, n-k)
	}
	// The blocks from the last to the first one. Rows and columns of the identity before a block stay as they are.
	blas.WithScratch(blockSize(order, min(reflectorWidth, k)), func(memory []T) {
		for j := (k - 1) / reflectorWidth * reflectorWidth; k > 0 && j >= 0; j -= reflectorWidth {
			b, _ := blockAt(memory, form, order, k, j, v, tau)
			part, count := a.From(j, j), n-j
			if form.Backward {
				part = a
			}
			if form.Rows {
				count = m - j
			}
			b.apply(side, op, count, part)
		}
	})
}

// blockAt makes the block that begins with reflection j of the product H. Its order is the order of the part of a
// matrix that it changes: from row or column j, or up to j before the end for backward forms.
func blockAt[T blas.Number](
	memory []T, form Form, order, k, j int, v blas.Matrix[T], tau []T,
) (b block[T], from int) {
	width := min(reflectorWidth, k-j)
	if !form.Backward {
		return newBlock(memory, form, order-j, width, v.From(j, j), tau[j:]), j
	}
	first := k - j - width
	part := v.From(0, first)
	if form.Rows {
		part = v.From(first, 0)
	}
	return newBlock(memory, form, order-j, width, part, tau[first:]), 0
}

// Multiply multiplies C, m x n, by op(Q) from a side, Q being the product of k reflections in A. op is not blas.Trans
// for complex types.
func Multiply[T blas.Number](
	form Form, side blas.Side, op blas.Op, m, n, k int, a blas.Matrix[T], tau []T, c blas.Matrix[T],
) {
	order, count := m, n
	if side == blas.Right {
		order, count = n, m
	}
	adjoint := (op != blas.None) != form.Rows // Q of rows is the adjoint of the product
	op = blas.None
	if adjoint {
		op = blas.ConjTrans
	}
	blocks := (k + reflectorWidth - 1) / reflectorWidth
	blas.WithScratch(blockSize(order, min(reflectorWidth, k)), func(memory []T) {
		for step := range blocks {
			j := step * reflectorWidth
			if adjoint == (side == blas.Right) {
				j = (blocks - 1 - step) * reflectorWidth
			}
			b, from := blockAt(memory, form, order, k, j, a, tau)
			part := c.From(from, 0)
			if side == blas.Right {
				part = c.From(0, from)
			}
			b.apply(side, op, count, part)
		}
	})
}

// Orgtr replaces the reflections of Sytrd in A by Q.
func Orgtr[T blas.Number](uplo blas.Uplo, n int, a blas.Matrix[T], tau []T) {
	q := newMatrix[T](n, n)
	for i := range n {
		q.Set(i, i, 1)
	}
	Ormtr(blas.Left, uplo, blas.None, n, n, a, tau, q)
	blas.CopyMatrix(n, n, q, a)
}

// Ormtr multiplies C, m x n, by op(Q) from a side, Q being the product of the reflections of Sytrd in A.
func Ormtr[T blas.Number](
	side blas.Side, uplo blas.Uplo, op blas.Op, m, n int, a blas.Matrix[T], tau []T,
	c blas.Matrix[T],
) {
	order := m
	if side == blas.Right {
		order = n
	}
	if order < 2 {
		return
	}
	// Q is the identity in the first row and column of a lower triangle, in the last ones of an upper triangle.
	form, v, from := QR, a.From(1, 0), 1
	if uplo == blas.Upper {
		form, v, from = QL, a.From(0, 1), 0
	}
	if side == blas.Left {
		Multiply(form, side, op, m-1, n, m-1, v, tau, c.From(from, 0))
	} else {
		Multiply(form, side, op, m, n-1, n-1, v, tau, c.From(0, from))
	}
}

// Orgbr replaces the reflections of Gebrd in A, m x n, by columns of Q, or with ofP by rows of P^H. k is the number of
// columns, or rows, of the matrix that Gebrd reduced.
func Orgbr[T blas.Number](ofP bool, m, n, k int, a blas.Matrix[T], tau []T) {
	if m == 0 || n == 0 {
		return
	}
	q := newMatrix[T](m, n)
	for i := range min(m, n) {
		q.Set(i, i, 1)
	}
	if ofP {
		Ormbr(true, blas.Right, blas.ConjTrans, m, n, k, a, tau, q)
	} else {
		Ormbr(false, blas.Left, blas.None, m, n, k, a, tau, q)
	}
	blas.CopyMatrix(m, n, q, a)
}

// Ormbr multiplies C, m x n, by op(Q), or with ofP by op(P), from a side. k is the number of columns, or of rows with
// ofP, of the matrix that Gebrd reduced. op is not blas.Trans for complex types.
func Ormbr[T blas.Number](
	ofP bool, side blas.Side, op blas.Op, m, n, k int, a blas.Matrix[T], tau []T, c blas.Matrix[T],
) {
	order := m
	if side == blas.Right {
		order = n
	}
	form, reflections, from := QR, k, 0
	if ofP {
		form = LQ // whose Q is the adjoint of P
		if op == blas.None {
			op = blas.ConjTrans
		} else {
			op = blas.None
		}
	}
	if ofP && order <= k { // the first row and column of P are unit vectors
		reflections, from, a = order-1, 1, a.From(0, 1)
	} else if !ofP && order < k {
		reflections, from, a = order-1, 1, a.From(1, 0)
	}
	if reflections <= 0 || m == 0 || n == 0 {
		return
	}
	if side == blas.Left {
		Multiply(form, side, op, m-from, n, reflections, a, tau, c.From(from, 0))
	} else {
		Multiply(form, side, op, m, n-from, reflections, a, tau, c.From(0, from))
	}
}
