// Package dense computes with matrices in double precision, real or complex: products, transposes, random matrices, and
// the residuals by which the results of BLAS and LAPACK are checked.
//
// Matrices are stored by columns. Products use the kernels of the CPU platform, with vector instructions. The tests
// compare them with sums of 200 bits, since a check with a wrong product could accept a wrong result.
//
// Functions that take a [Meter] report their temporary memory and their progress to it, so that a host can end a
// computation that takes too much of either.
//
// Shapes are the caller's responsibility. Functions panic if the operands do not fit.
package dense

import (
	"iter"
	"math"
	"math/bits"
	"unsafe"

	"roclua/hip/cpu/blas"
)

// Number is the type of an element.
type Number interface{ float64 | complex128 }

// Matrix is a matrix stored by columns, whose columns begin LD elements apart.
type Matrix[T Number] struct {
	Rows, Cols, LD int
	Data           []T
}

// Of returns the matrix whose elements data has, column by column without gaps.
func Of[T Number](rows, cols int, data []T) Matrix[T] {
	return Matrix[T]{Rows: rows, Cols: cols, LD: max(rows, 1), Data: data}
}

// New returns a matrix of zeros.
func New[T Number](rows, cols int, m Meter) Matrix[T] {
	var zero T
	m.Reserve(bytesOf(rows, cols, int(unsafe.Sizeof(zero))))
	return Of(rows, cols, make([]T, rows*cols))
}

// bytesOf multiplies the sizes of a matrix. The result is the largest number if the product is larger.
func bytesOf(rows, cols, element int) uint64 {
	high, n := bits.Mul64(uint64(rows), uint64(cols))
	if high != 0 || n > math.MaxUint64/uint64(element) {
		return math.MaxUint64
	}
	return n * uint64(element)
}

// Column returns column j, from 0.
func (a Matrix[T]) Column(j int) []T { return a.Data[j*a.LD : j*a.LD+a.Rows] }

// columns returns the columns in order, none of an empty matrix, after it has reported the work on each.
func (a Matrix[T]) columns(m Meter) iter.Seq2[int, []T] {
	return func(yield func(int, []T) bool) {
		for j := range a.Cols {
			if a.Rows == 0 {
				return
			}
			if m.Step(a.Rows); !yield(j, a.Column(j)) {
				return
			}
		}
	}
}

// At returns element (i, j), from 0.
func (a Matrix[T]) At(i, j int) T { return a.Data[j*a.LD+i] }

// Set sets element (i, j), from 0.
func (a Matrix[T]) Set(i, j int, v T) { a.Data[j*a.LD+i] = v }

// Empty reports whether the matrix has no elements.
func (a Matrix[T]) Empty() bool { return a.Rows == 0 || a.Cols == 0 }

// Part returns the rows and columns from (i, j) on. They share their elements with the matrix.
func (a Matrix[T]) Part(i, j, rows, cols int) Matrix[T] {
	b := Matrix[T]{Rows: rows, Cols: cols, LD: a.LD}
	if !b.Empty() {
		b.Data = a.Data[j*a.LD+i:]
	}
	return b
}

func (a Matrix[T]) blas() blas.Matrix[T] { return blas.Matrix[T]{Data: a.Data, LD: a.LD} }

// Copy returns a copy of the matrix.
func (a Matrix[T]) Copy(m Meter) Matrix[T] {
	b := New[T](a.Rows, a.Cols, m)
	for j, column := range a.columns(m) {
		copy(b.Column(j), column)
	}
	return b
}

// FromComplex returns a number as a T. A real T gets the real part.
func FromComplex[T Number](z complex128) T { return blas.FromComplex[T](z) }

// ToComplex returns a number as a complex one.
func ToComplex[T Number](x T) complex128 { return blas.ToComplex(x) }

// Abs returns the absolute value of a number.
func Abs[T Number](x T) float64 {
	switch v := any(x).(type) {
	case float64:
		return math.Abs(v)
	case complex128:
		return math.Hypot(real(v), imag(v))
	}
	return 0
}

// Transposed returns the transpose of a matrix, or with conjugate its adjoint.
func Transposed[T Number](a Matrix[T], conjugate bool, m Meter) Matrix[T] {
	b := New[T](a.Cols, a.Rows, m)
	for j, column := range a.columns(m) {
		for i, v := range column {
			if conjugate {
				v = blas.Conj(v)
			}
			b.Set(j, i, v)
		}
	}
	return b
}

// Meter counts the resources of a computation. Its methods may panic to end the computation.
type Meter interface {
	// Reserve is called before memory is allocated.
	Reserve(bytes uint64)
	// Step is called before each part of a computation, with its number of operations.
	Step(operations int)
}

// Unmetered is a Meter without limits.
type Unmetered struct{}

// Reserve implements Meter.
func (Unmetered) Reserve(uint64) {}

// Step implements Meter.
func (Unmetered) Step(int) {}

// Orthogonal returns a random matrix with orthonormal columns, or with orthonormal rows if it has more columns than
// rows. Square ones are distributed evenly over the orthogonal or unitary group if normal returns independent numbers
// with a normal distribution.
func Orthogonal[T Number](rows, cols int, normal func() T, m Meter) Matrix[T] {
	if rows < cols {
		return Transposed(Orthogonal(cols, rows, normal, m), true, m)
	}
	a := random(rows, cols, normal, m)
	tau := Factor(a, m)
	q := FormQ(a, tau, cols, m)
	for j := range cols {
		// The factorization is unique if the diagonal of R is positive. Its diagonal is real.
		if blas.Real(a.At(j, j)) < 0 {
			column := q.Column(j)
			for i := range column {
				column[i] = -column[i]
			}
		}
	}
	return q
}

// PositiveDefinite returns G G^H / n + I for a random G of order n: a Hermitian matrix whose eigenvalues are between 1
// and a small number.
func PositiveDefinite[T Number](n int, next func() T, m Meter) Matrix[T] {
	g, a := random(n, n, next, m), identity[T](n, m)
	Multiply(blas.FromReal[T](1/float64(max(n, 1))), None, g, ConjTrans, g, 1, a, m)
	return Hermitian(a, false, m)
}

// random returns a matrix of random numbers, column by column.
func random[T Number](rows, cols int, next func() T, m Meter) Matrix[T] {
	a := New[T](rows, cols, m)
	for i := range a.Data {
		if i%1024 == 0 {
			m.Step(1024)
		}
		a.Data[i] = next()
	}
	return a
}
