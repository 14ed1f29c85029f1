package blas

import (
	"math/rand/v2"
	"testing"

	"roclua/internal/randomtest"
)

// TestLAPACKOfOpenBLAS checks factorizations, solutions and inverses by their definitions.
func TestLAPACKOfOpenBLAS(t *testing.T) {
	o, err := library()
	if err != nil {
		t.Skip(err)
	}
	seed := randomtest.Seed(t)
	t.Run("s", func(t *testing.T) { checkLAPACK[float32](t, o, rand.New(rand.NewPCG(seed, 0))) })
	t.Run("d", func(t *testing.T) { checkLAPACK[float64](t, o, rand.New(rand.NewPCG(seed, 1))) })
	t.Run("c", func(t *testing.T) { checkLAPACK[complex64](t, o, rand.New(rand.NewPCG(seed, 2))) })
	t.Run("z", func(t *testing.T) { checkLAPACK[complex128](t, o, rand.New(rand.NewPCG(seed, 3))) })
}

func checkLAPACK[T Number](t *testing.T, o *OpenBLAS, r *rand.Rand) {
	const n, nrhs = 37, 21
	a := drawSquare[T](r, n)
	factors, pivots := Matrix[T]{append([]T(nil), a.Data...), a.LD}, make([]int32, n)
	if info, ok := LU(o, n, n, factors, pivots); !ok || info != 0 {
		t.Fatalf("LU: info %d, %t", info, ok)
	}
	for _, op := range []Op{None, Trans, ConjTrans} {
		x, b := drawMatrix[T](r, n, nrhs), drawMatrix[T](r, n, nrhs)
		Gemm(nil, op, None, n, nrhs, n, 1, a, x, 0, b)
		if !LUSolve(o, op, n, nrhs, factors, pivots, b) {
			t.Fatal("LUSolve does nothing")
		}
		expect(t, "LUSolve", n, nrhs, b, x)
	}
	inverse := Matrix[T]{append([]T(nil), factors.Data...), a.LD}
	if info, ok := LUInverse(o, n, inverse, pivots, make([]T, n)); !ok || info != 0 {
		t.Fatalf("LUInverse: info %d, %t", info, ok)
	}
	one := Matrix[T]{make([]T, n*n), n}
	for i := range n {
		one.Set(i, i, 1)
	}
	expect(t, "LUInverse", n, n, productOf(None, n, n, a, inverse), one)
	checkSquares[T](t, o, r)
	singular := Matrix[T]{make([]T, n*n), n}
	if info, ok := LU(o, n, n, singular, pivots); !ok || info != 1 {
		t.Errorf("LU of zeros: info %d, %t", info, ok)
	}
	if info, ok := Cholesky(o, Upper, n, singular); !ok || info != 1 {
		t.Errorf("Cholesky of zeros: info %d, %t", info, ok)
	}
}

// checkSquares checks the factorizations by which the factor times its adjoint is a given matrix.
func checkSquares[T Number](t *testing.T, o *OpenBLAS, r *rand.Rand) {
	const m, n = 41, 33
	a := drawMatrix[T](r, m, n)
	square := productOf(ConjTrans, n, m, a, a)
	for _, uplo := range []Uplo{Upper, Lower} {
		factor := Matrix[T]{append([]T(nil), square.Data...), n}
		if info, ok := Cholesky(o, uplo, n, factor); !ok || info != 0 {
			t.Fatalf("Cholesky: info %d, %t", info, ok)
		}
		op := ConjTrans
		if uplo == Lower {
			op = None
		}
		factor = triangleOf(uplo, n, factor)
		have := Matrix[T]{make([]T, n*n), n}
		Gemm(nil, op, ConjTrans-op, n, n, n, 1, factor, factor, 0, have)
		expect(t, "Cholesky", n, n, have, square)
	}
	if !QR(o, m, n, a, make([]T, n)) {
		t.Fatal("QR does nothing")
	}
	upper := triangleOf(Upper, n, a)
	expect(t, "QR", n, n, productOf(ConjTrans, n, n, upper, upper), square)
}

// TestWrongPivotsAreNotPassed checks that OpenBLAS gets only pivots that are rows of the matrix.
func TestWrongPivotsAreNotPassed(t *testing.T) {
	o, err := library()
	if err != nil {
		t.Skip(err)
	}
	const n = 32
	a, b := drawMatrix[float64](rand.New(rand.NewPCG(1, 2)), n, n), Matrix[float64]{make([]float64, n*n), n}
	for pivot, passed := range map[int32]bool{-1: false, 0: false, 1: true, n: true, n + 1: false} {
		pivots := make([]int32, n)
		for i := range pivots {
			pivots[i] = n
		}
		pivots[n/2] = pivot
		if LUSolve(o, None, n, n, a, pivots, b) != passed {
			t.Errorf("a solve with pivot %d: passed %t", pivot, !passed)
		}
		if _, ok := LUInverse(o, n, a, pivots, make([]float64, n)); ok != passed {
			t.Errorf("an inverse with pivot %d: passed %t", pivot, ok)
		}
	}
}

// TestSmallProblemsAreComputedInGo checks that LAPACK's functions leave small problems to Go.
func TestSmallProblemsAreComputedInGo(t *testing.T) {
	a, o := Matrix[float64]{make([]float64, 16), 4}, &OpenBLAS{}
	for _, library := range []*OpenBLAS{nil, o} {
		_, lu := LU(library, 4, 4, a, nil)
		_, inverse := LUInverse(library, 4, a, nil, nil)
		_, cholesky := Cholesky(library, Upper, 4, a)
		if lu || inverse || cholesky || LUSolve(library, None, 4, 4, a, nil, a) || QR(library, 4, 4, a, nil) {
			t.Errorf("%v computes a small problem", library)
		}
	}
}

// productOf returns op(A) B, which has n columns, as A has k rows or columns.
func productOf[T Number](op Op, n, k int, a, b Matrix[T]) Matrix[T] {
	out := Matrix[T]{make([]T, n*n), n}
	Gemm(nil, op, None, n, n, k, 1, a, b, 0, out)
	return out
}

// triangleOf returns a triangle, with zeros elsewhere.
func triangleOf[T Number](uplo Uplo, n int, a Matrix[T]) Matrix[T] {
	out := Matrix[T]{make([]T, n*n), n}
	for j := range n {
		for i := range n {
			if i == j || (i < j) == (uplo == Upper) {
				out.Set(i, j, a.At(i, j))
			}
		}
	}
	return out
}

// expect compares the first element of two matrices that is not near.
func expect[T Number](t *testing.T, what string, rows, cols int, have, want Matrix[T]) {
	t.Helper()
	for j := range cols {
		for i := range rows {
			// Values are sums of some ten numbers, and as much larger.
			if !near(have.At(i, j)/FromReal[T](50), ToComplex(want.At(i, j))/50) {
				t.Errorf("%s: (%d, %d) is %v, want %v", what, i, j, have.At(i, j), want.At(i, j))
				return
			}
		}
	}
}
