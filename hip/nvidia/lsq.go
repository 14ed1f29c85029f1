package nvidia

import (
	"slices"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var lsqMethods = map[routine.FamilyID]method{
	routine.Gels: {needs: gelsNeeds, run: gels,
		buffers: slices.Concat(scratchBuffers, arrangeBuffers,
			[]buffer.ID{buffer.FactorCopy, buffer.InversionScratch}),
		by: by("cusolverDn<t>geqrf and cusolverDn<or>mqr, cublas<t>trsm_v2, and cusolverDnXtrtri for info; B is " +
			"overwritten also if the matrix does not have full rank")},
}

// leastSquares is a problem of gels in terms of a factorization A = Q R, or A^H = Q R if A has fewer rows than columns.
type leastSquares struct {
	order
	m, n, nrhs  int64
	long, short int64 // the larger and the smaller dimension of A
	a, b        matrix
	minimizes   bool // whether the residual is minimized, or else the norm of the solution
	t           routine.Type
}

func leastSquaresOf(a *routine.Args) leastSquares {
	m, n := a.Int(routine.M), a.Int(routine.N)
	return leastSquares{order: order{inRows: m < n}, m: m, n: n, nrhs: a.Int(routine.NRHS),
		long: max(m, n), short: min(m, n), a: matrixAt(a, routine.A), b: matrixAt(a, routine.B),
		minimizes: (a.Int(routine.TransA) == routine.OperationNone) == (m >= n), t: a.Routine.Type}
}

// product multiplies B by Q, or by its adjoint to minimize the residual.
func (l *leastSquares) product(q matrix, tau int64) solverCall {
	p := orthogonalProduct{m: l.long, n: l.nrhs, k: l.short, a: q, c: l.b, tau: tau}
	if l.minimizes {
		p.op = adjointOf(l.t)
	}
	return p.call(l.t)
}

func gelsNeeds(g *gpu, a *routine.Args) driver.Needs {
	l := leastSquaresOf(withoutPointers(a))
	sized := l.sized(l.a, l.m, l.n)
	bytes := g.scratchOf(l.t, geqrf(l.long, l.short, sized, 0), l.product(sized, 0))
	inversion := inversionScratch(g, a, triangle{matrix{0, max(1, l.short)}, upper, nonUnit}, l.short)
	list := append([]driver.Buffer{elements(buffer.FactorCopy, l.t, l.short*l.short), inversion,
		elements(buffer.ReflectionScalars, l.t, l.short)}, l.copies(l.t, l.m*l.n, 0)...)
	return scratchNeeds(bytes, list...)
}

// gels solves by a QR factorization of A or A^H. Inverting a copy of R reports a zero on its diagonal.
func gels(x *execution) {
	x.problems(func(a *routine.Args) {
		l := leastSquaresOf(a)
		q := l.arrange(x, l.a, l.m, l.n)
		tau := x.at(buffer.ReflectionScalars)
		x.solve(geqrf(l.long, l.short, q, tau), x.at(buffer.Info))
		if l.minimizes {
			minimizeResidual(x, &l, q, tau)
		} else {
			minimizeNorm(x, &l, q, tau)
		}
		r := matrix{x.at(buffer.FactorCopy), l.short}
		copyMatrix(x, r, q, l.short, l.short)
		invertTriangle(x, triangle{r, upper, nonUnit}, l.short, a.Int(routine.Info))
		l.restore(x, q, l.a, l.m, l.n)
	})
}

// minimizeResidual solves R X = Q^H B.
func minimizeResidual(x *execution, l *leastSquares, q matrix, tau int64) {
	x.solve(l.product(q, tau), x.at(buffer.Info))
	triangularSolve(x, triangle{q, upper, nonUnit}, 0, l.short, l.nrhs, l.b)
}

// minimizeNorm solves R^H Y = B and multiplies Y, with zeros below, by Q.
func minimizeNorm(x *execution, l *leastSquares, q matrix, tau int64) {
	triangularSolve(x, triangle{q, upper, nonUnit}, adjointOf(l.t), l.short, l.nrhs, l.b)
	if l.long > l.short {
		zeroMatrix(x, l.b.from(l.t, l.short, 0), l.long-l.short, l.nrhs)
	}
	x.solve(l.product(q, tau), x.at(buffer.Info))
}
