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
func axpyPortable[T float32 | float64 | complex64 | complex128](n int, alpha T, x, y *T) {
	xs, ys := unsafe.Slice(x, n), unsafe.Slice(y, n)
	for i, v := range xs {
		ys[i] += alpha * v
	}
}
