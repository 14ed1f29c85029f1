package nvidia

import (
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Operations on matrices in device memory, by copies of the runtime and functions of cuBLAS.

// copyMatrix copies the given rows and columns of a matrix.
func copyMatrix(x *execution, to, from matrix, rows, columns int64) {
	copyElements(x, x.args.Routine.Type.Size(), to, from, rows, columns)
}

// copyElements is copyMatrix for elements of the given size.
func copyElements(x *execution, size int64, to, from matrix, rows, columns int64) {
	x.do(func() error {
		return x.Copy2D(x.stream, driver.Ptr(to.at), uint64(to.ld*size), driver.Ptr(from.at), uint64(from.ld*size),
			uint64(rows*size), uint64(columns))
	})
}

func fillZeros(x *execution, at, elements int64) {
	x.zero(at, uint64(elements*x.args.Routine.Type.Size()))
}

func zeroMatrix(x *execution, m matrix, rows, columns int64) {
	size := x.args.Routine.Type.Size()
	x.do(func() error {
		return x.Clear2D(x.stream, driver.Ptr(m.at), uint64(m.ld*size), uint64(rows*size), uint64(columns))
	})
}

// adjoint stores the conjugate transpose of a matrix, which has the given rows and columns.
func adjoint(x *execution, to, from matrix, rows, columns int64) {
	one, zero := x.oneAndZero()
	x.blas("cublas<t>geam", adjointOf(x.args.Routine.Type), 0, rows, columns, one, from.at, from.ld, zero, to.at,
		to.ld, to.at, to.ld)
}

// reverse copies adjacent elements in reverse order.
func reverse(x *execution, to, from, elements int64) {
	x.blas("cublas<t>copy_v2_64", elements, from, 1, to, -1)
}

// writeOne stores the number one of the routine's type in the workspace.
func writeOne(x *execution) {
	one := make([]byte, x.args.Routine.Type.Size())
	to := x.memory(buffer.One, int64(len(one)))
	number.Store(x.args.Routine.Type.Datatype(), one, 1)
	x.write(to.Ptr, one)
}

// identity sets a matrix of order n to the identity: zeros, and the number one copied along the diagonal.
func identity(x *execution, m matrix, n int64) {
	one := x.vector(buffer.One, 1)
	zeroMatrix(x, m, n, n)
	x.blas("cublas<t>copy_v2", n, one, 0, m.at, m.ld+1)
}

// diagonals stores a matrix with two diagonals in the square copy: d on the main one, and e above or below it.
func diagonals(x *execution, a *routine.Args, upper bool) matrix {
	t, n := a.Routine.Type, a.Int(routine.N)
	square := x.matrix(buffer.SquareCopy, n, n)
	fillZeros(x, square.at, n*n)
	other := square.from(t, 1, 0)
	if upper {
		other = square.from(t, 0, 1)
	}
	step := (n + 1) * t.Size() / t.RealSize() // d and e are the real parts of the matrix
	x.blas("cublas<r>copy_v2", n, a.Int(routine.VecD), 1, square.at, step)
	if n > 1 {
		x.blas("cublas<r>copy_v2", n-1, a.Int(routine.VecE), 1, other.at, step)
	}
	return square
}

// factor is a factor of a product: a matrix, or the result of an operation on it.
type factor struct {
	matrix
	op int64
}

// product is alpha F G + beta C, where F has the given rows and inner columns.
func product(x *execution, rows, columns, inner, alpha int64, f, g factor, beta int64, c matrix) {
	x.blas("cublas<t>gemm_v2", f.op, g.op, rows, columns, inner, alpha, f.at, f.ld, g.at, g.ld, beta, c.at, c.ld)
}

// replaceByProduct stores F G, which has the given rows and columns, in a matrix that may be a factor.
func replaceByProduct(x *execution, to matrix, rows, columns, inner int64, f, g factor) {
	one, zero := x.oneAndZero()
	result := x.matrix(buffer.ReversedProduct, rows, columns)
	product(x, rows, columns, inner, one, f, g, zero, result)
	copyMatrix(x, to, result, rows, columns)
}

// triangle is a triangular matrix or a triangle of a matrix, with cuBLAS's numbers for the half and the diagonal.
type triangle struct {
	matrix
	uplo, diag int64
}

// lower and unit are cuBLAS's numbers for a lower triangle and for a diagonal of ones, upper and nonUnit the others.
const (
	lower, upper  = 0, 1
	nonUnit, unit = 0, 1
)

// triangleAt returns the triangle that a call passes.
func triangleAt(a *routine.Args) triangle {
	t := triangle{matrix: matrixAt(a, routine.A), uplo: value(a, routine.Uplo)}
	if a.Routine.Has(routine.Diag) {
		t.diag = value(a, routine.Diag)
	}
	return t
}

// triangularSolve replaces B by the solution X of op(A) X = B, an m x n matrix.
func triangularSolve(x *execution, a triangle, op, m, n int64, b matrix) {
	x.setPointerMode(false)
	x.blas("cublas<t>trsm_v2", 0, a.uplo, op, a.diag, m, n, x.constant(0, 1), a.at, a.ld, b.at, b.ld)
}

// copyTriangle copies a triangle of a square matrix.
func copyTriangle(x *execution, uplo, n int64, to, from matrix) {
	packed := x.vector(buffer.PackedTriangle, n*(n+1)/2)
	x.blas("cublas<t>trttp", uplo, n, from.at, from.ld, packed)
	x.blas("cublas<t>tpttr", uplo, n, packed, to.at, to.ld)
}
