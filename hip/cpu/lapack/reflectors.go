package lapack

import "roclua/hip/cpu/blas"

// Larfg returns beta and tau, and replaces x by v, such that the reflection H = I - tau (1, v) (1, v)^H maps
// (alpha, x) to (beta, 0) by its adjoint: H^H (alpha, x) = (beta, 0). beta is real.
func Larfg[T blas.Number](alpha T, x blas.Vector[T]) (beta, tau T) {
	column := make([]T, x.N+1)
	column[0] = alpha
	copy(column[1:], x.Adjacent())
	tau = reflect(len(column), column)
	for i := range x.N {
		x.Set(i, column[i+1])
	}
	return column[0], tau
}

// Larf multiplies C, m x n, by the reflection H = I - tau v v^H from a side.
func Larf[T blas.Number](side blas.Side, m, n int, v blas.Vector[T], tau T, c blas.Matrix[T]) {
	if tau == 0 || m == 0 || n == 0 {
		return
	}
	column := blas.Matrix[T]{Data: v.Adjacent(), LD: v.N}
	blas.WithScratch(max(m, n), func(memory []T) {
		if side == blas.Left { // C - v (tau v^H C)
			row := blas.Matrix[T]{Data: memory[:n], LD: 1}
			blas.DotsOfColumns(n, column.Data, c, row.Data)
			blas.ScaleVector(tau, blas.Vector[T]{Data: row.Data, N: n, Inc: 1})
			blas.Gemm(blas.None, blas.None, m, n, 1, -1, column, row, 1, c)
			return
		}
		product := blas.Matrix[T]{Data: memory[:m], LD: m} // C - (tau C v) v^H
		blas.Gemm(blas.None, blas.None, m, 1, n, 1, c, column, 0, product)
		blas.ScaleVector(tau, blas.Vector[T]{Data: product.Data, N: m, Inc: 1})
		blas.Gemm(blas.None, blas.ConjTrans, m, n, 1, -1, product, column, 1, c)
	})
}

// Larft computes the triangular factor T of the product of k reflections of an order. T is upper triangular, for
// backward forms lower triangular; the other triangle becomes zero.
func Larft[T blas.Number](form Form, order, k int, v blas.Matrix[T], tau []T, t blas.Matrix[T]) {
	b := newBlock(make([]T, blockSize(order, k)), form, order, k, v, tau)
	for j := range k {
		for i := range k {
			if form.Backward {
				t.Set(k-1-i, k-1-j, b.t.At(i, j))
			} else {
				t.Set(i, j, b.t.At(i, j))
			}
		}
	}
}

// Larfb multiplies C, m x n, by op(H) from a side, H being the product of k reflections with the triangular factor T
// of Larft. The operation applies to T: with blas.Trans it is the transpose of a real H.
func Larfb[T blas.Number](
	form Form, side blas.Side, op blas.Op, m, n, k int, v, t, c blas.Matrix[T],
) {
	order, count := m, n
	if side == blas.Right {
		order, count = n, m
	}
	b := blockIn(make([]T, blockSize(order, k)), form, order, k, v)
	for j := range k {
		for i := range j + 1 {
			if form.Backward {
				b.t.Set(i, j, t.At(k-1-i, k-1-j))
			} else {
				b.t.Set(i, j, t.At(i, j))
			}
		}
	}
	b.apply(side, op, count, c)
}

// Form says how a matrix stores the vectors of k reflections H1 to Hk. By default they are its columns: the vector of
// Hi, i from 1, begins with a one in row i, and the product of the reflections is H = H1 H2 ... Hk.
type Form struct {
	Rows     bool // the vectors, conjugated, are rows instead of columns
	Backward bool // H = Hk ... H2 H1, and each vector ends with a one, in row order-k+i for Hi
}

// The forms of the factorizations. Q is H for QR and QL, and the adjoint of H for LQ and RQ.
var (
	QR = Form{}
	QL = Form{Backward: true}
	LQ = Form{Rows: true}
	RQ = Form{Rows: true, Backward: true}
)

// place returns the column or row that stores the vector of factor j of the product.
func (f Form) place(k, j int) int {
	if f.Backward {
		return k - 1 - j
	}
	return j
}
