package lapack

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"

	"roclua/hip/cpu/blas"
)

// wantValues compares values with a tolerance relative to the largest one, which grows with their number.
func wantValues[T blas.Number](t *testing.T, what string, have, want []float64) {
	t.Helper()
	size := 0.0
	for _, v := range want {
		size = max(size, math.Abs(v))
	}
	for i := range want {
		if !(math.Abs(have[i]-want[i]) <= float64(100+2*len(want))*epsilonOf[T]()*size) {
			t.Fatalf("%s: values %v, want %v", what, have, want)
		}
	}
}

// spectrum is a list of eigenvalues or singular values with a name.
type spectrum struct {
	name   string
	values []float64
}

// spectra are the values of test matrices, ascending.
func spectra() []spectrum {
	graded, repeated, many := make([]float64, 12), make([]float64, 9), make([]float64, 40)
	for i := range graded {
		graded[i] = math.Pow(10, float64(i)-12)
	}
	for i := range repeated {
		repeated[i] = float64(i / 4)
	}
	for i := range many {
		many[i] = float64(i*i) - 1000
	}
	return []spectrum{{"order 1", []float64{3}}, {"order 2", []float64{-1, 5}}, {"graded", graded},
		{"repeated and of low rank", repeated}, {"equal", []float64{2, 2, 2, 2, 2}}, {"zeros", make([]float64, 6)},
		{"many", many}, {"large", []float64{-2e15, 1e15, 3e15}}, {"small", []float64{-1e-30, 1e-30, 5e-30, 2e-29}}}
}

// orthogonal returns a random orthogonal matrix.
func orthogonal[T blas.Number](r *rand.Rand, n int) blas.Matrix[T] {
	a, tau := draw[T](r, n, n), make([]T, n)
	Geqrf(n, n, a, tau)
	Generate(QR, n, n, n, a, tau)
	return a
}

// withValues returns Q diag(values) P, m x n; Q and P have as many columns and rows as there are values.
func withValues[T blas.Number](
	q blas.Matrix[T], op blas.Op, p blas.Matrix[T], m, n int, values []float64,
) blas.Matrix[T] {
	scaled := clone(q)
	for j, v := range values {
		multiplyAll(blas.FromReal[T](v), scaled.Data[j*scaled.LD:][:m])
	}
	return product(blas.None, op, m, n, len(values), scaled, p)
}

// wantVectors checks that V is orthonormal.
func wantVectors[T blas.Number](t *testing.T, what string, rows, columns int, v blas.Matrix[T]) {
	t.Helper()
	one := blas.NewMatrix[T](columns, columns)
	for i := range columns {
		one.Set(i, i, 1)
	}
	wantSame(t, "V^H V, "+what, columns, columns, product(blas.ConjTrans, blas.None, columns, columns, rows, v, v), one,
		float64(10*rows))
}

func TestEigenvalues(t *testing.T) {
	each(t, testEigen[float32], testEigen[float64], testEigen[complex64], testEigen[complex128])
}

// testEigen computes matrices with known eigenvalues by both methods.
func testEigen[T blas.Number](t *testing.T, r *rand.Rand) {
	for _, s := range spectra() {
		n := len(s.values)
		q := orthogonal[T](r, n)
		a := withValues(q, blas.ConjTrans, q, n, n, s.values)
		for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
			for _, vectors := range []bool{false, true} {
				for _, jacobi := range []bool{false, true} {
					what := fmt.Sprintf("%s, uplo %d, vectors %t, Jacobi %t", s.name, uplo, vectors, jacobi)
					z, w, e := clone(a), make([]float64, n), make([]float64, n)
					if jacobi {
						if done := Heevj(true, vectors, uplo, n, z, 0, 100, w); done.Info != 0 || done.Count > 30 {
							t.Errorf("%s: %+v", what, done)
						}
					} else if info := Heev(vectors, uplo, n, z, w, e); info != 0 || slices.Max(e) != 0 {
						t.Errorf("%s: info %d, e %v", what, info, e)
					}
					wantValues[T](t, what, w, s.values)
					if vectors {
						wantVectors(t, what, n, n, z)
						largest := max(math.Abs(s.values[0]), s.values[n-1], 1e-35)
						wantSame(t, "V D V^H, "+what, n, n, withValues(z, blas.ConjTrans, z, n, n, w), a,
							float64(10*n)*largest)
					}
				}
			}
		}
	}
}

// TestEigenvaluesOfDiagonalMatrices expects exact results.
func TestEigenvaluesOfDiagonalMatrices(t *testing.T) {
	a := blas.Matrix[complex64]{Data: []complex64{3, 0, 0, 0, -1, 0, 0, 0, 2}, LD: 3}
	w, e := make([]float64, 3), make([]float64, 3)
	if info := Heev(true, blas.Lower, 3, a, w, e); info != 0 || !slices.Equal(w, []float64{-1, 2, 3}) {
		t.Errorf("eigenvalues %v, info %d", w, info)
	}
	for i, v := range []complex64{0, 1, 0, 0, 0, 1, 1, 0, 0} {
		if blas.Abs1(a.Data[i])*blas.Abs1(a.Data[i]) != blas.Abs1(v) {
			t.Errorf("eigenvectors %v", a.Data)
		}
	}
}

// TestEigenvaluesLikeGonum compares with the eigenvalues that gonum computes.
func TestEigenvaluesLikeGonum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 5, 33, 100} {
		a := draw[float64](r, n, n)
		rows, want := make([]float64, n*n), make([]float64, n)
		for i := range n {
			for j := range n {
				rows[i*n+j] = a.At(max(i, j), min(i, j))
			}
		}
		if !(gonum.Implementation{}).Dsyev(lapack.EVNone, 'U', n, rows, n, want, make([]float64, 100*n), 100*n) {
			t.Fatal("gonum does not converge")
		}
		have := make([]float64, n)
		Heev(false, blas.Lower, n, a, have, make([]float64, n))
		wantValues[float64](t, fmt.Sprint("order ", n), have, want)
	}
}

// TestTridiagonalBlocks joins blocks of very different sizes, whose eigenvalues are known.
func TestTridiagonalBlocks(t *testing.T) {
	for _, vectors := range []bool{false, true} {
		d := []float64{1e-200, 1e-200, 1e-200, 5, 5, 1e200, 1e200}
		e := []float64{1e-200, 1e-200, 0, 3, 0, 1e199}
		want := []float64{(1 - math.Sqrt2) * 1e-200, 1e-200, (1 + math.Sqrt2) * 1e-200, 2, 8, 9e199, 1.1e200}
		var z []float64
		if vectors {
			z = make([]float64, 49)
		}
		if info := Steqr(7, d, e, z); info != 0 {
			t.Errorf("info %d", info)
		}
		for i := range want {
			// Next to 1e200, the smallest ones are zero.
			if math.Abs(d[i]-want[i]) > 1e-14*math.Abs(want[i])+1e-190 {
				t.Fatalf("eigenvalues %v, want %v", d, want)
			}
		}
		if vectors {
			wantVectors(t, "blocks", 7, 7, blas.Matrix[float64]{Data: z, LD: 7})
		}
	}
	blocks := blocksOf([]float64{1, 1, 1, 1}, []float64{1e-20, 1, 0}, 1e-16, 0)
	if fmt.Sprint(blocks) != "[{0 1} {1 3} {3 4}]" {
		t.Errorf("blocks %v", blocks)
	}
}

// TestIterationEnds checks that the iteration ends, and reports the elements that did not converge, if no sweep helps.
func TestIterationEnds(t *testing.T) {
	d, e := []float64{1, math.NaN(), 2}, []float64{1, 1}
	if (Block{0, len(d)}).solve(len(d), d, e, make([]float64, len(d)*len(d))) != len(e) {
		t.Errorf("%d elements did not converge, want %d: %v", countNonzero(e), len(e), e)
	}
}

func TestSingularValues(t *testing.T) {
	each(t, testSingular[float32], testSingular[float64], testSingular[complex64], testSingular[complex128])
}

// testSingular computes matrices with known singular values and all shapes by both methods.
func testSingular[T blas.Number](t *testing.T, r *rand.Rand) {
	for _, s := range spectra() {
		k := len(s.values)
		values := make([]float64, k)
		for i, v := range s.values {
			values[i] = math.Abs(v)
		}
		slices.Sort(values)
		slices.Reverse(values)
		sizes := []struct{ m, n int }{{k, k}, {k + 3, k}, {k, k + 2}, {3*k + 1, k}, {k, 2 * k}}
		if testing.Short() {
			sizes = sizes[1:3]
		}
		for _, size := range sizes {
			m, n := size.m, size.n
			a := withValues(orthogonal[T](r, m), blas.ConjTrans, orthogonal[T](r, n), m, n, values)
			for _, left := range []int{0, k, m} {
				for _, right := range []int{0, k, n} {
					what := fmt.Sprintf("%s, %d x %d, %d and %d vectors", s.name, m, n, left, right)
					checkSingular(t, what, false, m, n, a, values, left, right)
					checkSingular(t, what+", Jacobi", true, m, n, a, values, left, right)
				}
			}
		}
	}
}

func checkSingular[T blas.Number](
	t *testing.T, what string, jacobi bool, m, n int, a blas.Matrix[T], want []float64, left,
	right int,
) {
	t.Helper()
	k := len(want)
	u, v, s, e := blas.NewMatrix[T](m, left), blas.NewMatrix[T](right, n), make([]float64, k), make([]float64, k)
	if jacobi {
		if done := Gesvdj(m, n, clone(a), 0, 100, s, Vectors[T]{left, right, u, v}); done.Info != 0 || done.Count > 30 {
			t.Errorf("%s: %+v", what, done)
		}
	} else if info := Gesvd(m, n, clone(a), s, e, Vectors[T]{left, right, u, v}); info != 0 || slices.Max(e) != 0 {
		t.Errorf("%s: info %d, e %v", what, info, e)
	}
	wantValues[T](t, what, s, want)
	if left > 0 {
		wantVectors(t, what, m, left, u)
	}
	if right > 0 {
		wantVectors(t, what, n, right, adjoint(right, n, v))
	}
	if left > 0 && right > 0 {
		wantSame(t, "U S V, "+what, m, n, withValues(u, blas.None, v, m, n, s), a,
			float64(10*(m+n))*max(want[0], 1e-35))
	}
}

// TestSingularValuesLikeGonum compares with the singular values that gonum computes.
func TestSingularValuesLikeGonum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, size := range []struct{ m, n int }{{1, 1}, {6, 4}, {4, 6}, {50, 50}, {130, 129}} {
		m, n := size.m, size.n
		k := min(m, n)
		a := draw[float64](r, m, n)
		rows, want := make([]float64, m*n), make([]float64, k)
		for i := range m {
			for j := range n {
				rows[i*n+j] = a.At(i, j)
			}
		}
		work := make([]float64, 100*(m+n))
		if !(gonum.Implementation{}).Dgesvd(lapack.SVDNone, lapack.SVDNone, m, n, rows, n, want, nil, 1, nil, 1, work,
			len(work)) {
			t.Fatal("gonum does not converge")
		}
		have := make([]float64, k)
		Gesvd(m, n, a, have, make([]float64, k), Vectors[float64]{})
		wantValues[float64](t, fmt.Sprintf("%d x %d", m, n), have, want)
	}
}

// TestValuesThatAreNotFinite expects an end, NaN and an info, whatever element is not finite.
func TestValuesThatAreNotFinite(t *testing.T) {
	const n = 40
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, at := range []int{0, n - 1, n*n - 1, n*n/2 + n/2} {
			draw := func() blas.Matrix[complex64] {
				a := draw[complex64](rand.New(rand.NewPCG(1, 2)), n, n)
				a.Data[at%n+at/n*a.LD] = complex(0, float32(bad))
				a.Data[at/n+at%n*a.LD] = complex(float32(bad), 0)
				return a
			}
			w, e := make([]float64, n), make([]float64, n)
			info := []int{Heev(true, blas.Lower, n, draw(), w, e)}
			values := []float64{w[0], w[n-1]}
			done := Heevj(true, true, blas.Upper, n, draw(), 0, 100, w)
			info = append(info, done.Info)
			values = append(values, w[0], done.Residual)
			u, v := blas.NewMatrix[complex64](n, n), blas.NewMatrix[complex64](n, n)
			info = append(info, Gesvd(n, n, draw(), w, e, Vectors[complex64]{n, n, u, v}))
			values = append(values, w[0], blas.Real(u.At(3, 3)))
			done = Gesvdj(n, n, draw(), 0, 100, w, Vectors[complex64]{n, n, u, v})
			info = append(info, done.Info)
			values = append(values, w[0], blas.Real(v.At(0, 0)))
			finite := func(v float64) bool { return !math.IsNaN(v) }
			if slices.Contains(info, 0) || slices.ContainsFunc(values, finite) {
				t.Errorf("%v at %d: info %v, values %v", bad, at, info, values)
			}
		}
	}
	d := []float64{1, math.NaN(), 3}
	if info := Bdsqr(blas.Lower, 3, d, []float64{1, 2}, nil, nil); info != 2 || !math.IsNaN(d[0]) {
		t.Errorf("bdsqr: %v, info %d", d, info)
	}
}

// TestSweeps gives Jacobi's methods too few sweeps, and a tolerance that is soon reached.
func TestSweeps(t *testing.T) {
	const n = 30
	a := draw[float64](rand.New(rand.NewPCG(5, 6)), n, n)
	w := make([]float64, n)
	few := Heevj(true, false, blas.Lower, n, clone(a), 0, 2, w)
	if few.Info != 1 || few.Count != 2 || few.Residual < 1e-10 {
		t.Errorf("two sweeps: %+v", few)
	}
	loose := Heevj(true, false, blas.Lower, n, clone(a), 0.01, 100, w)
	exact := Heevj(true, false, blas.Lower, n, clone(a), 0, 100, w)
	if loose.Info != 0 || exact.Info != 0 || loose.Count >= exact.Count || loose.Residual <= exact.Residual {
		t.Errorf("tolerance 0.01: %+v, precision: %+v", loose, exact)
	}
	few = Gesvdj(n, n, clone(a), 0, 1, w, Vectors[float64]{})
	exact = Gesvdj(n, n, clone(a), 0, 100, w, Vectors[float64]{})
	if few.Info != 1 || few.Count != 1 || exact.Info != 0 || exact.Residual >= few.Residual {
		t.Errorf("gesvdj: one sweep %+v, all %+v", few, exact)
	}
}

// TestSweepsOnThreads computes matrices that are large enough for several threads.
func TestSweepsOnThreads(t *testing.T) {
	const n = 133
	r := rand.New(rand.NewPCG(9, 10))
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(n - i)
	}
	q, p := orthogonal[complex128](r, n), orthogonal[complex128](r, n)
	checkSingular(t, "on threads", true, n, n, withValues(q, blas.ConjTrans, p, n, n, values), values, n, n)
	a := withValues(q, blas.ConjTrans, q, n, n, values)
	z, w := clone(a), make([]float64, n)
	if done := Heevj(true, true, blas.Lower, n, z, 0, 100, w); done.Info != 0 {
		t.Errorf("%+v", done)
	}
	slices.Reverse(values)
	wantValues[complex128](t, "on threads", w, values)
	wantVectors(t, "on threads", n, n, z)
}
