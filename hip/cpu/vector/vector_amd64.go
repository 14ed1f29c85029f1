package vector

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// The functions below are in the assembly files. Their pointers are to as many elements as the sizes say.

//go:noescape
func tileAVX512F32(k int, alpha float32, a, b, c *float32, ldc int)

//go:noescape
func tileAVX512F64(k int, alpha float64, a, b, c *float64, ldc int)

//go:noescape
func tileAVX2F32(k int, alpha float32, a, b, c *float32, ldc int)

//go:noescape
func tileAVX2F64(k int, alpha float64, a, b, c *float64, ldc int)

//go:noescape
func axpyAVX2F32(n int, alpha float32, x, y *float32)

//go:noescape
func axpyAVX2F64(n int, alpha float64, x, y *float64)

//go:noescape
func axpyAVX2C64(n int, re, im float32, x, y *complex64)

//go:noescape
func axpyAVX2C128(n int, re, im float64, x, y *complex128)

//go:noescape
func updateAVX512F32(m, n, k int, alpha, beta float64, a unsafe.Pointer, lda int, b unsafe.Pointer, down, right int,
	c unsafe.Pointer, ldc int)

//go:noescape
func updateAVX512F64(m, n, k int, alpha, beta float64, a unsafe.Pointer, lda int, b unsafe.Pointer, down, right int,
	c unsafe.Pointer, ldc int)

//go:noescape
func updateAVX512C64(m, n, k int, alpha, beta float64, a unsafe.Pointer, lda int, b unsafe.Pointer, down, right int,
	c unsafe.Pointer, ldc int)

//go:noescape
func updateAVX512C128(m, n, k int, alpha, beta float64, a unsafe.Pointer, lda int, b unsafe.Pointer, down, right int,
	c unsafe.Pointer, ldc int)

//go:noescape
func updateAVX2F32(m, n, k int, alpha, beta float64, a unsafe.Pointer, lda int, b unsafe.Pointer, down, right int,
	c unsafe.Pointer, ldc int)

//go:noescape
func updateAVX2F64(m, n, k int, alpha, beta float64, a unsafe.Pointer, lda int, b unsafe.Pointer, down, right int,
	c unsafe.Pointer, ldc int)

//go:noescape
func updateAVX2C64(m, n, k int, alpha, beta float64, a unsafe.Pointer, lda int, b unsafe.Pointer, down, right int,
	c unsafe.Pointer, ldc int)

//go:noescape
func updateAVX2C128(m, n, k int, alpha, beta float64, a unsafe.Pointer, lda int, b unsafe.Pointer, down, right int,
	c unsafe.Pointer, ldc int)

//go:noescape
func dotsAVX2F32(m, n int, x, a unsafe.Pointer, lda int, y unsafe.Pointer)

//go:noescape
func dotsAVX2F64(m, n int, x, a unsafe.Pointer, lda int, y unsafe.Pointer)

//go:noescape
func dotsAVX2C64(m, n int, x, a unsafe.Pointer, lda int, y unsafe.Pointer)

//go:noescape
func dotsAVX2C128(m, n int, x, a unsafe.Pointer, lda int, y unsafe.Pointer)

//go:noescape
func scaleAVX2F32(n int, re, im float64, x unsafe.Pointer)

//go:noescape
func scaleAVX2F64(n int, re, im float64, x unsafe.Pointer)

//go:noescape
func scaleAVX2C64(n int, re, im float64, x unsafe.Pointer)

//go:noescape
func scaleAVX2C128(n int, re, im float64, x unsafe.Pointer)

var (
	avx512 = set{
		"avx512", Tile[float32]{48, 8, tileAVX512F32}, Tile[float64]{24, 8, tileAVX512F64},
		axpyAVX2F32, axpyAVX2F64, axpyAVX2C64, axpyAVX2C128,
		updateAVX512F32, updateAVX512F64, updateAVX512C64, updateAVX512C128,
		dotsAVX2F32, dotsAVX2F64, dotsAVX2C64, dotsAVX2C128,
		scaleAVX2F32, scaleAVX2F64, scaleAVX2C64, scaleAVX2C128,
	}
	avx2 = set{
		"avx2", Tile[float32]{24, 4, tileAVX2F32}, Tile[float64]{12, 4, tileAVX2F64},
		axpyAVX2F32, axpyAVX2F64, axpyAVX2C64, axpyAVX2C128,
		updateAVX2F32, updateAVX2F64, updateAVX2C64, updateAVX2C128,
		dotsAVX2F32, dotsAVX2F64, dotsAVX2C64, dotsAVX2C128,
		scaleAVX2F32, scaleAVX2F64, scaleAVX2C64, scaleAVX2C128,
	}
)

// sets returns the instruction sets of this processor, the fastest first.
func sets() (list []*set) {
	hasAVX2 := cpu.X86.HasAVX2 && cpu.X86.HasFMA
	if hasAVX2 && cpu.X86.HasAVX512F {
		list = append(list, &avx512)
	}
	if hasAVX2 {
		list = append(list, &avx2)
	}
	return append(list, &portable)
}
