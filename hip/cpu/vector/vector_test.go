package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"roclua/internal/randomtest"
)

// each runs a test for every instruction set of this processor.
func each(t *testing.T, run func(t *testing.T, r *rand.Rand)) {
	before := Name()
	t.Cleanup(func() { Use(before) })
	seed := randomtest.Seed(t)
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			Use(name)
			if Name() != name {
				t.Fatalf("in use: %s", Name())
			}
			run(t, rand.New(rand.NewPCG(seed, 0)))
		})
	}
}

// TestTile compares the product of panels with its definition in double precision.
func TestTile(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand) {
		for range 200 {
			checkTile[float32](t, r, 1e-6)
			checkTile[float64](t, r, 1e-14)
		}
	})
}

func checkTile[R Real](t *testing.T, r *rand.Rand, precision float64) {
	t.Helper()
	tile := TileOf[R]()
	if tile.Rows%2 != 0 {
		t.Fatalf("%d rows", tile.Rows)
	}
	k, ldc := 1+r.IntN(40), tile.Rows+r.IntN(3)
	a, b, c := draw[R](r, tile.Rows*k), draw[R](r, tile.Cols*k), draw[R](r, ldc*tile.Cols+8)
	alpha := []R{0, 1, -1, R(r.NormFloat64())}[r.IntN(4)]
	spoil(r, a)
	spoil(r, b)
	before := slices.Clone(c)
	tile.Add(k, alpha, &a[0], &b[0], &c[0], ldc)
	for at := range c {
		i, j := at%ldc, at/ldc
		if i >= tile.Rows || j >= tile.Cols {
			if c[at] != before[at] {
				t.Fatalf("the product changes element %d, which is not in the tile", at)
			}
			continue
		}
		sum, size := 0.0, 0.0
		for l := range k {
			product := float64(a[i+l*tile.Rows]) * float64(b[l*tile.Cols+j])
			sum, size = sum+product, size+math.Abs(product)
		}
		want := float64(before[at]) + float64(alpha)*sum
		wantNear(t, float64(c[at]), want, precision*(1+math.Abs(float64(before[at]))+float64(k)*size))
	}
}

// TestAxpy compares sums with their definition, for all lengths around the sizes of the loops.
func TestAxpy(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand) {
		for n := range 100 {
			checkAxpy(t, r, n, 1e-6, func(re, _ float64) float32 { return float32(re) },
				func(v float32) complex128 { return complex(float64(v), 0) })
			checkAxpy(t, r, n, 1e-14, func(re, _ float64) float64 { return re },
				func(v float64) complex128 { return complex(v, 0) })
			checkAxpy(t, r, n, 1e-6, func(re, im float64) complex64 { return complex64(complex(re, im)) },
				func(v complex64) complex128 { return complex128(v) })
			checkAxpy(t, r, n, 1e-14, func(re, im float64) complex128 { return complex(re, im) },
				func(v complex128) complex128 { return v })
		}
	})
}

func checkAxpy[T float32 | float64 | complex64 | complex128](
	t *testing.T, r *rand.Rand, n int, precision float64, from func(re, im float64) T, to func(T) complex128,
) {
	t.Helper()
	x, y := make([]T, n), make([]T, n+8)
	for i := range x {
		x[i] = from(r.NormFloat64(), r.NormFloat64())
	}
	for i := range y {
		y[i] = from(r.NormFloat64(), r.NormFloat64())
	}
	if n > 0 && r.IntN(4) == 0 {
		x[r.IntN(n)] = from(special(r), 1)
	}
	alpha, before := from(r.NormFloat64(), r.NormFloat64()), slices.Clone(y)
	Axpy(alpha, x, y)
	for i, v := range y {
		if i >= n {
			if v != before[i] {
				t.Fatalf("n %d: element %d becomes %v", n, i, v)
			}
			continue
		}
		have, want := to(v), to(before[i])+to(alpha)*to(x[i])
		wantNear(t, real(have), real(want), 10*precision*(1+math.Abs(real(want))))
		if imag(to(alpha)) != 0 { // real types have no imaginary part
			wantNear(t, imag(have), imag(want), 10*precision*(1+math.Abs(imag(want))))
		}
	}
}

func draw[R Real](r *rand.Rand, n int) []R {
	v := make([]R, n)
	for i := range v {
		v[i] = R(r.NormFloat64())
	}
	return v
}

// spoil puts a NaN or an infinity into one panel of ten.
func spoil[R Real](r *rand.Rand, panel []R) {
	if r.IntN(10) == 0 {
		panel[r.IntN(len(panel))] = R(special(r))
	}
}

func special(r *rand.Rand) float64 {
	return []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[r.IntN(3)]
}

func wantNear(t *testing.T, have, want, limit float64) {
	t.Helper()
	equal := have == want || math.IsNaN(have) && math.IsNaN(want)
	if !equal && !(math.Abs(have-want) <= limit) {
		t.Fatalf("%v, want %v", have, want)
	}
}

// element converts elements of a type, with a relative error of precision.
type element[T Number] struct {
	precision float64
	from      func(complex128) T
	to        func(T) complex128
}

var (
	singles = element[float32]{1e-6, func(z complex128) float32 { return float32(real(z)) },
		func(v float32) complex128 { return complex(float64(v), 0) }}
	doubles = element[float64]{1e-14, func(z complex128) float64 { return real(z) },
		func(v float64) complex128 { return complex(v, 0) }}
	complexSingles = element[complex64]{1e-6, func(z complex128) complex64 { return complex64(z) },
		func(v complex64) complex128 { return complex128(v) }}
	complexDoubles = element[complex128]{1e-14, func(z complex128) complex128 { return z },
		func(v complex128) complex128 { return v }}
)

// draw returns n random numbers.
func (e element[T]) draw(r *rand.Rand, n int) []T {
	v := make([]T, n)
	for i := range v {
		v[i] = e.from(complex(r.NormFloat64(), r.NormFloat64()))
	}
	return v
}
