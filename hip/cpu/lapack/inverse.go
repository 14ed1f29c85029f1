package lapack

import "roclua/hip/cpu/blas"

// Trtri replaces a triangle by its inverse and does not change the other one. It returns the 1-based index of a zero on
// the diagonal, or 0.
func Trtri[T blas.Number](uplo blas.Uplo, diag blas.Diag, n int, a blas.Matrix[T]) (info int) {
	for j := range n {
		if diag == blas.NonUnit && a.At(j, j) == 0 {
			return j + 1
		}
	}
	invertTriangle(uplo, diag, n, a)
	return 0
}

// smallInverse is the order of triangles that are inverted column by column.
const smallInverse = 32

// invertTriangle halves the triangle: the inverse of [A B; 0 C] is [inv(A) -inv(A) B inv(C); 0 inv(C)].
func invertTriangle[T blas.Number](uplo blas.Uplo, diag blas.Diag, n int, a blas.Matrix[T]) {
	if n <= smallInverse {
		for step := range n {
			j := step
			if uplo == blas.Lower {
				j = n - 1 - step
			}
			invertColumn(uplo, diag, n, a, j)
		}
		return
	}
	h := n / 2
	second := a.From(h, h)
	if uplo == blas.Upper {
		off := a.From(0, h)
		blas.Trsm(blas.Left, uplo, blas.None, diag, h, n-h, -1, a, off)
		blas.Trsm(blas.Right, uplo, blas.None, diag, h, n-h, 1, second, off)
	} else {
		off := a.From(h, 0)
		blas.Trsm(blas.Left, uplo, blas.None, diag, n-h, h, -1, second, off)
		blas.Trsm(blas.Right, uplo, blas.None, diag, n-h, h, 1, a, off)
	}
	invertTriangle(uplo, diag, h, a)
	invertTriangle(uplo, diag, n-h, second)
}

// invertColumn computes column j of the inverse from the columns of the inverse that are already computed.
func invertColumn[T blas.Number](uplo blas.Uplo, diag blas.Diag, n int, a blas.Matrix[T], j int) {
	factor := T(0) - 1
	if diag == blas.NonUnit {
		a.Set(j, j, 1/a.At(j, j))
		factor = -a.At(j, j)
	}
	low, high := 0, j
	if uplo == blas.Lower {
		low, high = j+1, n
	}
	for step := range high - low {
		// A triangular product in place: no later element reads this one.
		i, from, to := low+step, low+step+1, high
		if uplo == blas.Lower {
			i = high - 1 - step
			from, to = low, i
		}
		sum := a.At(i, j)
		if diag == blas.NonUnit {
			sum *= a.At(i, i)
		}
		for k := from; k < to; k++ {
			sum += a.At(i, k) * a.At(k, j)
		}
		a.Set(i, j, sum)
	}
	for i := low; i < high; i++ {
		a.Set(i, j, a.At(i, j)*factor)
	}
}
