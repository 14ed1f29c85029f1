package blas

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestVectors(t *testing.T) {
	each(t, testVectors[float32], testVectors[float64], testVectors[complex64], testVectors[complex128])
}

// testVectors applies each function to vectors with all pairs of increments.
func testVectors[T Number](t *testing.T, r *rand.Rand) {
	for _, incX := range increments {
		for _, incY := range increments {
			n := 1 + r.IntN(20)
			x, y := drawVector[T](r, n, incX), drawVector[T](r, n, incY)
			alpha, c, s := draw[T](r, 1)[0], r.NormFloat64(), draw[T](r, 1)[0]
			dx, dy := columnOf(x), columnOf(y)
			a, sine := ToComplex(alpha), ToComplex(s)
			for name, test := range map[string]struct {
				compute func(x, y Vector[T])
				x, y    dense
			}{
				"AddVector": {func(x, y Vector[T]) { AddVector(alpha, x, y) }, dx, dx.plus(a, dy, 1)},
				"ScaleVector": {func(x, y Vector[T]) { ScaleVector(alpha, x) },
					dx.plus(a, nil, 0), dy},
				"CopyVector":  {CopyVector[T], dx, dx},
				"SwapVectors": {SwapVectors[T], dy, dx},
				"Rotate": {func(x, y Vector[T]) { Rotate(c, s, x, y) }, dx.plus(complex(c, 0), dy, sine),
					dx.plus(-cmplx.Conj(sine), dy, complex(c, 0))},
			} {
				newX, newY := Vector[T]{slices.Clone(x.Data), n, incX}, Vector[T]{slices.Clone(y.Data), n, incY}
				test.compute(newX, newY)
				wantVector(t, name+", x", newX, x, test.x)
				wantVector(t, name+", y", newY, y, test.y)
			}
		}
	}
}

// TestScaleVectorKeepsNaN: a factor of 0 makes a NaN of a NaN and of an infinity.
func TestScaleVectorKeepsNaN(t *testing.T) {
	for _, inc := range []int{1, 2} {
		x := Vector[float64]{[]float64{math.NaN(), 0, math.Inf(1), 0, 3}, 2, inc}
		ScaleVector(0, x)
		if !math.IsNaN(x.At(0)) || inc == 2 && !math.IsNaN(x.At(1)) {
			t.Errorf("increment %d: %v", inc, x.Data)
		}
	}
}

// TestRotateModified applies each form of the rotation. Elements of H that a form does not have are not used.
func TestRotateModified(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		param [5]float64
		x, y  float64
	}{
		{[5]float64{-2, nan, nan, nan, nan}, 3, 5},
		{[5]float64{-1, 2, 7, 11, 13}, 3*2 + 5*11, 3*7 + 5*13},
		{[5]float64{0, nan, 7, 11, nan}, 3 + 5*11, 3*7 + 5},
		{[5]float64{1, 2, nan, nan, 13}, 3*2 + 5, -3 + 5*13},
	} {
		x, y := Vector[float64]{[]float64{3}, 1, 1}, Vector[float64]{[]float64{5}, 1, 1}
		RotateModified(test.param[:], x, y)
		if x.At(0) != test.x || y.At(0) != test.y {
			t.Errorf("form %v: (%v, %v), want (%v, %v)", test.param[0], x.At(0), y.At(0), test.x, test.y)
		}
	}
}

func TestMakeRotation(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, test := range []struct{ a, b, r, z, c, s float64 }{
		{0, 0, 0, 0, 1, 0},
		{3, 4, 5, 1 / 0.6, 0.6, 0.8},
		{4, 3, 5, 0.6, 0.8, 0.6},
		{-4, 3, -5, -0.6, 0.8, -0.6},
		{0, -2, -2, 1, 0, 1},
		{2, 0, 2, 0, 1, 0},
		{3e300, 4e300, 5e300, 1 / 0.6, 0.6, 0.8},
		{3e-320, 0, 3e-320, 0, 1, 0},
		{nan, 1, nan, nan, nan, nan},
		{inf, 1, nan, nan, nan, nan},
	} {
		r, z, c, s := MakeRotation(test.a, test.b)
		have, want := []float64{r, z, c, s}, []float64{test.r, test.z, test.c, test.s}
		for i := range have {
			d := math.Abs(have[i] - want[i])
			if !(d <= 1e-15*math.Abs(want[i])) && !(math.IsNaN(want[i]) && math.IsNaN(have[i])) {
				t.Errorf("(%v, %v) makes r, z, c, s = %v, want %v", test.a, test.b, have, want)
				break
			}
		}
	}
}

func TestMakeComplexRotation(t *testing.T) {
	for _, test := range []struct {
		a, b, r complex128
		c       float64
		s       complex128
	}{
		{0, 2i, 2i, 0, 1},
		{3i, 4, 5i, 0.6, 0.8i},
		{4, 3i, 5, 0.8, -0.6i},
		{1, 0, 1, 1, 0},
	} {
		r, c, s := MakeComplexRotation(test.a, test.b)
		if cmplx.Abs(r-test.r)+math.Abs(c-test.c)+cmplx.Abs(s-test.s) > 1e-15 {
			t.Errorf("(%v, %v) makes r, c, s = %v, %v, %v, want %v, %v, %v", test.a, test.b, r, c, s, test.r, test.c,
				test.s)
		}
	}
}

// TestMakeModifiedRotation compares each form and the scaled ones with numbers of the library's algorithm. The elements
// of H that a form does not have are not set.
func TestMakeModifiedRotation(t *testing.T) {
	const g = 4096.0
	for _, test := range []struct {
		name           string
		d1, d2, x1, y1 float64
		want           [3]float64 // d1, d2 and x1
		param          [5]float64
		set            []int
	}{
		{"a negative d1 clears everything", -1, 2, 3, 4, [3]float64{}, [5]float64{-1}, []int{0, 1, 2, 3, 4}},
		{"a y1 of 0 changes nothing", 1, 2, 3, 0, [3]float64{1, 2, 3}, [5]float64{-2}, []int{0}},
		{"a d2 of 0 changes nothing", 1, 0, 3, 4, [3]float64{1, 0, 3}, [5]float64{-2}, []int{0}},
		{"a larger first element", 1, 1, 2, 1, [3]float64{0.8, 0.8, 2.5}, [5]float64{0, 0, -0.5, 0.5, 0},
			[]int{0, 2, 3}},
		{"a larger second element", 1, 1, 1, 2, [3]float64{0.8, 0.8, 2.5}, [5]float64{1, 0.5, 0, 0, 0.5},
			[]int{0, 1, 4}},
		{"a negative sum clears everything", 1, -1, 1, 2, [3]float64{}, [5]float64{-1}, []int{0, 1, 2, 3, 4}},
		{"scaling d2 after d1 replaces h12", 0x1p-26, 0x1p-26, 2, 1, [3]float64{0.8 * 0x1p-2, 0.8 * 0x1p-2, 2.5 / g},
			[5]float64{-1, 1 / g, -1 / g, 1, 1 / g}, []int{0, 1, 2, 3, 4}},
		{"a d1 of the upper bound is scaled", 0x1p25, 0x1p25, 1, 1,
			[3]float64{1, 1, 2 * g}, [5]float64{-1, g, -g, 1, g}, []int{0, 1, 2, 3, 4}},
		{"a large d1 is scaled", 0x1p26, 1, 2, 1,
			[3]float64{0x1p2 / (1 + 0x1p-28), 1 / (1 + 0x1p-28), 2 * (1 + 0x1p-28) * g},
			[5]float64{-1, g, -0.5, 0x1p-27 * g, 1}, []int{0, 1, 2, 3, 4}},
		{"a small d1 is scaled twice", 0x1p-50, 1, 0x1p26, 1, [3]float64{0.2, 0.8, 5},
			[5]float64{-1, 1 / g / g, -1, 1 / g, 1}, []int{0, 1, 2, 3, 4}},
	} {
		d1, d2, x1 := test.d1, test.d2, test.x1
		param, want := [5]float64{7, 7, 7, 7, 7}, [5]float64{7, 7, 7, 7, 7}
		for _, i := range test.set {
			want[i] = test.param[i]
		}
		MakeModifiedRotation(&d1, &d2, &x1, test.y1, param[:])
		if have := [3]float64{d1, d2, x1}; have != test.want || param != want {
			t.Errorf("%s: d1, d2, x1 = %v, want %v; param %v, want %v", test.name, have, test.want, param, want)
		}
	}
}

// TestMakeModifiedRotationOfInfinities returns.
func TestMakeModifiedRotationOfInfinities(t *testing.T) {
	values := []float64{math.Inf(1), math.Inf(-1), math.NaN(), 0, 1, math.SmallestNonzeroFloat64, math.MaxFloat64}
	for _, d1 := range values {
		for _, d2 := range values {
			for _, x1 := range values {
				for _, y1 := range values {
					a, b, c := d1, d2, x1
					MakeModifiedRotation(&a, &b, &c, y1, make([]float64, 5))
				}
			}
		}
	}
}
