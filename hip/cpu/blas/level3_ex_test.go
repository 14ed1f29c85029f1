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

// TestCombineWithMatrix joins numbers and a NaN with sums, and with smaller elements.
func TestCombineWithMatrix(t *testing.T) {
	nan := math.NaN()
	for plus, want := range map[bool][]float64{false: {7, 2, 15}, true: {6, 11, nan}} {
		d := []float64{7, 2, nan}
		Combine(plus, None, None, 3, 1, 1, 1, Matrix[float64]{[]float64{-1, 9, 5}, 3},
			Matrix[float64]{[]float64{10}, 1}, 100, Matrix[float64]{d, 3})
		if !slices.EqualFunc(d, want, func(x, y float64) bool { return x == y || x != x && y != y }) {
			t.Errorf("plus %v: %v, want %v", plus, d, want)
		}
	}
}
