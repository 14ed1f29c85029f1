package blas

import "roclua/hip/cpu/vector"

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

// ScaleVector multiplies x by alpha. A NaN stays one, whatever alpha is.
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
