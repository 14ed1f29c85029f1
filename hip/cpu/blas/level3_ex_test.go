package blas

import (
	"math"
	"slices"
	"testing"
)

// TestMinPlus compares sums with a NaN, an infinity and nothing to compare. The result is at most the largest number.
func TestMinPlus(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3}, []float64{5, 1, 4}, 3},
		{[]float64{1, nan, 3}, []float64{5, 1, 4}, 6},
		{[]float64{nan, nan}, []float64{1, 1}, 100},
		{[]float64{inf, inf}, []float64{1, 1}, 100},
		{[]float64{-inf, 0}, []float64{1, 1}, -inf},
		{nil, nil, 100},
	} {
		k := len(test.a)
		d := Matrix[float64]{[]float64{nan}, 1}
		Combine(false, None, None, 1, 1, k, 1, Matrix[float64]{test.a, 1}, Matrix[float64]{test.b, k}, 100, d)
		if d.Data[0] != test.want {
			t.Errorf("row %v, column %v: %v, want %v", test.a, test.b, d.Data[0], test.want)
		}
	}
}

// TestAddSmaller compares with C, which is not read and counts as zeros if beta is 0.
func TestAddSmaller(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		plus bool
		beta float64
		want []float64
	}{
		{false, 2, []float64{-1, 4, 5}}, {true, 2, []float64{13, 13, nan}},
		{false, 0, []float64{-1, 0, 0}}, {true, 0, []float64{-1, 9, 5}},
	} {
		c, d := []float64{7, 2, nan}, []float64{-1, 9, 5}
		AddSmaller(test.plus, 3, 1, test.beta, Matrix[float64]{c, 3}, Matrix[float64]{d, 3})
		if !slices.EqualFunc(d, test.want, func(x, y float64) bool { return x == y || x != x && y != y }) {
			t.Errorf("plus %v, beta %v: %v, want %v", test.plus, test.beta, d, test.want)
		}
	}
}
