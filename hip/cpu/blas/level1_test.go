package blas

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"roclua/internal/randomtest"
)

var (
	inf = math.Inf(1)
	nan = math.NaN()
)

// TestReductions compares sums over a part of a vector with their definitions.
func TestReductions(t *testing.T) {
	each(t, testReductions[float32], testReductions[float64], testReductions[complex64], testReductions[complex128])
}

func testReductions[T Number](t *testing.T, r *rand.Rand) {
	for range 50 {
		n := 1 + r.IntN(9)
		x, y := drawVector[T](r, n, increments[r.IntN(4)]), drawVector[T](r, n, increments[r.IntN(4)])
		low := r.IntN(n)
		high := low + 1 + r.IntN(n-low)
		var asum, squares float64
		var dot, dotc complex128
		b := columnOf(y)
		for i, v := range columnOf(x)[low:high] {
			asum += math.Abs(real(v[0])) + math.Abs(imag(v[0]))
			squares += real(v[0])*real(v[0]) + imag(v[0])*imag(v[0])
			dot += v[0] * b[low+i][0]
			dotc += cmplx.Conj(v[0]) * b[low+i][0]
		}
		for _, test := range []struct {
			name       string
			have, want complex128
		}{
			{"asum", complex(Asum(x, low, high), 0), complex(asum, 0)},
			{"nrm2", complex(Nrm2(x, low, high), 0), complex(math.Sqrt(squares), 0)},
			{"dot", ToComplex(Dot(x, y, false, low, high)), dot},
			{"dotc", ToComplex(Dot(x, y, true, low, high)), dotc},
		} {
			if !near(FromComplex[T](test.have), test.want) {
				t.Errorf("%s of elements %d to %d of %v: %v, want %v", test.name, low, high, x, test.have, test.want)
			}
		}
	}
}

// TestNormOfExtremeNumbers takes norms whose squares are not numbers of the type, and of infinities and NaN.
func TestNormOfExtremeNumbers(t *testing.T) {
	for _, test := range []struct {
		parts []float64
		want  float64
	}{
		{nil, 0},
		{[]float64{0, 0}, 0},
		{[]float64{-3, 0, 4}, 5},
		{[]float64{5, 5, 5, 5}, 10},
		{[]float64{3e300, -4e300}, 5e300},
		{[]float64{3e-300, 4e-300}, 5e-300},
		{[]float64{1, inf}, inf},
		{[]float64{-inf, 1}, inf},
		{[]float64{inf, -inf}, inf},
		{[]float64{1, nan, 2}, nan},
		{[]float64{nan, inf}, nan},
		{[]float64{inf, nan}, nan},
	} {
		have := Nrm2(Vector[float64]{test.parts, len(test.parts), 1}, 0, len(test.parts))
		if math.Abs(have-test.want) > 1e-14*test.want || math.IsNaN(have) != math.IsNaN(test.want) {
			t.Errorf("norm of %v: %v, want %v", test.parts, have, test.want)
		}
	}
}

// TestNormOfManyFloats checks that the norm of numbers in single precision does not lose digits in a long sum.
func TestNormOfManyFloats(t *testing.T) {
	x := make([]float32, 1<<20)
	z := make([]complex64, 1<<20)
	for i := range x {
		x[i], z[i] = 0.1, complex(0, 0.1)
	}
	want := float64(float32(0.1)) * 1024
	single := Nrm2(Vector[float32]{x, len(x), 1}, 0, len(x))
	complexes := Nrm2(Vector[complex64]{z, len(z), 1}, 0, len(z))
	if math.Abs(single-want) > 1e-9*want || math.Abs(complexes-want) > 1e-9*want {
		t.Errorf("%v and %v, want %v", single, complexes, want)
	}
}

// TestExtremum finds the first of equal elements, and the first NaN before any number.
func TestExtremum(t *testing.T) {
	type vector = []complex128
	for _, test := range []struct {
		name      string
		x         vector
		low, high int
		largest   int
		smallest  int
	}{
		{"one element", vector{7}, 0, 1, 0, 0},
		{"by the sum of the parts", vector{5i, 3 + 3i, -1}, 0, 3, 1, 2},
		{"the first of equals", vector{2, -3, 3, 1i, 1}, 0, 5, 1, 3},
		{"part of a vector", vector{9, 4, 5, 3, 0}, 1, 4, 2, 3},
		{"NaN in the middle", vector{1, 2, complex(nan, 0), 9, complex(0, nan)}, 0, 5, 2, 2},
		{"NaN first", vector{complex(nan, 0), 9, 0}, 0, 3, 0, 0},
		{"an infinity", vector{1, complex(0, inf), 2, complex(inf, 0)}, 0, 4, 1, 0},
	} {
		x := Vector[complex128]{test.x, len(test.x), 1}
		for smallest, want := range map[bool]int{false: test.largest, true: test.smallest} {
			place, value := Extremum(x, smallest, test.low, test.high)
			if abs := Abs1(test.x[want]); place != want || value != abs && !math.IsNaN(abs) {
				t.Errorf("%s, smallest %v: element %d with %v, want %d", test.name, smallest, place, value, want)
			}
		}
	}
}

// TestExtremumOfReals compares vectors with and without steps with a search.
func TestExtremumOfReals(t *testing.T) {
	t.Run("float32", func(t *testing.T) { extremumOfReals[float32](t) })
	t.Run("float64", func(t *testing.T) { extremumOfReals[float64](t) })
}

func extremumOfReals[T float32 | float64](t *testing.T) {
	r := randomtest.New(t)
	for range 200 {
		n, inc := 1+r.IntN(20), 1+r.IntN(2)
		x := Vector[T]{make([]T, n*inc), n, inc}
		for i := range x.Data {
			x.Data[i] = T(r.IntN(9) - 4)
		}
		if r.IntN(4) == 0 {
			x.Set(r.IntN(n), T(nan))
		}
		low := r.IntN(n)
		high := low + 1 + r.IntN(n-low)
		want := low
		for i := low; i < high; i++ {
			if v := x.At(i); v != v {
				want = i
				break
			}
			if Abs1(x.At(i)) > Abs1(x.At(want)) {
				want = i
			}
		}
		place, value := Extremum(x, false, low, high)
		if have := Abs1(x.At(want)); place != want || value != have && have == have {
			t.Fatalf("%v from %d to %d: element %d with %v, want %d", x, low, high, place, value, want)
		}
	}
}

// TestScaleByZero overwrites values that are not numbers.
func TestScaleByZero(t *testing.T) {
	y := Vector[float64]{[]float64{nan, 7, inf}, 2, 2}
	Scale(0, y)
	if y.Data[0] != 0 || y.Data[1] != 7 || y.Data[2] != 0 {
		t.Errorf("%v, want zeros and the 7 between them", y.Data)
	}
}

// TestConversions covers the four types with a number that has an imaginary part.
func TestConversions(t *testing.T) {
	each(t, testConversions[float32], testConversions[float64], testConversions[complex64], testConversions[complex128])
}

func testConversions[T Number](t *testing.T, _ *rand.Rand) {
	z := 3 - 4i
	var zero T
	isComplex := cmplx.Abs(ToComplex(FromComplex[T](1i))) == 1
	x, want := FromComplex[T](z), complex128(3)
	if isComplex {
		want = z
	}
	switch {
	case ToComplex(x) != want || Real(x) != 3 || FromReal[T](3) != FromComplex[T](3):
		t.Errorf("%v becomes %v", z, x)
	case ToComplex(Conj(x)) != cmplx.Conj(want):
		t.Errorf("the conjugate of %v is %v", x, Conj(x))
	case Abs1(x) != math.Abs(real(want))+math.Abs(imag(want)):
		t.Errorf("|re| + |im| of %v is %v", x, Abs1(x))
	case IsComplex[T]() != isComplex:
		t.Errorf("%T is complex: %v", zero, IsComplex[T]())
	}
}

// TestPartOfAMatrix begins a matrix at each of its elements and immediately after the last.
func TestPartOfAMatrix(t *testing.T) {
	m := Matrix[float64]{[]float64{1, 2, 3, 4, 5}, 3}
	for _, test := range []struct{ i, j, left int }{{0, 0, 5}, {1, 0, 4}, {1, 1, 1}, {2, 1, 0}, {0, 3, 0}} {
		part := m.From(test.i, test.j)
		if len(part.Data) != test.left || part.LD != 3 || test.left > 0 && part.At(0, 0) != m.At(test.i, test.j) {
			t.Errorf("from (%d, %d): %v", test.i, test.j, part)
		}
	}
}
