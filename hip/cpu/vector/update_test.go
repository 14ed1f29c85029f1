package vector

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestUpdate compares products in place with their definition in double precision.
func TestUpdate(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand) {
		for range 300 {
			checkUpdate(t, r, singles)
			checkUpdate(t, r, doubles)
			checkUpdate(t, r, complexSingles)
			checkUpdate(t, r, complexDoubles)
		}
	})
}

func checkUpdate[T Number](t *testing.T, r *rand.Rand, of element[T]) {
	t.Helper()
	m, n, k := 1+r.IntN(70), 1+r.IntN(10), 1+r.IntN(20)
	lda, ldc := m+r.IntN(3), m+r.IntN(3)
	b := Factor[T]{Down: 1, Right: k + r.IntN(3), Conj: r.IntN(2) == 0}
	if r.IntN(2) == 0 {
		b.Down, b.Right = n+r.IntN(3), 1
	}
	// The slices end with their last element.
	a, c := of.draw(r, (k-1)*lda+m), of.draw(r, (n-1)*ldc+m)
	b.Data = of.draw(r, (k-1)*b.Down+(n-1)*b.Right+1)
	alpha := []float64{0, 1, -1, r.NormFloat64()}[r.IntN(4)]
	before := slices.Clone(c)
	Update(m, n, k, alpha, a, lda, b, c, ldc)
	for at, v := range c {
		i, j := at%ldc, at/ldc
		if i >= m {
			if v != before[at] {
				t.Fatalf("m %d, n %d, k %d: element %d, which is between columns, becomes %v", m, n, k, at, v)
			}
			continue
		}
		sum, size := 0i, 0.0
		for l := range k {
			x, y := of.to(a[i+l*lda]), of.to(b.Data[l*b.Down+j*b.Right])
			if b.Conj {
				y = cmplx.Conj(y)
			}
			sum, size = sum+x*y, size+cmplx.Abs(x*y)
		}
		have, want := of.to(v), of.to(before[at])+complex(alpha, 0)*sum
		limit := of.precision * (1 + cmplx.Abs(of.to(before[at])) + float64(k)*size)
		wantNear(t, real(have), real(want), limit)
		wantNear(t, imag(have), imag(want), limit)
	}
}

// TestUpdateKeepsNaN puts a NaN into each factor: it reaches the elements whose sums have it, and no others.
func TestUpdateKeepsNaN(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand) {
		for range 100 {
			m, n, k := 1+r.IntN(40), 1+r.IntN(6), 1+r.IntN(6)
			a, b, c := make([]float64, m*k), make([]float64, k*n), make([]float64, m*n)
			row, col := r.IntN(m), r.IntN(n)
			a[row], b[col*k] = math.NaN(), math.NaN()
			Update(m, n, k, 1, a, m, Factor[float64]{Data: b, Down: 1, Right: k}, c, m)
			for at, v := range c {
				if math.IsNaN(v) != (at%m == row || at/m == col) {
					t.Fatalf("m %d, n %d, k %d: element %d is %v", m, n, k, at, v)
				}
			}
		}
	})
}

// BenchmarkUpdate measures products of m x n elements with k steps.
func BenchmarkUpdate(b *testing.B) {
	for _, size := range [][3]int{{32, 1, 16}, {64, 64, 1}, {32, 32, 32}, {64, 64, 64}, {256, 32, 32}} {
		name := fmt.Sprintf("%dx%dx%d", size[0], size[1], size[2])
		b.Run("s/"+name, func(b *testing.B) { benchmarkUpdate[float32](b, size) })
		b.Run("d/"+name, func(b *testing.B) { benchmarkUpdate[float64](b, size) })
		b.Run("c/"+name, func(b *testing.B) { benchmarkUpdate[complex64](b, size) })
		b.Run("z/"+name, func(b *testing.B) { benchmarkUpdate[complex128](b, size) })
	}
}

func benchmarkUpdate[T Number](b *testing.B, size [3]int) {
	m, n, k := size[0], size[1], size[2]
	x, c := make([]T, m*k), make([]T, m*n)
	f := Factor[T]{Data: make([]T, n*k), Down: 1, Right: k}
	for b.Loop() {
		Update(m, n, k, -1, x, m, f, c, m)
	}
	b.ReportMetric(float64(m*n*k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFMA/s")
}
