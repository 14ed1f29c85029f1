package nvidia

import (
	"slices"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// reflectionMethods are orthogonal factorizations and matrices.
var reflectionMethods = map[routine.FamilyID]method{
	routine.Geqrf: factorMethod(qrOrder, "cusolverDn<t>geqrf"),
	routine.Geqr2: factorMethod(qrOrder, "cusolverDn<t>geqrf"),
	routine.Geqlf: factorMethod(qlOrder, "cusolverDn<t>geqrf for the matrix in reverse order"),
	routine.Geql2: factorMethod(qlOrder, "cusolverDn<t>geqrf for the matrix in reverse order"),
	routine.Gelqf: factorMethod(lqOrder, "cusolverDn<t>geqrf for the adjoint matrix"),
	routine.Gelq2: factorMethod(lqOrder, "cusolverDn<t>geqrf for the adjoint matrix"),
	routine.Gerqf: factorMethod(rqOrder, "cusolverDn<t>geqrf for the adjoint matrix in reverse order"),
	routine.Gerq2: factorMethod(rqOrder, "cusolverDn<t>geqrf for the adjoint matrix in reverse order"),

	routine.Orgqr: generateMethod(qrOrder, "cusolverDn<or>gqr"),
	routine.Org2r: generateMethod(qrOrder, "cusolverDn<or>gqr"),
	routine.Orgql: generateMethod(qlOrder, "cusolverDn<or>gqr for the matrix in reverse order"),
	routine.Org2l: generateMethod(qlOrder, "cusolverDn<or>gqr for the matrix in reverse order"),
	routine.Orglq: generateMethod(lqOrder, "cusolverDn<or>gqr for the adjoint matrix"),
	routine.Orgl2: generateMethod(lqOrder, "cusolverDn<or>gqr for the adjoint matrix"),

	routine.Ormqr: multiplyMethod(ordered(qrOrder), "cusolverDn<or>mqr"),
	routine.Orm2r: multiplyMethod(ordered(qrOrder), "cusolverDn<or>mqr"),
	routine.Ormql: multiplyMethod(ordered(qlOrder), "cusolverDn<or>mqr for the matrices in reverse order"),
	routine.Orm2l: multiplyMethod(ordered(qlOrder), "cusolverDn<or>mqr for the matrices in reverse order"),
	routine.Ormlq: multiplyMethod(ordered(lqOrder), "cusolverDn<or>mqr for the adjoint matrix"),
	routine.Orml2: multiplyMethod(ordered(lqOrder), "cusolverDn<or>mqr for the adjoint matrix"),
	routine.Ormbr: multiplyMethod(bidiagonalProduct, "cusolverDn<or>mqr"),

	routine.Orgbr: denseMethod("cusolverDn<or>gbr", func(a *routine.Args) denseCall {
		m := matrixAt(a, routine.A)
		return denseCall{name: unitary(a.Routine.Type, "orgbr"),
			args: words(a.Int(routine.Storev)-routine.StorevColumns, a.Int(routine.M), a.Int(routine.N),
				a.Int(routine.K), int64(m.at), m.ld, pointer(a, routine.Ipiv))}
	}),
	routine.Orgtr: denseMethod("cusolverDn<or>gtr", func(a *routine.Args) denseCall {
		m := matrixAt(a, routine.A)
		return denseCall{name: unitary(a.Routine.Type, "orgtr"), args: words(
			enum(a, routine.Fill, routine.Uplo), a.Int(routine.N), int64(m.at), m.ld, pointer(a, routine.Ipiv))}
	}),
	routine.Ormtr: denseMethod("cusolverDn<or>mtr", func(a *routine.Args) denseCall {
		m, c := matrixAt(a, routine.A), matrixAt(a, routine.C)
		return denseCall{name: unitary(a.Routine.Type, "ormtr"), args: words(
			enum(a, routine.SideKind, routine.Side), enum(a, routine.Fill, routine.Uplo),
			enum(a, routine.Operation, routine.TransA), a.Int(routine.M), a.Int(routine.N), int64(m.at), m.ld,
			pointer(a, routine.Ipiv), int64(c.at), c.ld)}
	}),
}

// enum returns an enumeration of a call as cuBLAS numbers it.
func enum(a *routine.Args, kind routine.Kind, s routine.Slot) int64 {
	return int64(enumeration(kind, a.Int(s)))
}

func factorCall(t routine.Type, m, n int64, a matrix, tau driver.Ptr) denseCall {
	return denseCall{name: functionName(t, "geqrf", ""), args: words(m, n, int64(a.at), a.ld, int64(tau)),
		sizedBy: words(m, n, 0, a.ld)}
}

// factorMethod is a factorization like geqrf.
func factorMethod(o reflections, text string) method {
	return method{
		needs: func(d *device, a *routine.Args) (driver.Needs, error) {
			m, n, t := a.Int(routine.M), a.Int(routine.N), a.Routine.Type
			rows, columns := o.shape(m, n)
			bytes, err := d.scratchOf(t, factorCall(t, rows, columns, o.sized(matrixAt(a, routine.A), m, n), 0))
			list := scratchNeeds(bytes)
			list.Buffers = append(list.Buffers, o.copies(t, m*n, min(m, n))...)
			return list, err
		},
		run: func(x *execution) error {
			return x.problems(func(a *routine.Args) error {
				return x.factorize(o, matrixAt(a, routine.A), a.Int(routine.M), a.Int(routine.N),
					driver.Ptr(a.Ptr(routine.Ipiv)))
			})
		},
		buffers: slices.Concat(scratchBuffers, arrangeBuffers), by: by(text),
	}
}

// factorize factorizes an m x n matrix.
func (x *execution) factorize(o reflections, a matrix, m, n int64, tau driver.Ptr) error {
	arranged, err := x.arrange(o, a, m, n)
	if err != nil {
		return err
	}
	rows, columns := o.shape(m, n)
	scalars := x.scalarsLikeQR(o, tau)
	err = x.dense(factorCall(x.args.Routine.Type, rows, columns, arranged, scalars), x.work(buffer.Info).Ptr)
	if err != nil {
		return err
	}
	if err := x.restore(o, arranged, a, m, n); err != nil {
		return err
	}
	return x.restoreScalars(o, scalars, tau, min(m, n))
}

func generateCall(t routine.Type, m, n, k int64, a matrix, tau driver.Ptr) denseCall {
	return denseCall{name: unitary(t, "orgqr"), args: words(m, n, k, int64(a.at), a.ld, int64(tau))}
}

// generateMethod makes the orthogonal matrix of a factorization.
func generateMethod(o reflections, text string) method {
	return method{
		needs: func(d *device, a *routine.Args) (driver.Needs, error) {
			m, n, k, t := a.Int(routine.M), a.Int(routine.N), a.Int(routine.K), a.Routine.Type
			rows, columns := o.shape(m, n)
			bytes, err := d.scratchOf(t, generateCall(t, rows, columns, k, o.sized(matrixAt(a, routine.A), m, n), 0))
			list := scratchNeeds(bytes)
			list.Buffers = append(list.Buffers, o.copies(t, m*n, k)...)
			return list, err
		},
		run:     func(x *execution) error { return x.generate(o, x.args) },
		buffers: slices.Concat(scratchBuffers, arrangeBuffers), by: by(text),
	}
}

func (x *execution) generate(o reflections, a *routine.Args) error {
	m, n, k, to := a.Int(routine.M), a.Int(routine.N), a.Int(routine.K), matrixAt(a, routine.A)
	arranged, err := x.arrange(o, to, m, n)
	if err != nil {
		return err
	}
	tau, err := x.arrangeScalars(o, driver.Ptr(a.Ptr(routine.Ipiv)), k)
	if err != nil {
		return err
	}
	rows, columns := o.shape(m, n)
	call := generateCall(a.Routine.Type, rows, columns, k, arranged, tau)
	if err := x.dense(call, x.work(buffer.Info).Ptr); err != nil {
		return err
	}
	return x.restore(o, arranged, to, m, n)
}

// orthogonalProduct is a product of an m x n matrix C and the orthogonal matrix of k reflections.
type orthogonalProduct struct {
	reflections
	side, op int64 // as cuBLAS numbers them
	m, n, k  int64
	a, c     matrix
	tau      driver.Ptr
}

// order returns the order of the orthogonal matrix.
func (p *orthogonalProduct) order() int64 {
	if p.side == 0 {
		return p.m
	}
	return p.n
}

// storage returns the rows and columns of the matrix with the reflections.
func (p *orthogonalProduct) storage() (rows, columns int64) { return p.shape(p.order(), p.k) }

// call returns the call of cuSOLVER, after the matrices have been arranged. QR's matrix is the adjoint of LQ's.
func (p *orthogonalProduct) call(t routine.Type) denseCall {
	op := p.op
	if p.inRows && op == 0 {
		op = int64(adjointOf(t))
	} else if p.inRows {
		op = 0
	}
	return denseCall{name: unitary(t, "ormqr"), args: words(p.side, op, p.m, p.n, p.k, int64(p.a.at), p.a.ld,
		int64(p.tau), int64(p.c.at), p.c.ld)}
}

// ordered returns the product of a routine whose arguments are those of ormqr.
func ordered(o reflections) func(*routine.Args) orthogonalProduct {
	return func(a *routine.Args) orthogonalProduct {
		return orthogonalProduct{reflections: o, side: enum(a, routine.SideKind, routine.Side),
			op: enum(a, routine.Operation, routine.TransA), m: a.Int(routine.M), n: a.Int(routine.N),
			k: a.Int(routine.K), a: matrixAt(a, routine.A), c: matrixAt(a, routine.C),
			tau: driver.Ptr(a.Ptr(routine.Ipiv))}
	}
}

// bidiagonalProduct is the product with the matrix Q or P of gebrd. The reflections of P are in rows, and P is the
// adjoint of LQ's matrix. With fewer reflections than the matrix has dimensions, they begin in the second row or column
// and leave the first row or column of C unchanged.
func bidiagonalProduct(a *routine.Args) orthogonalProduct {
	p := ordered(qrOrder)(a)
	t := a.Routine.Type
	inRows := a.Int(routine.Storev) == routine.StorevRows
	if inRows {
		p.reflections = lqOrder
		if p.op == 0 {
			p.op = int64(adjointOf(t))
		} else {
			p.op = 0
		}
	}
	order := p.order()
	if order > p.k || order == p.k && !inRows {
		return p
	}
	p.k = order - 1
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
func multiplyMethod(productOf func(*routine.Args) orthogonalProduct, text string) method {
	return method{
		needs: func(d *device, a *routine.Args) (driver.Needs, error) {
			t := a.Routine.Type
			p := productOf(withoutPointers(a))
			if p.k == 0 {
				return scratchNeeds(0), nil
			}
			rows, columns := p.storage()
			elements := max(rows*columns, p.m*p.n)
			sized := p
			sized.a, sized.c, sized.tau = p.sized(p.a, rows, columns), matrix{0, p.c.ld}, 0
			bytes, err := d.scratchOf(t, sized.call(t))
			list := scratchNeeds(bytes)
			list.Buffers = append(list.Buffers, p.copies(t, elements, p.k)...)
			if p.backward {
				list.Buffers = append(list.Buffers, driver.Buffer{ID: buffer.ReversedProduct,
					Bytes: uint64(p.m * p.n * t.Size())})
			}
			return list, err
		},
		run: func(x *execution) error {
			p := productOf(x.args)
			return x.multiply(&p)
		},
		buffers: slices.Concat(scratchBuffers, arrangeBuffers, []buffer.ID{buffer.ReversedProduct}), by: by(text),
	}
}

// multiply multiplies C by an orthogonal matrix.
func (x *execution) multiply(p *orthogonalProduct) (err error) {
	if p.k == 0 {
		return nil
	}
	rows, columns := p.storage()
	if p.a, err = x.arrange(p.reflections, p.a, rows, columns); err != nil {
		return err
	}
	if p.tau, err = x.arrangeScalars(p.reflections, p.tau, p.k); err != nil {
		return err
	}
	if !p.backward {
		return x.dense(p.call(x.args.Routine.Type), x.work(buffer.Info).Ptr)
	}
	return x.multiplyReversed(p)
}

// multiplyReversed multiplies C in reverse order. The copy of the reflections that is not reversed is no longer needed.
func (x *execution) multiplyReversed(p *orthogonalProduct) error {
	c, forward := p.c, matrix{x.work(buffer.ReorderedMatrix).Ptr, p.m}
	if err := x.copyMatrix(forward, c, p.m, p.n); err != nil {
		return err
	}
	p.c = matrix{x.work(buffer.ReversedProduct).Ptr, p.m}
	if err := x.reverse(p.c.at, forward.at, p.m*p.n); err != nil {
		return err
	}
	if err := x.dense(p.call(x.args.Routine.Type), x.work(buffer.Info).Ptr); err != nil {
		return err
	}
	if err := x.reverse(forward.at, p.c.at, p.m*p.n); err != nil {
		return err
	}
	return x.copyMatrix(c, forward, p.m, p.n)
}
