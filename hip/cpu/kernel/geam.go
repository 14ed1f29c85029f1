package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/routine"
)

func dgmm[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	a, c := p.matrix(routine.A, m, n), p.matrix(routine.C, m, n)
	x := p.adjacent(routine.X, routine.IncX, p.order())
	blas.MultiplyDiagonal(p.side(), m, n, a, x, c)
}

func geam[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	opA, opB := p.op(routine.TransA), p.op(routine.TransB)
	var a, b blas.Matrix[T]
	if p.alpha != 0 {
		a = p.operand(routine.A, opA, m, n)
	}
	if p.beta != 0 {
		b = p.operand(routine.B, opB, m, n)
	}
	c := p.matrix(routine.C, m, n)
	blas.Add(opA, opB, m, n, p.alpha, a, p.beta, b, c)
}
