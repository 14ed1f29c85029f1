package blas

import "math"

// Asum returns the sum of |re| + |im| over elements low to high-1, in double precision.
func Asum[T Number](x Vector[T], low, high int) float64 {
	sum := 0.0
	for i := low; i < high; i++ {
		sum += Abs1(x.At(i))
	}
	return sum
}

// Nrm2 returns the Euclidean norm of elements low to high-1. It scales the sum, so that it neither overflows nor
// underflows where the norm itself does not.
func Nrm2[T Number](x Vector[T], low, high int) float64 {
	if x.Inc == 1 {
		if sum := sumOfSquares(x.Data[low:high]); sum > 1e-25 && sum < 1e25 {
			return math.Sqrt(sum)
		}
	}
	scale, sum := 0.0, 1.0
	for i := low; i < high; i++ {
		re, im := parts(x.At(i))
		scale, sum = addSquare(scale, sum, re)
		scale, sum = addSquare(scale, sum, im)
	}
	return scale * math.Sqrt(sum)
}

// addSquare adds v*v to scale*scale*sum.
func addSquare(scale, sum, v float64) (float64, float64) {
	v = math.Abs(v)
	switch {
	case v == 0:
		return scale, sum
	case math.IsNaN(v) || math.IsNaN(scale):
		return math.NaN(), 1
	case math.IsInf(v, 1) || math.IsInf(scale, 1):
		return math.Inf(1), 1
	case scale < v:
		return v, 1 + sum*(scale/v)*(scale/v)
	}
	return scale, sum + (v/scale)*(v/scale)
}

// Hypot joins norms of parts.
func Hypot(norms []float64) float64 {
	return Nrm2(Vector[float64]{norms, len(norms), 1}, 0, len(norms))
}

// Dot returns the product of elements low to high-1 of x, conjugated if conj is true, and y.
func Dot[T Number](x, y Vector[T], conj bool, low, high int) T {
	var sum T
	for i := low; i < high; i++ {
		sum += conjIf(conj, x.At(i)) * y.At(i)
	}
	return sum
}

// Extremum returns the index of the first element with the largest, or smallest, |re| + |im| among low to high-1, and
// that value. The first NaN takes precedence, as in reference BLAS.
func Extremum[T Number](x Vector[T], smallest bool, low, high int) (place int, value float64) {
	if x.Inc == 1 && !smallest {
		switch data := any(x.Data[low:high]).(type) {
		case []float32:
			place, value = largest(data)
		case []float64:
			place, value = largest(data)
		case []complex64:
			place, value = largestComplex(reals[float32](data))
		case []complex128:
			place, value = largestComplex(reals[float64](data))
		}
		return low + place, value
	}
	place, value = low, Abs1(x.At(low))
	for i := low + 1; i < high && !math.IsNaN(value); i++ {
		v := Abs1(x.At(i))
		if smallest && v < value || !smallest && v > value || math.IsNaN(v) {
			place, value = i, v
		}
	}
	return place, value
}
