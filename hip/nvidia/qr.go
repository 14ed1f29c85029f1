package nvidia

import (
	"slices"

	"roclua/hip/driver"
	"roclua/hip/routine"
)

// qrMethods are orthogonal factorizations.
var qrMethods = map[routine.FamilyID]method{
	routine.Geqrf: factorMethod(qrOrder, ""),
	routine.Geqr2: factorMethod(qrOrder, ""),
	routine.Geqlf: factorMethod(qlOrder, " for the matrix in reverse order"),
	routine.Geql2: factorMethod(qlOrder, " for the matrix in reverse order"),
	routine.Gelqf: factorMethod(lqOrder, " for the adjoint matrix"),
	routine.Gelq2: factorMethod(lqOrder, " for the adjoint matrix"),
	routine.Gerqf: factorMethod(rqOrder, " for the adjoint matrix in reverse order"),
	routine.Gerq2: factorMethod(rqOrder, " for the adjoint matrix in reverse order"),
}

// wideQR are factorizations with 64-bit integers.
var wideQR = map[routine.FamilyID]method{routine.Geqrf: wideGeqrf, routine.Geqr2: wideGeqrf}

var wideGeqrf = solverMethod("", step{name: "cusolverDnXgeqrf", args: []routine.Slot{routine.M, routine.N, elementType,
	routine.A, routine.LDA, elementType, routine.Ipiv, elementType}, scratch: hostScratch, options: true})

// geqrf is the factorization of an m x n matrix.
func geqrf(m, n int64, a matrix, tau int64) solverCall {
	return solverCall{name: "cusolverDn<t>geqrf", args: ints(m, n, a.at, a.ld, tau), sizedBy: ints(m, n, 0, a.ld)}
}

// factorMethod is a factorization like geqrf.
func factorMethod(o order, note string) method {
	return method{
		needs: func(g *gpu, a *routine.Args) driver.Needs {
			m, n, t := a.Int(routine.M), a.Int(routine.N), a.Routine.Type
			rows, columns := o.shape(m, n)
			bytes := g.scratchOf(t, geqrf(rows, columns, o.sized(matrixAt(a, routine.A), m, n), 0))
			return scratchNeeds(bytes, o.copies(t, m*n, min(m, n))...)
		},
		run: func(x *execution) {
			x.problems(func(a *routine.Args) { factorize(x, o, a) })
		},
		buffers: slices.Concat(scratchBuffers, arrangeBuffers), by: by("cusolverDn<t>geqrf" + note),
	}
}

func factorize(x *execution, o order, a *routine.Args) {
	m, n, from, tau := a.Int(routine.M), a.Int(routine.N), matrixAt(a, routine.A), a.Int(routine.Ipiv)
	arranged := o.arrange(x, from, m, n)
	rows, columns := o.shape(m, n)
	scalars := o.scalarsLikeQR(x, tau)
	x.solve(geqrf(rows, columns, arranged, scalars), x.infoOf(a))
	o.restore(x, arranged, from, m, n)
	o.restoreScalars(x, scalars, tau, min(m, n))
}
