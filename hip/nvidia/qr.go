package nvidia

import (
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// cuSOLVER has reflections only as QR stores them: in columns, the first one in the first column. LQ stores them in
// rows, which are the columns of the adjoint matrix. QL stores the last one in the last column: with rows and columns
// in reverse order, it is QR. RQ is both.

// order says how a routine stores reflections.
type order struct{ inRows, backward bool }

var (
	qrOrder = order{}
	qlOrder = order{backward: true}
	lqOrder = order{inRows: true}
	rqOrder = order{inRows: true, backward: true}
)

// blockOrder returns the order that a call with a block of reflections names.
func blockOrder(a *routine.Args) order {
	return order{inRows: a.Int(routine.Storev) == routine.StorevRows,
		backward: a.Int(routine.Direct) == routine.DirectBackward}
}

// shape returns the rows and columns of an m x n matrix as QR has it.
func (o order) shape(m, n int64) (rows, columns int64) {
	if o.inRows {
		return n, m
	}
	return m, n
}

// arrange returns an m x n matrix as QR has it: itself, or a copy in the workspace.
func (o order) arrange(x *execution, a matrix, m, n int64) matrix {
	if o == qrOrder {
		return a
	}
	rows, columns := o.shape(m, n)
	arranged, copied := x.matrix(buffer.ReorderedMatrix, rows, columns), copyMatrix
	if o.inRows {
		copied = adjoint
	}
	copied(x, arranged, a, rows, columns)
	if !o.backward {
		return arranged
	}
	reversed := x.matrix(buffer.ReversedMatrix, rows, columns)
	reverse(x, reversed.at, arranged.at, rows*columns)
	return reversed
}

// restore is the inverse of arrange: it stores the arranged m x n matrix in a.
func (o order) restore(x *execution, arranged, a matrix, m, n int64) {
	if o.backward {
		forward := matrix{x.vector(buffer.ReorderedMatrix, m*n), arranged.ld}
		reverse(x, forward.at, arranged.at, m*n)
		arranged = forward
	}
	switch {
	case o.inRows:
		adjoint(x, a, arranged, m, n)
	case o.backward:
		copyMatrix(x, a, arranged, m, n)
	}
}

// scalarsLikeQR returns where the scalars of k reflections are, or will be, in QR's order.
func (o order) scalarsLikeQR(x *execution, tau, k int64) int64 {
	if o.backward {
		return x.vector(buffer.ReflectionScalars, k)
	}
	return tau
}

// arrangeScalars returns the scalars of k reflections in QR's order.
func (o order) arrangeScalars(x *execution, tau, k int64) int64 {
	arranged := o.scalarsLikeQR(x, tau, k)
	if o.backward {
		reverse(x, arranged, tau, k)
	}
	return arranged
}

// geqrf is the factorization of an m x n matrix.
func geqrf(m, n int64, a matrix, tau int64) solverCall {
	return solverCall{name: "cusolverDn<t>geqrf", args: ints(m, n, a.at, a.ld, tau), sizedBy: ints(m, n, 0, a.ld)}
}

// factorMethod is a factorization like geqrf.
func factorMethod(o order, note string) method {
	return method{by: "cusolverDn<t>geqrf" + note, run: func(x *execution) {
		x.problems(func(a *routine.Args) { factorize(x, o, a) })
	}}
}

func factorize(x *execution, o order, a *routine.Args) {
	m, n, from, tau := a.Int(routine.M), a.Int(routine.N), matrixAt(a, routine.A), a.Int(routine.Ipiv)
	arranged := o.arrange(x, from, m, n)
	rows, columns := o.shape(m, n)
	scalars := o.scalarsLikeQR(x, tau, min(m, n))
	x.solve(geqrf(rows, columns, arranged, scalars), x.infoOf(a))
	o.restore(x, arranged, from, m, n)
	if o.backward {
		reverse(x, tau, scalars, min(m, n))
	}
}

// formMethod forms the orthogonal matrix of a factorization.
func formMethod(o order, note string) method {
	return method{by: "cusolverDn<or>gqr" + note, run: func(x *execution) { formQ(x, o) }}
}

func formQ(x *execution, o order) {
	a := x.args
	m, n, k, to := a.Int(routine.M), a.Int(routine.N), a.Int(routine.K), matrixAt(a, routine.A)
	arranged := o.arrange(x, to, m, n)
	tau := o.arrangeScalars(x, a.Int(routine.Ipiv), k)
	rows, columns := o.shape(m, n)
	x.solve(solverCall{name: "cusolverDn<or>gqr", args: ints(rows, columns, k, arranged.at, arranged.ld, tau)},
		x.unreadInfo())
	o.restore(x, arranged, to, m, n)
}

var orgbrSteps = []step{{name: "cusolverDn<or>gbr", args: []routine.Slot{routine.Storev, routine.M, routine.N,
	routine.K, routine.A, routine.LDA, routine.Ipiv}}}

// bidiagonalFactor forms a factor of gebrd. Of no reflections, cuSOLVER would leave the matrix as it is: the factors of
// QR and LQ are the identity then.
func bidiagonalFactor(x *execution) {
	switch {
	case x.args.Int(routine.K) > 0:
		solveSteps(x, orgbrSteps)
	case x.args.Int(routine.Storev) == routine.StorevRows:
		formQ(x, lqOrder)
	default:
		formQ(x, qrOrder)
	}
}

// orthogonalProduct is a product of an m x n matrix C and the orthogonal matrix of k reflections.
type orthogonalProduct struct {
	order
	side, op int64 // as cuBLAS numbers them
	m, n, k  int64
	a, c     matrix
	tau      int64
}

// size returns the order of the orthogonal matrix.
func (p *orthogonalProduct) size() int64 {
	if p.side == 0 {
		return p.m
	}
	return p.n
}

// storage returns the rows and columns of the matrix with the reflections.
func (p *orthogonalProduct) storage() (rows, columns int64) { return p.shape(p.size(), p.k) }

// call returns the cuSOLVER call after the matrices have been arranged. QR's matrix is the adjoint of LQ's.
func (p *orthogonalProduct) call(t routine.Type) solverCall {
	op := p.op
	if p.inRows {
		op = otherOperation(t, op)
	}
	return solverCall{name: "cusolverDn<or>mqr",
		args: ints(p.side, op, p.m, p.n, p.k, p.a.at, p.a.ld, p.tau, p.c.at, p.c.ld)}
}

// otherOperation returns the adjoint for none, and none for the adjoint.
func otherOperation(t routine.Type, op int64) int64 {
	if op == 0 {
		return adjointOf(t)
	}
	return 0
}

// ordered returns the product of a routine with the arguments of ormqr.
func ordered(o order) func(*routine.Args) orthogonalProduct {
	return func(a *routine.Args) orthogonalProduct {
		return orthogonalProduct{order: o, side: value(a, routine.Side), op: value(a, routine.TransA),
			m: a.Int(routine.M), n: a.Int(routine.N), k: a.Int(routine.K), a: matrixAt(a, routine.A),
			c: matrixAt(a, routine.C), tau: a.Int(routine.Ipiv)}
	}
}

// bidiagonalProduct is the product with the matrix Q or P of gebrd. The reflections of P are in rows, and P is the
// adjoint of LQ's matrix. If the matrix has at most k dimensions, the reflections begin in the second row or column and
// leave the first row or column of C unchanged.
func bidiagonalProduct(a *routine.Args) orthogonalProduct {
	p := ordered(qrOrder)(a)
	t := a.Routine.Type
	inRows := a.Int(routine.Storev) == routine.StorevRows
	if inRows {
		p.order, p.op = lqOrder, otherOperation(t, p.op)
	}
	size := p.size()
	if size > p.k || size == p.k && !inRows {
		return p
	}
	p.k = size - 1
	if inRows {
		p.a = p.a.from(t, 0, 1)
	} else {
		p.a = p.a.from(t, 1, 0)
	}
	if p.side == 0 {
		p.m, p.c = p.m-1, p.c.from(t, 1, 0)
	} else {
		p.n, p.c = p.n-1, p.c.from(t, 0, 1)
	}
	return p
}

// multiplyMethod multiplies by an orthogonal matrix.
func multiplyMethod(productOf func(*routine.Args) orthogonalProduct, note string) method {
	return method{by: "cusolverDn<or>mqr" + note, run: func(x *execution) {
		p := productOf(x.args)
		multiply(x, &p)
	}}
}

// multiply multiplies C by an orthogonal matrix. For reflections in reverse order, C is reversed, too: the copy of the
// reflections that is not reversed is no longer needed.
func multiply(x *execution, p *orthogonalProduct) {
	if p.k == 0 {
		return
	}
	rows, columns := p.storage()
	p.a, p.tau = p.arrange(x, p.a, rows, columns), p.arrangeScalars(x, p.tau, p.k)
	c, forward := p.c, matrix{}
	if p.backward {
		forward = x.matrix(buffer.ReorderedMatrix, p.m, p.n)
		copyMatrix(x, forward, c, p.m, p.n)
		p.c = x.matrix(buffer.ReversedProduct, p.m, p.n)
		reverse(x, p.c.at, forward.at, p.m*p.n)
	}
	x.solve(p.call(x.args.Routine.Type), x.unreadInfo())
	if p.backward {
		reverse(x, forward.at, p.c.at, p.m*p.n)
		copyMatrix(x, c, forward, p.m, p.n)
	}
}

// lacgv multiplies the imaginary parts by -1: they are a vector of real numbers with twice the increment.
func lacgv(x *execution) {
	a, t, inc := x.args, x.args.Routine.Type, x.args.Int(routine.IncX)
	number.Store(routine.RealOf(t.Datatype()), x.scalars[0][:], -1)
	x.setPointerMode(false)
	x.blas("cublas<r>scal_v2"+wide(a), a.Int(routine.N), x.address(0), a.Int(routine.X)+t.RealSize(),
		2*max(inc, -inc))
}

// larfg factorizes the matrix of one column with alpha above x.
func larfg(x *execution) {
	a, n, size := x.args, x.args.Int(routine.N), x.args.Routine.Type.Size()
	column, alpha := x.vector(buffer.VectorCopy, n), a.Int(routine.C)
	x.copy(column, alpha, size)
	rest, v, inc := column+size, a.Int(routine.X), a.Int(routine.IncX)
	if n > 1 {
		x.blas("cublas<t>copy_v2", n-1, v, inc, rest, 1)
	}
	x.solve(geqrf(n, 1, matrix{column, n}, a.Int(routine.Tau)), x.unreadInfo())
	x.copy(alpha, column, size)
	if n > 1 {
		x.blas("cublas<t>copy_v2", n-1, rest, 1, v, inc)
	}
}

// larf computes A - tau x (A^H x)^H or A - tau (A x) x^H.
func larf(x *execution) {
	a, t := x.args, x.args.Routine.Type
	m, n, to := a.Int(routine.M), a.Int(routine.N), matrixAt(a, routine.A)
	v, inc := a.Int(routine.X), a.Int(routine.IncX)
	product, tau := x.vector(buffer.AppliedReflection, max(m, n)), x.vector(buffer.One, 1)
	x.copy(tau, a.Int(routine.C), t.Size())
	one, zero := x.oneAndZero()
	op, first, inc1, second, inc2 := int64(0), product, int64(1), v, inc
	if a.Int(routine.Side) == routine.SideLeft {
		op, first, inc1, second, inc2 = adjointOf(t), v, inc, product, 1
	}
	x.blas("cublas<t>gemv_v2"+wide(a), op, m, n, one, to.at, to.ld, v, inc, zero, product, 1)
	x.blas("cublas<t>scal_v2", 1, x.constant(0, -1), tau, 1)
	x.setPointerMode(true)
	x.blas("cublas<ger>_v2"+wide(a), m, n, tau, first, inc1, second, inc2, to.at, to.ld)
}

// larft computes the triangular factor of k reflections. In reverse order, it is the factor of the reflections in
// reverse order.
func larft(x *execution) {
	a, o, datatype := x.args, blockOrder(x.args), value(x.args, elementType)
	n, k, to := a.Int(routine.N), a.Int(routine.K), matrixAt(a, routine.MatT)
	rows, columns := o.shape(n, k)
	v := o.arrange(x, matrixAt(a, routine.MatV), rows, columns)
	tau, factor := o.arrangeScalars(x, a.Int(routine.Tau), k), to
	if o.backward {
		factor = x.matrix(buffer.SquareCopy, k, k)
		fillZeros(x, factor.at, k*k)
	}
	x.solve(solverCall{name: "cusolverDnXlarft", scratch: hostScratch, args: ints(0, 0, 0, n, k, datatype, v.at, v.ld,
		datatype, tau, datatype, factor.at, factor.ld, datatype)}, noInfo)
	if o.backward { // the workspace of V is free again after the call
		qlOrder.restore(x, factor, to, k, k)
	}
}

// larfb computes A - V op(T) (V^H A) or A - (A V) op(T) V^H.
func larfb(x *execution) {
	a, o := x.args, blockOrder(x.args)
	m, n, k, side := a.Int(routine.M), a.Int(routine.N), a.Int(routine.K), value(a, routine.Side)
	length, rows, columns := m, k, n // the rows of V, and the shape of its product with A
	if side != 0 {
		length, rows, columns = n, m, k
	}
	half := int64(upper) // of T with the factor, and of a square of V with the ones and zeros that are not stored
	if o.backward {
		half = lower
	}
	vectors := completeVectors(x, o, half, length, k)
	one, zero := x.oneAndZero()
	to, t := matrixAt(a, routine.A), matrixAt(a, routine.MatT)
	v, adjointV := factor{vectors, 0}, factor{vectors, adjointOf(a.Routine.Type)}
	target, applied := factor{to, 0}, factor{x.matrix(buffer.AppliedReflection, rows, columns), 0}
	op := value(a, routine.TransA)
	if side == 0 {
		product(x, k, n, m, one, adjointV, target, zero, applied.matrix)
		if op != 0 { // the library takes the adjoint also for the transpose
			op = adjointV.op
		}
	} else {
		product(x, m, k, n, one, target, v, zero, applied.matrix)
	}
	x.blas("cublas<t>trmm_v2", side, half, op, nonUnit, rows, columns, one, t.at, t.ld, applied.at, applied.ld,
		applied.at, applied.ld)
	minus := x.constant(1, -1)
	if side == 0 {
		product(x, m, n, k, minus, v, applied, one, to)
	} else {
		product(x, m, n, k, minus, applied, adjointV, one, to)
	}
}

// completeVectors returns a copy of V in columns with the ones and zeros that are not stored: in a half of its first
// rows or, backward, of its last rows.
func completeVectors(x *execution, o order, half, rows, k int64) matrix {
	writeOne(x)
	v, copied := x.matrix(buffer.ReorderedMatrix, rows, k), copyMatrix
	if o.inRows {
		copied = adjoint
	}
	copied(x, v, matrixAt(x.args, routine.MatV), rows, k)
	square, to := x.matrix(buffer.SquareCopy, k, k), v
	identity(x, square, k)
	if o.backward {
		to = v.from(x.args.Routine.Type, rows-k, 0)
	}
	copyTriangle(x, half, k, to, square)
	return v
}

// gels solves by a factorization A = Q R, or A^H = Q R if A has fewer rows than columns. Inverting a copy of R reports
// a zero on its diagonal.
func gels(x *execution) {
	x.problems(func(a *routine.Args) {
		m, n, nrhs, t := a.Int(routine.M), a.Int(routine.N), a.Int(routine.NRHS), a.Routine.Type
		from, b := matrixAt(a, routine.A), matrixAt(a, routine.B)
		o, long, short := order{inRows: m < n}, max(m, n), min(m, n)
		q, tau := o.arrange(x, from, m, n), x.vector(buffer.ReflectionScalars, short)
		x.solve(geqrf(long, short, q, tau), x.unreadInfo())
		r, p := triangle{q, upper, nonUnit}, orthogonalProduct{m: long, n: nrhs, k: short, a: q, c: b, tau: tau}
		if (a.Int(routine.TransA) == routine.OperationNone) == (m >= n) { // minimize the residual: R X = Q^H B
			p.op = adjointOf(t)
			x.solve(p.call(t), x.unreadInfo())
			triangularSolve(x, r, 0, short, nrhs, b)
		} else { // minimize the norm of the solution: R^H Y = B, and X is Q Y with zeros below Y
			triangularSolve(x, r, adjointOf(t), short, nrhs, b)
			if long > short {
				zeroMatrix(x, b.from(t, short, 0), long-short, nrhs)
			}
			x.solve(p.call(t), x.unreadInfo())
		}
		copied := x.matrix(buffer.FactorCopy, short, short)
		copyMatrix(x, copied, q, short, short)
		invertTriangle(x, triangle{copied, upper, nonUnit}, short, a.Int(routine.Info))
		o.restore(x, q, from, m, n)
	})
}
