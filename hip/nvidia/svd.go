package nvidia

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// cuSOLVER has singular value decompositions only for dense matrices.

func gesvdCall(leftJob, rightJob, m, n int64, a matrix, s int64, u, v matrix) solverCall {
	return solverCall{name: "cusolverDn<t>gesvd", sizedBy: ints(m, n), after: ints(0),
		args: ints(leftJob, rightJob, m, n, a.at, a.ld, s, u.at, u.ld, v.at, v.ld)}
}

// vectors are the singular vectors of one side.
type vectors struct {
	job int64  // as cuSOLVER has it
	to  matrix // where the call stores them
	// The rows and columns that cuSOLVER stores, 0 for none, and where.
	rows, columns int64
	stored        matrix
}

// gesvd decomposes one problem after the other: A = U S V^H, or A^H = U S V^H if A has fewer rows than columns, because
// cuSOLVER needs as many rows as columns. Then U and V are in workspace until they are transposed.
func gesvd(x *execution) {
	x.problems(func(a *routine.Args) {
		m, n, from := a.Int(routine.M), a.Int(routine.N), matrixAt(a, routine.A)
		o, long, short := order{inRows: m < n}, max(m, n), min(m, n)
		u := &vectors{job: value(a, routine.LeftSvect), to: matrixAt(a, routine.MatU)}
		v := &vectors{job: value(a, routine.RightSvect), to: matrixAt(a, routine.MatV)}
		if o.inRows {
			u, v = v, u
		}
		switch u.job {
		case 'A':
			u.rows, u.columns = long, long
		case 'S':
			u.rows, u.columns = long, short
		}
		if v.job == 'A' || v.job == 'S' {
			v.rows, v.columns = short, short
		}
		arranged := o.arrange(x, from, m, n)
		u.stored, v.stored = u.to, v.to
		if o.inRows {
			u.stored = x.matrix(buffer.UntransposedLeft, u.rows, u.columns)
			v.stored = x.matrix(buffer.UntransposedRight, v.rows, v.columns)
		}
		x.solve(gesvdCall(u.job, v.job, long, short, arranged, a.Int(routine.VecS), u.stored, v.stored), x.infoOf(a))
		x.clear(a, routine.VecE)
		for _, side := range []*vectors{u, v} {
			if o.inRows && side.rows > 0 {
				adjoint(x, side.to, side.stored, side.columns, side.rows)
			}
			if o.inRows && side.job == 'O' {
				o.restore(x, arranged, from, m, n)
			}
		}
	})
}

// gesvdj decomposes one problem after the other. cuSOLVER computes the vectors of both sides, and V instead of its
// adjoint. They are also computed when none are wanted, because cuSOLVER 12 then reads memory outside of its arrays.
// They are economical, as many as singular values, if no side wants all.
func gesvdj(x *execution) {
	x.problems(func(a *routine.Args) {
		m, n, from, to := a.Int(routine.M), a.Int(routine.N), matrixAt(a, routine.A), matrixAt(a, routine.MatU)
		left, right, short := a.Int(routine.LeftSvect), a.Int(routine.RightSvect), min(m, n)
		economical, ofU, ofV := int64(1), short, short // columns
		if left == routine.SvectAll || right == routine.SvectAll {
			economical, ofU, ofV = 0, m, n
		}
		part := left == routine.SvectSingular && economical == 0
		u := to
		if left == routine.SvectNone || part {
			u = x.matrix(buffer.UntransposedLeft, m, ofU)
		}
		v := x.matrix(buffer.UntransposedRight, n, ofV)
		x.solve(solverCall{name: "cusolverDn<t>gesvdj", jacobi: x.jacobiOptions("Gesvdj", a), args: ints(1, economical,
			m, n, from.at, from.ld, a.Int(routine.VecS), u.at, u.ld, v.at, v.ld)}, x.infoOf(a))
		if part {
			copyMatrix(x, to, u, m, short)
		}
		switch right {
		case routine.SvectAll:
			adjoint(x, matrixAt(a, routine.MatV), v, n, n)
		case routine.SvectSingular:
			adjoint(x, matrixAt(a, routine.MatV), v, short, n)
		}
		x.clear(a, routine.Residual, routine.Sweeps)
	})
}

// bdsqr decomposes a bidiagonal matrix and multiplies: P^H V, U Q and Q^H C. Without a matrix to multiply it computes
// no vectors.
func bdsqr(x *execution) {
	a, n := x.args, x.args.Int(routine.N)
	square := diagonals(x, a, a.Int(routine.Uplo) == routine.FillUpper)
	job, q, p := int64('N'), matrix{0, n}, matrix{0, n}
	if a.Int(routine.NV) != 0 || a.Int(routine.NU) != 0 || a.Int(routine.NC) != 0 {
		job, q, p = 'A', x.matrix(buffer.UntransposedLeft, n, n), x.matrix(buffer.UntransposedRight, n, n)
	}
	x.solve(gesvdCall(job, job, n, n, square, a.Int(routine.VecD), q, p), x.infoOf(a))
	x.clear(a, routine.VecE)
	if nv, v := a.Int(routine.NV), matrixAt(a, routine.MatV); nv > 0 {
		replaceByProduct(x, v, n, nv, n, factor{p, 0}, factor{v, 0})
	}
	if nu, u := a.Int(routine.NU), matrixAt(a, routine.MatU); nu > 0 {
		replaceByProduct(x, u, nu, n, n, factor{u, 0}, factor{q, 0})
	}
	if nc, c := a.Int(routine.NC), matrixAt(a, routine.C); nc > 0 {
		replaceByProduct(x, c, n, nc, n, factor{q, adjointOf(a.Routine.Type)}, factor{c, 0})
	}
}

// gebrd reduces the adjoint matrix if there are fewer rows than columns, because cuSOLVER needs as many. The factors of
// the adjoint are exchanged.
func gebrd(x *execution) {
	x.problems(func(a *routine.Args) {
		m, n, from := a.Int(routine.M), a.Int(routine.N), matrixAt(a, routine.A)
		o, left, right := order{inRows: m < n}, a.Int(routine.TauQ), a.Int(routine.TauP)
		if o.inRows {
			left, right = right, left
		}
		rows, columns := o.shape(m, n)
		arranged := o.arrange(x, from, m, n)
		x.solve(solverCall{name: "cusolverDn<t>gebrd", sizedBy: ints(rows, columns), args: ints(rows, columns,
			arranged.at, arranged.ld, a.Int(routine.VecD), a.Int(routine.VecE), left, right)}, x.infoOf(a))
		o.restore(x, arranged, from, m, n)
	})
}
