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

func gelsNeeds(g *gpu, a *routine.Args) (driver.Needs, error) {
	l := leastSquaresOf(withoutPointers(a))
	sized := l.sized(l.a, l.m, l.n)
	bytes, err := g.scratchOf(l.t, geqrf(l.long, l.short, sized, 0), l.product(sized, 0))
	if err != nil {
		return driver.Needs{}, err
	}
	inversion, err := inversionScratch(g, a, triangle{matrix{0, max(1, l.short)}, upper, nonUnit}, l.short)
	list := append([]driver.Buffer{elements(buffer.FactorCopy, l.t, l.short*l.short), inversion,
		elements(buffer.ReflectionScalars, l.t, l.short)}, l.copies(l.t, l.m*l.n, 0)...)
	return scratchNeeds(bytes, list...), err
}

// gels solves by a QR factorization of A or A^H. Inverting a copy of R reports a zero on its diagonal.
func gels(x *execution) error {
	return x.problems(func(a *routine.Args) error {
		l := leastSquaresOf(a)
		q, err := l.arrange(x, l.a, l.m, l.n)
		if err != nil {
			return err
		}
		tau := x.at(buffer.ReflectionScalars)
		call := geqrf(l.long, l.short, q, tau)
		if err := x.solve(&call, x.at(buffer.Info)); err != nil {
			return err
		}
		if l.minimizes {
			err = minimizeResidual(x, &l, q, tau)
		} else {
			err = minimizeNorm(x, &l, q, tau)
		}
		if err != nil {
			return err
		}
		r := matrix{x.at(buffer.FactorCopy), l.short}
		if err := copyMatrix(x, r, q, l.short, l.short); err != nil {
			return err
		}
		if err := invertTriangle(x, triangle{r, upper, nonUnit}, l.short, a.Int(routine.Info)); err != nil {
			return err
		}
		return l.restore(x, q, l.a, l.m, l.n)
	})
}

// minimizeResidual solves R X = Q^H B.
func minimizeResidual(x *execution, l *leastSquares, q matrix, tau int64) error {
	call := l.product(q, tau)
	if err := x.solve(&call, x.at(buffer.Info)); err != nil {
		return err
	}
	return triangularSolve(x, triangle{q, upper, nonUnit}, 0, l.short, l.nrhs, l.b)
}

// minimizeNorm solves R^H Y = B and multiplies Y, with zeros below, by Q.
func minimizeNorm(x *execution, l *leastSquares, q matrix, tau int64) error {
	err := triangularSolve(x, triangle{q, upper, nonUnit}, adjointOf(l.t), l.short, l.nrhs, l.b)
	if err != nil {
		return err
	}
	if l.long > l.short {
		if err := zeroMatrix(x, l.b.from(l.t, l.short, 0), l.long-l.short, l.nrhs); err != nil {
			return err
		}
	}
	call := l.product(q, tau)
	return x.solve(&call, x.at(buffer.Info))
}
