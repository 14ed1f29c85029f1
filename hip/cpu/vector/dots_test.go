package vector

import (
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDots compares products of columns with their definition, for all lengths around the sizes of the loops.
func TestDots(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand) {
		for m := range 80 {
			checkDots(t, r, m, singles)
			checkDots(t, r, m, doubles)
			checkDots(t, r, m, complexSingles)
			checkDots(t, r, m, complexDoubles)
		}
	})
}

func checkDots[T Number](t *testing.T, r *rand.Rand, m int, of element[T]) {
	t.Helper()
	n, lda := r.IntN(6), m+r.IntN(3)
	x, a, y := of.draw(r, m), of.draw(r, max(0, (n-1)*lda+m)), of.draw(r, n+4)
	before := slices.Clone(y)
	Dots(n, x, a, lda, y)
	for j, v := range y {
		if j >= n {
			if v != before[j] {
				t.Fatalf("m %d, n %d: element %d becomes %v", m, n, j, v)
			}
			continue
		}
		want, size := 0i, 1.0
		for i, v := range x {
			product := cmplx.Conj(of.to(v)) * of.to(a[i+j*lda])
			want, size = want+product, size+cmplx.Abs(product)
		}
		wantNear(t, real(of.to(v)), real(want), 10*of.precision*size)
		wantNear(t, imag(of.to(v)), imag(want), 10*of.precision*size)
	}
}

// TestScale compares products of columns of all lengths with their definition.
func TestScale(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand) {
		for n := range 40 {
			checkScale(t, r, n, singles)
			checkScale(t, r, n, doubles)
			checkScale(t, r, n, complexSingles)
			checkScale(t, r, n, complexDoubles)
		}
	})
}

func checkScale[T Number](t *testing.T, r *rand.Rand, n int, of element[T]) {
	t.Helper()
	x := of.draw(r, n+8)
	if n > 0 && r.IntN(4) == 0 {
		x[r.IntN(n)] = of.from(complex(special(r), 1))
	}
	factor, before := of.from(complex(r.NormFloat64(), r.NormFloat64())), slices.Clone(x)
	Scale(factor, x[:n])
	for i, v := range x {
		if i >= n {
			if v != before[i] {
				t.Fatalf("n %d: element %d becomes %v", n, i, v)
			}
			continue
		}
		have, want := of.to(v), of.to(factor)*of.to(before[i])
		wantNear(t, real(have), real(want), 10*of.precision*(1+cmplx.Abs(want)))
		if imag(of.to(factor)) != 0 { // real types have no imaginary part
			wantNear(t, imag(have), imag(want), 10*of.precision*(1+cmplx.Abs(want)))
		}
	}
}
