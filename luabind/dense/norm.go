package dense

import (
	"math"

	"roclua/hip/cpu/blas"
)

// Norm returns the Frobenius norm. It is NaN if an element is NaN, and does not overflow before the result does.
func Norm[T Number](a Matrix[T], m Meter) float64 {
	sum := 0.0
	for _, column := range a.columns(m) {
		sum += blas.Real(blas.DotColumns(column, column))
	}
	if sum > smallSquares && sum < math.Inf(1) {
		return math.Sqrt(sum)
	}
	return scaledNorm(a, m)
}

// smallSquares is a sum of squares so large that squares below the smallest normal number do not change it.
const smallSquares = 1e-270

// scaledNorm returns the Frobenius norm of a matrix whose squares are too large or too small for numbers, or that has
// elements that are NaN or infinite.
func scaledNorm[T Number](a Matrix[T], m Meter) float64 {
	largest := Max(a, m)
	if largest == 0 || math.IsInf(largest, 1) || math.IsNaN(largest) {
		return largest
	}
	sum := 0.0
	for _, column := range a.columns(m) {
		for _, v := range column {
			r := Abs(v) / largest
			sum += r * r
		}
	}
	return largest * math.Sqrt(sum)
}

// Max returns the largest absolute value of an element, NaN if an element is NaN, and 0 for an empty matrix.
func Max[T Number](a Matrix[T], m Meter) float64 {
	largest := 0.0
	for _, column := range a.columns(m) {
		for _, v := range column {
			largest = math.Max(largest, Abs(v)) // NaN if one of them is
		}
	}
	return largest
}

// One returns the largest sum of the absolute values of a column, NaN if an element is NaN.
func One[T Number](a Matrix[T], m Meter) float64 {
	largest := 0.0
	for _, column := range a.columns(m) {
		sum := 0.0
		for _, v := range column {
			sum += Abs(v)
		}
		largest = math.Max(largest, sum)
	}
	return largest
}

// Difference returns the largest absolute value of A - B, NaN if an element is NaN.
func Difference[T Number](a, b Matrix[T], m Meter) float64 {
	largest := 0.0
	for j, x := range a.columns(m) {
		y := b.Column(j)
		for i, v := range x {
			if d := v - y[i]; v != y[i] {
				largest = math.Max(largest, Abs(d))
			}
		}
	}
	return largest
}
