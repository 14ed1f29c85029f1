package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

func qrKernels[T blas.Number]() kernels[T] {
	all := kernels[T]{routine.Gels: gels[T]}
	for _, group := range []struct {
		form                      lapack.Form
		factor, product, generate []routine.FamilyID
	}{
		{lapack.QR, []routine.FamilyID{routine.Geqrf, routine.Geqr2},
			[]routine.FamilyID{routine.Ormqr, routine.Orm2r}, []routine.FamilyID{routine.Orgqr, routine.Org2r}},
		{lapack.QL, []routine.FamilyID{routine.Geqlf, routine.Geql2},
			[]routine.FamilyID{routine.Ormql, routine.Orm2l}, []routine.FamilyID{routine.Orgql, routine.Org2l}},
		{lapack.LQ, []routine.FamilyID{routine.Gelqf, routine.Gelq2},
			[]routine.FamilyID{routine.Ormlq, routine.Orml2}, []routine.FamilyID{routine.Orglq, routine.Orgl2}},
		{lapack.RQ, []routine.FamilyID{routine.Gerqf, routine.Gerq2}, nil, nil},
	} {
		for _, id := range group.factor {
			all[id] = factorInto[T](group.form)
		}
		for _, id := range group.product {
			all[id] = multiplyBy[T](group.form)
		}
		for _, id := range group.generate {
			all[id] = generate[T](group.form)
		}
	}
	return all
}

// factorInto is geqrf, geqlf, gelqf and gerqf.
func factorInto[T blas.Number](form lapack.Form) body[T] {
	return func(p *problem[T]) {
		m, n := p.int(routine.M), p.int(routine.N)
		a := p.matrix(routine.A, m, n)
		tau := array[T](p, routine.Ipiv, int64(min(m, n)))
		if p.ok() {
			lapack.Factor(p.blas, form, m, n, a, tau)
		}
	}
}

// generate is orgqr, orgql and orglq.
func generate[T blas.Number](form lapack.Form) body[T] {
	return func(p *problem[T]) {
		m, n, k := p.int(routine.M), p.int(routine.N), p.int(routine.K)
		a := p.matrix(routine.A, m, n)
		tau := array[T](p, routine.Ipiv, int64(k))
		if p.ok() {
			lapack.Generate(p.blas, form, m, n, k, a, tau)
		}
	}
}

// multiplyBy is ormqr, ormql and ormlq.
func multiplyBy[T blas.Number](form lapack.Form) body[T] {
	return func(p *problem[T]) {
		m, n, k := p.int(routine.M), p.int(routine.N), p.int(routine.K)
		order := m
		if p.side() == blas.Right {
			order = n
		}
		a, c := p.reflections(routine.A, form, order, k), p.matrix(routine.C, m, n)
		tau := array[T](p, routine.Ipiv, int64(k))
		if p.ok() {
			lapack.Multiply(p.blas, form, p.side(), p.op(routine.TransA), m, n, k, a, tau, c)
		}
	}
}

func gels[T blas.Number](p *problem[T]) {
	m, n, nrhs := p.int(routine.M), p.int(routine.N), p.int(routine.NRHS)
	a, b := p.matrix(routine.A, m, n), p.matrix(routine.B, max(m, n), nrhs)
	if p.ok() {
		p.setInfo(lapack.Gels(p.blas, p.op(routine.TransA), m, n, nrhs, a, b))
	}
}
