package lapack

import "roclua/hip/cpu/blas"

// BlockTridiagonal is a block tridiagonal matrix with blocks of order NB. Each of its arrays has adjacent blocks: those
// below, on and above the diagonal.
type BlockTridiagonal[T blas.Number] struct {
	NB, Blocks             int
	Below, Diagonal, Above blas.Matrix[T]
}

// GeblttrfNpvt factorizes the matrix into L U without pivoting. The blocks on the diagonal become their LU factors; a
// block above the diagonal becomes its product with the inverse of the block on the left of it. It returns the 1-based
// index of the first zero pivot, or 0.
func GeblttrfNpvt[T blas.Number](m BlockTridiagonal[T]) (info int) {
	nb := m.NB
	for k := range m.Blocks {
		diagonal := m.Diagonal.From(0, k*nb)
		if k > 0 {
			blas.Gemm(blas.None, blas.None, nb, nb, nb, -1, m.Below.From(0, (k-1)*nb), m.Above.From(0, (k-1)*nb),
				1, diagonal)
		}
		if at := Getrf(nb, nb, diagonal, nil); at != 0 && info == 0 {
			info = at + k*nb
		}
		if k < m.Blocks-1 {
			solveUnpivoted(nb, nb, diagonal, m.Above.From(0, k*nb))
		}
	}
	return info
}

// GeblttrsNpvt solves M X = B from the factors of GeblttrfNpvt. X replaces B, which is an array of adjacent blocks of
// nrhs columns.
func GeblttrsNpvt[T blas.Number](m BlockTridiagonal[T], nrhs int, x blas.Matrix[T]) {
	nb := m.NB
	for k := range m.Blocks {
		part := x.From(0, k*nrhs)
		if k > 0 {
			blas.Gemm(blas.None, blas.None, nb, nrhs, nb, -1, m.Below.From(0, (k-1)*nb), x.From(0, (k-1)*nrhs),
				1, part)
		}
		solveUnpivoted(nb, nrhs, m.Diagonal.From(0, k*nb), part)
	}
	for k := m.Blocks - 2; k >= 0; k-- {
		blas.Gemm(blas.None, blas.None, nb, nrhs, nb, -1, m.Above.From(0, k*nb), x.From(0, (k+1)*nrhs), 1,
			x.From(0, k*nrhs))
	}
}

// solveUnpivoted solves A X = B from the factors of Getrf without pivots.
func solveUnpivoted[T blas.Number](n, nrhs int, a, b blas.Matrix[T]) {
	blas.Trsm(blas.Left, blas.Lower, blas.None, blas.Unit, n, nrhs, 1, a, b)
	blas.Trsm(blas.Left, blas.Upper, blas.None, blas.NonUnit, n, nrhs, 1, a, b)
}
