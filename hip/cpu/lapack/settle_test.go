package lapack

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/blas/openblastest"
)

// TestVectorsDoNotDependOnTheLibrary computes vectors of matrices with repeated eigenvalues and singular values, some
// of them zero, in Go and by OpenBLAS, and settles them. The vectors must be equal.
func TestVectorsDoNotDependOnTheLibrary(t *testing.T) {
	o := openblastest.Open(t)
	each(t, sameVectors[float32](o), sameVectors[float64](o), sameVectors[complex64](o), sameVectors[complex128](o))
}

// unitary returns a random unitary matrix.
func unitary[T blas.Number](r *rand.Rand, n int) blas.Matrix[T] {
	a, q, tau := draw[T](r, n, n), blas.NewMatrix[T](n, n), make([]T, n)
	Factor(QR, n, n, a, tau)
	for i := range n {
		q.Set(i, i, 1)
	}
	Multiply(QR, blas.Left, blas.None, n, n, n, a, tau, q)
	return q
}

// composed returns U D V^H, m x n, for values on the diagonal of D.
func composed[T blas.Number](u, v blas.Matrix[T], m, n int, values []float64) blas.Matrix[T] {
	scaled, a := blas.NewMatrix[T](m, n), blas.NewMatrix[T](m, n)
	for j, x := range values {
		for i := range m {
			scaled.Set(i, j, u.At(i, j)*blas.FromReal[T](x))
		}
	}
	blas.Gemm(blas.None, blas.ConjTrans, m, n, n, 1, scaled, v, 0, a)
	return a
}

func sameVectors[T blas.Number](o *openblastest.OpenBLAS) func(*testing.T, *rand.Rand) {
	return func(t *testing.T, r *rand.Rand) {
		const n, m = 48, 60
		values := make([]float64, n) // 2 twelve times, 1 and 0 six times, and others
		for i := range values {
			values[i] = []float64{2, 2, 1, 0, float64(3 + i), float64(4 + i), float64(5 + i), 2.5 + float64(i)}[i%8]
		}
		u, v := unitary[T](r, m), unitary[T](r, n)
		hermitian, general := composed(v, v, n, n, values), composed(u, v, m, n, values)
		for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
			byGo, byC := clone(hermitian), clone(hermitian)
			w, e := make([]float64, n), make([]float64, n)
			Heev(true, uplo, n, byGo, w, e)
			openblastest.Eigen(o, true, uplo, n, byC, w)
			settleEigenvectors(n, w, byC)
			wantSame(t, "eigenvectors", n, n, byC, byGo, 100)
			byJacobi := clone(hermitian)
			Heevj(true, true, uplo, n, byJacobi, 0, 100, w)
			wantSame(t, "eigenvectors by Jacobi's method", n, n, byJacobi, byGo, 100)
		}
		for _, left := range []int{0, n, m} {
			for _, right := range []int{0, n} {
				what := fmt.Sprintf("%d left and %d right vectors", left, right)
				if left == n { // of the vectors of 0, U has a choice that is not unique
					what += " of values that are not 0"
				}
				u1, u2, v1, v2 := blas.NewMatrix[T](m, left), blas.NewMatrix[T](m, left), blas.NewMatrix[T](right, n),
					blas.NewMatrix[T](right, n)
				s, e := make([]float64, n), make([]float64, n)
				Gesvd(m, n, clone(general), s, e, Vectors[T]{left, right, u1, v1})
				openblastest.SingularValues(o, m, n, clone(general), s, left, u2, right, v2)
				settleSingular(m, n, s, Vectors[T]{left, right, u2, v2})
				compared := left
				if left == n {
					compared = n - n/8
				}
				wantSame(t, what, m, compared, u2, u1, 100)
				wantSame(t, what, right, n, v2, v1, 100)
			}
		}
	}
}
