package lapack

import "roclua/hip/cpu/blas"

// Lauum replaces the triangle of A by the same triangle of U U^H or L^H L.
func Lauum[T blas.Number](uplo blas.Uplo, n int, a blas.Matrix[T]) {
	product := blas.Matrix[T]{Data: make([]T, n*n), LD: max(n, 1)}
	copyTriangle(uplo, n, a, product)
	side := blas.Left
	if uplo == blas.Upper {
		side = blas.Right
	}
	blas.Trmm(side, uplo, blas.ConjTrans, blas.NonUnit, n, n, 1, a, product)
	copyTriangle(uplo, n, product, a)
}

// Potri replaces the factor of Potrf by the same triangle of the inverse. If there is a zero on the diagonal, it
// returns its 1-based index and changes nothing.
func Potri[T blas.Number](uplo blas.Uplo, n int, a blas.Matrix[T]) (info int) {
	if info = Trtri(uplo, blas.NonUnit, n, a); info == 0 {
		Lauum(uplo, n, a)
	}
	return info
}

// GetriOutOfPlace stores the inverse in C, from the factors and pivots of Getrf; nil means no exchanges. It returns the
// 1-based index of a zero pivot, or 0; with a zero pivot, C has elements that are not finite.
func GetriOutOfPlace[T blas.Number](o *blas.OpenBLAS, n int, a blas.Matrix[T], pivots []int32, c blas.Matrix[T]) int {
	for j := range n {
		clear(c.Data[j*c.LD:][:n])
		c.Set(j, j, 1)
	}
	if pivots == nil {
		solveUnpivoted(o, n, n, a, c)
	} else {
		Getrs(o, blas.None, n, n, a, pivots, c)
	}
	return firstZero(n, a)
}

// Sygst replaces the Hermitian matrix A by that of a standard eigenvalue problem. B has the Cholesky factor of the
// other matrix of a generalized problem. With divide the result is inv(U^H) A inv(U) or inv(L) A inv(L^H), for the
// problem A x = lambda B x; otherwise it is U A U^H or L^H A L, for the other two forms. Only the triangles uplo are
// used.
func Sygst[T blas.Number](o *blas.OpenBLAS, divide bool, uplo blas.Uplo, n int, a, b blas.Matrix[T]) {
	full := blas.Matrix[T]{Data: make([]T, n*n), LD: max(n, 1)}
	copyTriangle(uplo, n, a, full)
	for j := range n {
		full.Set(j, j, blas.FromReal[T](blas.Real(full.At(j, j))))
		for i := range j {
			if uplo == blas.Upper {
				full.Set(j, i, blas.Conj(full.At(i, j)))
			} else {
				full.Set(i, j, blas.Conj(full.At(j, i)))
			}
		}
	}
	first, second := blas.ConjTrans, blas.None
	if (uplo == blas.Upper) != divide {
		first, second = second, first
	}
	if divide {
		blas.Trsm(o, blas.Left, uplo, first, blas.NonUnit, n, n, 1, b, full)
		blas.Trsm(o, blas.Right, uplo, second, blas.NonUnit, n, n, 1, b, full)
	} else {
		blas.Trmm(blas.Left, uplo, first, blas.NonUnit, n, n, 1, b, full)
		blas.Trmm(blas.Right, uplo, second, blas.NonUnit, n, n, 1, b, full)
	}
	for j := range n {
		full.Set(j, j, blas.FromReal[T](blas.Real(full.At(j, j))))
	}
	copyTriangle(uplo, n, full, a)
}

// copyTriangle copies a triangle with its diagonal.
func copyTriangle[T blas.Number](uplo blas.Uplo, n int, from, to blas.Matrix[T]) {
	for j := range n {
		low, high := 0, j+1
		if uplo == blas.Lower {
			low, high = j, n
		}
		copy(to.Data[low+j*to.LD:high+j*to.LD], from.Data[low+j*from.LD:high+j*from.LD])
	}
}
