package blas

import (
	"math"

	"roclua/hip/cpu/vector"
)

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
		return any(dotReal(v, as[[]float32](any(y)))).(T)
	case []float64:
		return any(dotReal(v, as[[]float64](any(y)))).(T)
	case []complex64:
		re, im := dotComplex(conj, reals[float32](v), reals[float32](as[[]complex64](any(y))))
		return any(complex(re, im)).(T)
	case []complex128:
		re, im := dotComplex(conj, reals[float64](v), reals[float64](as[[]complex128](any(y))))
		return any(complex(re, im)).(T)
	}
	panic("unreachable")
}

// sumOfSquares returns the sum of |x|^2. That of numbers in single precision is computed in double precision.
func sumOfSquares[T Number](x []T) float64 {
	switch v := any(x).(type) {
	case []float32:
		return singleSquares(v)
	case []float64:
		return dotReal(v, v)
	case []complex64:
		return singleSquares(reals[float32](v))
	case []complex128:
		parts := reals[float64](v)
		return dotReal(parts, parts)
	}
	panic("unreachable")
}

// singleSquares has four sums, as dotReal.
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

// dotReal has four sums, which the processor computes at the same time.
func dotReal[R vector.Real](x, y []R) R {
	var s0, s1, s2, s3 R
	y = y[:len(x)]
	for len(x) >= 4 && len(y) >= 4 {
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += v * y[i]
	}
	return s0 + s1 + (s2 + s3)
}

// dotComplex returns the parts of the product of complex numbers, the first ones conjugated if conj is true.
func dotComplex[R vector.Real](conj bool, x, y []R) (re, im R) {
	var r0, r1, i0, i1 R
	y = y[:len(x)]
	for len(x) >= 2 && len(y) >= 2 {
		r0 += x[0] * y[0]
		r1 += x[1] * y[1]
		i0 += x[0] * y[1]
		i1 += x[1] * y[0]
		x, y = x[2:], y[2:]
	}
	if conj {
		return r0 + r1, i0 - i1
	}
	return r0 - r1, i0 + i1
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

// largestComplex is largest by |re| + |im|, for complex numbers of which x has the parts.
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
