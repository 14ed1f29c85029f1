// Package blas is column-major BLAS on Go slices, for the four element types.
//
// Level 3 is built on GEMMs, which use the vector instructions of the processor, through package vector,
// and several processors. Level 2 adds multiples of columns through the same package, for a matrix in any storage; the
// rest of level 1 and 2 is generic code.
//
// Arguments have the meaning of BLAS and are not checked; slices must have at least the elements that the arguments
// describe.
package blas

import "math"

// Number is an element type.
type Number interface {
	float32 | float64 | complex64 | complex128
}

// The following constants have the numbers of CBLAS, as in rocBLAS.

// Op is the operation on an operand.
type Op int

const (
	None Op = 111 + iota
	Trans
	ConjTrans
)

// Side is the side of a product on which the square matrix is.
type Side int

const (
	Left Side = 141 + iota
	Right
)

// Uplo is the triangle of a matrix.
type Uplo int

const (
	Upper Uplo = 121 + iota
	Lower
)

// Diag says whether a triangular matrix has ones on its diagonal.
type Diag int

const (
	NonUnit Diag = 131 + iota
	Unit
)

// IsComplex reports whether T has an imaginary part.
func IsComplex[T Number]() bool {
	var zero T
	switch any(zero).(type) {
	case complex64, complex128:
		return true
	}
	return false
}

// IsSingle reports whether T has single precision.
func IsSingle[T Number]() bool {
	var zero T
	switch any(zero).(type) {
	case float32, complex64:
		return true
	}
	return false
}

// Conj returns the complex conjugate.
func Conj[T Number](x T) T {
	switch v := any(x).(type) {
	case complex64:
		return any(complex(real(v), -imag(v))).(T)
	case complex128:
		return any(complex(real(v), -imag(v))).(T)
	}
	return x
}

// Real returns the real part.
func Real[T Number](x T) float64 {
	re, _ := parts(x)
	return re
}

// parts returns the real and the imaginary part in double precision.
func parts[T Number](x T) (re, im float64) {
	switch v := any(x).(type) {
	case float32:
		return float64(v), 0
	case float64:
		return v, 0
	case complex64:
		return float64(real(v)), float64(imag(v))
	case complex128:
		return real(v), imag(v)
	}
	return 0, 0
}

// FromComplex converts a number. A real type gets the real part.
func FromComplex[T Number](z complex128) T {
	var zero T
	switch any(zero).(type) {
	case float32:
		return any(float32(real(z))).(T)
	case float64:
		return any(real(z)).(T)
	case complex64:
		return any(complex64(z)).(T)
	}
	return any(z).(T)
}

// ToComplex converts a number; real types have no imaginary part.
func ToComplex[T Number](x T) complex128 {
	re, im := parts(x)
	return complex(re, im)
}

// FromReal converts a real number.
func FromReal[T Number](x float64) T { return FromComplex[T](complex(x, 0)) }

// Abs1 returns |re| + |im|, by which BLAS compares elements.
func Abs1[T Number](x T) float64 {
	re, im := parts(x)
	return math.Abs(re) + math.Abs(im)
}

// conjIf conjugates a number if conj is true.
func conjIf[T Number](conj bool, x T) T {
	if conj {
		return Conj(x)
	}
	return x
}

// Vector is n elements an increment apart. With a negative increment the first element is the last in memory, with an
// increment of zero all elements are the same.
type Vector[T any] struct {
	Data   []T
	N, Inc int
}

// index returns the index of element i in Data.
func (v Vector[T]) index(i int) int {
	if v.Inc < 0 {
		return (i - v.N + 1) * v.Inc
	}
	return i * v.Inc
}

// At returns element i.
func (v Vector[T]) At(i int) T { return v.Data[v.index(i)] }

// Set stores element i.
func (v Vector[T]) Set(i int, x T) { v.Data[v.index(i)] = x }

// Adjacent returns the elements in order, one after the other: the vector's own memory if they are, otherwise a copy.
func (v Vector[T]) Adjacent() []T {
	if v.Inc == 1 {
		return v.Data[:v.N]
	}
	list := make([]T, v.N)
	for i := range list {
		list[i] = v.At(i)
	}
	return list
}

// Store copies elements that Adjacent returned back to the vector.
func (v Vector[T]) Store(list []T) {
	if v.Inc == 1 {
		return
	}
	for i, x := range list {
		v.Set(i, x)
	}
}

// Matrix is a column-major matrix.
type Matrix[T any] struct {
	Data []T
	LD   int
}

// NewMatrix returns a matrix of zeros without gaps between its columns.
func NewMatrix[T any](rows, cols int) Matrix[T] { return Matrix[T]{make([]T, rows*cols), max(rows, 1)} }

// SetIdentity stores the identity in A, m x n.
func SetIdentity[T Number](m, n int, a Matrix[T]) {
	for j := range n {
		clear(a.Data[j*a.LD:][:m])
		if j < m {
			a.Set(j, j, 1)
		}
	}
}

// At returns element (i, j).
func (m Matrix[T]) At(i, j int) T { return m.Data[i+j*m.LD] }

// Set stores element (i, j).
func (m Matrix[T]) Set(i, j int, x T) { m.Data[i+j*m.LD] = x }

// CopyMatrix copies rows x cols elements.
func CopyMatrix[T Number](rows, cols int, from, to Matrix[T]) {
	for j := 0; j < cols && rows > 0; j++ {
		copy(to.Data[j*to.LD:][:rows], from.Data[j*from.LD:][:rows])
	}
}

// From returns the part that begins at (i, j).
func (m Matrix[T]) From(i, j int) Matrix[T] {
	at := min(i+j*m.LD, len(m.Data))
	return Matrix[T]{m.Data[at:], m.LD}
}
