// Package vector has the innermost operations of dense linear algebra, written with the vector instructions of the
// processor: the product of two packed panels, on which large matrix products are built, the product of matrices where
// they are in memory, the products of columns, the sum of a column and a multiple of another one, the product of a
// column and a number, and rotations of columns.
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

// set is an instruction set: its name, its tiles, and the functions behind Axpy, Update, Dots, Scale and Rotate.
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

	rotate rotateFunction
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
	rotatePortable,
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
