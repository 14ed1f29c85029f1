package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/routine"
)

func dgmm[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	a, c := p.matrix(routine.A, m, n), p.matrix(routine.C, m, n)
	if x := p.adjacent(routine.X, routine.IncX, p.order()); p.ok() {
		blas.MultiplyDiagonal(p.side(), m, n, a, x, c)
	}
}

func geam[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	opA, opB := p.op(routine.TransA), p.op(routine.TransB)
	var a, b blas.Matrix[T]
	if p.alpha != 0 {
		rows, cols := stored(opA, m, n)
		a = p.matrix(routine.A, rows, cols)
	}
	if p.beta != 0 {
		rows, cols := stored(opB, m, n)
		b = p.matrix(routine.B, rows, cols)
	}
	if c := p.matrix(routine.C, m, n); p.ok() {
		blas.Add(opA, opB, m, n, p.alpha, a, p.beta, b, c)
	}
}
