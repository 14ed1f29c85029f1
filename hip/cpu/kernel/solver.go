package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Helpers of the solver kernels.

// setInfo stores a factorization's info for this problem.
func (p *problem[T]) setInfo(info int) {
	if p.args.Routine.Wide {
		if cells := array[int64](p, routine.Info, 1); p.ok() {
			cells[0] = int64(info)
		}
		return
	}
	if cells := array[int32](p, routine.Info, 1); p.ok() {
		cells[0] = int32(info)
	}
}

// pivots returns the pivot indices of this problem.
func (p *problem[T]) pivots(n int) []int32 {
	return array[int32](p, routine.Ipiv, int64(n))
}

// throughCopy solves in the copy of B in the workspace and copies the solution back.
func throughCopy[T blas.Number](p *problem[T], b blas.Matrix[T], n, nrhs int, solve func(x blas.Matrix[T])) {
	copied := workFor[T](p, buffer.RightSideCopy, n*nrhs)
	if !p.ok() {
		return
	}
	if copied == nil {
		p.fail("%s has no workspace for a copy of B", p.args.Routine.CName())
		return
	}
	x := blas.Matrix[T]{Data: copied, LD: n}
	copyMatrix(x, b, n, nrhs)
	solve(x)
	copyMatrix(b, x, n, nrhs)
}
