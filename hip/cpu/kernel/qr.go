package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

// factorInto is geqrf, geqlf, gelqf and gerqf.
func factorInto[T blas.Number](form lapack.Form) body[T] {
	return func(p *problem[T]) {
		m, n := p.int(routine.M), p.int(routine.N)
		a := p.matrix(routine.A, m, n)
		tau := array[T](p, routine.Ipiv, int64(min(m, n)))
		lapack.Factor(form, m, n, a, tau)
	}
}
