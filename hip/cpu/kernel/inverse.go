package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

// trtri inverts in invA, which may be A. The other triangle of invA becomes zero when it is not A.
func trtri[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, inverse := p.matrix(routine.A, n, n), p.matrix(routine.InvA, n, n)
	if &a.Data[0] != &inverse.Data[0] {
		copyTriangle(inverse, a, n, p.uplo())
	}
	lapack.Trtri(p.uplo(), p.diag(), n, inverse)
	if p.diag() == blas.Unit {
		for i := range n {
			inverse.Set(i, i, 1)
		}
	}
}

func solverTrtri[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a := p.matrix(routine.A, n, n)
	p.setInfo(lapack.Trtri(p.uplo(), p.diag(), n, a))
}
