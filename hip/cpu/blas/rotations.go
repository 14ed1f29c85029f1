package blas

import (
	"math"
	"math/cmplx"
)

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

// MakeModifiedRotation is rotmg. It changes D1, D2 and X1 and returns the numbers that RotateModified takes; set lists
// the ones that it sets, because rotmg does not change the others.
//
// It follows rocBLAS: scaling more than once replaces H12 and H21 by 1 and -1.
func MakeModifiedRotation(d1, d2, x1 *float64, y1 float64) (param [5]float64, set []int) {
	const flag = 0
	m := modified{d1: d1, d2: d2, x1: x1}
	switch {
	case *d1 < 0:
		m.clear()
	case *d2*y1 == 0:
		param[flag] = -2
		return param, []int{flag}
	default:
		m.rotate(y1)
	}
	set = []int{flag, 1, 2, 3, 4}
	switch m.flag {
	case 0:
		set = []int{flag, 2, 3}
	case 1:
		set = []int{flag, 1, 4}
	}
	return [5]float64{m.flag, m.h11, m.h21, m.h12, m.h22}, set
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
