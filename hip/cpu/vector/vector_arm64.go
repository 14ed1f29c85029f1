package vector

// The functions below are in vector_arm64.s. Their pointers are to as many elements as the sizes say.

//go:noescape
func tileNEONF32(k int, alpha float32, a, b, c *float32, ldc int)

//go:noescape
func tileNEONF64(k int, alpha float64, a, b, c *float64, ldc int)

//go:noescape
func axpyNEONF32(n int, alpha float32, x, y *float32)

//go:noescape
func axpyNEONF64(n int, alpha float64, x, y *float64)

// neon is part of every arm64 processor.
var neon = set{
	"neon", Tile[float32]{16, 4, tileNEONF32}, Tile[float64]{8, 4, tileNEONF64}, axpyNEONF32, axpyNEONF64,
	portable.complex32, portable.complex64,
}

// sets returns the instruction sets of this processor, the fastest first.
func sets() []*set { return []*set{&neon, &portable} }
