package nvidia

import (
	"slices"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var leastSquaresMethods = map[routine.FamilyID]method{
	routine.Gels: {needs: leastSquaresNeeds, run: (*execution).gels,
		buffers: slices.Concat(scratchBuffers, arrangeBuffers,
			[]buffer.ID{buffer.FactorCopy, buffer.InversionScratch}),
		by: by("cusolverDn<t>geqrf and cusolverDn<or>mqr, cublas<t>trsm_v2, and cusolverDnXtrtri for info; B is " +
			"overwritten also if the matrix does not have full rank")},
}

// leastSquares is a problem of gels in terms of a factorization A = Q R, or A^H = Q R if A has fewer rows than columns.
type leastSquares struct {
	reflections
	m, n, nrhs  int64
	long, short int64 // the larger and the smaller dimension of A
	a, b        matrix
	minimizes   bool // whether the residual is minimized, or else the norm of the solution
	t           routine.Type
	info        driver.Ptr
}

func leastSquaresOf(a *routine.Args) leastSquares {
	m, n := a.Int(routine.M), a.Int(routine.N)
	return leastSquares{reflections: reflections{inRows: m < n}, m: m, n: n, nrhs: a.Int(routine.NRHS),
		long: max(m, n), short: min(m, n), a: matrixAt(a, routine.A), b: matrixAt(a, routine.B),
		minimizes: (a.Int(routine.TransA) == routine.OperationNone) == (m >= n), t: a.Routine.Type,
		info: driver.Ptr(a.Ptr(routine.Info))}
}

// product multiplies B by Q, or by its adjoint to minimize the residual.
func (l *leastSquares) product(q matrix, tau driver.Ptr) denseCall {
	p := orthogonalProduct{m: l.long, n: l.nrhs, k: l.short, a: q, c: l.b, tau: tau}
	if l.minimizes {
		p.op = int64(adjointOf(l.t))
	}
	return p.call(l.t)
}

func leastSquaresNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	l := leastSquaresOf(withoutPointers(a))
	sized := l.sized(l.a, l.m, l.n)
	bytes, err := d.scratchOf(l.t, factorCall(l.t, l.long, l.short, sized, 0), l.product(sized, 0))
	if err != nil {
		return driver.Needs{}, err
	}
	onDevice, _, err := d.triangleScratch(a.Routine, 1, 0, l.short, max(1, l.short))
	size := uint64(l.t.Size())
	list := scratchNeeds(bytes)
	list.Buffers = append(list.Buffers,
		driver.Buffer{ID: buffer.FactorCopy, Bytes: uint64(l.short*l.short) * size},
		driver.Buffer{ID: buffer.InversionScratch, Bytes: onDevice},
		driver.Buffer{ID: buffer.ReflectionScalars, Bytes: uint64(l.short) * size})
	list.Buffers = append(list.Buffers, l.copies(l.t, l.m*l.n, 0)...)
	return list, err
}

// gels solves by a QR factorization of A or A^H. Inverting a copy of R reports a zero on its diagonal.
func (x *execution) gels() error {
	return x.problems(func(a *routine.Args) error {
		l := leastSquaresOf(a)
		q, err := x.arrange(l.reflections, l.a, l.m, l.n)
		if err != nil {
			return err
		}
		tau, info := x.work(buffer.ReflectionScalars).Ptr, x.work(buffer.Info).Ptr
		if err := x.dense(factorCall(l.t, l.long, l.short, q, tau), info); err != nil {
			return err
		}
		if l.minimizes {
			err = x.minimizeResidual(&l, q, tau)
		} else {
			err = x.minimizeNorm(&l, q, tau)
		}
		if err != nil {
			return err
		}
		r := matrix{x.work(buffer.FactorCopy).Ptr, l.short}
		if err := x.copyMatrix(r, q, l.short, l.short); err != nil {
			return err
		}
		if err := x.invertTriangle(1, 0, l.short, r.at, r.ld, l.info); err != nil {
			return err
		}
		return x.restore(l.reflections, q, l.a, l.m, l.n)
	})
}

// minimizeResidual solves R X = Q^H B.
func (x *execution) minimizeResidual(l *leastSquares, q matrix, tau driver.Ptr) error {
	if err := x.dense(l.product(q, tau), x.work(buffer.Info).Ptr); err != nil {
		return err
	}
	return x.solveUpper(l, 0, q)
}

// minimizeNorm solves R^H Y = B and multiplies Y, with zeros below, by Q.
func (x *execution) minimizeNorm(l *leastSquares, q matrix, tau driver.Ptr) error {
	if err := x.solveUpper(l, adjointOf(l.t), q); err != nil {
		return err
	}
	if l.long > l.short {
		size := uint64(l.t.Size())
		err := x.Clear2D(x.stream, l.b.from(l.t, l.short, 0).at, uint64(l.b.ld)*size, uint64(l.long-l.short)*size,
			uint64(l.nrhs))
		if err != nil {
			return err
		}
	}
	return x.dense(l.product(q, tau), x.work(buffer.Info).Ptr)
}

// solveUpper replaces the upper rows of B by the solution of op(R) X = B.
func (x *execution) solveUpper(l *leastSquares, op uintptr, r matrix) error {
	one, _, err := x.setOneAndZero()
	if err != nil {
		return err
	}
	return x.blas("trsm_v2", x.h.cublas, 0, 1, op, 0, uintptr(l.short), uintptr(l.nrhs), one, uintptr(r.at),
		uintptr(r.ld), uintptr(l.b.at), uintptr(l.b.ld))
}
