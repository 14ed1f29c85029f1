package lapack

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"roclua/hip/cpu/blas"
)

// luSizes are orders around the width of a panel.
var luSizes = []struct{ m, n int }{{1, 1}, {5, 5}, {7, 3}, {3, 7}, {panelWidth, panelWidth},
	{panelWidth + 1, panelWidth + 1}, {panelWidth, panelWidth + 2}, {panelWidth + 3, panelWidth}, {130, 100}, {60, 110}}

func TestGetrf(t *testing.T) {
	each(t, testGetrf[float32], testGetrf[float64], testGetrf[complex64], testGetrf[complex128])
}

// testGetrf multiplies the factors and reverts the exchanges of rows.
func testGetrf[T blas.Number](t *testing.T, r *rand.Rand) {
	for _, size := range luSizes {
		for _, pivoting := range []bool{false, true} {
			m, n := size.m, size.n
			rank := min(m, n)
			a := draw[T](r, m, n)
			var pivots []int32
			if pivoting {
				pivots = make([]int32, rank)
			} else {
				for i := range rank {
					a.Set(i, i, a.At(i, i)+blas.FromReal[T](float64(3*(m+n)))) // exchanges are not necessary
				}
			}
			factors := clone(a)
			what := fmt.Sprintf("%d x %d, pivoting %v", m, n, pivoting)
			if info := Getrf(m, n, factors, pivots); info != 0 {
				t.Errorf("%s: info %d", what, info)
			}
			l := part(factors, m, rank, func(i, j int) bool { return i > j })
			for i := range rank {
				l.Set(i, i, 1)
			}
			u := part(factors, rank, n, func(i, j int) bool { return i <= j })
			back := product(blas.None, blas.None, m, n, rank, l, u)
			if pivoting {
				Laswp(n, back, pivots, 0, rank, true)
				checkPivots(t, what, l, m, pivots)
			}
			wantSame(t, "P L U, "+what, m, n, back, a, float64(3*(m+n)))
			wantUnchanged(t, what, factors, a, func(i, _ int) bool { return i < m })
		}
	}
}

// checkPivots checks that every pivot was the largest element of its column, and that it came from a row below.
func checkPivots[T blas.Number](t *testing.T, what string, l blas.Matrix[T], m int, pivots []int32) {
	t.Helper()
	for j, p := range pivots {
		if int(p) < j+1 || int(p) > m {
			t.Fatalf("%s: pivot %d is %d", what, j, p)
		}
		for i := j; i < m; i++ {
			if blas.Abs1(l.At(i, j)) > 2.001 { // a quotient by the number with the largest |re| + |im|
				t.Fatalf("%s: L(%d, %d) is %v", what, i, j, l.At(i, j))
			}
		}
	}
}

// TestSingularMatrices expects the index of the first zero pivot, after which the factorization continues.
func TestSingularMatrices(t *testing.T) {
	for _, test := range []struct {
		name     string
		n        int
		zero     []int // columns of zeros
		pivoting bool
		want     int
	}{
		{"the first column", 3, []int{0}, true, 1},
		{"two columns", 5, []int{1, 3}, true, 2},
		{"the last column of the first panel", panelWidth + 4, []int{panelWidth - 1, panelWidth + 1}, true, panelWidth},
		{"a column of the second panel", panelWidth + 4, []int{panelWidth + 1}, true, panelWidth + 2},
		{"without pivots", 4, []int{2}, false, 3},
	} {
		a := blas.Matrix[float64]{Data: make([]float64, test.n*test.n), LD: test.n}
		for i := range test.n {
			if !slices.Contains(test.zero, i) {
				a.Set(i, i, 2)
				a.Set((i+1)%test.n, i, 1)
			}
		}
		var pivots []int32
		if test.pivoting {
			pivots = make([]int32, test.n)
		}
		if info := Getrf(test.n, test.n, a, pivots); info != test.want {
			t.Errorf("%s: info %d, want %d", test.name, info, test.want)
		}
		if pivots != nil && slices.Contains(pivots, 0) {
			t.Errorf("%s: pivots %v", test.name, pivots)
		}
		before := clone(a)
		if info := Getri(test.n, a, pivots, make([]float64, test.n*test.n)); info != test.want ||
			!slices.Equal(a.Data, before.Data) {
			t.Errorf("%s: the inversion has info %d, want %d and no change", test.name, info, test.want)
		}
	}
}

func TestSolvesWithLU(t *testing.T) {
	each(t, testGetrs[float32], testGetrs[float64], testGetrs[complex64], testGetrs[complex128])
}

func testGetrs[T blas.Number](t *testing.T, r *rand.Rand) {
	for _, n := range []int{1, 2, 9, panelWidth + 5, 2*smallInverse + 9} {
		for _, op := range []blas.Op{blas.None, blas.Trans, blas.ConjTrans} {
			const nrhs = 3
			a, b := draw[T](r, n, n), draw[T](r, n, nrhs)
			for i := range n {
				a.Set((i+1)%n, i, a.At((i+1)%n, i)+blas.FromReal[T](float64(2*n))) // every row is exchanged
			}
			factors, pivots, x := clone(a), make([]int32, n), clone(b)
			Getrf(n, n, factors, pivots)
			Getrs(op, n, nrhs, factors, pivots, x)
			what := fmt.Sprintf("op %d, order %d", op, n)
			wantSame(t, "op(A) X, "+what, n, nrhs, product(op, blas.None, n, nrhs, n, a, x), b, float64(10*n))
			wantUnchanged(t, what, x, b, func(i, _ int) bool { return i < n })

			if info := Getri(n, factors, pivots, make([]T, n*n)); info != 0 {
				t.Errorf("%s: info %d", what, info)
			}
			one := part(a, n, n, func(int, int) bool { return false })
			for i := range n {
				one.Set(i, i, 1)
			}
			wantSame(t, "A inv(A), "+what, n, n, product(blas.None, blas.None, n, n, n, a, factors), one, float64(10*n))
		}
	}
}

func TestTrtri(t *testing.T) {
	each(t, testTrtri[float32], testTrtri[float64], testTrtri[complex64], testTrtri[complex128])
}

func testTrtri[T blas.Number](t *testing.T, r *rand.Rand) {
	for _, n := range []int{1, 2, 3, 8, 2*smallInverse + 5} {
		for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
			for _, diag := range []blas.Diag{blas.NonUnit, blas.Unit} {
				a := draw[T](r, n, n)
				for i := range n {
					a.Set(i, i, a.At(i, i)+blas.FromReal[T](8))
				}
				if diag == blas.Unit {
					for i := range a.Data { // small, so that the inverse is not large
						a.Data[i] /= blas.FromReal[T](float64(n))
					}
					a.Set(0, 0, 0) // it is not read
				}
				what := fmt.Sprintf("order %d, uplo %d, diag %d", n, uplo, diag)
				inverse := clone(a)
				if info := Trtri(uplo, diag, n, inverse); info != 0 {
					t.Errorf("%s: info %d", what, info)
				}
				back := product(blas.None, blas.None, n, n, n, triangle(a, n, uplo, diag),
					triangle(inverse, n, uplo, diag))
				one := triangle(part(a, n, n, func(int, int) bool { return false }), n, uplo, blas.Unit)
				wantSame(t, "A inv(A), "+what, n, n, back, one, 1000)
				wantUnchanged(t, what, inverse, a, func(i, j int) bool {
					return i < n && (i == j && diag == blas.NonUnit || i != j && (i < j) == (uplo == blas.Upper))
				})
				if diag == blas.NonUnit {
					a.Set(n/2, n/2, 0)
					if info := Trtri(uplo, diag, n, a); info != n/2+1 {
						t.Errorf("%s with a zero: info %d, want %d", what, info, n/2+1)
					}
				}
			}
		}
	}
}

// TestLaswp exchanges some of the rows forward, and reverts that.
func TestLaswp(t *testing.T) {
	a := blas.Matrix[float64]{Data: []float64{1, 2, 3, 4, 0, 5, 6, 7, 8, 0}, LD: 5}
	before := clone(a)
	pivots := []int32{4, 3, 4, 4}
	Laswp(2, a, pivots, 1, 3, false)
	if want := []float64{1, 3, 4, 2, 0, 5, 7, 8, 6, 0}; !slices.Equal(a.Data, want) {
		t.Errorf("forward: %v, want %v", a.Data, want)
	}
	Laswp(2, a, pivots, 1, 3, true)
	if !slices.Equal(a.Data, before.Data) {
		t.Errorf("backward: %v, want %v", a.Data, before.Data)
	}
}
