package nvidia

import (
	"slices"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// tridiagonalMethods reduce symmetric matrices to tridiagonal form, and compute eigenvalues of tridiagonal matrices,
// which cuSOLVER has only for dense matrices.
var tridiagonalMethods = map[routine.FamilyID]method{
	routine.Sytrd: sytrdMethod,
	routine.Sytd2: sytrdMethod,
	routine.Sterf: steqrMethod,
	routine.Steqr: steqrMethod,
	routine.Stedc: steqrMethod,
}

var (
	sytrdMethod = solverMethod("", step{name: "cusolverDn<sy>trd", args: []routine.Slot{routine.Uplo, routine.N,
		routine.A, routine.LDA, routine.VecD, routine.VecE, routine.Tau}})

	steqrMethod = method{needs: steqrNeeds, run: steqr,
		buffers: slices.Concat(scratchBuffers, []buffer.ID{buffer.SquareCopy, buffer.ReversedProduct}),
		by:      by("cusolverDn<sy>evd of the dense matrix")}
)

// wantsVectors reports whether eigenvectors are computed, and whether a matrix is multiplied by them.
func wantsVectors(a *routine.Args) (computed, multiplied bool) {
	if !has(a, routine.Evect) {
		return false, false
	}
	job := a.Int(routine.Evect)
	return job != routine.EvectNone, job == routine.EvectOriginal
}

// steqrCall is syevd of the lower triangle of a dense matrix.
func steqrCall(a *routine.Args, square, d int64) solverCall {
	mode, n := int64(0), a.Int(routine.N)
	if computed, _ := wantsVectors(a); computed {
		mode = 1
	}
	return solverCall{name: "cusolverDn<sy>evd", args: ints(mode, lower, n, square, max(1, n), d)}
}

func steqrNeeds(g *gpu, a *routine.Args) driver.Needs {
	t, n := a.Routine.Type, a.Int(routine.N)
	bytes := g.scratchOf(t, steqrCall(a, 0, 0))
	list := scratchNeeds(bytes, elements(buffer.SquareCopy, t, n*n))
	if _, multiplied := wantsVectors(a); multiplied {
		list.Buffers = append(list.Buffers, elements(buffer.ReversedProduct, t, n*n))
	}
	return list
}

// steqr is sterf, steqr or stedc.
func steqr(x *execution) {
	a, n := x.args, x.args.Int(routine.N)
	vectors := diagonals(x, a, false)
	x.solve(steqrCall(a, vectors.at, a.Int(routine.VecD)), x.infoOf(a))
	x.clear(a, routine.VecE)
	computed, multiplied := wantsVectors(a)
	if !computed {
		return
	}
	if c := matrixAt(a, routine.C); multiplied && n > 1 { // the library does not multiply a C of order 1
		replaceByProduct(x, c, n, n, n, factor{c, 0}, factor{vectors, 0})
	} else {
		copyMatrix(x, c, vectors, n, n)
	}
}
