package kernel

import (
	"math"

	"roclua/hip/cpu/blas"
	"roclua/hip/number"
	"roclua/hip/routine"
)

// gemmEx adds C and stores the sum in D.
func gemmEx[T blas.Number](p *problem[T]) { p.product(routine.C, routine.D) }

// syrkEx computes in C, or in other memory from which it converts the triangle.
func syrkEx[T blas.Number](p *problem[T]) {
	n, k, op := p.int(routine.N), p.int(routine.K), p.op(routine.TransA)
	var a blas.Matrix[T]
	if p.alpha == 0 {
		k = 0
	} else {
		a = p.operand(routine.A, op, n, k)
	}
	c, inPlace := blas.Matrix[T]{LD: n}, p.storedAs(routine.C)
	if inPlace {
		c = p.matrix(routine.C, n, n)
	} else {
		c.Data = make([]T, n*n)
		p.convertTriangle(n, func(datatype int64, raw []byte, i int) {
			c.Data[i] = blas.FromComplex[T](number.Load(datatype, raw))
		})
	}
	blas.RankK(p.uplo(), op, false, n, k, p.alpha, a, a, p.beta, c)
	if !inPlace {
		p.convertTriangle(n, func(datatype int64, raw []byte, i int) {
			number.Store(datatype, raw, blas.ToComplex(c.Data[i]))
		})
	}
}

// geamEx computes in T, in separate memory, and converts the result to D.
func geamEx[T blas.Number](p *problem[T]) {
	m, n, k := p.int(routine.M), p.int(routine.N), p.int(routine.K)
	plus := p.args.Int(routine.GeamOperation) == routine.GeamPlusMin
	var c blas.Matrix[T]
	if p.beta != 0 {
		c = p.load(routine.C, m, n)
	}
	d := blas.Matrix[T]{Data: make([]T, m*n), LD: m}
	if k > 0 {
		p.combine(plus, m, n, k, d)
	}
	// Without elements of A and B, the result is beta C in both operations.
	blas.AddSmaller(plus || k == 0, m, n, p.beta, c, d)
	p.convert(routine.D, m, n, func(datatype int64, raw []byte, i int) {
		number.Store(datatype, raw, blas.ToComplex(d.Data[i]))
	})
}

// combine stores the result without C in D. With an alpha of 0, A and B are not read, and the result is zero.
func (p *problem[T]) combine(plus bool, m, n, k int, d blas.Matrix[T]) {
	if p.alpha == 0 {
		return
	}
	opA, opB := p.op(routine.TransA), p.op(routine.TransB)
	a, b := p.operand(routine.A, opA, m, k), p.operand(routine.B, opB, k, n)
	for j := 0; j < n && !p.mem.GivenUp(); j++ { // columns do not depend on each other
		column := b.From(0, j)
		if opB != blas.None {
			column = b.From(j, 0)
		}
		if plus {
			blas.PlusMin(opA, opB, m, 1, k, p.alpha, a, column, d.From(0, j))
		} else {
			blas.MinPlus(opA, opB, m, 1, k, p.alpha, a, column, p.largest(), d.From(0, j))
		}
	}
}

// largest returns the largest result of the min-plus operation: the largest number of the type, or in half precision
// infinity.
func (p *problem[T]) largest() float64 {
	switch p.args.Int(routine.ComputeType) {
	case routine.DatatypeF32:
		return math.MaxFloat32
	case routine.DatatypeF64:
		return math.MaxFloat64
	}
	return math.Inf(1)
}
