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
			blas.Gemm(nil, blas.None, blas.None, m, n, 1, -1, column, row, 1, c)
			return
		}
		product := blas.Matrix[T]{Data: memory[:m], LD: m} // C - (tau C v) v^H
		blas.Gemm(nil, blas.None, blas.None, m, 1, n, 1, c, column, 0, product)
		blas.ScaleVector(tau, blas.Vector[T]{Data: product.Data, N: m, Inc: 1})
		blas.Gemm(nil, blas.None, blas.ConjTrans, m, n, 1, -1, product, column, 1, c)
	})
}
