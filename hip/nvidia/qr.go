package nvidia

import (
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// qrMethods are orthogonal factorizations.
func qrMethods() map[routine.FamilyID]method {
	return map[routine.FamilyID]method{
		routine.Geqrf: factorMethod(qrOrder, ""),
		routine.Geqr2: factorMethod(qrOrder, ""),
		routine.Geqlf: factorMethod(qlOrder, " for the matrix in reverse order"),
		routine.Geql2: factorMethod(qlOrder, " for the matrix in reverse order"),
		routine.Gelqf: factorMethod(lqOrder, " for the adjoint matrix"),
		routine.Gelq2: factorMethod(lqOrder, " for the adjoint matrix"),
		routine.Gerqf: factorMethod(rqOrder, " for the adjoint matrix in reverse order"),
		routine.Gerq2: factorMethod(rqOrder, " for the adjoint matrix in reverse order"),
	}
}

// wideQR are factorizations with 64-bit integers.
func wideQR() map[routine.FamilyID]method {
	return map[routine.FamilyID]method{routine.Geqrf: wideGeqrf, routine.Geqr2: wideGeqrf}
}

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
		by: by("cusolverDn<t>geqrf" + note),
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

// orthogonalMethods form orthogonal matrices from reflections and multiply by them.
func orthogonalMethods() map[routine.FamilyID]method {
	return map[routine.FamilyID]method{
		routine.Orgqr: formMethod(qrOrder, ""),
		routine.Org2r: formMethod(qrOrder, ""),
		routine.Orgql: formMethod(qlOrder, " for the matrix in reverse order"),
		routine.Org2l: formMethod(qlOrder, " for the matrix in reverse order"),
		routine.Orglq: formMethod(lqOrder, " for the adjoint matrix"),
		routine.Orgl2: formMethod(lqOrder, " for the adjoint matrix"),

		routine.Ormqr: multiplyMethod(ordered(qrOrder), ""),
		routine.Orm2r: multiplyMethod(ordered(qrOrder), ""),
		routine.Ormql: multiplyMethod(ordered(qlOrder), " for the matrices in reverse order"),
		routine.Orm2l: multiplyMethod(ordered(qlOrder), " for the matrices in reverse order"),
		routine.Ormlq: multiplyMethod(ordered(lqOrder), " for the adjoint matrix"),
		routine.Orml2: multiplyMethod(ordered(lqOrder), " for the adjoint matrix"),
		routine.Ormbr: multiplyMethod(bidiagonalProduct, ""),

		routine.Orgbr: bidiagonalFactor(),
		routine.Orgtr: solverMethod("", step{name: "cusolverDn<or>gtr", args: []routine.Slot{routine.Uplo, routine.N,
			routine.A, routine.LDA, routine.Ipiv}}),
		routine.Ormtr: solverMethod("", step{name: "cusolverDn<or>mtr", args: []routine.Slot{routine.Side, routine.Uplo,
			routine.TransA, routine.M, routine.N, routine.A, routine.LDA, routine.Ipiv, routine.C, routine.LDC}}),
	}
}

func orgqr(m, n, k int64, a matrix, tau int64) solverCall {
	return solverCall{name: "cusolverDn<or>gqr", args: ints(m, n, k, a.at, a.ld, tau)}
}

// formMethod forms the orthogonal matrix of a factorization.
func formMethod(o order, note string) method {
	return method{
		needs: func(g *gpu, a *routine.Args) driver.Needs {
			m, n, k, t := a.Int(routine.M), a.Int(routine.N), a.Int(routine.K), a.Routine.Type
			rows, columns := o.shape(m, n)
			bytes := g.scratchOf(t, orgqr(rows, columns, k, o.sized(matrixAt(a, routine.A), m, n), 0))
			return scratchNeeds(bytes, o.copies(t, m*n, k)...)
		},
		run: func(x *execution) { formQ(x, o) },
		by:  by("cusolverDn<or>gqr" + note),
	}
}

func formQ(x *execution, o order) {
	a := x.args
	m, n, k, to := a.Int(routine.M), a.Int(routine.N), a.Int(routine.K), matrixAt(a, routine.A)
	arranged := o.arrange(x, to, m, n)
	tau := o.arrangeScalars(x, a.Int(routine.Ipiv), k)
	rows, columns := o.shape(m, n)
	x.solve(orgqr(rows, columns, k, arranged, tau), x.at(buffer.Info))
	o.restore(x, arranged, to, m, n)
}

// bidiagonalFactor forms a factor of gebrd. Of no reflections, cuSOLVER would leave the matrix as it is: the factors of
// QR and LQ are the identity then.
func bidiagonalFactor() method {
	whole := solverMethod("", step{name: "cusolverDn<or>gbr", args: []routine.Slot{routine.Storev, routine.M,
		routine.N, routine.K, routine.A, routine.LDA, routine.Ipiv}})
	columns, rows := formMethod(qrOrder, ""), formMethod(lqOrder, "")
	of := func(a *routine.Args) *method {
		switch {
		case a.Int(routine.K) > 0:
			return &whole
		case a.Int(routine.Storev) == routine.StorevRows:
			return &rows
		}
		return &columns
	}
	return method{
		needs: func(g *gpu, a *routine.Args) driver.Needs { return of(a).needs(g, a) },
		run:   func(x *execution) { of(x.args).run(x) },
		by:    whole.by,
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
	return method{
		needs: func(g *gpu, a *routine.Args) driver.Needs {
			return multiplyNeeds(g, a.Routine.Type, productOf(withoutPointers(a)))
		},
		run: func(x *execution) {
			p := productOf(x.args)
			multiply(x, &p)
		},
		by: by("cusolverDn<or>mqr" + note),
	}
}

func multiplyNeeds(g *gpu, t routine.Type, p orthogonalProduct) driver.Needs {
	if p.k == 0 {
		return scratchNeeds(0)
	}
	rows, columns := p.storage()
	sized := p
	sized.a, sized.c, sized.tau = p.sized(p.a, rows, columns), matrix{0, p.c.ld}, 0
	bytes := g.scratchOf(t, sized.call(t))
	list := p.copies(t, max(rows*columns, p.m*p.n), p.k)
	if p.backward {
		list = append(list, elements(buffer.ReversedProduct, t, p.m*p.n))
	}
	return scratchNeeds(bytes, list...)
}

// multiply multiplies C by an orthogonal matrix.
func multiply(x *execution, p *orthogonalProduct) {
	if p.k == 0 {
		return
	}
	rows, columns := p.storage()
	p.a, p.tau = p.arrange(x, p.a, rows, columns), p.arrangeScalars(x, p.tau, p.k)
	if p.backward {
		multiplyReversed(x, p)
	} else {
		multiplyArranged(x, p)
	}
}

func multiplyArranged(x *execution, p *orthogonalProduct) {
	x.solve(p.call(x.args.Routine.Type), x.at(buffer.Info))
}

// multiplyReversed multiplies C in reverse order. The copy of the reflections that is not reversed is no longer needed.
func multiplyReversed(x *execution, p *orthogonalProduct) {
	c, forward := p.c, matrix{x.at(buffer.ReorderedMatrix), p.m}
	copyMatrix(x, forward, c, p.m, p.n)
	p.c = matrix{x.at(buffer.ReversedProduct), p.m}
	reverse(x, p.c.at, forward.at, p.m*p.n)
	multiplyArranged(x, p)
	reverse(x, forward.at, p.c.at, p.m*p.n)
	copyMatrix(x, c, forward, p.m, p.n)
}

// reflectorMethods make and apply elementary reflections and blocks of them.
func reflectorMethods() map[routine.FamilyID]method {
	return map[routine.FamilyID]method{
		routine.Larfg: {needs: larfgNeeds, run: larfg,
			by: by("cusolverDn<t>geqrf of a matrix with one column")},
		routine.Lacgv: lacgvMethod,
		routine.Larf:  larfMethod,
		routine.Larft: {needs: larftNeeds, run: larft,
			by: by("cusolverDnXlarft, for the adjoint matrix or in reverse order if needed")},
		routine.Larfb: {needs: larfbNeeds, run: larfb,
			by: by("cublas<t>gemm_v2 and cublas<t>trmm_v2, with a copy of V that has its ones and zeros")},
	}
}

// wideReflectors are the families that cuBLAS computes with 64-bit integers too.
func wideReflectors() map[routine.FamilyID]method {
	return map[routine.FamilyID]method{routine.Larf: larfMethod, routine.Lacgv: lacgvMethod}
}

var (
	lacgvMethod = method{needs: noNeeds, run: lacgv,
		by: by("cublas's scal_v2 of real numbers, which negates the imaginary parts")}

	larfMethod = method{needs: larfNeeds, run: larf,
		by: by("cublas<t>gemv_v2 and cublas<ger>_v2")}
)

// lacgv multiplies the imaginary parts by -1: they are a vector of real numbers with twice the increment.
func lacgv(x *execution) {
	a, t, inc := x.args, x.args.Routine.Type, x.args.Int(routine.IncX)
	number.Store(routine.RealOf(t.Datatype()), x.scalars[0][:], -1)
	x.setPointerMode(false)
	x.blas("cublas<r>scal_v2"+wide(a), a.Int(routine.N), x.address(0), a.Int(routine.X)+t.RealSize(),
		2*max(inc, -inc))
}

func larfgNeeds(g *gpu, a *routine.Args) driver.Needs {
	n, t := a.Int(routine.N), a.Routine.Type
	bytes := g.scratchOf(t, geqrf(n, 1, matrix{0, max(1, n)}, 0))
	return scratchNeeds(bytes, elements(buffer.VectorCopy, t, n))
}

// larfg factorizes the matrix of one column with alpha above x.
func larfg(x *execution) {
	a, n, size := x.args, x.args.Int(routine.N), x.args.Routine.Type.Size()
	column, alpha := x.at(buffer.VectorCopy), a.Int(routine.C)
	x.copy(column, alpha, size)
	rest, v, inc := column+size, a.Int(routine.X), a.Int(routine.IncX)
	if n > 1 {
		x.blas("cublas<t>copy_v2", n-1, v, inc, rest, 1)
	}
	x.solve(geqrf(n, 1, matrix{column, n}, a.Int(routine.Tau)), x.at(buffer.Info))
	x.copy(alpha, column, size)
	if n > 1 {
		x.blas("cublas<t>copy_v2", n-1, rest, 1, v, inc)
	}
}

// larfNeeds returns a place for the product of A and the vector of the reflection, and for the negative scalar.
func larfNeeds(_ *gpu, a *routine.Args) driver.Needs {
	t := a.Routine.Type
	return needs(elements(buffer.AppliedReflection, t, max(a.Int(routine.M), a.Int(routine.N))),
		elements(buffer.One, t, 1))
}

// larf computes A - tau x (A^H x)^H or A - tau (A x) x^H.
func larf(x *execution) {
	a, t := x.args, x.args.Routine.Type
	m, n, to := a.Int(routine.M), a.Int(routine.N), matrixAt(a, routine.A)
	v, inc := a.Int(routine.X), a.Int(routine.IncX)
	product, tau := x.at(buffer.AppliedReflection), x.at(buffer.One)
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

// larftCall computes the triangular factor of k reflections that are stored in QR's order.
func larftCall(a *routine.Args, v matrix, tau int64, to matrix) solverCall {
	n, k, datatype := a.Int(routine.N), a.Int(routine.K), value(a, elementType)
	args := func(v, tau, to int64, ldv, ldt int64) []int64 {
		return ints(0, 0, 0, n, k, datatype, v, ldv, datatype, tau, datatype, to, ldt, datatype)
	}
	return solverCall{name: "cusolverDnXlarft", scratch: hostScratch, place: buffer.FactorizationScratch,
		args: args(v.at, tau, to.at, v.ld, to.ld), sizedBy: args(0, 0, 0, v.ld, to.ld)}
}

func larftNeeds(g *gpu, a *routine.Args) driver.Needs {
	o, n, k, t := blockOrder(a), a.Int(routine.N), a.Int(routine.K), a.Routine.Type
	bytes := g.scratchOf(t, larftCall(a, matrix{0, max(n, 1)}, 0, matrix{0, max(k, 1)}))
	list := needs(append([]driver.Buffer{{ID: buffer.FactorizationScratch, Bytes: bytes}},
		o.copies(t, max(n, k)*k, k)...)...)
	if o.backward {
		list.Buffers = append(list.Buffers, elements(buffer.SquareCopy, t, k*k))
	}
	return list
}

// larft computes the triangular factor. In reverse order, it is the factor of the reflections in reverse order.
func larft(x *execution) {
	a, o := x.args, blockOrder(x.args)
	n, k, to := a.Int(routine.N), a.Int(routine.K), matrixAt(a, routine.MatT)
	rows, columns := o.shape(n, k)
	v := o.arrange(x, matrixAt(a, routine.MatV), rows, columns)
	tau := o.arrangeScalars(x, a.Int(routine.Tau), k)
	if !o.backward {
		x.solve(larftCall(a, v, tau, to), noInfo)
		return
	}
	// The workspace of V is free again after the call.
	reversed := matrix{x.at(buffer.SquareCopy), k}
	fillZeros(x, reversed.at, k*k)
	x.solve(larftCall(a, v, tau, reversed), noInfo)
	qlOrder.restore(x, reversed, to, k, k)
}

// block is H = I - V T V^H, or its adjoint, of a call of larfb. V has k columns and as many rows as H.
type block struct {
	order
	left          bool
	m, n, rows, k int64
}

func blockOf(a *routine.Args) block {
	b := block{order: blockOrder(a), left: a.Int(routine.Side) == routine.SideLeft, m: a.Int(routine.M),
		n: a.Int(routine.N), k: a.Int(routine.K)}
	b.rows = b.n
	if b.left {
		b.rows = b.m
	}
	return b
}

func larfbNeeds(_ *gpu, a *routine.Args) driver.Needs {
	b, t := blockOf(a), a.Routine.Type
	return needs(elements(buffer.ReorderedMatrix, t, b.rows*b.k), elements(buffer.SquareCopy, t, b.k*b.k),
		elements(buffer.PackedTriangle, t, b.k*(b.k+1)/2),
		elements(buffer.AppliedReflection, t, (b.m+b.n-b.rows)*b.k), elements(buffer.One, t, 1))
}

// larfb computes A - V op(T) (V^H A) or A - (A V) op(T) V^H.
func larfb(x *execution) {
	a, b := x.args, blockOf(x.args)
	vectors := completeVectors(x, a, &b)
	one, zero := x.oneAndZero()
	to, t := matrixAt(a, routine.A), matrixAt(a, routine.MatT)
	v, adjointV := factor{vectors, 0}, factor{vectors, adjointOf(a.Routine.Type)}
	target, applied := factor{to, 0}, factor{matrix{x.at(buffer.AppliedReflection), b.m}, 0}
	rows, columns, side := b.m, b.k, int64(1)
	if b.left {
		applied.ld, rows, columns, side = b.k, b.k, b.n, 0
		product(x, b.k, b.n, b.m, one, adjointV, target, zero, applied.matrix)
	} else {
		product(x, b.m, b.k, b.n, one, target, v, zero, applied.matrix)
	}
	op := value(a, routine.TransA)
	if b.left && op != 0 { // the library takes the adjoint also for the transpose
		op = adjointOf(a.Routine.Type)
	}
	x.blas("cublas<t>trmm_v2", side, b.uplo(), op, nonUnit, rows, columns, one, t.at, t.ld, applied.at, applied.ld,
		applied.at, applied.ld)
	minus := x.constant(1, -1)
	if b.left {
		product(x, b.m, b.n, b.k, minus, v, applied, one, to)
	} else {
		product(x, b.m, b.n, b.k, minus, applied, adjointV, one, to)
	}
}

// uplo returns the half of T with the factor, and of a square of V with the ones and zeros that are not stored.
func (b *block) uplo() int64 {
	if b.backward {
		return lower
	}
	return upper
}

// completeVectors returns a copy of V in columns with the ones and zeros that are not stored: in the upper triangle of
// its first rows or, backward, in the lower triangle of its last rows.
func completeVectors(x *execution, a *routine.Args, b *block) matrix {
	writeOne(x)
	v, copied := matrix{x.at(buffer.ReorderedMatrix), b.rows}, copyMatrix
	if b.inRows {
		copied = adjoint
	}
	copied(x, v, matrixAt(a, routine.MatV), b.rows, b.k)
	square, to := matrix{x.at(buffer.SquareCopy), b.k}, v
	identity(x, square, b.k)
	if b.backward {
		to = v.from(a.Routine.Type, b.rows-b.k, 0)
	}
	copyTriangle(x, b.uplo(), b.k, to, square)
	return v
}

func lsqMethods() map[routine.FamilyID]method {
	return map[routine.FamilyID]method{
		routine.Gels: {needs: gelsNeeds, run: gels,
			by: by("cusolverDn<t>geqrf and cusolverDn<or>mqr, cublas<t>trsm_v2, and cusolverDnXtrtri for info; B is " +
				"overwritten also if the matrix does not have full rank")},
	}
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
