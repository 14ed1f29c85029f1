package nvidia

import (
	"slices"

	"roclua/hip/driver"
	"roclua/hip/routine"
)

// bidiagonalMethods are reductions to bidiagonal form.
var bidiagonalMethods = map[routine.FamilyID]method{routine.Gebrd: gebrdMethod, routine.Gebd2: gebrdMethod}

var gebrdMethod = method{needs: gebrdNeeds, run: gebrd, buffers: slices.Concat(scratchBuffers, arrangeBuffers),
	by: by("cusolverDn<t>gebrd, for the adjoint matrix if it has more columns than rows")}

// bidiagonalOrder is how gebrd has a matrix: cuSOLVER needs as many rows as columns.
func bidiagonalOrder(a *routine.Args) order {
	return order{inRows: a.Int(routine.M) < a.Int(routine.N)}
}

// gebrdCall is gebrd of an arranged matrix. The adjoint's rows are the columns of the matrix.
func gebrdCall(a *routine.Args, arranged matrix) solverCall {
	o := bidiagonalOrder(a)
	rows, columns := o.shape(a.Int(routine.M), a.Int(routine.N))
	left, right := a.Int(routine.TauQ), a.Int(routine.TauP)
	if o.inRows {
		left, right = right, left
	}
	return solverCall{name: "cusolverDn<t>gebrd", sizedBy: ints(rows, columns), args: ints(rows, columns, arranged.at,
		arranged.ld, a.Int(routine.VecD), a.Int(routine.VecE), left, right)}
}

func gebrdNeeds(g *gpu, a *routine.Args) driver.Needs {
	t := a.Routine.Type
	bytes := g.scratchOf(t, gebrdCall(a, matrix{}))
	return scratchNeeds(bytes, bidiagonalOrder(a).copies(t, a.Int(routine.M)*a.Int(routine.N), 0)...)
}

func gebrd(x *execution) {
	x.problems(func(a *routine.Args) {
		o, from, m, n := bidiagonalOrder(a), matrixAt(a, routine.A), a.Int(routine.M), a.Int(routine.N)
		arranged := o.arrange(x, from, m, n)
		x.solve(gebrdCall(a, arranged), x.infoOf(a))
		o.restore(x, arranged, from, m, n)
	})
}
