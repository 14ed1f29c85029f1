package lapack

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"roclua/hip/cpu/blas"
)

// TestOpenBLASAgreesWithGo compares factorizations and solves by OpenBLAS and in Go.
func TestOpenBLASAgreesWithGo(t *testing.T) {
	o, err := blas.Open("openblas")
	if err != nil {
		t.Skip(err)
	}
	each(t, agree[float32](o), agree[float64](o), agree[complex64](o), agree[complex128](o))
}

func agree[T blas.Number](o *blas.OpenBLAS) func(*testing.T, *rand.Rand) {
	return func(t *testing.T, r *rand.Rand) {
		for range 5 {
			agreeLU[T](t, r, o)
			agreeCholesky[T](t, r, o)
			agreeQR[T](t, r, o)
		}
	}
}

func agreeLU[T blas.Number](t *testing.T, r *rand.Rand, o *blas.OpenBLAS) {
	t.Helper()
	m, n := 30+r.IntN(50), 30+r.IntN(50)
	a := draw[T](r, m, n)
	for i := range min(m, n) { // so that rounding does not decide about pivots
		a.Set((7*i+3)%m, i, blas.FromReal[T](float64(50+i)))
	}
	byGo, byC := clone(a), clone(a)
	pivotsGo, pivotsC := make([]int32, min(m, n)), make([]int32, min(m, n))
	Getrf(nil, m, n, byGo, pivotsGo)
	if info, ok := blas.LU(o, m, n, byC, pivotsC); info != 0 || !ok {
		t.Fatalf("getrf: info %d, computed %v", info, ok)
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
		Getrf(nil, m, m, byGo, pivotsGo)
	}
	b := draw[T](r, m, 40)
	for _, op := range []blas.Op{blas.None, blas.Trans, blas.ConjTrans} {
		want, have := clone(b), clone(b)
		Getrs(nil, op, m, 40, byGo, pivotsGo, want)
		if !blas.LUSolve(o, op, m, 40, byGo, pivotsGo, have) {
			t.Fatal("getrs is not computed")
		}
		wantSame(t, fmt.Sprintf("getrs, op %d", op), m, 40, have, want, 1e3)
	}
	want, have := clone(byGo), clone(byGo)
	Getri(nil, m, want, pivotsGo, make([]T, m*m))
	if info, ok := blas.LUInverse(o, m, have, pivotsGo, make([]T, m*m)); info != 0 || !ok {
		t.Fatalf("getri: info %d, computed %v", info, ok)
	}
	wantSame(t, "getri", m, m, have, want, 1e3)
	byGo.Set(m/2, m/2, 0)
	if info := Getri(o, m, byGo, pivotsGo, make([]T, m*m)); info != m/2+1 {
		t.Errorf("getri with a zero pivot: info %d, want %d", info, m/2+1)
	}
}

func agreeCholesky[T blas.Number](t *testing.T, r *rand.Rand, o *blas.OpenBLAS) {
	t.Helper()
	n := 30 + r.IntN(50)
	a := draw[T](r, n, n)
	for i := range n {
		a.Set(i, i, blas.FromReal[T](float64(2*n)))
	}
	for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
		want, have := clone(a), clone(a)
		Potrf(nil, uplo, n, want)
		if info, ok := blas.Cholesky(o, uplo, n, have); info != 0 || !ok {
			t.Fatalf("potrf: info %d, computed %v", info, ok)
		}
		wantSame(t, "potrf", n, n, have, want, 1e3)
		bad := clone(a)
		bad.Set(n-3, n-3, -1)
		if info := Potrf(o, uplo, n, bad); info != n-2 {
			t.Errorf("potrf of an indefinite matrix: info %d, want %d", info, n-2)
		}
	}
}

func agreeQR[T blas.Number](t *testing.T, r *rand.Rand, o *blas.OpenBLAS) {
	t.Helper()
	m, n := 30+r.IntN(50), 30+r.IntN(50)
	a := draw[T](r, m, n)
	want, have := clone(a), clone(a)
	tauGo, tauC := make([]T, min(m, n)), make([]T, min(m, n))
	Geqrf(m, n, want, tauGo)
	if !blas.QR(o, m, n, have, tauC) {
		t.Fatal("geqrf is not computed")
	}
	what := fmt.Sprintf("geqrf, %d x %d", m, n)
	wantSame(t, what, m, n, have, want, 1e4)
	wantUnchanged(t, what, have, a, func(i, _ int) bool { return i < m })
	wantSame(t, what+", tau", len(tauGo), 1, blas.Matrix[T]{Data: tauC, LD: len(tauC)},
		blas.Matrix[T]{Data: tauGo, LD: len(tauGo)}, 1e3)
}

// TestSmallMatricesStayInGo factorizes matrices that are too small for a call of OpenBLAS.
func TestSmallMatricesStayInGo(t *testing.T) {
	a := blas.Matrix[float64]{Data: make([]float64, 16), LD: 4}
	for name, ok := range map[string]bool{
		"getrs": blas.LUSolve(&blas.OpenBLAS{}, blas.None, 4, 4, a, make([]int32, 4), a),
		"geqrf": blas.QR(&blas.OpenBLAS{}, 4, 4, a, make([]float64, 4)),
		"none":  blas.QR(nil, 400, 400, a, nil),
	} {
		if ok {
			t.Errorf("%s uses OpenBLAS", name)
		}
	}
}

// TestOpenBLASRefusesPivotsOutsideOfTheMatrix checks that OpenBLAS gets only pivots that it can use as rows.
func TestOpenBLASRefusesPivotsOutsideOfTheMatrix(t *testing.T) {
	o, err := blas.Open("openblas")
	if err != nil {
		t.Skip(err)
	}
	const n = 40
	a := blas.Matrix[float64]{Data: make([]float64, n*n), LD: n}
	for _, pivot := range []int32{0, -7, n + 1} {
		pivots := make([]int32, n)
		for i := range pivots {
			pivots[i] = int32(i + 1)
		}
		pivots[n-1] = pivot
		if blas.LUSolve(o, blas.None, n, n, a, pivots, a) {
			t.Errorf("getrs uses pivot %d", pivot)
		}
		if _, ok := blas.LUInverse(o, n, a, pivots, make([]float64, n*n)); ok {
			t.Errorf("getri uses pivot %d", pivot)
		}
	}
}
