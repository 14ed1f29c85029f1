package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/routine"
)

func updateKernels[T blas.Number]() kernels[T] {
	return kernels[T]{
		routine.Ger:  ger[T],
		routine.Geru: ger[T],
		routine.Gerc: ger[T],
		routine.Syr:  syr[T],
		routine.Her:  syr[T],
		routine.Spr:  syr[T],
		routine.Hpr:  syr[T],
		routine.Syr2: syr2[T],
		routine.Her2: syr2[T],
		routine.Spr2: syr2[T],
		routine.Hpr2: syr2[T],
	}
}

// adjacent returns the elements of a vector argument in order.
func (p *problem[T]) adjacent(s, inc routine.Slot, n int) []T {
	if x := p.vector(s, inc, n); p.ok() {
		return x.Adjacent()
	}
	return nil
}

// The updates do not read x and y, and do not change A, if alpha is 0.

// ger is ger, geru and gerc.
func ger[T blas.Number](p *problem[T]) {
	if p.alpha == 0 {
		return
	}
	m, n := p.int(routine.M), p.int(routine.N)
	x, y := p.adjacent(routine.X, routine.IncX, m), p.adjacent(routine.Y, routine.IncY, n)
	if a := p.storage(m, n, m, n); p.ok() {
		a.AddOuter(p.conjugated(), n, p.alpha, x, y)
	}
}

// syr is syr and her in dense and packed storage.
func syr[T blas.Number](p *problem[T]) {
	if p.alpha == 0 {
		return
	}
	n := p.int(routine.N)
	x, a := p.adjacent(routine.X, routine.IncX, n), p.storedTriangle()
	if !p.ok() {
		return
	}
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
	if !p.ok() {
		return
	}
	if p.hermitian() {
		other = blas.Conj(p.alpha)
	}
	a.AddOuter(p.hermitian(), n, p.alpha, x, y)
	a.AddOuter(p.hermitian(), n, other, y, x)
	if p.hermitian() {
		a.MakeDiagonalReal()
	}
}
