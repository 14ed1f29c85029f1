package nvidia

import (
	"cmp"
	"unsafe"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var (
	getrfSteps = []step{{name: "cusolverDn<t>getrf", args: []routine.Slot{routine.M, routine.N, routine.A, routine.LDA},
		after: []routine.Slot{routine.Ipiv}, scratch: uncounted}}
	getrsSteps = []step{{name: "cusolverDn<t>getrs", args: getrsArgs(routine.TransA), scratch: noScratch}}
)

// getrsArgs are the arguments of getrs for an operation.
func getrsArgs(op routine.Slot) []routine.Slot {
	return []routine.Slot{op, routine.N, routine.NRHS, routine.A, routine.LDA, routine.Ipiv, routine.B, routine.LDB}
}

// cuBLAS computes the problems of a batch at the same time, but each more slowly than cuSOLVER does. Measured on an
// H200, the batch is faster from n/90 factorizations of order n on, so that a single matrix of order 64 already gains,
// and from six solves on, each up to an order of 1024.
const (
	batchOrder  = 1024
	factorRatio = 90
	solveBatch  = 6
)

// factorsAsBatch reports whether cuBLAS's batched LU computes a factorization: square matrices, pivots without gaps.
func factorsAsBatch(a *routine.Args) bool {
	n := a.Int(routine.N)
	return a.Int(routine.M) == n && n <= batchOrder && a.Batch()*factorRatio >= n && pivotsAdjacent(a)
}

// pivotsAdjacent reports whether there are no gaps between the pivots of two problems.
func pivotsAdjacent(a *routine.Args) bool {
	return !a.Routine.Has(routine.Ipiv) || a.Batch() == 1 || a.Int(routine.StrideP) == a.Int(routine.N)
}

// solvesAsBatch reports whether cuBLAS's batched solver computes a getrs.
func solvesAsBatch(a *routine.Args) bool {
	return a.Batch() >= solveBatch && a.Int(routine.N) <= batchOrder && pivotsAdjacent(a)
}

// getrf factorizes, with pivots if the routine has them.
func getrf(x *execution) {
	if !factorsAsBatch(x.args) {
		solveSteps(x, getrfSteps)
		return
	}
	matrices, a := x.arrayPointers(routine.A), x.args
	x.blas("cublas<t>getrfBatched", a.Int(routine.N), int64(matrices[0]), a.Int(routine.LDA),
		a.Int(routine.Ipiv), a.Int(routine.Info), a.Batch())
}

func getrs(x *execution) {
	if !solvesAsBatch(x.args) {
		solveSteps(x, getrsSteps)
		return
	}
	lists, a := x.arrayPointers(routine.A, routine.B), x.args
	x.blas("cublas<t>getrsBatched", value(a, routine.TransA), a.Int(routine.N), a.Int(routine.NRHS),
		int64(lists[0]), a.Int(routine.LDA), a.Int(routine.Ipiv), int64(lists[1]), a.Int(routine.LDB),
		int64(uintptr(unsafe.Pointer(&x.info))), a.Batch())
}

// getri solves L U X = P from a copy of the factors, into A or C. Inverting the copy of U reports a zero on its
// diagonal.
func getri(x *execution) {
	writeOne(x)
	x.problems(func(a *routine.Args) {
		n, to := a.Int(routine.N), matrixAt(a, routine.A)
		factors := x.matrix(buffer.FactorCopy, n, n)
		copyMatrix(x, factors, to, n, n)
		if a.Routine.Has(routine.C) {
			to = matrixAt(a, routine.C)
		}
		identity(x, to, n)
		solveFactors(x, a, factors, to)
		invertTriangle(x, triangle{factors, upper, nonUnit}, n, a.Int(routine.Info))
	})
}

// solveFactors replaces a square matrix B by the solution of L U X = P B, or of L U X = B without pivots.
func solveFactors(x *execution, a *routine.Args, factors, b matrix) {
	n := a.Int(routine.N)
	if a.Routine.Has(routine.Ipiv) {
		x.solve(solverCall{name: "cusolverDn<t>getrs", scratch: noScratch,
			args: ints(0, n, n, factors.at, n, a.Int(routine.Ipiv), b.at, b.ld)}, x.unreadInfo())
		return
	}
	triangularSolve(x, triangle{factors, lower, unit}, 0, n, n, b)
	triangularSolve(x, triangle{factors, upper, nonUnit}, 0, n, n, b)
}

const pivotBytes = 4

// spreadPivots reports whether the pivots of laswp have gaps. cuSOLVER then reads other pivots than rocSOLVER.
func spreadPivots(a *routine.Args) bool {
	inc := a.Int(routine.IncX)
	return inc != 1 && inc != -1
}

// laswp exchanges rows k1 to k2, whose pivots begin at k1 and are an increment apart.
func laswp(x *execution) {
	a, m := x.args, matrixAt(x.args, routine.A)
	first, last, inc := a.Int(routine.K1), a.Int(routine.K2), a.Int(routine.IncX)
	pivots := a.Int(routine.Ipiv)
	if spreadPivots(a) {
		adjacent, skipped := x.bytes(buffer.Pivots, last*pivotBytes), (first-1)*pivotBytes
		to, from := matrix{adjacent + skipped, 1}, matrix{pivots + skipped, max(inc, -inc)}
		copyElements(x, pivotBytes, to, from, 1, last-first+1)
		pivots, inc = adjacent, int64(cmp.Compare(inc, 0))
	}
	x.solve(solverCall{name: "cusolverDn<t>laswp", scratch: noScratch,
		args: ints(a.Int(routine.N), m.at, m.ld, first, last, pivots, inc)}, noInfo)
}

// Inverses of triangular matrices. cuSOLVER inverts only in place. Other inverses solve for the identity.

// invertTriangle inverts a triangle of order n in place.
func invertTriangle(x *execution, t triangle, n, info int64) {
	datatype := value(x.args, elementType)
	x.solve(solverCall{name: "cusolverDnXtrtri", scratch: hostScratch,
		args: ints(t.uplo, t.diag, n, datatype, t.at, t.ld)}, info)
}

// trtri inverts in place, or solves A X = I into another matrix, whose other triangle stays zero.
func trtri(x *execution) {
	writeOne(x)
	x.problems(func(a *routine.Args) {
		n, from, to := a.Int(routine.N), triangleAt(a), matrixAt(a, routine.InvA)
		if from.at == to.at {
			invertTriangle(x, from, n, x.unreadInfo())
			return
		}
		identity(x, to, n)
		triangularSolve(x, from, 0, n, n, to)
	})
}

// solverTrtri inverts in place. cuSOLVER stores the ones of a unit diagonal, which rocSOLVER does not touch: the old
// diagonal is stored again.
func solverTrtri(x *execution) {
	x.problems(func(a *routine.Args) {
		n, t := a.Int(routine.N), triangleAt(a)
		if t.diag == nonUnit {
			invertTriangle(x, t, n, a.Int(routine.Info))
			return
		}
		diagonal := x.vector(buffer.Diagonal, n)
		x.blas("cublas<t>copy_v2", n, t.at, t.ld+1, diagonal, 1)
		invertTriangle(x, t, n, a.Int(routine.Info))
		x.blas("cublas<t>copy_v2", n, diagonal, 1, t.at, t.ld+1)
	})
}
