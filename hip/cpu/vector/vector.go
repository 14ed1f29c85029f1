// Package vector has the innermost operations of dense linear algebra, written with the vector instructions of the
// processor: the product of two packed panels, on which large matrix products are built, the GEMM where
// they are in memory, the products of columns, the sum of a column and a multiple of another one, and the product of a
// column and a number.
//
// The instructions are chosen once, when the program starts: AVX-512 or AVX2 with FMA on amd64, NEON on arm64, and
// Go code for all other processors. All sets compute the same results within rounding.
package vector

import "unsafe"

// Real is the type of the elements that the instructions compute with. A complex number is two of them.
type Real interface{ float32 | float64 }

// Tile is the product of two panels. A has Rows x k elements, B has k x Cols, and C is Rows x Cols. Element (i, l) of A
// is at a[i + l*Rows], element (l, j) of B at b[l*Cols + j], and element (i, j) of C at c[i + j*ldc].
type Tile[R Real] struct {
	Rows, Cols int // Rows is even
	// Add adds alpha A B to C. k is at least 1.
	Add func(k int, alpha R, a, b, c *R, ldc int)
}

// set is an instruction set: its name, its tiles, and the functions behind Axpy, Update, Dots and Scale.
type set struct {
	name      string
	tile32    Tile[float32]
	tile64    Tile[float64]
	axpy32    func(n int, alpha float32, x, y *float32)
	axpy64    func(n int, alpha float64, x, y *float64)
	complex32 func(n int, re, im float32, x, y *complex64)
	complex64 func(n int, re, im float64, x, y *complex128)

	update32, update64, updateComplex32, updateComplex64 updateFunction
	dots32, dots64, dotsComplex32, dotsComplex64         dotsFunction
	scale32, scale64, scaleComplex32, scaleComplex64     scaleFunction
}

// portable is the set of all processors.
var portable = set{
	"portable", Tile[float32]{4, 2, addPortable[float32]}, Tile[float64]{4, 2, addPortable[float64]},
	axpyPortable[float32], axpyPortable[float64],
	func(n int, re, im float32, x, y *complex64) { axpyPortable(n, complex(re, im), x, y) },
	func(n int, re, im float64, x, y *complex128) { axpyPortable(n, complex(re, im), x, y) },
	updatePortable[float32], updatePortable[float64],
	updateComplexPortable[float32], updateComplexPortable[float64],
	dotsPortable[float32], dotsPortable[float64], dotsComplexPortable[float32], dotsComplexPortable[float64],
	scalePortable[float32], scalePortable[float64], scaleComplexPortable[float32], scaleComplexPortable[float64],
}

// current is the best set of this processor.
var current = sets()[0]

// Name returns the instruction set in use: "avx512", "avx2", "neon" or "portable".
func Name() string { return current.name }

// Names returns the instruction sets that this processor has, the fastest first.
func Names() []string {
	var list []string
	for _, s := range sets() {
		list = append(list, s.name)
	}
	return list
}

// Use chooses one of Names. It is for tests and measurements, and must not be called while another goroutine computes.
func Use(name string) {
	for _, s := range sets() {
		if s.name == name {
			current = s
		}
	}
}

// TileOf returns the product of panels for a type.
func TileOf[R Real]() Tile[R] {
	if t, ok := any(current.tile32).(Tile[R]); ok {
		return t
	}
	return any(current.tile64).(Tile[R])
}

// Axpy adds alpha x to y, which has at least as many elements as x.
func Axpy[T Number](alpha T, x, y []T) {
	if len(x) == 0 {
		return
	}
	n, px, py := len(x), unsafe.Pointer(&x[0]), unsafe.Pointer(&y[:len(x)][0])
	switch v := any(alpha).(type) {
	case float32:
		current.axpy32(n, v, (*float32)(px), (*float32)(py))
	case float64:
		current.axpy64(n, v, (*float64)(px), (*float64)(py))
	case complex64:
		current.complex32(n, real(v), imag(v), (*complex64)(px), (*complex64)(py))
	case complex128:
		current.complex64(n, real(v), imag(v), (*complex128)(px), (*complex128)(py))
	}
}

// Number is the type of the elements of matrices.
type Number interface {
	float32 | float64 | complex64 | complex128
}

// Factor is the second factor of a product. Its element (l, j), conjugated with Conj, is Data[l*Down + j*Right].
type Factor[T Number] struct {
	Data        []T
	Down, Right int
	Conj        bool
}

// updateFunction adds alpha A B to C, which is m x n, in real numbers. A has k columns. Distances are in bytes. For
// complex types m counts real and imaginary parts, and beta is the factor of the imaginary parts of B instead of alpha.
type updateFunction func(m, n, k int, alpha, beta float64, a unsafe.Pointer, lda int,
	b unsafe.Pointer, down, right int, c unsafe.Pointer, ldc int)

// Update adds alpha A B to C, which is m x n and shares no elements with A and B. A has k columns. The columns of A
// and C are adjacent elements, lda and ldc elements apart. It reads the matrices where they are, which for small and
// for narrow ones is faster than to copy them to panels.
func Update[T Number](m, n, k int, alpha float64, a []T, lda int, b Factor[T], c []T, ldc int) {
	if m <= 0 || n <= 0 || k <= 0 {
		return
	}
	_, _, _ = a[(k-1)*lda+m-1], b.Data[(k-1)*b.Down+(n-1)*b.Right], c[(n-1)*ldc+m-1]
	pa, pb, pc := unsafe.Pointer(&a[0]), unsafe.Pointer(&b.Data[0]), unsafe.Pointer(&c[0])
	size := int(unsafe.Sizeof(a[0]))
	beta, f := alpha, current.update32
	if b.Conj {
		beta = -alpha
	}
	switch any(a).(type) {
	case []float64:
		f = current.update64
	case []complex64:
		m, f = 2*m, current.updateComplex32
	case []complex128:
		m, f = 2*m, current.updateComplex64
	}
	f(m, n, k, alpha, beta, pa, lda*size, pb, b.Down*size, b.Right*size, pc, ldc*size)
}

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

// addPortable is the product of panels of 4 rows and 2 columns.
func addPortable[R Real](k int, alpha R, a, b, c *R, ldc int) {
	var c00, c10, c20, c30, c01, c11, c21, c31 R
	as, bs := unsafe.Slice(a, 4*k), unsafe.Slice(b, 2*k)
	for len(as) >= 4 && len(bs) >= 2 {
		b0, b1 := bs[0], bs[1]
		a0, a1, a2, a3 := as[0], as[1], as[2], as[3]
		c00 += a0 * b0
		c10 += a1 * b0
		c20 += a2 * b0
		c30 += a3 * b0
		c01 += a0 * b1
		c11 += a1 * b1
		c21 += a2 * b1
		c31 += a3 * b1
		as, bs = as[4:], bs[2:]
	}
	cs := unsafe.Slice(c, ldc+4)
	for i, v := range [...]R{c00, c10, c20, c30} {
		cs[i] += alpha * v
	}
	for i, v := range [...]R{c01, c11, c21, c31} {
		cs[ldc+i] += alpha * v
	}
}

func axpyPortable[T Number](n int, alpha T, x, y *T) {
	xs, ys := unsafe.Slice(x, n), unsafe.Slice(y, n)
	for i, v := range xs {
		ys[i] += alpha * v
	}
}

func updatePortable[R Real](m, n, k int, alpha, _ float64, a unsafe.Pointer, lda int,
	b unsafe.Pointer, down, right int, c unsafe.Pointer, ldc int,
) {
	for j := range n {
		column := (*R)(unsafe.Add(c, j*ldc))
		for l := range k {
			factor := R(alpha) * *(*R)(unsafe.Add(b, l*down+j*right))
			axpyPortable(m, factor, (*R)(unsafe.Add(a, l*lda)), column)
		}
	}
}

// updateComplexPortable is updatePortable for complex numbers whose parts have type R.
func updateComplexPortable[R Real](
	m, n, k int, alpha, beta float64, a unsafe.Pointer, lda int, b unsafe.Pointer, down, right int,
	c unsafe.Pointer, ldc int,
) {
	for j := range n {
		y := unsafe.Slice((*R)(unsafe.Add(c, j*ldc)), m)
		for l := range k {
			factor := (*[2]R)(unsafe.Add(b, l*down+j*right))
			re, im := R(alpha)*factor[0], R(beta)*factor[1]
			x := unsafe.Slice((*R)(unsafe.Add(a, l*lda)), m)
			for i := 0; i+1 < len(x) && i+1 < len(y); i += 2 {
				y[i] += re*x[i] - im*x[i+1]
				y[i+1] += re*x[i+1] + im*x[i]
			}
		}
	}
}
