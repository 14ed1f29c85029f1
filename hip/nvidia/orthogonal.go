package nvidia

import (
	"slices"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// orthogonalMethods form orthogonal matrices from reflections and multiply by them.
var orthogonalMethods = map[routine.FamilyID]method{
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
		run:     func(x *execution) { formQ(x, o) },
		buffers: slices.Concat(scratchBuffers, arrangeBuffers), by: by("cusolverDn<or>gqr" + note),
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
		needs:   func(g *gpu, a *routine.Args) driver.Needs { return of(a).needs(g, a) },
		run:     func(x *execution) { of(x.args).run(x) },
		buffers: rows.buffers, by: whole.by,
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

// call returns the call of cuSOLVER after the matrices have been arranged. QR's matrix is the adjoint of LQ's.
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
		buffers: slices.Concat(scratchBuffers, arrangeBuffers, []buffer.ID{buffer.ReversedProduct}),
		by:      by("cusolverDn<or>mqr" + note),
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
