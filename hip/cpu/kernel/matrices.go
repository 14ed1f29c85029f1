package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/routine/buffer"
)

func copyTriangle[T blas.Number](to, from blas.Matrix[T], n int, uplo blas.Uplo) {
	for j := range n {
		for i := range n {
			if i == j || (i < j) == (uplo == blas.Upper) {
				to.Set(i, j, from.At(i, j))
			} else {
				to.Set(i, j, 0)
			}
		}
	}
}

// throughCopy solves in the copy of B in the workspace and copies the solution back.
func throughCopy[T blas.Number](p *problem[T], b blas.Matrix[T], n, nrhs int, solve func(x blas.Matrix[T])) {
	x := blas.Matrix[T]{Data: neededFor[T](p, buffer.RightSideCopy, n*nrhs), LD: n}
	blas.CopyMatrix(n, nrhs, b, x)
	solve(x)
	blas.CopyMatrix(n, nrhs, x, b)
}

// fromLeft replaces C, n x columns, by op(A) C.
func fromLeft[T blas.Number](op blas.Op, n, columns int, a, c blas.Matrix[T]) {
	product := blas.Matrix[T]{Data: make([]T, n*columns), LD: n}
	blas.Gemm(op, blas.None, n, columns, n, 1, a, c, 0, product)
	blas.CopyMatrix(n, columns, product, c)
}
