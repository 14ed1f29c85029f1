package lapack

import "roclua/hip/cpu/blas"

// Problem is a form of the generalized Hermitian eigenvalue problem.
type Problem int

const (
	AxBx Problem = iota // A x = lambda B x
	ABx                 // A B x = lambda x
	BAx                 // B A x = lambda x
)

// FromStandard replaces eigenvectors of the matrix that Sygst computes, n x columns, by those of the generalized
// problem to which it belongs. B is a triangular factor of Potrf.
func FromStandard[T blas.Number](
	o *blas.OpenBLAS, form Problem, uplo blas.Uplo, n, columns int, b, z blas.Matrix[T],
) {
	op := blas.None
	if (uplo == blas.Lower) == (form != BAx) {
		op = blas.ConjTrans
	}
	if form == BAx {
		blas.Trmm(blas.Left, uplo, op, blas.NonUnit, n, columns, 1, b, z)
	} else {
		blas.Trsm(o, blas.Left, uplo, op, blas.NonUnit, n, columns, 1, b, z)
	}
}
