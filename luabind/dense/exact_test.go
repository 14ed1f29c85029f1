package dense_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/internal/randomtest"
	"roclua/luabind/dense"
)

// counted counts the numbers of a source, and the bytes and steps that a computation reports.
func counted(f func(next func() float64, m dense.Meter)) (numbers int, m *meter) {
	m = &meter{limit: math.MaxUint64}
	f(func() float64 { numbers++; return float64(numbers%7) - 2.5 }, m)
	return numbers, m
}

// TestRandomMatrices compares random matrices with their definitions.
func TestRandomMatrices(t *testing.T) {
	numbers := []float64{3, -1, 2, 0.5, 4, -2}
	next := func() func() float64 {
		i := -1
		return func() float64 { i++; return numbers[i%len(numbers)] }
	}
	// G = [3 2; -1 0.5], G G^H / 2 + I.
	want := []float64{7.5, -1, -1, 1.625}
	if diff := cmp.Diff(want, dense.PositiveDefinite(2, next(), free).Data); diff != "" {
		t.Errorf("positive definite (-want +have):\n%s", diff)
	}
	if p := dense.PositiveDefinite(0, next(), free); !p.Empty() {
		t.Errorf("a matrix of order 0 is %v", p)
	}
	// The columns of Q are the columns of G, made orthonormal in their order, so that R has a positive diagonal.
	q := dense.Orthogonal(3, 2, next(), free)
	length := math.Sqrt(14)
	first := []float64{3 / length, -1 / length, 2 / length}
	dot := first[0]*0.5 + first[1]*4 + first[2]*-2
	second := []float64{0.5 - dot*first[0], 4 - dot*first[1], -2 - dot*first[2]}
	length = math.Sqrt(second[0]*second[0] + second[1]*second[1] + second[2]*second[2])
	for i := range 3 {
		near(t, "first column", q.At(i, 0), first[i])
		near(t, "second column", q.At(i, 1), second[i]/length)
	}
	rows := dense.Orthogonal(2, 3, next(), free)
	if diff := cmp.Diff(dense.Transposed(q, true, free).Data, rows.Data); diff != "" {
		t.Errorf("orthonormal rows (-want +have):\n%s", diff)
	}
	zero := dense.Orthogonal(2, 1, func() float64 { return 0 }, free)
	if diff := cmp.Diff([]float64{1, 0}, zero.Data); diff != "" {
		t.Errorf("of zeros (-want +have):\n%s", diff)
	}
}

// TestReflections factors columns: the diagonal of R has the sign that avoids a cancellation.
func TestReflections(t *testing.T) {
	for _, test := range []struct{ column, want, tau []float64 }{
		{[]float64{3, 4}, []float64{-5, 0.5}, []float64{1.6}}, {[]float64{-3, 4}, []float64{5, -0.5}, []float64{1.6}},
		{[]float64{2, 0}, []float64{-2, 0}, []float64{2}}, {[]float64{0, 0}, []float64{0, 0}, []float64{0}},
	} {
		a := dense.Of(2, 1, slices.Clone(test.column))
		tau := dense.Factor(a, free)
		if !slices.Equal(a.Data, test.want) || !slices.Equal(tau, test.tau) {
			t.Errorf("%v: R and reflections %v, tau %v, want %v and %v", test.column, a.Data, tau, test.want, test.tau)
		}
	}
}

// TestMeterCounts checks the operations and the bytes of computations exactly.
func TestMeterCounts(t *testing.T) {
	a := dense.New[float64](40, 30, free)
	for _, test := range []struct {
		name  string
		f     func(next func() float64, m dense.Meter)
		steps int
		bytes uint64
	}{
		{"a product", func(_ func() float64, m dense.Meter) {
			dense.Multiply(1, dense.Trans, a, dense.None, a, 0, dense.New[float64](30, 30, free), m)
		}, 30 * 30 * 40, 0},
		{"an inner dimension of 0", func(_ func() float64, m dense.Meter) {
			empty := dense.New[float64](40, 0, free)
			dense.Multiply(1, dense.None, empty, dense.Trans, empty, 0, dense.New[float64](40, 40, free), m)
		}, 40 * 40, 0},
		{"a factorization", func(_ func() float64, m dense.Meter) {
			dense.Factor(dense.New[float64](3, 3, free), m)
		}, 2*3*2 + 2*2*1, 0},
		{"Q", func(_ func() float64, m dense.Meter) {
			dense.FormQ(dense.New[float64](3, 2, free), make([]float64, 2), 3, m)
		}, 2*2*2 + 2*3*3, 3*3*8 + 3*16},
		{"real numbers", func(_ func() float64, m dense.Meter) { dense.New[float64](5, 7, m) }, 0, 5 * 7 * 8},
		{"complex numbers", func(_ func() float64, m dense.Meter) { dense.New[complex128](5, 7, m) }, 0, 5 * 7 * 16},
		{"random numbers", func(next func() float64, m dense.Meter) { dense.PositiveDefinite(40, next, m) },
			2*1024 + 40*40*40 + 40*40, 3 * 40 * 40 * 8},
	} {
		_, m := counted(test.f)
		if m.steps != test.steps || m.bytes != test.bytes {
			t.Errorf("%s: %d steps and %d bytes, want %d and %d", test.name, m.steps, m.bytes, test.steps, test.bytes)
		}
	}
}

// TestLargestMatrix reserves as many bytes as there are, and more.
func TestLargestMatrix(t *testing.T) {
	for _, test := range []struct {
		rows, cols int
		want       uint64
	}{
		{1 << 30, 1 << 30, 1 << 63}, {1 << 31, 1 << 30, math.MaxUint64}, {1 << 32, 1 << 32, math.MaxUint64},
		{math.MaxInt, 2, math.MaxUint64}, {1<<61 - 1, 1, 1<<64 - 8},
	} {
		m := &meter{}
		func() {
			defer func() { recover() }()
			dense.New[float64](test.rows, test.cols, m)
		}()
		if m.bytes != test.want {
			t.Errorf("%d x %d: %d bytes, want %d", test.rows, test.cols, m.bytes, test.want)
		}
	}
}

// steps is a meter that keeps the operations of each step.
type steps struct {
	dense.Unmetered
	list []int
}

func (s *steps) Step(n int) { s.list = append(s.list, n) }

// TestPanels multiplies matrices that are computed in panels of 64 columns, and compares the columns with products of
// one column. The elements are small whole numbers, so that the sums are exact.
func TestPanels(t *testing.T) {
	const rows, inner = 1 << 12, 1 << 10
	a := dense.New[float64](rows, inner, free)
	for i := range a.Data {
		a.Data[i] = float64(i%5) - 2
	}
	const panel = rows * inner * 64
	for cols, want := range map[int][]int{64: {panel}, 65: {panel, rows * inner}, 129: {panel, panel, rows * inner}} {
		b := dense.New[float64](inner, cols, free)
		for i := range b.Data {
			b.Data[i] = float64(i*i%11) - 5
		}
		c, m := dense.New[float64](rows, cols, free), &steps{}
		dense.Multiply(1, dense.None, a, dense.None, b, 0, c, m)
		if !slices.Equal(m.list, want) {
			t.Errorf("%d columns are computed in the steps %v, want %v", cols, m.list, want)
		}
		transposed := dense.New[float64](rows, cols, free)
		dense.Multiply(1, dense.None, a, dense.Trans, dense.Transposed(b, false, free), 0, transposed, free)
		if !slices.Equal(transposed.Data, c.Data) {
			t.Errorf("%d columns: the product with a transposed operand is another one", cols)
		}
		for _, j := range []int{0, 1, 63, cols - 1} {
			column := dense.New[float64](rows, 1, free)
			dense.Multiply(1, dense.None, a, dense.None, b.Part(0, j, b.Rows, 1), 0, column, free)
			if !slices.Equal(column.Data, c.Column(j)) {
				t.Errorf("column %d of %d is wrong", j, cols)
			}
		}
	}
}

// TestNarrowPanels multiplies matrices whose panels would have 16 columns by their number of operations. They have 32.
func TestNarrowPanels(t *testing.T) {
	const n = 1 << 12
	a := dense.Matrix[float64]{Rows: n, Cols: n, LD: 1, Data: make([]float64, 2*n)} // columns share their elements
	b, c, m := dense.New[float64](n, 33, free), dense.New[float64](n, 33, free), &steps{}
	dense.Multiply(1, dense.None, a, dense.None, b, 0, c, m)
	if want := []int{n * n * 32, n * n}; !slices.Equal(m.list, want) {
		t.Errorf("the steps are %v, want %v", m.list, want)
	}
}

// TestCombineWithoutSecond combines a matrix with one that has the factor 0 and is not read.
func TestCombineWithoutSecond(t *testing.T) {
	a, b := dense.Of(3, 1, []float64{math.Inf(1), -2, 0}), dense.Of(3, 1, []float64{math.NaN(), math.Inf(1), 1})
	want := []float64{math.Inf(-1), 2, 0}
	if have := dense.Combine(-1, a, 0, b, free).Data; !slices.Equal(have, want) || math.Signbit(have[2]) {
		t.Errorf("have %v, want %v", have, want)
	}
}

func TestTriangles(t *testing.T) {
	wide, tall := dense.Of(2, 3, []float64{2, 3, 4, 5, 6, 7}), dense.Of(3, 2, []float64{2, 3, 4, 5, 6, 7})
	for _, test := range []struct {
		a           dense.Matrix[float64]
		upper, unit bool
		want        []float64
	}{
		{wide, true, false, []float64{2, 0, 4, 5, 6, 7}}, {wide, false, false, []float64{2, 3, 0, 5, 0, 0}},
		{wide, true, true, []float64{1, 0, 4, 1, 6, 7}}, {wide, false, true, []float64{1, 3, 0, 1, 0, 0}},
		{tall, true, false, []float64{2, 0, 0, 5, 6, 0}}, {tall, false, true, []float64{1, 3, 4, 0, 1, 7}},
		{dense.New[float64](0, 2, free), false, true, []float64{}},
	} {
		have := dense.Triangle(test.a, test.upper, test.unit, free)
		if diff := cmp.Diff(test.want, have.Data); diff != "" {
			t.Errorf("upper %t, unit %t (-want +have):\n%s", test.upper, test.unit, diff)
		}
	}
}

func TestDifference(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, test := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2}, []float64{1, 2}, 0}, {[]float64{1, 2}, []float64{3, 1}, 2},
		{[]float64{1, 2}, []float64{1, 5}, 3},
		{[]float64{inf, 2}, []float64{inf, 5}, 3}, {[]float64{inf, 2}, []float64{-inf, 2}, inf},
		{[]float64{nan, 2}, []float64{1, 2}, nan}, {[]float64{nan, 2}, []float64{nan, 2}, nan}, {nil, nil, 0},
	} {
		have := dense.Difference(dense.Of(len(test.a), 1, test.a), dense.Of(len(test.b), 1, test.b), free)
		if have != test.want && !(math.IsNaN(have) && math.IsNaN(test.want)) {
			t.Errorf("%v and %v differ by %g, want %g", test.a, test.b, have, test.want)
		}
	}
}

// TestNormsOfAnyMagnitude scales numbers whose squares are too large or too small.
func TestNormsOfAnyMagnitude(t *testing.T) {
	for _, scale := range []float64{1e-310, 1e-200, 1e-160, 1e-135, 1, 1e135, 1e154, 1e200, 1e307} {
		real := dense.Of(1, 2, []float64{3 * scale, -4 * scale})
		complex := dense.Of(2, 1, []complex128{complex(2*scale, -4*scale), complex(1*scale, 2*scale)})
		if have := dense.Norm(real, free) / scale; math.Abs(have-5) > 1e-14*max(1, 1e-308/scale) {
			t.Errorf("the norm of 3 and -4 times %g is %.16g times it", scale, have)
		}
		if have := dense.Norm(complex, free) / scale; math.Abs(have-5) > 1e-14*max(1, 1e-308/scale) {
			t.Errorf("the norm of 2-4i and 1+2i times %g is %.16g times it", scale, have)
		}
	}
}

// TestResidualsOfBlocks computes residuals of factors that are multiplied in several blocks, and compares them with
// the whole product's.
func TestResidualsOfBlocks(t *testing.T) {
	t.Run("real", func(t *testing.T) { testBlocks[float64](t) })
	t.Run("complex", func(t *testing.T) { testBlocks[complex128](t) })
}

func testBlocks[T dense.Number](t *testing.T) {
	r := randomtest.New(t)
	for _, shape := range [][2]int{{64, 64}, {65, 65}, {130, 70}, {70, 130}, {128, 129}} {
		m, n := shape[0], shape[1]
		k := min(m, n)
		a, f, pivots := randomMatrix[T](r, m, n), randomMatrix[T](r, m, n), make([]int, k)
		for i := range pivots {
			pivots[i] = i
		}
		rows := dense.Matrix[T]{Rows: k, Cols: n, LD: f.LD, Data: f.Data}
		want := dense.Product[T]{Alpha: 1, OpA: dense.None, OpB: dense.None,
			A: dense.Triangle(f.Part(0, 0, f.Rows, k), false, true, free), B: dense.Triangle(rows, true, false, free)}
		scale := dense.Norm(want.A, free) * dense.Norm(want.B, free) / dense.Norm(a, free)
		near(t, "LU", dense.LUResidual(a, f, pivots, free), want.Residual(a, free)*scale)

		square := dense.Matrix[T]{Rows: k, Cols: k, LD: f.LD, Data: f.Data}
		for _, upper := range []bool{true, false} {
			h, triangle := dense.Hermitian(square, upper, free), dense.Triangle(square, upper, false, free)
			want := dense.Product[T]{Alpha: 1, OpA: dense.None, A: triangle, OpB: dense.ConjTrans, B: triangle}
			if upper {
				want.OpA, want.OpB = dense.ConjTrans, dense.None
			}
			scale := math.Pow(dense.Norm(triangle, free), 2) / dense.Norm(h, free)
			near(t, "Cholesky", dense.CholeskyResidual(square, square, upper, free), want.Residual(h, free)*scale)
		}
	}
}
