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

// decomposition is a decomposition A = U S V^H, or A^H = U S V^H if A has fewer rows than columns, because cuSOLVER
// needs as many rows as columns. Then U and V are in workspace until they are transposed.
type decomposition struct {
	order
	m, n        int64
	long, short int64 // the larger and the smaller dimension of A
	u, v        vectors
}

// vectors are the vectors of one side.
type vectors struct {
	job           int64 // as cuSOLVER has it
	rows, columns int64 // of the matrix that cuSOLVER stores, 0 if it stores none
	to            matrix
}

func decompositionOf(a *routine.Args) decomposition {
	m, n := a.Int(routine.M), a.Int(routine.N)
	s := decomposition{order: order{inRows: m < n}, m: m, n: n, long: max(m, n), short: min(m, n),
		u: vectors{job: value(a, routine.LeftSvect), to: matrixAt(a, routine.MatU)},
		v: vectors{job: value(a, routine.RightSvect), to: matrixAt(a, routine.MatV)}}
	if s.inRows {
		s.u, s.v = s.v, s.u
	}
	switch s.u.job {
	case 'A':
		s.u.rows, s.u.columns = s.long, s.long
	case 'S':
		s.u.rows, s.u.columns = s.long, s.short
	}
	if s.v.job == 'A' || s.v.job == 'S' {
		s.v.rows, s.v.columns = s.short, s.short
	}
	return s
}

func (s *decomposition) call(a *routine.Args, arranged, u, v matrix) solverCall {
	return gesvdCall(s.u.job, s.v.job, s.long, s.short, arranged, a.Int(routine.VecS), u, v)
}

// gesvd decomposes one problem after the other.
func gesvd(x *execution) {
	x.problems(func(a *routine.Args) {
		s, from := decompositionOf(a), matrixAt(a, routine.A)
		arranged := s.arrange(x, from, s.m, s.n)
		u, v := s.u.to, s.v.to
		if s.inRows {
			u = x.matrix(buffer.UntransposedLeft, s.u.rows, s.u.columns)
			v = x.matrix(buffer.UntransposedRight, s.v.rows, s.v.columns)
		}
		x.solve(s.call(a, arranged, u, v), x.infoOf(a))
		x.clear(a, routine.VecE)
		if s.inRows {
			transposeVectors(x, &s, arranged, from, u, v)
		}
	})
}

// transposeVectors stores the vectors of the adjoint matrix as vectors of A.
func transposeVectors(x *execution, s *decomposition, arranged, a, u, v matrix) {
	for _, side := range []struct {
		vectors
		from matrix
	}{{s.u, u}, {s.v, v}} {
		if side.rows > 0 {
			adjoint(x, side.to, side.from, side.columns, side.rows)
		}
		if side.job == 'O' {
			s.restore(x, arranged, a, s.m, s.n)
		}
	}
}

// jacobiDecomposition is a decomposition by gesvdj, which computes the vectors of both sides, and V instead of its
// adjoint. They are also computed when none are wanted, because cuSOLVER 12 then reads memory outside of its arrays.
type jacobiDecomposition struct {
	m, n, short   int64
	left, right   int64 // jobs
	economical    bool  // whether U and V have only the vectors of singular values
	leftInScratch bool  // whether U is computed in workspace
}

func jacobiOf(a *routine.Args) jacobiDecomposition {
	s := jacobiDecomposition{m: a.Int(routine.M), n: a.Int(routine.N), left: a.Int(routine.LeftSvect),
		right: a.Int(routine.RightSvect)}
	s.short = min(s.m, s.n)
	s.economical = s.left != routine.SvectAll && s.right != routine.SvectAll
	s.leftInScratch = s.left == routine.SvectNone || s.left == routine.SvectSingular && !s.economical
	return s
}

// columns returns the number of vectors that are computed on a side of the given dimension.
func (s *jacobiDecomposition) columns(dimension int64) int64 {
	if s.economical {
		return s.short
	}
	return dimension
}

func (s *jacobiDecomposition) call(g *gpu, a *routine.Args, u, v matrix) solverCall {
	options := g.jacobiOptions("Gesvdj", a)
	from, economical := matrixAt(a, routine.A), int64(0)
	if s.economical {
		economical = 1
	}
	return solverCall{name: "cusolverDn<t>gesvdj", jacobi: options, args: ints(1, economical, s.m, s.n, from.at,
		from.ld, a.Int(routine.VecS), u.at, u.ld, v.at, v.ld)}
}

// gesvdj decomposes one problem after the other.
func gesvdj(x *execution) {
	x.problems(func(a *routine.Args) {
		s := jacobiOf(a)
		u := matrixAt(a, routine.MatU)
		if s.leftInScratch {
			u = x.matrix(buffer.UntransposedLeft, s.m, s.columns(s.m))
		}
		v := x.matrix(buffer.UntransposedRight, s.n, s.columns(s.n))
		x.solve(s.call(x.gpu, a, u, v), x.infoOf(a))
		if s.leftInScratch && s.left == routine.SvectSingular {
			copyMatrix(x, matrixAt(a, routine.MatU), u, s.m, s.short)
		}
		if s.right != routine.SvectNone {
			rows := s.short
			if s.right == routine.SvectAll {
				rows = s.n
			}
			adjoint(x, matrixAt(a, routine.MatV), v, rows, s.n)
		}
		x.clear(a, routine.Residual, routine.Sweeps)
	})
}

// bdsqrCall is gesvd of a bidiagonal matrix. Vectors are computed if there is a matrix to multiply.
func bdsqrCall(a *routine.Args, square matrix, s int64, u, v matrix) solverCall {
	n, job := a.Int(routine.N), int64('N')
	if bdsqrMultiplies(a) {
		job = 'A'
	}
	return gesvdCall(job, job, n, n, square, s, u, v)
}

func bdsqrMultiplies(a *routine.Args) bool {
	return a.Int(routine.NV) != 0 || a.Int(routine.NU) != 0 || a.Int(routine.NC) != 0
}

// bdsqr decomposes a bidiagonal matrix and multiplies: P^H V, U Q and Q^H C.
func bdsqr(x *execution) {
	a, n := x.args, x.args.Int(routine.N)
	square := diagonals(x, a, a.Int(routine.Uplo) == routine.FillUpper)
	q, p := matrix{0, n}, matrix{0, n}
	if bdsqrMultiplies(a) {
		q, p = x.matrix(buffer.UntransposedLeft, n, n), x.matrix(buffer.UntransposedRight, n, n)
	}
	x.solve(bdsqrCall(a, square, a.Int(routine.VecD), q, p), x.infoOf(a))
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

func gebrd(x *execution) {
	x.problems(func(a *routine.Args) {
		o, from, m, n := bidiagonalOrder(a), matrixAt(a, routine.A), a.Int(routine.M), a.Int(routine.N)
		arranged := o.arrange(x, from, m, n)
		x.solve(gebrdCall(a, arranged), x.infoOf(a))
		o.restore(x, arranged, from, m, n)
	})
}
