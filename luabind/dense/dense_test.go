package dense_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"roclua/hip/cpu/blas"
	"roclua/internal/randomtest"
	"roclua/luabind/dense"
)

// meter counts bytes, and ends a computation by a panic at a limit.
type meter struct {
	bytes, limit uint64
	steps        int
}

func (m *meter) Reserve(n uint64) {
	if m.bytes += n; n > m.limit || m.bytes > m.limit {
		panic("out of memory")
	}
}
func (m *meter) Step(n int) { m.steps += n }

var free = dense.Unmetered{}

func randomNumber[T dense.Number](r *rand.Rand) T {
	var zero T
	if _, ok := any(zero).(float64); ok {
		return any(r.NormFloat64()).(T)
	}
	return any(complex(r.NormFloat64(), r.NormFloat64())).(T)
}

func randomMatrix[T dense.Number](r *rand.Rand, rows, cols int) dense.Matrix[T] {
	a := dense.New[T](rows, cols, free)
	for i := range a.Data {
		a.Data[i] = randomNumber[T](r)
	}
	return a
}

func near(t *testing.T, what string, have, want float64) {
	t.Helper()
	if !(math.Abs(have-want) <= 1e-12*math.Max(1, math.Abs(want))) {
		t.Errorf("%s: %g, want %g", what, have, want)
	}
}

func TestReal(t *testing.T)    { testNumber[float64](t) }
func TestComplex(t *testing.T) { testNumber[complex128](t) }

// testNumber compares the package with its definitions on random shapes.
func testNumber[T dense.Number](t *testing.T) {
	r := randomtest.New(t)
	for range 40 {
		m, n, k := r.IntN(9), r.IntN(9), r.IntN(9)
		testProduct[T](t, r, m, n, k)
		testSolutions[T](t, r, m, n, k)
		testFactors[T](t, r, max(m, 1), max(n, 1))
		testSquare[T](t, r, n+1)
	}
}

func testProduct[T dense.Number](t *testing.T, r *rand.Rand, m, n, k int) {
	opA, opB := dense.None+dense.Op(r.IntN(3)), dense.None+dense.Op(r.IntN(3))
	a, b, c := randomMatrix[T](r, m, k), randomMatrix[T](r, k, n), randomMatrix[T](r, m, n)
	if opA != dense.None {
		a = randomMatrix[T](r, k, m)
	}
	if opB != dense.None {
		b = randomMatrix[T](r, n, k)
	}
	alpha, beta := randomNumber[T](r), randomNumber[T](r)
	product := tableOf(a).op(opA, a.Cols).times(tableOf(b).op(opB, b.Cols), n)
	want := newTable(m, n).plus(toPrecise(alpha), product).plus(toPrecise(beta), tableOf(c))
	p := dense.Product[T]{Alpha: alpha, Beta: beta, OpA: opA, OpB: opB, A: a, B: b, C0: c}

	wrong := randomMatrix[T](r, m, n)
	scale := dense.Abs(alpha)*tableOf(a).norm()*tableOf(b).norm() + dense.Abs(beta)*tableOf(c).norm()
	if scale > 0 {
		residual := tableOf(wrong).plus(toPrecise(-1.0), want).norm() / scale
		near(t, "residual of a wrong product", p.Residual(wrong, free), residual)
	}
	got := c.Copy(free)
	dense.Multiply(alpha, opA, a, opB, b, beta, got, free)
	near(t, "product", tableOf(got).plus(toPrecise(-1.0), want).norm(), 0)
	near(t, "residual of a product", p.Residual(got, free), 0)

	both := dense.Combine(alpha, c, beta, got, free)
	sum := newTable(m, n).plus(toPrecise(alpha), tableOf(c)).plus(toPrecise(beta), tableOf(got))
	near(t, "sum", tableOf(both).plus(toPrecise(-1.0), sum).norm(), 0)
	near(t, "norm", dense.Norm(both, free), sum.norm())
	adjoint := dense.Transposed(c, true, free)
	near(t, "adjoint", tableOf(adjoint).plus(toPrecise(-1.0), tableOf(c).op(dense.ConjTrans, n)).norm(), 0)
}

func testSolutions[T dense.Number](t *testing.T, r *rand.Rand, m, n, k int) {
	a, x, b := randomMatrix[T](r, m, n), randomMatrix[T](r, n, k), randomMatrix[T](r, m, k)
	scale := tableOf(a).norm() * tableOf(x).norm()
	if scale > 0 {
		residual := tableOf(a).times(tableOf(x), k).plus(toPrecise(-1.0), tableOf(b)).norm()
		near(t, "residual", dense.Residual(a, x, b, free), residual/scale)
	}
	dense.Multiply(1, dense.None, a, dense.None, x, 0, b, free)
	near(t, "residual of a solution", dense.Residual(a, x, b, free), 0)
}

func testFactors[T dense.Number](t *testing.T, r *rand.Rand, m, n int) {
	k := min(m, n)
	a, lu, pivots := randomMatrix[T](r, m, n), randomMatrix[T](r, m, n), make([]int, k)
	permuted := tableOf(a)
	for i := range pivots {
		pivots[i] = i + r.IntN(m-i)
		permuted[i], permuted[pivots[i]] = permuted[pivots[i]], permuted[i]
	}
	l, u := newTable(m, k), newTable(k, n)
	for i := range m {
		for j := range n {
			switch {
			case i > j:
				l[i][j] = toPrecise(lu.At(i, j))
			default:
				u[i][j] = toPrecise(lu.At(i, j))
			}
		}
		if i < k {
			l[i][i] = toPrecise(1.0)
		}
	}
	residual := permuted.plus(toPrecise(-1.0), l.times(u, n)).norm() / tableOf(a).norm()
	near(t, "LU", dense.LUResidual(a, lu, pivots, free), residual)

	qr := a.Copy(free)
	tau := dense.Factor(qr, free)
	near(t, "QR", dense.QRResidual(a, qr, tau, free), 0)
	q := dense.FormQ(qr, tau, m, free)
	near(t, "Q", dense.Orthogonality(q, free), 0)
	wrong := randomMatrix[T](r, m, n)
	upper := tableOf(dense.Triangle(qr, true, false, free))
	difference := tableOf(wrong).plus(toPrecise(-1.0), tableOf(q).times(upper, n)).norm()
	near(t, "QR of another matrix", dense.QRResidual(wrong, qr, tau, free), difference/tableOf(wrong).norm())
	unitary := dense.Orthogonal(m, n, func() T { return randomNumber[T](r) }, free)
	if m < n {
		unitary = dense.Transposed(unitary, true, free)
	}
	near(t, "random Q", dense.Orthogonality(unitary, free), 0)
}

func testSquare[T dense.Number](t *testing.T, r *rand.Rand, n int) {
	a, x := randomMatrix[T](r, n, n), randomMatrix[T](r, n, n)
	one := newTable(n, n)
	for i := range one {
		one[i][i] = toPrecise(1.0)
	}
	scale := tableOf(a).norm() * tableOf(x).norm()
	near(t, "inverse", dense.InverseResidual(a, x, free),
		tableOf(a).times(tableOf(x), n).plus(toPrecise(-1.0), one).norm()/scale)
	gram := tableOf(a).op(dense.ConjTrans, n).times(tableOf(a), n)
	near(t, "orthogonality", dense.Orthogonality(a, free), gram.plus(toPrecise(-1.0), one).norm())

	upper := r.IntN(2) == 0
	f := dense.Triangle(x, upper, false, free)
	square := tableOf(f).times(tableOf(f).op(dense.ConjTrans, n), n)
	if upper {
		square = tableOf(f).op(dense.ConjTrans, n).times(tableOf(f), n)
	}
	h := dense.Hermitian(a, upper, free)
	near(t, "Cholesky", dense.CholeskyResidual(a, x, upper, free),
		tableOf(h).plus(toPrecise(-1.0), square).norm()/tableOf(h).norm())
	near(t, "Hermitian", tableOf(h).plus(toPrecise(-1.0), tableOf(h).op(dense.ConjTrans, n)).norm(), 0)

	w, diagonal := make([]T, n), newTable(n, n)
	for i := range w {
		w[i] = randomNumber[T](r)
		diagonal[i][i] = toPrecise(w[i])
	}
	scaled := tableOf(x).times(diagonal, n)
	near(t, "eigenvalues", dense.EigenResidual(a, x, w, free),
		tableOf(a).times(tableOf(x), n).plus(toPrecise(-1.0), scaled).norm()/scale)
	near(t, "singular values", dense.SVDResidual(a, x, w, h, free),
		tableOf(a).plus(toPrecise(-1.0), scaled.times(tableOf(h), n)).norm()/tableOf(a).norm())

	p := dense.PositiveDefinite(n, func() T { return randomNumber[T](r) }, free)
	for j := range n {
		// A Cholesky factorization without pivots succeeds.
		d := blas.Real(p.At(j, j))
		if d <= 0 {
			t.Fatalf("pivot %d of a positive definite matrix is %g", j, d)
		}
		for c := j + 1; c < n; c++ {
			for i := j + 1; i < n; i++ {
				p.Set(i, c, p.At(i, c)-p.At(i, j)*p.At(j, c)/p.At(j, j))
			}
		}
	}
}

// TestNotFinite checks that a NaN or an infinity in any operand never looks like a small residual.
func TestNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		zero, one := dense.New[float64](2, 2, free), dense.Of(2, 2, []float64{1, 0, 0, 1})
		wrong := dense.Of(2, 2, []float64{1, 0, 0, bad})
		values, tau := []float64{1, bad}, []float64{0, 0}
		for name, residual := range map[string]float64{
			"A":        dense.Residual(wrong, zero, zero, free),
			"x":        dense.Residual(zero, wrong, zero, free),
			"b":        dense.Residual(one, one, wrong, free),
			"LU":       dense.LUResidual(zero, wrong, []int{0, 1}, free),
			"Cholesky": dense.CholeskyResidual(one, wrong, false, free),
			"QR":       dense.QRResidual(one, wrong, tau, free),
			"Q":        dense.Orthogonality(wrong, free),
			"inverse":  dense.InverseResidual(one, wrong, free),
			"V":        dense.EigenResidual(one, wrong, tau, free),
			"w":        dense.EigenResidual(one, one, values, free),
			"s":        dense.SVDResidual(one, one, values, one, free),
			"C": (&dense.Product[float64]{Alpha: 1, OpA: dense.None, OpB: dense.None, A: one, B: one}).
				Residual(wrong, free),
		} {
			if !math.IsNaN(residual) {
				t.Errorf("%g in %s: %g", bad, name, residual)
			}
		}
	}
	if big := dense.Norm(dense.Of(2, 1, []float64{1e300, 1e300}), free); math.Abs(big/1e300-math.Sqrt2) > 1e-15 {
		t.Errorf("the norm of large numbers is %g", big)
	}
	if n := dense.Norm(dense.New[float64](1<<36, 0, free), free); n != 0 {
		t.Errorf("the norm of an empty matrix is %g", n)
	}
}

// TestMeter checks that memory is reserved before it is allocated, and that long products report their progress.
func TestMeter(t *testing.T) {
	m := &meter{limit: 1 << 20}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a matrix with 2^64 elements was allocated")
			}
		}()
		dense.New[float64](1<<32, 1<<32, m)
	}()
	m = &meter{limit: 1 << 30}
	a := dense.New[float64](100, 100, m)
	dense.Residual(a, a, a, m)
	if m.steps < 100*100*100 || m.bytes < 2*80000 {
		t.Errorf("%d steps, %d bytes", m.steps, m.bytes)
	}
}
