package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/number"
	"roclua/hip/routine"
)

// The kernels that write vectors, of one type or of any types.

func vectorKernels[T blas.Number]() kernels[T] {
	return kernels[T]{
		routine.Axpy:     axpy[T],
		routine.AxpyEx:   axpy[T],
		routine.Copy:     onVectors(blas.CopyVector[T]),
		routine.Swap:     onVectors(blas.SwapVectors[T]),
		routine.Scal:     scal[T],
		routine.RealScal: scal[T],
		routine.ScalEx:   scal[T],
		routine.Rot:      rot[T],
		routine.RealRot:  rot[T],
		routine.RotEx:    rot[T],
		routine.Rotg:     rotg[T],
		routine.Rotm:     rotm[T],
		routine.Rotmg:    rotmg[T],
	}
}

// onVectors is the kernel of a function of x and y.
func onVectors[T blas.Number](compute func(x, y blas.Vector[T])) body[T] {
	return func(p *problem[T]) {
		n := p.int(routine.N)
		x, y := p.loadVector(routine.X, routine.IncX, n), p.loadVector(routine.Y, routine.IncY, n)
		if !p.ok() {
			return
		}
		compute(x, y)
		if param, _ := p.args.Routine.ParamAt(routine.X); param.Access.Writes() {
			p.storeVector(routine.X, routine.IncX, x)
		}
		p.storeVector(routine.Y, routine.IncY, y)
	}
}

// loadVector returns a vector of any type as T: its own elements, or a copy of them.
func (p *problem[T]) loadVector(s, inc routine.Slot, n int) blas.Vector[T] {
	if p.storedAs(s) {
		return p.vector(s, inc, n)
	}
	x := blas.Vector[T]{Data: make([]T, n), N: n, Inc: 1}
	p.eachElement(s, inc, n, func(datatype int64, raw []byte, i int) {
		x.Data[i] = blas.FromComplex[T](number.Load(datatype, raw))
	})
	return x
}

// storeVector stores what loadVector returned.
func (p *problem[T]) storeVector(s, inc routine.Slot, x blas.Vector[T]) {
	if p.storedAs(s) {
		return
	}
	p.eachElement(s, inc, x.N, func(datatype int64, raw []byte, i int) {
		number.Store(datatype, raw, blas.ToComplex(x.Data[i]))
	})
}

// axpy reads neither vector if alpha is 0.
func axpy[T blas.Number](p *problem[T]) {
	if p.alpha != 0 {
		onVectors(func(x, y blas.Vector[T]) { blas.AddVector(p.alpha, x, y) })(p)
	}
}

func scal[T blas.Number](p *problem[T]) {
	if p.alpha == 1 {
		return
	}
	x := p.loadVector(routine.X, routine.IncX, p.int(routine.N))
	if p.ok() {
		blas.ScaleVector(p.alpha, x)
		p.storeVector(routine.X, routine.IncX, x)
	}
}

// rot uses the real part of a complex cosine.
func rot[T blas.Number](p *problem[T]) {
	c, s := blas.Real(p.scalar(routine.Cosine)), p.scalar(routine.Sine)
	onVectors(func(x, y blas.Vector[T]) { blas.Rotate(c, s, x, y) })(p)
}

func rotm[T blas.Number](p *problem[T]) {
	param := array[T](p, routine.RotationParam, 5)
	onVectors(func(x, y blas.Vector[T]) { blas.RotateModified(param, x, y) })(p)
}

// element returns the bytes of element i of an array of this problem, and its datatype.
func (p *problem[T]) element(s routine.Slot, i int64) (raw []byte, datatype int64) {
	param, _ := p.args.Routine.ParamAt(s)
	size := p.args.ElementBytes(param)
	raw = array[byte](p, s, (i+1)*size)
	if !p.ok() {
		return nil, 0
	}
	return raw[i*size:], p.args.Datatype(param)
}

func (p *problem[T]) loadElement(s routine.Slot) complex128 {
	if raw, datatype := p.element(s, 0); p.ok() {
		return number.Load(datatype, raw)
	}
	return 0
}

func (p *problem[T]) storeElement(s routine.Slot, i int, v complex128) {
	if raw, datatype := p.element(s, int64(i)); p.ok() {
		number.Store(datatype, raw, v)
	}
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

// storeReals stores real numbers in arguments of one element, in this order: of arguments with the same address, the
// last one counts.
func (p *problem[T]) storeReals(slots []routine.Slot, values ...float64) {
	for i, slot := range slots {
		p.storeElement(slot, 0, complex(values[i], 0))
	}
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
