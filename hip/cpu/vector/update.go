package vector

import "unsafe"

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
