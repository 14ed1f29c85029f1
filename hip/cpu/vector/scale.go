package vector

import "unsafe"

// scaleFunction multiplies n real numbers, which for complex types are real and imaginary parts, by a factor.
type scaleFunction func(n int, re, im float64, x unsafe.Pointer)

// Scale multiplies the elements of x by a factor.
func Scale[T Number](factor T, x []T) {
	if len(x) == 0 {
		return
	}
	p := unsafe.Pointer(&x[0])
	switch f := any(factor).(type) {
	case float32:
		current.scale32(len(x), float64(f), 0, p)
	case float64:
		current.scale64(len(x), f, 0, p)
	case complex64:
		current.scaleComplex32(2*len(x), float64(real(f)), float64(imag(f)), p)
	case complex128:
		current.scaleComplex64(2*len(x), real(f), imag(f), p)
	}
}

// scalePortable is Scale for all processors.
func scalePortable[R Real](n int, re, _ float64, x unsafe.Pointer) {
	elements := unsafe.Slice((*R)(x), n)
	for i := range elements {
		elements[i] *= R(re)
	}
}

// scaleComplexPortable is scalePortable for complex numbers whose parts have type R: Go multiplies complex64 numbers in
// float64.
func scaleComplexPortable[R Real](n int, re, im float64, x unsafe.Pointer) {
	for parts := unsafe.Slice((*R)(x), n); len(parts) >= 2; parts = parts[2:] {
		u, v := parts[0], parts[1]
		parts[0], parts[1] = u*R(re)-v*R(im), u*R(im)+v*R(re)
	}
}
