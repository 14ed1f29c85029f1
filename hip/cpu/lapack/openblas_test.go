package lapack

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/blas/openblastest"
)

// TestOpenBLASAgreesWithGo compares factorizations and solves by OpenBLAS and in Go.
func TestOpenBLASAgreesWithGo(t *testing.T) {
	o := openblastest.Open(t)
	each(t, agree[float32](o), agree[float64](o), agree[complex64](o), agree[complex128](o))
}

func agree[T blas.Number](o *openblastest.OpenBLAS) func(*testing.T, *rand.Rand) {
	return func(t *testing.T, r *rand.Rand) {
		for range 5 {
			agreeLU[T](t, r, o)
			agreeCholesky[T](t, r, o)
			agreeQR[T](t, r, o)
		}
	}
}

func agreeLU[T blas.Number](t *testing.T, r *rand.Rand, o *openblastest.OpenBLAS) {
	t.Helper()
	m, n := 30+r.IntN(50), 30+r.IntN(50)
	a := draw[T](r, m, n)
	for i := range min(m, n) { // so that rounding does not decide about pivots
		a.Set((7*i+3)%m, i, blas.FromReal[T](float64(50+i)))
	}
	byGo, byC := clone(a), clone(a)
	pivotsGo, pivotsC := make([]int32, min(m, n)), make([]int32, min(m, n))
	Getrf(m, n, byGo, pivotsGo)
	if info := openblastest.LU(o, m, n, byC, pivotsC); info != 0 {
		t.Fatalf("getrf: info %d", info)
	}
	what := fmt.Sprintf("getrf, %d x %d", m, n)
	wantSame(t, what, m, n, byC, byGo, 1e4)
	wantUnchanged(t, what, byC, a, func(i, _ int) bool { return i < m })
	if !slices.Equal(pivotsGo, pivotsC) {
		t.Fatalf("%s: pivots %v, want %v", what, pivotsC, pivotsGo)
	}
	if m != n {
		m = min(m, n)
		a = draw[T](r, m, m)
		for i := range m {
			a.Set((i+1)%m, i, blas.FromReal[T](float64(50+i)))
		}
		byGo = clone(a)
		pivotsGo = make([]int32, m)
		Getrf(m, m, byGo, pivotsGo)
	}
	b := draw[T](r, m, 40)
	for _, op := range []blas.Op{blas.None, blas.Trans, blas.ConjTrans} {
		want, have := clone(b), clone(b)
		Getrs(op, m, 40, byGo, pivotsGo, want)
		openblastest.LUSolve(o, op, m, 40, byGo, pivotsGo, have)
		wantSame(t, fmt.Sprintf("getrs, op %d", op), m, 40, have, want, 1e3)
	}
	want, have := clone(byGo), clone(byGo)
	Getri(m, want, pivotsGo, make([]T, m*m))
	if info := openblastest.LUInverse(o, m, have, pivotsGo, make([]T, m*m)); info != 0 {
		t.Fatalf("getri: info %d", info)
	}
	wantSame(t, "getri", m, m, have, want, 1e3)
	byGo.Set(m/2, m/2, 0)
	if info := Getri(m, byGo, pivotsGo, make([]T, m*m)); info != m/2+1 {
		t.Errorf("getri with a zero pivot: info %d, want %d", info, m/2+1)
	}
}

func agreeCholesky[T blas.Number](t *testing.T, r *rand.Rand, o *openblastest.OpenBLAS) {
	t.Helper()
	n := 30 + r.IntN(50)
	a := draw[T](r, n, n)
	for i := range n {
		a.Set(i, i, blas.FromReal[T](float64(2*n)))
	}
	for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
		want, have := clone(a), clone(a)
		Potrf(uplo, n, want)
		if info := openblastest.Cholesky(o, uplo, n, have); info != 0 {
			t.Fatalf("potrf: info %d", info)
		}
		wantSame(t, "potrf", n, n, have, want, 1e3)
		bad := clone(a)
		bad.Set(n-3, n-3, -1)
		if info := Potrf(uplo, n, bad); info != n-2 {
			t.Errorf("potrf of an indefinite matrix: info %d, want %d", info, n-2)
		}
	}
}

func agreeQR[T blas.Number](t *testing.T, r *rand.Rand, o *openblastest.OpenBLAS) {
	t.Helper()
	m, n := 30+r.IntN(50), 30+r.IntN(50)
	a := draw[T](r, m, n)
	want, have := clone(a), clone(a)
	tauGo, tauC := make([]T, min(m, n)), make([]T, min(m, n))
	Geqrf(m, n, want, tauGo)
	openblastest.QR(o, m, n, have, tauC)
	what := fmt.Sprintf("geqrf, %d x %d", m, n)
	wantSame(t, what, m, n, have, want, 1e4)
	wantUnchanged(t, what, have, a, func(i, _ int) bool { return i < m })
	wantSame(t, what+", tau", len(tauGo), 1, blas.Matrix[T]{Data: tauC, LD: len(tauC)},
		blas.Matrix[T]{Data: tauGo, LD: len(tauGo)}, 1e3)
}
