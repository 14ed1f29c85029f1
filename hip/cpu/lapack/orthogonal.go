package lapack

import (
	"slices"

	"roclua/hip/cpu/blas"
)

// Factor factorizes A, m x n, by Householder reflections: into Q R, L Q, Q L or R Q, as the form says. The triangle
// and the vectors of the reflections replace A; tau gets the min(m, n) scalars of the reflections. OpenBLAS computes
// large ones unless o is nil.
func Factor[T blas.Number](o *blas.OpenBLAS, form Form, m, n int, a blas.Matrix[T], tau []T) {
	if form == QR {
		GeqrfBy(o, m, n, a, tau)
		return
	}
	// The other factorizations are the QR factorization of the adjoint matrix, or of the matrix in reverse order.
	rows, cols := m, n
	if form.Rows {
		rows, cols = n, m
	}
	b := blas.Matrix[T]{Data: make([]T, rows*cols), LD: max(rows, 1)}
	form.turn(m, n, func(i, j, row, col int) { b.Set(row, col, conjIf(form.Rows, a.At(i, j))) })
	GeqrfBy(o, rows, cols, b, tau)
	form.turn(m, n, func(i, j, row, col int) { a.Set(i, j, conjIf(form.Rows, b.At(row, col))) })
	if form.Backward {
		slices.Reverse(tau[:min(m, n)])
	}
}

// turn calls a function for each element (i, j) of an m x n matrix, with its place in the matrix whose QR factorization
// gives that of a form. It proceeds by square parts, because one of the matrices is read across its columns.
func (f Form) turn(m, n int, each func(i, j, row, col int)) {
	const part = 32
	for first := 0; first < m; first += part {
		for j := range n {
			for i := first; i < min(first+part, m); i++ {
				row, col := i, j
				if f.Backward {
					row, col = m-1-i, n-1-j
				}
				if f.Rows {
					row, col = col, row
				}
				each(i, j, row, col)
			}
		}
	}
}

func conjIf[T blas.Number](conj bool, x T) T {
	if conj {
		return blas.Conj(x)
	}
	return x
}

// Generate replaces the vectors of k reflections in A, m x n, by rows or columns of Q: the first n columns for QR, the
// last n columns for QL, the first m rows for LQ, the last m rows for RQ. The vectors are in the first k columns or
// rows of A, in the last ones for backward forms.
func Generate[T blas.Number](o *blas.OpenBLAS, form Form, m, n, k int, a blas.Matrix[T], tau []T) {
	if m == 0 || n == 0 {
		return
	}
	v := blas.Matrix[T]{Data: make([]T, m*n), LD: m}
	copyPart(m, n, a, v)
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
			b, _ := blockAt(o, memory, form, order, k, j, v, tau)
			part, count := a.From(j, j), n-j
			if form.Backward {
				part = a
			}
			if form.Rows {
				count = m - j
			}
			b.apply(o, side, op, count, part)
		}
	})
}

// blockAt makes the block that begins with reflection j of the product H. Its order is that of the part of a matrix
// that it changes: from row or column j, or up to j before the end for backward forms.
func blockAt[T blas.Number](
	o *blas.OpenBLAS, memory []T, form Form, order, k, j int, v blas.Matrix[T], tau []T,
) (b block[T], from int) {
	width := min(reflectorWidth, k-j)
	if !form.Backward {
		return newBlock(o, memory, form, order-j, width, v.From(j, j), tau[j:]), j
	}
	first := k - j - width
	part := v.From(0, first)
	if form.Rows {
		part = v.From(first, 0)
	}
	return newBlock(o, memory, form, order-j, width, part, tau[first:]), 0
}

// Multiply multiplies C, m x n, by op(Q) from a side, Q being the product of k reflections in A. op is not blas.Trans
// for complex types.
func Multiply[T blas.Number](
	o *blas.OpenBLAS, form Form, side blas.Side, op blas.Op, m, n, k int, a blas.Matrix[T], tau []T, c blas.Matrix[T],
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
			b, from := blockAt(o, memory, form, order, k, j, a, tau)
			part := c.From(from, 0)
			if side == blas.Right {
				part = c.From(0, from)
			}
			b.apply(o, side, op, count, part)
		}
	})
}
