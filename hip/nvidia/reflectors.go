package nvidia

import (
	"slices"

	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// reflectorMethods make and apply elementary reflections and blocks of them.
var reflectorMethods = map[routine.FamilyID]method{
	routine.Larfg: {needs: larfgNeeds, run: larfg,
		buffers: append(slices.Clone(scratchBuffers), buffer.VectorCopy),
		by:      by("cusolverDn<t>geqrf of a matrix with one column")},
	routine.Lacgv: lacgvMethod,
	routine.Larf:  larfMethod,
	routine.Larft: {needs: larftNeeds, run: larft,
		buffers: append(slices.Clone(arrangeBuffers), buffer.FactorizationScratch, buffer.SquareCopy),
		by:      by("cusolverDnXlarft, for the adjoint matrix or in reverse order if needed")},
	routine.Larfb: {needs: larfbNeeds, run: larfb,
		buffers: []buffer.ID{buffer.ReorderedMatrix, buffer.SquareCopy, buffer.PackedTriangle, buffer.AppliedReflection,
			buffer.One},
		by: by("cublas<t>gemm_v2 and cublas<t>trmm_v2, with a copy of V that has its ones and zeros")},
}

// wideReflectors are the families that cuBLAS computes with 64-bit integers too.
var wideReflectors = map[routine.FamilyID]method{routine.Larf: larfMethod, routine.Lacgv: lacgvMethod}

var (
	lacgvMethod = method{needs: noNeeds, run: lacgv,
		by: by("cublas's scal_v2 of real numbers, which negates the imaginary parts")}

	larfMethod = method{needs: larfNeeds, run: larf,
		buffers: []buffer.ID{buffer.One, buffer.AppliedReflection},
		by:      by("cublas<t>gemv_v2 and cublas<ger>_v2")}
)

// lacgv multiplies the imaginary parts by -1: they are a vector of real numbers with twice the increment.
func lacgv(x *execution) {
	a, t, inc := x.args, x.args.Routine.Type, x.args.Int(routine.IncX)
	number.Store(routine.RealOf(t.Datatype()), x.scalars[0][:], -1)
	x.setPointerMode(false)
	x.blas("cublas<r>scal_v2"+wide(a), a.Int(routine.N), x.address(0), a.Int(routine.X)+t.RealSize(),
		2*max(inc, -inc))
}

func larfgNeeds(g *gpu, a *routine.Args) driver.Needs {
	n, t := a.Int(routine.N), a.Routine.Type
	bytes := g.scratchOf(t, geqrf(n, 1, matrix{0, max(1, n)}, 0))
	return scratchNeeds(bytes, elements(buffer.VectorCopy, t, n))
}

// larfg factorizes the matrix of one column with alpha above x.
func larfg(x *execution) {
	a, n, size := x.args, x.args.Int(routine.N), x.args.Routine.Type.Size()
	column, alpha := x.at(buffer.VectorCopy), a.Int(routine.C)
	x.copy(column, alpha, size)
	rest, v, inc := column+size, a.Int(routine.X), a.Int(routine.IncX)
	if n > 1 {
		x.blas("cublas<t>copy_v2", n-1, v, inc, rest, 1)
	}
	x.solve(geqrf(n, 1, matrix{column, n}, a.Int(routine.Tau)), x.at(buffer.Info))
	x.copy(alpha, column, size)
	if n > 1 {
		x.blas("cublas<t>copy_v2", n-1, rest, 1, v, inc)
	}
}

// larfNeeds returns a place for the product of A and the vector of the reflection, and for the negative scalar.
func larfNeeds(_ *gpu, a *routine.Args) driver.Needs {
	t := a.Routine.Type
	return needs(elements(buffer.AppliedReflection, t, max(a.Int(routine.M), a.Int(routine.N))),
		elements(buffer.One, t, 1))
}

// larf computes A - tau x (A^H x)^H or A - tau (A x) x^H.
func larf(x *execution) {
	a, t := x.args, x.args.Routine.Type
	m, n, to := a.Int(routine.M), a.Int(routine.N), matrixAt(a, routine.A)
	v, inc := a.Int(routine.X), a.Int(routine.IncX)
	product, tau := x.at(buffer.AppliedReflection), x.at(buffer.One)
	x.copy(tau, a.Int(routine.C), t.Size())
	one, zero := x.oneAndZero()
	op, first, inc1, second, inc2 := int64(0), product, int64(1), v, inc
	if a.Int(routine.Side) == routine.SideLeft {
		op, first, inc1, second, inc2 = adjointOf(t), v, inc, product, 1
	}
	x.blas("cublas<t>gemv_v2"+wide(a), op, m, n, one, to.at, to.ld, v, inc, zero, product, 1)
	x.blas("cublas<t>scal_v2", 1, x.constant(0, -1), tau, 1)
	x.setPointerMode(true)
	x.blas("cublas<ger>_v2"+wide(a), m, n, tau, first, inc1, second, inc2, to.at, to.ld)
}

// larftCall computes the triangular factor of k reflections that are stored in QR's order.
func larftCall(a *routine.Args, v matrix, tau int64, to matrix) solverCall {
	n, k, datatype := a.Int(routine.N), a.Int(routine.K), value(a, elementType)
	args := func(v, tau, to int64, ldv, ldt int64) []int64 {
		return ints(0, 0, 0, n, k, datatype, v, ldv, datatype, tau, datatype, to, ldt, datatype)
	}
	return solverCall{name: "cusolverDnXlarft", scratch: hostScratch, place: buffer.FactorizationScratch,
		args: args(v.at, tau, to.at, v.ld, to.ld), sizedBy: args(0, 0, 0, v.ld, to.ld)}
}

func larftNeeds(g *gpu, a *routine.Args) driver.Needs {
	o, n, k, t := blockOrder(a), a.Int(routine.N), a.Int(routine.K), a.Routine.Type
	bytes := g.scratchOf(t, larftCall(a, matrix{0, max(n, 1)}, 0, matrix{0, max(k, 1)}))
	list := needs(append([]driver.Buffer{{ID: buffer.FactorizationScratch, Bytes: bytes}},
		o.copies(t, max(n, k)*k, k)...)...)
	if o.backward {
		list.Buffers = append(list.Buffers, elements(buffer.SquareCopy, t, k*k))
	}
	return list
}

// larft computes the triangular factor. In reverse order, it is the factor of the reflections in reverse order.
func larft(x *execution) {
	a, o := x.args, blockOrder(x.args)
	n, k, to := a.Int(routine.N), a.Int(routine.K), matrixAt(a, routine.MatT)
	rows, columns := o.shape(n, k)
	v := o.arrange(x, matrixAt(a, routine.MatV), rows, columns)
	tau := o.arrangeScalars(x, a.Int(routine.Tau), k)
	if !o.backward {
		x.solve(larftCall(a, v, tau, to), noInfo)
		return
	}
	// The workspace of V is free again after the call.
	reversed := matrix{x.at(buffer.SquareCopy), k}
	fillZeros(x, reversed.at, k*k)
	x.solve(larftCall(a, v, tau, reversed), noInfo)
	qlOrder.restore(x, reversed, to, k, k)
}

// block is H = I - V T V^H, or its adjoint, of a call of larfb. V has k columns and as many rows as H.
type block struct {
	order
	left          bool
	m, n, rows, k int64
}

func blockOf(a *routine.Args) block {
	b := block{order: blockOrder(a), left: a.Int(routine.Side) == routine.SideLeft, m: a.Int(routine.M),
		n: a.Int(routine.N), k: a.Int(routine.K)}
	b.rows = b.n
	if b.left {
		b.rows = b.m
	}
	return b
}

func larfbNeeds(_ *gpu, a *routine.Args) driver.Needs {
	b, t := blockOf(a), a.Routine.Type
	return needs(elements(buffer.ReorderedMatrix, t, b.rows*b.k), elements(buffer.SquareCopy, t, b.k*b.k),
		elements(buffer.PackedTriangle, t, b.k*(b.k+1)/2),
		elements(buffer.AppliedReflection, t, (b.m+b.n-b.rows)*b.k), elements(buffer.One, t, 1))
}

// larfb computes A - V op(T) (V^H A) or A - (A V) op(T) V^H.
func larfb(x *execution) {
	a, b := x.args, blockOf(x.args)
	vectors := completeVectors(x, a, &b)
	one, zero := x.oneAndZero()
	to, t := matrixAt(a, routine.A), matrixAt(a, routine.MatT)
	v, adjointV := factor{vectors, 0}, factor{vectors, adjointOf(a.Routine.Type)}
	target, applied := factor{to, 0}, factor{matrix{x.at(buffer.AppliedReflection), b.m}, 0}
	rows, columns, side := b.m, b.k, int64(1)
	if b.left {
		applied.ld, rows, columns, side = b.k, b.k, b.n, 0
		product(x, b.k, b.n, b.m, one, adjointV, target, zero, applied.matrix)
	} else {
		product(x, b.m, b.k, b.n, one, target, v, zero, applied.matrix)
	}
	op := value(a, routine.TransA)
	if b.left && op != 0 { // the library takes the adjoint also for the transpose
		op = adjointOf(a.Routine.Type)
	}
	x.blas("cublas<t>trmm_v2", side, b.uplo(), op, nonUnit, rows, columns, one, t.at, t.ld, applied.at, applied.ld,
		applied.at, applied.ld)
	minus := x.constant(1, -1)
	if b.left {
		product(x, b.m, b.n, b.k, minus, v, applied, one, to)
	} else {
		product(x, b.m, b.n, b.k, minus, applied, adjointV, one, to)
	}
}

// uplo returns the half of T with the factor, and of a square of V with the ones and zeros that are not stored.
func (b *block) uplo() int64 {
	if b.backward {
		return lower
	}
	return upper
}

// completeVectors returns a copy of V in columns with the ones and zeros that are not stored: in the upper triangle of
// its first rows or, backward, in the lower triangle of its last rows.
func completeVectors(x *execution, a *routine.Args, b *block) matrix {
	writeOne(x)
	v, copied := matrix{x.at(buffer.ReorderedMatrix), b.rows}, copyMatrix
	if b.inRows {
		copied = adjoint
	}
	copied(x, v, matrixAt(a, routine.MatV), b.rows, b.k)
	square, to := matrix{x.at(buffer.SquareCopy), b.k}, v
	identity(x, square, b.k)
	if b.backward {
		to = v.from(a.Routine.Type, b.rows-b.k, 0)
	}
	copyTriangle(x, b.uplo(), b.k, to, square)
	return v
}
