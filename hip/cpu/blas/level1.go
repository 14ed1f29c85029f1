package blas

import (
	"math"
	"math/cmplx"

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

// sumOfSquares returns the sum of |x|^2 in float64.
func sumOfSquares[T Number](x []T) float64 {
	switch v := any(x).(type) {
	case []float32:
		return squares(v)
	case []float64:
		return squares(v)
	case []complex64:
		return squares(reals[float32](v))
	case []complex128:
		return squares(reals[float64](v))
	}
	panic("unreachable")
}

// squares has four sums, as vector.Dot.
func squares[R vector.Real](x []R) float64 {
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

// MakeRotation returns the rotation that turns (a, b) into (r, 0), and z, from which LAPACK reconstructs it.
func MakeRotation(a, b float64) (r, z, c, s float64) {
	scale := math.Abs(a) + math.Abs(b)
	if scale == 0 {
		return 0, 0, 1, 0
	}
	larger := b
	if math.Abs(a) > math.Abs(b) {
		larger = a
	}
	r = math.Copysign(scale*math.Sqrt(a/scale*(a/scale)+b/scale*(b/scale)), larger)
	c, s = a/r, b/r
	switch {
	case math.Abs(a) > math.Abs(b):
		z = s
	case c != 0:
		z = 1 / c
	default:
		z = 1
	}
	return r, z, c, s
}

// MakeComplexRotation returns the rotation that turns (a, b) into (r, 0).
func MakeComplexRotation(a, b complex128) (r complex128, c float64, s complex128) {
	size := cmplx.Abs(a)
	if size == 0 {
		return b, 0, 1
	}
	norm := math.Hypot(size, cmplx.Abs(b))
	direction := a / complex(size, 0)
	return direction * complex(norm, 0), size / norm, direction * cmplx.Conj(b) / complex(norm, 0)
}

// The factor by which MakeModifiedRotation scales, and the bounds between which it keeps D1 and D2.
const (
	scaling      = 4096.0
	largestScale = scaling * scaling
)

// MakeModifiedRotation is rotmg. It changes D1, D2 and X1, and sets the numbers in param that RotateModified reads.
//
// It follows rocBLAS: scaling more than once replaces H12 and H21 by 1 and -1.
func MakeModifiedRotation(d1, d2, x1 *float64, y1 float64, param []float64) {
	m := modified{d1: d1, d2: d2, x1: x1}
	switch {
	case *d1 < 0:
		m.clear()
	case *d2*y1 == 0:
		param[0] = -2
		return
	default:
		m.rotate(y1)
	}
	param[0] = m.flag
	if m.flag != 0 {
		param[1], param[4] = m.h11, m.h22
	}
	if m.flag != 1 {
		param[2], param[3] = m.h21, m.h12
	}
}

// modified is a modified rotation that is being made.
type modified struct {
	d1, d2, x1               *float64
	flag, h11, h21, h12, h22 float64
}

// clear makes the rotation that clears both elements.
func (m *modified) clear() {
	*m.d1, *m.d2, *m.x1 = 0, 0, 0
	m.flag = -1
}

// rotate makes a rotation for a D1 that is not negative, and scales it.
func (m *modified) rotate(y1 float64) {
	d1, d2, x1 := *m.d1, *m.d2, *m.x1
	p1, p2 := d1*x1, d2*y1
	q1, q2 := p1*x1, p2*y1
	m.flag = -1
	switch {
	case math.Abs(q1) > math.Abs(q2):
		m.h21, m.h12 = -y1/x1, p2/p1
		if u := 1 - m.h12*m.h21; u > 0 {
			m.flag = 0
			*m.d1, *m.d2, *m.x1 = d1/u, d2/u, x1*u
		}
	case q2 < 0:
		m.clear()
	default:
		m.flag = 1
		m.h11, m.h22 = p1/p2, x1/y1
		u := 1 + m.h11*m.h22
		*m.d1, *m.d2, *m.x1 = d2/u, d1/u, y1*u
	}
	m.scale(m.d1, m.x1, &m.h11, &m.h12)
	m.scale(m.d2, nil, &m.h21, &m.h22)
}

// scale multiplies d by powers of the square of the factor until it is within the bounds, and the row of H, and x, by
// the inverse of the factor. A number that scaling does not change has no bounds.
func (m *modified) scale(d, x, left, right *float64) {
	for size := math.Abs(*d); size != 0 && !math.IsInf(size, 0); size = math.Abs(*d) {
		factor := scaling
		switch {
		case size <= 1/largestScale:
		case size >= largestScale:
			factor = 1 / scaling
		default:
			return
		}
		if m.flag == 0 {
			m.h11, m.h22 = 1, 1
		} else {
			m.h21, m.h12 = -1, 1
		}
		m.flag = -1
		*d *= factor * factor
		*left /= factor
		*right /= factor
		if x != nil {
			*x /= factor
		}
	}
}

// Rotate applies the plane rotation of c and s to x and y, which have as many elements:
//
//	x =       c  x + s y
//	y = -conj(s) x + c y
func Rotate[T Number](c float64, s T, x, y Vector[T]) {
	cosine, conjugated := FromReal[T](c), Conj(s)
	for i := range x.N {
		v, w := x.At(i), y.At(i)
		x.Set(i, cosine*v+s*w)
		y.Set(i, cosine*w-conjugated*v)
	}
}

// RotateModified applies a modified plane rotation to x and y, which have as many elements. The first of its five
// numbers says which of the other four, H11, H21, H12 and H22, are used: all if it is -1; H21 and H12 if it is 0, with
// a diagonal of ones; H11 and H22 if it is 1, with H12 = 1 and H21 = -1. If it is -2, the vectors do not change.
func RotateModified[T Number](param []T, x, y Vector[T]) {
	h11, h21, h12, h22 := param[1], param[2], param[3], param[4]
	switch flag := Real(param[0]); {
	case flag == -2:
		return
	case flag == 0:
		h11, h22 = 1, 1
	case flag > 0:
		h12, h21 = 1, -1
	}
	for i := range x.N {
		v, w := x.At(i), y.At(i)
		x.Set(i, v*h11+w*h12)
		y.Set(i, v*h21+w*h22)
	}
}
