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

// clearInfo sets the info of a problem that has nothing to compute to 0, if the routine has one.
func (p *problem[T]) clearInfo() {
	if _, ok := p.args.Routine.ParamAt(routine.Info); ok {
		p.setInfo(0)
	}
}

// pivots returns the pivot indices of this problem.
func (p *problem[T]) pivots(n int) []int32 {
	return array[int32](p, routine.Ipiv, int64(n))
}

// givenPivots returns the pivots that an earlier call computed. Pivots that are not rows of the matrix are an error; a
// device would exchange elements outside of it.
func (p *problem[T]) givenPivots(n int) []int32 {
	pivots := p.pivots(n)
	for i, row := range pivots {
		if p.checkPivot(i, row, n); !p.ok() {
			return nil
		}
	}
	return pivots
}

// checkPivot fails if a pivot is not a row of a matrix.
func (p *problem[T]) checkPivot(i int, row int32, rows int) {
	if row < 1 || int(row) > rows {
		p.fail("ipiv[%d] is %d, want a row of the matrix, 1 to %d", i, row, rows)
	}
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
