package vector

import (
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDots compares products of columns of all lengths around those of the loops with their definition.
func TestDots(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand) {
		for m := range 80 {
			checkDots(t, r, m, 1e-6, func(z complex128) float32 { return float32(real(z)) },
				func(v float32) complex128 { return complex(float64(v), 0) })
			checkDots(t, r, m, 1e-14, func(z complex128) float64 { return real(z) },
				func(v float64) complex128 { return complex(v, 0) })
			checkDots(t, r, m, 1e-6, func(z complex128) complex64 { return complex64(z) },
				func(v complex64) complex128 { return complex128(v) })
			checkDots(t, r, m, 1e-14, func(z complex128) complex128 { return z },
				func(v complex128) complex128 { return v })
		}
	})
}

func checkDots[T Number](
	t *testing.T, r *rand.Rand, m int, precision float64, from func(complex128) T, to func(T) complex128,
) {
	t.Helper()
	n, lda := r.IntN(6), m+r.IntN(3)
	numbers := func(n int) []T {
		v := make([]T, n)
		for i := range v {
			v[i] = from(complex(r.NormFloat64(), r.NormFloat64()))
		}
		return v
	}
	x, a, y := numbers(m), numbers(max(0, (n-1)*lda+m)), numbers(n+4)
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
			product := cmplx.Conj(to(v)) * to(a[i+j*lda])
			want, size = want+product, size+cmplx.Abs(product)
		}
		wantNear(t, real(to(v)), real(want), 10*precision*size)
		wantNear(t, imag(to(v)), imag(want), 10*precision*size)
	}
}

// TestScale compares products of columns of all lengths with their definition.
func TestScale(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand) {
		for n := range 40 {
			checkScale(t, r, n, 1e-6, func(z complex128) float32 { return float32(real(z)) },
				func(v float32) complex128 { return complex(float64(v), 0) })
			checkScale(t, r, n, 1e-14, func(z complex128) float64 { return real(z) },
				func(v float64) complex128 { return complex(v, 0) })
			checkScale(t, r, n, 1e-6, func(z complex128) complex64 { return complex64(z) },
				func(v complex64) complex128 { return complex128(v) })
			checkScale(t, r, n, 1e-14, func(z complex128) complex128 { return z },
				func(v complex128) complex128 { return v })
		}
	})
}

func checkScale[T Number](
	t *testing.T, r *rand.Rand, n int, precision float64, from func(complex128) T, to func(T) complex128,
) {
	t.Helper()
	x := make([]T, n+8)
	for i := range x {
		x[i] = from(complex(r.NormFloat64(), r.NormFloat64()))
	}
	if n > 0 && r.IntN(4) == 0 {
		x[r.IntN(n)] = from(complex(special(r), 1))
	}
	factor, before := from(complex(r.NormFloat64(), r.NormFloat64())), slices.Clone(x)
	Scale(factor, x[:n])
	for i, v := range x {
		if i >= n {
			if v != before[i] {
				t.Fatalf("n %d: element %d becomes %v", n, i, v)
			}
			continue
		}
		have, want := to(v), to(factor)*to(before[i])
		wantNear(t, real(have), real(want), 10*precision*(1+cmplx.Abs(want)))
		if imag(to(factor)) != 0 { // real types have no imaginary part
			wantNear(t, imag(have), imag(want), 10*precision*(1+cmplx.Abs(want)))
		}
	}
}
