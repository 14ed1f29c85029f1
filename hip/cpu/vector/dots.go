package vector

import "unsafe"

// dotsFunction stores the products of x, conjugated, and n columns of A in y. The columns have m real numbers, and are
// lda bytes apart.
type dotsFunction func(m, n int, x, a unsafe.Pointer, lda int, y unsafe.Pointer)

// Dots stores the products of x, conjugated, and the first n columns of A in y. The columns have as many elements as x,
// and are lda elements apart.
func Dots[T Number](n int, x []T, a []T, lda int, y []T) {
	if n <= 0 {
		return
	}
	y = y[:n]
	m := len(x)
	if m == 0 {
		clear(y)
		return
	}
	_ = a[(n-1)*lda+m-1]
	f := current.dots32
	switch any(a).(type) {
	case []float64:
		f = current.dots64
	case []complex64:
		m, f = 2*m, current.dotsComplex32
	case []complex128:
		m, f = 2*m, current.dotsComplex64
	}
	f(m, n, unsafe.Pointer(&x[0]), unsafe.Pointer(&a[0]), lda*int(unsafe.Sizeof(x[0])), unsafe.Pointer(&y[0]))
}

// dotsPortable is Dots for all processors.
func dotsPortable[R Real](m, n int, x, a unsafe.Pointer, lda int, y unsafe.Pointer) {
	for j := range n {
		unsafe.Slice((*R)(y), n)[j] = Dot(unsafe.Slice((*R)(x), m), unsafe.Slice((*R)(unsafe.Add(a, j*lda)), m))
	}
}

// Dot returns the product of x and y, which has at least as many elements, in Go. It has four sums, which a processor
// computes at the same time.
func Dot[R Real](x, y []R) R {
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

// dotsComplexPortable is dotsPortable for complex numbers whose parts have type R.
func dotsComplexPortable[R Real](m, n int, x, a unsafe.Pointer, lda int, y unsafe.Pointer) {
	for j := range n {
		re, im := DotComplex(true, unsafe.Slice((*R)(x), m), unsafe.Slice((*R)(unsafe.Add(a, j*lda)), m))
		unsafe.Slice((*[2]R)(y), n)[j] = [2]R{re, im}
	}
}

// DotComplex returns the parts of the product of complex numbers, given by their parts. It conjugates x if conj is
// true.
func DotComplex[R Real](conj bool, x, y []R) (re, im R) {
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
