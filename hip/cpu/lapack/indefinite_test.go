package lapack

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"roclua/hip/cpu/blas"
)

func TestIndefinite(t *testing.T) {
	each(t, testIndefinite[float32], testIndefinite[float64], testIndefinite[complex64], testIndefinite[complex128])
}

// testIndefinite multiplies the factors of random matrices, some with a zero diagonal.
func testIndefinite[T blas.Number](t *testing.T, r *rand.Rand) {
	for _, n := range []int{1, 2, 3, 4, 9, 30, smallIndefinite + 70} {
		for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
			for _, zeros := range []bool{false, true} {
				if zeros && n%2 == 1 {
					continue // such a matrix of odd order may be singular
				}
				what := fmt.Sprintf("order %d, uplo %d, zeros %v", n, uplo, zeros)
				a := draw[T](r, n, n)
				for i := range n {
					if zeros {
						a.Set(i, i, 0)
					}
				}
				kept := func(i, j int) bool { return i < n && (i == j || (i < j) == (uplo == blas.Upper)) }
				for name, factor := range map[string]func(a blas.Matrix[T], pivots []int32) (kb, info int){
					"sytrf": func(a blas.Matrix[T], pivots []int32) (int, int) { return n, Sytrf(uplo, n, a, pivots) },
					"lasyf": func(a blas.Matrix[T], pivots []int32) (int, int) {
						return Lasyf(uplo, n, n/2+1, a, pivots)
					},
				} {
					factors, pivots := clone(a), make([]int32, n)
					kb, info := factor(factors, pivots)
					if info != 0 {
						t.Errorf("%s, %s: info %d", name, what, info)
					}
					if name == "lasyf" && n > 2 && kb != n/2 && kb != n/2+1 {
						t.Errorf("%s, %s: %d columns of at most %d", name, what, kb, n/2+1)
					}
					wantUnchanged(t, what, factors, a, kept)
					back := indefiniteProduct(uplo, n, kb, factors, pivots)
					full := fullSymmetric(uplo, n, a)
					wantSame(t, name+", "+what, n, n, back, full, float64(100*n))
				}
			}
		}
	}
}

// fullSymmetric completes a symmetric matrix.
func fullSymmetric[T blas.Number](uplo blas.Uplo, n int, a blas.Matrix[T]) blas.Matrix[T] {
	out := part(a, n, n, func(i, j int) bool { return i == j || (i < j) == (uplo == blas.Upper) })
	for j := range n {
		for i := range j {
			if uplo == blas.Upper {
				out.Set(j, i, out.At(i, j))
			} else {
				out.Set(i, j, out.At(j, i))
			}
		}
	}
	return out
}

// indefiniteProduct multiplies factors with kb computed columns. It applies the transformation of each block and its
// exchange, from the last block to the first, to both sides of D.
func indefiniteProduct[T blas.Number](uplo blas.Uplo, n, kb int, a blas.Matrix[T], pivots []int32) blas.Matrix[T] {
	full := fullSymmetric(uplo, n, a)
	d := part(full, n, n, func(int, int) bool { return true })
	type step struct{ k, order, row int } // columns k to k+order-1
	var steps []step
	if uplo == blas.Lower {
		for k := 0; k < kb; {
			s := step{k, 1, int(pivots[k]) - 1}
			if pivots[k] < 0 {
				s = step{k, 2, int(-pivots[k]) - 1}
			}
			steps, k = append(steps, s), k+s.order
		}
	} else {
		for k := n - 1; k >= n-kb; {
			s := step{k, 1, int(pivots[k]) - 1}
			if pivots[k] < 0 {
				s = step{k - 1, 2, int(-pivots[k]) - 1}
			}
			steps, k = append(steps, s), k-s.order
		}
	}
	for _, s := range steps { // D has no elements between blocks
		for c := s.k; c < s.k+s.order; c++ {
			for i := range n {
				if i < s.k || i >= s.k+s.order {
					d.Set(i, c, 0)
					d.Set(c, i, 0)
				}
			}
		}
	}
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		for c := s.k; c < s.k+s.order; c++ {
			for r := range n {
				if uplo == blas.Lower && r < s.k+s.order || uplo == blas.Upper && r >= s.k {
					continue
				}
				for at := range n {
					d.Set(r, at, d.At(r, at)+a.At(r, c)*d.At(c, at))
				}
			}
		}
		for c := s.k; c < s.k+s.order; c++ {
			for r := range n {
				if uplo == blas.Lower && r >= s.k+s.order || uplo == blas.Upper && r < s.k {
					blas.Axpy(a.At(r, c), d.Data[c*d.LD:][:n], d.Data[r*d.LD:])
				}
			}
		}
		with := s.k
		if uplo == blas.Lower {
			with += s.order - 1
		}
		swapRows(n, d, with, s.row)
		swapColumns(n, d, with, s.row)
	}
	return d
}

// TestSingularIndefinite expects the first zero block in the order of the factorization, and continues after it.
func TestSingularIndefinite(t *testing.T) {
	for _, test := range []struct {
		uplo blas.Uplo
		info int
	}{{blas.Lower, 2}, {blas.Upper, 4}} {
		for _, panels := range []bool{false, true} {
			a := blas.Matrix[float64]{Data: make([]float64, 25), LD: 5}
			for i := range 5 {
				a.Set(i, i, []float64{3, 0, -2, 0, 5}[i])
			}
			pivots := make([]int32, 5)
			info := 0
			if panels {
				_, info = Lasyf(test.uplo, 5, 5, a, pivots)
			} else {
				info = Sytrf(test.uplo, 5, a, pivots)
			}
			if info != test.info || fmt.Sprint(pivots) != "[1 2 3 4 5]" || a.At(4, 4) != 5 || a.At(2, 2) != -2 {
				t.Errorf("info %d, pivots %v, diagonal %v, want info %d", info, pivots, a.Data, test.info)
			}
		}
	}
}

// TestPivotsOfBlocks expects the pivots of LAPACK for a matrix whose first block has order 2.
func TestPivotsOfBlocks(t *testing.T) {
	for uplo, want := range map[blas.Uplo]string{blas.Lower: "[-3 -3 3]", blas.Upper: "[1 -1 -1]"} {
		for _, panels := range []bool{false, true} {
			a := blas.Matrix[float64]{Data: []float64{0, 0, 5, 0, 1, 0, 5, 0, 0}, LD: 3}
			pivots := make([]int32, 3)
			if panels {
				Lasyf(uplo, 3, 3, a, pivots)
			} else {
				Sytrf(uplo, 3, a, pivots)
			}
			if fmt.Sprint(pivots) != want {
				t.Errorf("uplo %d, panels %v: pivots %v, want %s", uplo, panels, pivots, want)
			}
		}
	}
}

// TestNotANumberInFactors puts a NaN into each element of a matrix in turn: the pivots stay rows of the matrix.
func TestNotANumberInFactors(t *testing.T) {
	const n = 4
	for at := range n * n {
		for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
			for _, nb := range []int{0, 3, n} {
				a := blas.Matrix[float64]{Data: []float64{0, 1, 2, 3, 1, 0, 4, 5, 2, 4, 0, 6, 3, 5, 6, 0}, LD: n}
				a.Data[at] = math.NaN()
				pivots := []int32{1, 1, 1, 1} // lasyf does not set all
				if nb == 0 {
					Sytrf(uplo, n, a, pivots)
				} else {
					Lasyf(uplo, n, nb, a, pivots)
				}
				for _, p := range pivots {
					if p == 0 || p < -n || p > n {
						t.Errorf("NaN at %d, uplo %d, nb %d: pivots %v", at, uplo, nb, pivots)
					}
				}
			}
		}
	}
	a, tau := blas.Matrix[complex128]{Data: make([]complex128, 6), LD: 3}, make([]complex128, 2)
	a.Data[1] = complex(math.NaN(), 0)
	for _, form := range forms {
		Factor(form, 3, 2, a, tau)
	}
	if !cmplx.IsNaN(tau[0]) && !cmplx.IsNaN(tau[1]) {
		t.Errorf("the scalars of a matrix with a NaN are %v", tau)
	}
}
