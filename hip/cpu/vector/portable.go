package vector

import "unsafe"

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

// axpyPortable adds alpha x to y.
func axpyPortable[T Number](n int, alpha T, x, y *T) {
	xs, ys := unsafe.Slice(x, n), unsafe.Slice(y, n)
	for i, v := range xs {
		ys[i] += alpha * v
	}
}

// updatePortable adds alpha A B to C.
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
