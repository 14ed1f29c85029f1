package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/routine"
)

// The updates do not read x and y, and do not change A, if alpha is 0.

// ger is ger, geru and gerc.
func ger[T blas.Number](p *problem[T]) {
	if p.alpha == 0 {
		return
	}
	m, n := p.int(routine.M), p.int(routine.N)
	x, y := p.adjacent(routine.X, routine.IncX, m), p.adjacent(routine.Y, routine.IncY, n)
	a := p.storage(m, n, m, n)
	a.AddOuter(p.conjugated(), n, p.alpha, x, y)
}

// syr is syr and her in dense and packed storage.
func syr[T blas.Number](p *problem[T]) {
	if p.alpha == 0 {
		return
	}
	n := p.int(routine.N)
	x, a := p.adjacent(routine.X, routine.IncX, n), p.storedTriangle()
	a.AddOuter(p.hermitian(), n, p.alpha, x, x)
	if p.hermitian() {
		a.MakeDiagonalReal()
	}
}

// syr2 is syr2 and her2 in dense and packed storage.
func syr2[T blas.Number](p *problem[T]) {
	if p.alpha == 0 {
		return
	}
	n, other := p.int(routine.N), p.alpha
	x, y := p.adjacent(routine.X, routine.IncX, n), p.adjacent(routine.Y, routine.IncY, n)
	a := p.storedTriangle()
	if p.hermitian() {
		other = blas.Conj(p.alpha)
	}
	a.AddOuter(p.hermitian(), n, p.alpha, x, y)
	a.AddOuter(p.hermitian(), n, other, y, x)
	if p.hermitian() {
		a.MakeDiagonalReal()
	}
}

// rankK returns a kernel of rank-k updates: syrk, herk, syrkx and herkx, or syr2k and her2k.
func rankK[T blas.Number](
	update func(uplo blas.Uplo, op blas.Op, hermitian bool, n, k int, alpha T, a, b blas.Matrix[T], beta T,
		c blas.Matrix[T]),
) body[T] {
	return func(p *problem[T]) {
		n, k, op := p.int(routine.N), p.int(routine.K), p.op(routine.TransA)
		if (p.alpha == 0 || k == 0) && p.beta == 1 {
			return // the imaginary parts of the diagonal stay, too
		}
		c := p.matrix(routine.C, n, n)
		a, b, k := p.factors(op, n, k)
		update(p.uplo(), op, p.hermitian(), n, k, p.alpha, a, b, p.beta, c)
	}
}

// factors returns the factors of a rank-k update; B is A if the routine has one factor. If alpha is 0, they are not
// read, and the returned rank is 0.
func (p *problem[T]) factors(op blas.Op, n, k int) (a, b blas.Matrix[T], rank int) {
	if p.alpha == 0 {
		return a, b, 0
	}
	a = p.operand(routine.A, op, n, k)
	b = a
	if _, ok := p.args.Routine.ParamAt(routine.B); ok {
		b = p.operand(routine.B, op, n, k)
	}
	return a, b, k
}
