package vector

import "unsafe"

// The functions below are in the assembly files. Their pointers are to as many elements as the sizes say.

//go:noescape
func tileNEONF32(k int, alpha float32, a, b, c *float32, ldc int)

//go:noescape
func tileNEONF64(k int, alpha float64, a, b, c *float64, ldc int)

//go:noescape
func axpyNEONF32(n int, alpha float32, x, y *float32)

//go:noescape
func axpyNEONF64(n int, alpha float64, x, y *float64)

//go:noescape
func updateWholeF32(m, n, k int, alpha, beta float64, a unsafe.Pointer, lda int, b unsafe.Pointer, down, right int,
	c unsafe.Pointer, ldc int)

//go:noescape
func updateWholeF64(m, n, k int, alpha, beta float64, a unsafe.Pointer, lda int, b unsafe.Pointer, down, right int,
	c unsafe.Pointer, ldc int)

//go:noescape
func updateWholeC64(m, n, k int, alpha, beta float64, a unsafe.Pointer, lda int, b unsafe.Pointer, down, right int,
	c unsafe.Pointer, ldc int)

//go:noescape
func updateWholeC128(m, n, k int, alpha, beta float64, a unsafe.Pointer, lda int, b unsafe.Pointer, down, right int,
	c unsafe.Pointer, ldc int)

// updateNEON is a product of numbers whose parts have type R: whole computes groups of two vectors of rows, and rest
// the other rows.
func updateNEON[R Real](whole, rest updateFunction) updateFunction {
	var zero R
	group := 32 / int(unsafe.Sizeof(zero))
	return func(m, n, k int, alpha, beta float64, a unsafe.Pointer, lda int, b unsafe.Pointer, down, right int,
		c unsafe.Pointer, ldc int,
	) {
		done := m - m%group
		if done > 0 {
			whole(done, n, k, alpha, beta, a, lda, b, down, right, c, ldc)
		}
		if done < m {
			bytes := done * int(unsafe.Sizeof(zero))
			a, c = unsafe.Add(a, bytes), unsafe.Add(c, bytes)
			rest(m-done, n, k, alpha, beta, a, lda, b, down, right, c, ldc)
		}
	}
}

// neon is part of every arm64 processor.
var neon = set{
	"neon", Tile[float32]{16, 4, tileNEONF32}, Tile[float64]{8, 4, tileNEONF64}, axpyNEONF32, axpyNEONF64,
	portable.complex32, portable.complex64,
	updateNEON[float32](updateWholeF32, portable.update32), updateNEON[float64](updateWholeF64, portable.update64),
	updateNEON[float32](updateWholeC64, portable.updateComplex32),
	updateNEON[float64](updateWholeC128, portable.updateComplex64),
	portable.dots32, portable.dots64, portable.dotsComplex32, portable.dotsComplex64,
	portable.scale32, portable.scale64, portable.scaleComplex32, portable.scaleComplex64,
}

// sets returns the instruction sets of this processor, the fastest first.
func sets() []*set { return []*set{&neon, &portable} }
