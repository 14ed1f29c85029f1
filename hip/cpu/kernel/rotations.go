package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

// rot uses the real part of a complex cosine.
func rot[T blas.Number](p *problem[T]) {
	c, s := blas.Real(p.scalar(routine.Cosine)), p.scalar(routine.Sine)
	onVectors(func(x, y blas.Vector[T]) { blas.Rotate(c, s, x, y) })(p)
}

func rotm[T blas.Number](p *problem[T]) {
	param := array[T](p, routine.RotationParam, 5)
	onVectors(func(x, y blas.Vector[T]) { blas.RotateModified(param, x, y) })(p)
}

func rotg[T blas.Number](p *problem[T]) {
	a, b := p.loadElement(routine.A), p.loadElement(routine.B)
	if blas.IsComplex[T]() {
		r, c, s := blas.MakeComplexRotation(a, b)
		p.storeElement(routine.A, 0, r)
		p.storeElement(routine.C, 0, complex(c, 0))
		p.storeElement(routine.D, 0, s)
		return
	}
	r, z, c, s := blas.MakeRotation(real(a), real(b))
	p.storeReals([]routine.Slot{routine.A, routine.B, routine.C, routine.D}, r, z, c, s)
}

func rotmg[T blas.Number](p *problem[T]) {
	d1, d2 := real(p.loadElement(routine.A)), real(p.loadElement(routine.B))
	x1, y1 := real(p.loadElement(routine.X)), real(p.loadElement(routine.Y))
	param, set := blas.MakeModifiedRotation(&d1, &d2, &x1, y1)
	p.storeReals([]routine.Slot{routine.A, routine.B, routine.X}, d1, d2, x1)
	for _, i := range set {
		p.storeElement(routine.RotationParam, i, complex(param[i], 0))
	}
}

var rotationPlanes = map[int64]lapack.Planes{
	routine.PivotVariable: lapack.Variable, routine.PivotTop: lapack.Top, routine.PivotBottom: lapack.Bottom,
}

func lasr[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	rotations := p.order() - 1
	c, s := p.reals(routine.VecC, rotations), p.reals(routine.VecS, rotations)
	a := p.matrix(routine.A, m, n)
	lapack.Lasr(p.side(), rotationPlanes[p.args.Int(routine.PivotMode)],
		p.args.Int(routine.Direct) == routine.DirectBackward, m, n, c.values(), s.values(), a)
}
