package blas

import (
	"math"

	"roclua/hip/cpu/vector"
)

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

// Hypot returns the norm of a vector from the norms of its parts.
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

// Extremum returns the index and the value of the first element with the largest, or smallest, |re| + |im| among low to
// high-1. The first NaN takes precedence, as in reference BLAS.
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

// AddVector adds alpha x to y, which has as many elements.
func AddVector[T Number](alpha T, x, y Vector[T]) {
	if x.Inc == 1 && y.Inc == 1 {
		Axpy(alpha, x.Data[:x.N], y.Data)
		return
	}
	for i := range x.N {
		y.Set(i, y.At(i)+alpha*x.At(i))
	}
}

// ScaleVector multiplies x by alpha. A NaN remains NaN, even if alpha is 0.
func ScaleVector[T Number](alpha T, x Vector[T]) {
	if x.Inc == 1 {
		vector.Scale(alpha, x.Data[:x.N])
		return
	}
	for i := range x.N {
		x.Set(i, alpha*x.At(i))
	}
}

// CopyVector stores x in y, which has as many elements.
func CopyVector[T Number](x, y Vector[T]) {
	if x.Inc == 1 && y.Inc == 1 {
		copy(y.Data[:x.N], x.Data)
		return
	}
	for i := range x.N {
		y.Set(i, x.At(i))
	}
}

// SwapVectors exchanges x and y, which have as many elements.
func SwapVectors[T Number](x, y Vector[T]) {
	for i := range x.N {
		v := x.At(i)
		x.Set(i, y.At(i))
		y.Set(i, v)
	}
}

// Axpy adds alpha x to y, which has at least as many elements as x.
func Axpy[T Number](alpha T, x, y []T) {
	if len(x) >= 8 {
		vector.Axpy(alpha, x, y)
		return
	}
	y = y[:len(x)]
	for i, v := range x {
		y[i] += alpha * v
	}
}

// Divide divides elements by d. If 1/d is neither very large nor very small, it multiplies them by 1/d.
func Divide[T Number](d T, x []T) {
	inverse := 1 / d
	if size := Abs1(inverse); len(x) < 4 || !(size > 1e-30 && size < 1e30) {
		for i := range x {
			x[i] /= d
		}
		return
	}
	vector.Scale(inverse, x)
}

// DotsOfColumns stores the products of x, conjugated, and the first n columns of A in y. The columns have as many
// elements as x.
func DotsOfColumns[T Number](n int, x []T, a Matrix[T], y []T) { vector.Dots(n, x, a.Data, a.LD, y) }

// DotColumns returns the product of x, conjugated, and y, which has at least as many elements.
func DotColumns[T Number](x, y []T) T { return dotSlices(true, x, y) }

// dotSlices returns the product of x, conjugated if conj is true, and y, which has at least as many elements.
func dotSlices[T Number](conj bool, x, y []T) T {
	switch v := any(x).(type) {
	case []float32:
		return any(vector.Dot(v, as[[]float32](any(y)))).(T)
	case []float64:
		return any(vector.Dot(v, as[[]float64](any(y)))).(T)
	case []complex64:
		re, im := vector.DotComplex(conj, reals[float32](v), reals[float32](as[[]complex64](any(y))))
		return any(complex(re, im)).(T)
	case []complex128:
		re, im := vector.DotComplex(conj, reals[float64](v), reals[float64](as[[]complex128](any(y))))
		return any(complex(re, im)).(T)
	}
	panic("unreachable")
}

// sumOfSquares returns the sum of |x|^2. Single precision accumulates in float64.
func sumOfSquares[T Number](x []T) float64 {
	switch v := any(x).(type) {
	case []float32:
		return singleSquares(v)
	case []float64:
		return vector.Dot(v, v)
	case []complex64:
		return singleSquares(reals[float32](v))
	case []complex128:
		parts := reals[float64](v)
		return vector.Dot(parts, parts)
	}
	panic("unreachable")
}

// singleSquares has four sums, as vector.Dot.
func singleSquares(x []float32) float64 {
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4; x = x[4:] {
		v0, v1, v2, v3 := float64(x[0]), float64(x[1]), float64(x[2]), float64(x[3])
		s0 += v0 * v0
		s1 += v1 * v1
		s2 += v2 * v2
		s3 += v3 * v3
	}
	for _, v := range x {
		s0 += float64(v) * float64(v)
	}
	return s0 + s1 + (s2 + s3)
}

// largest returns the index of the first element with the largest absolute value, or the first NaN. x is not empty.
func largest[R vector.Real](x []R) (place int, value float64) {
	value = -1
	for i, v := range x {
		if size := math.Abs(float64(v)); !(size <= value) {
			place, value = i, size
			if math.IsNaN(size) {
				break
			}
		}
	}
	return place, value
}

// largestComplex is largest by |re| + |im|, for complex numbers, given by their parts.
func largestComplex[R vector.Real](x []R) (place int, value float64) {
	value = -1
	for i := 0; i+1 < len(x); i += 2 {
		if size := math.Abs(float64(x[i])) + math.Abs(float64(x[i+1])); !(size <= value) {
			place, value = i/2, size
			if math.IsNaN(size) {
				break
			}
		}
	}
	return place, value
}
