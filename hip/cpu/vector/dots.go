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

// dotsPortable is Dots for all processors. It has four sums, which a processor computes at the same time.
func dotsPortable[R Real](m, n int, x, a unsafe.Pointer, lda int, y unsafe.Pointer) {
	for j := range n {
		xs, as := unsafe.Slice((*R)(x), m), unsafe.Slice((*R)(unsafe.Add(a, j*lda)), m)
		var s0, s1, s2, s3 R
		for len(xs) >= 4 && len(as) >= 4 {
			s0 += xs[0] * as[0]
			s1 += xs[1] * as[1]
			s2 += xs[2] * as[2]
			s3 += xs[3] * as[3]
			xs, as = xs[4:], as[4:]
		}
		for i, v := range xs {
			s0 += v * as[i]
		}
		unsafe.Slice((*R)(y), n)[j] = s0 + s1 + (s2 + s3)
	}
}

// dotsComplexPortable is dotsPortable for complex numbers whose parts have type R.
func dotsComplexPortable[R Real](m, n int, x, a unsafe.Pointer, lda int, y unsafe.Pointer) {
	for j := range n {
		xs, as := unsafe.Slice((*R)(x), m), unsafe.Slice((*R)(unsafe.Add(a, j*lda)), m)
		var r0, r1, i0, i1 R
		for len(xs) >= 2 && len(as) >= 2 {
			r0 += xs[0] * as[0]
			r1 += xs[1] * as[1]
			i0 += xs[0] * as[1]
			i1 += xs[1] * as[0]
			xs, as = xs[2:], as[2:]
		}
		unsafe.Slice((*[2]R)(y), n)[j] = [2]R{r0 + r1, i0 - i1}
	}
}
