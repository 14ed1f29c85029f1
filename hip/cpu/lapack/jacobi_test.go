package lapack

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"roclua/hip/cpu/blas"
)

// TestJacobiOrders compares Jacobi's methods with the others for matrices of one and of several blocks, also very large
// and very small ones, and ones with repeated values and values of zero.
func TestJacobiOrders(t *testing.T) {
	each(t, testJacobi[float32], testJacobi[float64], testJacobi[complex64], testJacobi[complex128])
}

func testJacobi[T blas.Number](t *testing.T, r *rand.Rand) {
	scales := []float64{1, 0x1p900, 0x1p-900}
	if blas.IsSingle[T]() {
		scales = []float64{1, 0x1p90, 0x1p-90}
	}
	const block = jacobiBlock
	for _, n := range []int{1, 2, 3, block, block + 1, 2*block - 1, 2 * block, 2*block + 1, 5*block + 3} {
		for kind := range 3 {
			a, more := draw[T](r, n+5, n), r.IntN(6)
			switch kind {
			case 1: // repeated columns
				for j := n / 2; j < n; j++ {
					copy(a.Data[j*a.LD:][:a.LD], a.Data[j/2*a.LD:])
				}
			case 2: // zeros
				clear(a.Data[n/2*a.LD:])
			}
			scale := scales[r.IntN(len(scales))]
			what := fmt.Sprintf("order %d, %d more rows, kind %d, scale %g", n, more, kind, scale)
			checkJacobiEigen(t, what, r, n, a, scale)
			checkJacobiSingular(t, what, n+more, n, a, scale)
			checkJacobiSingular(t, "wide, "+what, n, n+more, adjoint(n+more, n, a), scale)
		}
	}
}

// checkJacobiEigen computes the eigenvalues of a triangle of A times a scale.
func checkJacobiEigen[T blas.Number](t *testing.T, what string, r *rand.Rand, n int, a blas.Matrix[T], scale float64) {
	t.Helper()
	uplo := []blas.Uplo{blas.Upper, blas.Lower}[r.IntN(2)]
	want, have, values := make([]float64, n), make([]float64, n), make([]float64, n)
	Heev(false, uplo, n, clone(a), want, make([]float64, n))
	z, x := clone(a), clone(a)
	multiplyMatrix(scale, n, n, z)
	multiplyMatrix(scale, n, n, x)
	done := Heevj(true, true, uplo, n, z, 0, 100, have)
	plain := Heevj(true, false, uplo, n, x, 0, 100, values)
	if done.Info != 0 || done.Count > 30 || plain != done {
		t.Fatalf("%s: %+v, without vectors %+v", what, done, plain)
	}
	multiplyAll(1/scale, have)
	multiplyAll(1/scale, values)
	wantValues[T](t, what, have, want)
	wantValues[T](t, what+", without vectors", values, want)
	wantVectors(t, what, n, n, z)
	wantSame(t, "V D V^H, "+what, n, n, withValues(z, blas.ConjTrans, z, n, n, have), hermitian(uplo, n, a),
		float64(10*(n+1)))
}

// checkJacobiSingular computes the singular values and vectors of A, m x n, times a scale.
func checkJacobiSingular[T blas.Number](t *testing.T, what string, m, n int, a blas.Matrix[T], scale float64) {
	t.Helper()
	k := min(m, n)
	want, have := make([]float64, k), make([]float64, k)
	Gesvd(m, n, clone(a), want, make([]float64, k), Vectors[T]{})
	u, v, x := blas.NewMatrix[T](m, k), blas.NewMatrix[T](k, n), clone(a)
	multiplyMatrix(scale, m, n, x)
	if done := Gesvdj(m, n, x, 0, 100, have, Vectors[T]{k, k, u, v}); done.Info != 0 || done.Count > 30 {
		t.Fatalf("%s: %+v", what, done)
	}
	multiplyAll(1/scale, have)
	wantValues[T](t, what, have, want)
	wantVectors(t, what, m, k, u)
	wantVectors(t, what, n, k, adjoint(k, n, v))
	wantSame(t, "U S V, "+what, m, n, withValues(u, blas.None, v, m, n, have), a, float64(10*(m+n)))
}
