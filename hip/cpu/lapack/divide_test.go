package lapack

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"roclua/hip/cpu/blas"
	"roclua/internal/randomtest"
)

// tridiagonalKinds are functions that make the elements of d and e numbered i of n, of matrices whose eigenvalues are
// hard to separate.
var tridiagonalKinds = []struct {
	name string
	make func(r *rand.Rand, i, n int) (d, e float64)
}{
	{"random", func(r *rand.Rand, _, _ int) (d, e float64) { return r.NormFloat64(), r.NormFloat64() }},
	{"Wilkinson", func(_ *rand.Rand, i, n int) (d, e float64) { return math.Abs(float64(i) - float64(n-1)/2), 1 }},
	{"glued Wilkinson", func(_ *rand.Rand, i, _ int) (d, e float64) {
		if i%21 == 20 {
			return 10, 1e-14
		}
		return math.Abs(float64(i%21 - 10)), 1
	}},
	{"loosely glued Wilkinson", func(_ *rand.Rand, i, _ int) (d, e float64) {
		if i%21 == 20 {
			return 10, 1e-7
		}
		return math.Abs(float64(i%21 - 10)), 1
	}},
	{"differences", func(*rand.Rand, int, int) (d, e float64) { return 2, -1 }},
	{"equal", func(*rand.Rand, int, int) (d, e float64) { return 3, 0 }},
	{"zeros", func(*rand.Rand, int, int) (d, e float64) { return 0, 0 }},
	{"no diagonal", func(r *rand.Rand, _, _ int) (d, e float64) { return 0, r.NormFloat64() }},
	{"few connected", func(r *rand.Rand, _, _ int) (d, e float64) {
		return float64(r.IntN(3)), float64(r.IntN(2)) * r.NormFloat64()
	}},
	{"clustered", func(r *rand.Rand, _, _ int) (d, e float64) { return 1, 1e-9 * r.NormFloat64() }},
	{"at rounding errors", func(r *rand.Rand, _, _ int) (d, e float64) {
		return 1 + 0x1p-52*float64(r.IntN(9)), 0x1p-51 * r.NormFloat64()
	}},
	{"descending", func(r *rand.Rand, i, n int) (d, e float64) {
		size := math.Pow(10, -300*float64(i)/float64(n))
		return size * (1 + r.Float64()), size * r.NormFloat64()
	}},
	{"ascending", func(r *rand.Rand, i, n int) (d, e float64) {
		size := math.Pow(10, -40*float64(n-i)/float64(n))
		return size, size
	}},
	{"small in the middle", func(_ *rand.Rand, i, n int) (d, e float64) {
		size := math.Pow(10, -100*(1-math.Abs(2*float64(i)/float64(n)-1)))
		return size, -size
	}},
	{"of any size", func(r *rand.Rand, _, _ int) (d, e float64) {
		return math.Pow(10, -30*r.Float64()), math.Pow(10, -30*r.Float64())
	}},
}

// divideOrders are orders around the ones where the method changes, and some that it halves to odd orders.
var divideOrders = []int{1, 2, 3, 4, 5, 8, 21, 63, 64, 65, 127, 210}

// TestTridiagonalVectors compares eigenvalues with gonum's, and checks that the vectors are orthonormal and solve the
// problem, all to a few rounding errors of the largest eigenvalue for each row.
func TestTridiagonalVectors(t *testing.T) {
	r := randomtest.New(t)
	for _, kind := range tridiagonalKinds {
		for _, n := range divideOrders {
			for _, scale := range []float64{1, 0x1p700, 0x1p-600} {
				d, e := make([]float64, n), make([]float64, n)
				for i := range n {
					d[i], e[i] = kind.make(r, i, n)
				}
				e = e[:n-1]
				want, rest := slices.Clone(d), slices.Clone(e)
				if !iterations.Dsterf(n, want, rest) {
					t.Fatal("gonum does not converge")
				}
				multiplyAll(scale, d)
				multiplyAll(scale, e)
				have, other, z := slices.Clone(d), slices.Clone(e), blas.NewMatrix[float64](n, n)
				what := fmt.Sprintf("%s, order %d, scale %g", kind.name, n, scale)
				if info := Steqr(n, have, other, z.Data); info != 0 || countNonzero(other) != 0 {
					t.Fatalf("%s: info %d, e %v", what, info, other)
				}
				largest := max(math.Abs(want[0]), math.Abs(want[n-1])) * scale
				limit := 4 * float64(n) * 0x1p-52 * largest
				for i := range n {
					if !(math.Abs(have[i]-scale*want[i]) <= limit) {
						t.Fatalf("%s: eigenvalue %d is %g, want %g", what, i, have[i], scale*want[i])
					}
				}
				wantOrthonormal(t, what, z, n)
				for j := range n {
					for i := range n {
						sum := (d[i] - have[j]) * z.At(i, j)
						if i > 0 {
							sum += e[i-1] * z.At(i-1, j)
						}
						if i < n-1 {
							sum += e[i] * z.At(i+1, j)
						}
						if !(math.Abs(sum) <= limit) {
							t.Fatalf("%s: element %d of A v - w v is %g for value %d", what, i, sum, j)
						}
					}
				}
			}
		}
	}
}

// TestRootsAreRefined checks that a root is not left where its equation is only within its bound of rounding errors:
// the last step takes it from 15 units of the last place to 3.
func TestRootsAreRefined(t *testing.T) {
	d := []float64{7104897215829016 * 0x1p-67, 6318985781237681 * 0x1p-88, 4599844516133363 * 0x1p-92}
	e := []float64{5118367305255367 * 0x1p-52, 5629527835044103 * 0x1p-79}
	if info := Steqr(3, d, e, make([]float64, 9)); info != 0 {
		t.Fatal("info", info)
	}
	// The eigenvalues times 2^52, to 17 digits.
	for i, want := range []float64{-5118258894229601.0, 4183.5342309628125, 5118475718577408.5} {
		if have := d[i] * 0x1p52; !(math.Abs(have-want) <= 4) {
			t.Errorf("eigenvalue %d times 2^52 is %.17g, want %.17g", i, have, want)
		}
	}
}

// wantOrthonormal checks the columns of a matrix of order n.
func wantOrthonormal(t *testing.T, what string, z blas.Matrix[float64], n int) {
	t.Helper()
	products := product(blas.ConjTrans, blas.None, n, n, n, z, z)
	for i := range n {
		products.Set(i, i, products.At(i, i)-1)
	}
	for i, v := range products.Data {
		if !(math.Abs(v) <= 4*float64(n)*0x1p-52) {
			t.Fatalf("%s: the product of vectors %d and %d differs by %g", what, i%n, i/n, v)
		}
	}
}

// TestBidiagonalVectors checks bidiagonal matrices like TestTridiagonalVectors.
func TestBidiagonalVectors(t *testing.T) {
	r := randomtest.New(t)
	for _, kind := range append(slices.Clone(tridiagonalKinds), bidiagonalKinds...) {
		for _, n := range divideOrders {
			for _, scale := range []float64{1, 0x1p700, 0x1p-600} {
				d, e := make([]float64, n), make([]float64, n)
				for i := range n {
					d[i], e[i] = kind.make(r, i, n)
				}
				e = e[:n-1]
				want := iteratedValues(t, d, e)
				limit := 4 * float64(n) * 0x1p-52 * want[0] * scale
				multiplyAll(scale, d)
				multiplyAll(scale, e)
				have, other := slices.Clone(d), slices.Clone(e)
				left, right := blas.NewMatrix[float64](n, n), blas.NewMatrix[float64](n, n)
				what := fmt.Sprintf("%s, order %d, scale %g", kind.name, n, scale)
				if info := bdsdc(false, n, have, other, left.Data, right.Data); info != 0 || countNonzero(other) != 0 {
					t.Fatalf("%s: info %d, e %v", what, info, other)
				}
				for i, v := range have {
					if !(v >= 0 && math.Abs(v-scale*want[i]) <= limit) {
						t.Fatalf("%s: singular value %d is %g, want %g", what, i, v, scale*want[i])
					}
				}
				wantOrthonormal(t, what+", left", left, n)
				wantOrthonormal(t, what+", right", right, n)
				for j := range n {
					for i := range n {
						sum := d[i]*right.At(i, j) - have[j]*left.At(i, j)
						if i < n-1 {
							sum += e[i] * right.At(i+1, j)
						}
						if !(math.Abs(sum) <= limit) {
							t.Fatalf("%s: element %d of A v - s u is %g for value %d", what, i, sum, j)
						}
					}
				}
			}
		}
	}
}

// TestVectorsDoNotDependOnThreads expects the same bits with one and several threads.
func TestVectorsDoNotDependOnThreads(t *testing.T) {
	const n = 300
	defer blas.SetThreads(0)
	from := draw[float64](rand.New(rand.NewPCG(3, 4)), n, n)
	var results [2][]float64
	for i, threads := range []int{1, 3} {
		blas.SetThreads(threads)
		a, w, e := clone(from), make([]float64, n), make([]float64, n)
		Heev(true, blas.Lower, n, a, w, e)
		results[i] = append(a.Data, w...)
		a, u, v := clone(from), blas.NewMatrix[float64](n, n), blas.NewMatrix[float64](n, n)
		Gesvd(n, n, a, w, e, Vectors[float64]{n, n, u, v})
		results[i] = slices.Concat(results[i], w, u.Data, v.Data)
	}
	if !slices.Equal(results[0], results[1]) {
		t.Error("results differ")
	}
}
