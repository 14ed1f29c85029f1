package nvidia

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Inverses of triangular matrices. cuSOLVER inverts only in place. Other inverses solve for the identity.

var inverseMethods = map[routine.FamilyID]method{
	routine.Trtri: {needs: trtriNeeds, run: trtri,
		buffers: []buffer.ID{buffer.InversionScratch, buffer.Info, buffer.One},
		by:      by("cublas<t>trsm_v2 for the identity; cusolverDnXtrtri in place")},
	routine.SolverTrtri: {needs: solverTrtriNeeds, run: solverTrtri,
		buffers: []buffer.ID{buffer.InversionScratch, buffer.Info, buffer.One, buffer.Diagonal},
		by:      by("cusolverDnXtrtri")},
}

// inversion inverts a triangle of order n in place.
func inversion(r *routine.Routine, t triangle, n int64) solverCall {
	datatype := cudaTypes[r.Type.Datatype()]
	return solverCall{name: "cusolverDnXtrtri", scratch: hostScratch, place: buffer.InversionScratch,
		args: ints(t.uplo, t.diag, n, datatype, t.at, t.ld), sizedBy: ints(t.uplo, t.diag, n, datatype, 0, t.ld)}
}

// inversionScratch returns the scratch of an inversion.
func inversionScratch(g *gpu, a *routine.Args, t triangle, n int64) driver.Buffer {
	bytes := g.scratchOf(a.Routine.Type, inversion(a.Routine, t, n))
	return driver.Buffer{ID: buffer.InversionScratch, Bytes: bytes}
}

func invertTriangle(x *execution, t triangle, n, info int64) {
	x.solve(inversion(x.args.Routine, t, n), info)
}

func trtriNeeds(g *gpu, a *routine.Args) driver.Needs {
	scratch := inversionScratch(g, a, triangleAt(a), a.Int(routine.N))
	return needs(scratch, infoBuffer, elements(buffer.One, a.Routine.Type, 1))
}

// trtri inverts in place, or solves A X = I into another matrix, whose other triangle stays zero.
func trtri(x *execution) {
	writeOne(x)
	x.problems(func(a *routine.Args) {
		n, from, to := a.Int(routine.N), triangleAt(a), matrixAt(a, routine.InvA)
		if from.at == to.at {
			invertTriangle(x, from, n, x.at(buffer.Info))
			return
		}
		identity(x, to, n)
		triangularSolve(x, from, 0, n, n, to)
	})
}

func solverTrtriNeeds(g *gpu, a *routine.Args) driver.Needs {
	n := trtriNeeds(g, a)
	if a.Int(routine.Diag) == routine.DiagonalUnit {
		n.Buffers = append(n.Buffers, elements(buffer.Diagonal, a.Routine.Type, a.Int(routine.N)))
	}
	return n
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
		diagonal := x.at(buffer.Diagonal)
		x.blas("cublas<t>copy_v2", n, t.at, t.ld+1, diagonal, 1)
		invertTriangle(x, t, n, a.Int(routine.Info))
		x.blas("cublas<t>copy_v2", n, diagonal, 1, t.at, t.ld+1)
	})
}
