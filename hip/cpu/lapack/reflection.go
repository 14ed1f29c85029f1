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
	if side == blas.Left {
		column := v.Adjacent()
		for j := range n {
			y := c.Data[j*c.LD:][:m]
			blas.Axpy(-tau*blas.DotColumns(column, y), column, y)
		}
		return
	}
	product := make([]T, m) // C v
	for j := range n {
		blas.Axpy(v.At(j), c.Data[j*c.LD:][:m], product)
	}
	for j := range n {
		blas.Axpy(-tau*blas.Conj(v.At(j)), product, c.Data[j*c.LD:][:m])
	}
}
