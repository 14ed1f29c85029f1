package kernel

import (
	"math"

	"roclua/hip/cpu/blas"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// The kernels of the _ex routines and of those of the 16-bit types. They use elements of the type that they compute in
// directly and convert others to it and back.

func mixedKernels[T blas.Number]() kernels[T] {
	return kernels[T]{
		routine.DotEx:  dotEx[T],
		routine.DotcEx: dotEx[T],
		routine.Nrm2Ex: nrm2Ex[T],
		routine.GemmEx: gemmEx[T],
		routine.SyrkEx: syrkEx[T],
	}
}

// exBlock is the number of elements that one block of an _ex reduction sums up.
const exBlock = 512

// elements reads a vector of any type.
func (p *problem[T]) elements(s, inc routine.Slot) func(i int) complex128 {
	datatype, at := p.addresses(s, inc, p.int(routine.N))
	return func(i int) complex128 { return number.Load(datatype, at(i)) }
}

// addresses returns the datatype of a vector of n elements, and a function that returns the bytes of element i.
func (p *problem[T]) addresses(s, inc routine.Slot, n int) (datatype int64, at func(i int) []byte) {
	param, _ := p.args.Routine.ParamAt(s)
	step, size := p.int(inc), int(p.args.ElementBytes(param))
	raw := array[byte](p, s, int64((n-1)*max(step, -step)+1)*int64(size))
	first := 0
	if step < 0 {
		first = (1 - n) * step
	}
	return p.args.Datatype(param), func(i int) []byte { return raw[(first+i*step)*size:][:size] }
}

// reductionEx is reduction with cells of any datatype.
func (p *problem[T]) reductionEx(
	cell int64, block int, partial func(i int) complex128, join func(a, b complex128) complex128,
) complex128 {
	n := p.int(routine.N)
	bytes, _ := routine.SizeofDatatype(cell)
	blocks, size := (n-1)/block+1, int(bytes)
	cells := work[byte](p, buffer.PartialSums)
	if first := int(p.index) * blocks * size; first+blocks*size <= len(cells) {
		cells = cells[first : first+blocks*size]
	} else {
		p.fail("a reduction of %d blocks has a workspace of %d cells", blocks, len(cells)/size)
		return 0
	}
	for b := range blocks {
		var sum complex128
		for i := b * block; i < min((b+1)*block, n); i++ {
			sum = join(sum, partial(i))
		}
		number.Store(cell, cells[b*size:], sum)
	}
	var total complex128
	for b := range blocks {
		total = join(total, number.Load(cell, cells[b*size:]))
	}
	return total
}

// resultEx stores a value in the result type, at the same address as result.
func (p *problem[T]) resultEx(v complex128) {
	param, _ := p.args.Routine.ParamAt(routine.Result)
	at, size := uint64(p.launch.Result), p.args.ElementBytes(param)
	if p.launch.OnDevice {
		at = p.args.Ptr(routine.Result)
	}
	if raw := slice[byte](p, at+uint64(p.index*size), size); p.ok() {
		number.Store(p.args.Datatype(param), raw, v)
	}
}

// dotEx is dot_ex and dotc_ex.
func dotEx[T blas.Number](p *problem[T]) { p.dotOfAny(p.args.Int(routine.ExecutionType), exBlock) }

// halfDot is hdot, which sums in half, and bfdot, which sums in float.
func halfDot[T blas.Number](p *problem[T]) {
	cell := int64(routine.DatatypeF16)
	if p.args.Routine.Type == routine.TypeBF {
		cell = routine.DatatypeF32
	}
	p.dotOfAny(cell, dotBlockHalf)
}

// dotOfAny multiplies vectors of any datatypes and keeps partial sums of blocks in the datatype cell.
func (p *problem[T]) dotOfAny(cell int64, block int) {
	x, y := p.elements(routine.X, routine.IncX), p.elements(routine.Y, routine.IncY)
	if !p.ok() {
		return
	}
	product := func(i int) complex128 {
		v := x(i)
		if p.conjugated() {
			v = complex(real(v), -imag(v))
		}
		return v * y(i)
	}
	p.resultEx(p.reductionEx(cell, block, product, func(a, b complex128) complex128 { return a + b }))
}

func nrm2Ex[T blas.Number](p *problem[T]) {
	x := p.elements(routine.X, routine.IncX)
	if !p.ok() {
		return
	}
	join := func(a, b complex128) complex128 {
		return complex(math.Hypot(real(a), math.Hypot(real(b), imag(b))), 0)
	}
	p.resultEx(p.reductionEx(p.args.Int(routine.ExecutionType), exBlock, x, join))
}

// storedAs reports whether elements of an array are of the type that the kernel computes in.
func (p *problem[T]) storedAs(s routine.Slot) bool {
	param, _ := p.args.Routine.ParamAt(s)
	var zero T
	datatype := p.args.Datatype(param)
	switch any(zero).(type) {
	case float32:
		return datatype == routine.DatatypeF32
	case float64:
		return datatype == routine.DatatypeF64
	case complex64:
		return datatype == routine.DatatypeF32C
	}
	return datatype == routine.DatatypeF64C
}

// eachElement calls a function with every element of a vector of any type: its bytes and its index.
func (p *problem[T]) eachElement(s, inc routine.Slot, n int, each func(datatype int64, raw []byte, i int)) {
	datatype, at := p.addresses(s, inc, n)
	if p.ok() {
		for i := range n {
			each(datatype, at(i), i)
		}
	}
}

// convert calls a function with every element of a matrix of any type: its bytes and its index in a matrix of T without
// gaps.
func (p *problem[T]) convert(s routine.Slot, m, n int, each func(datatype int64, raw []byte, i int)) {
	param, _ := p.args.Routine.ParamAt(s)
	datatype, size, ld := p.args.Datatype(param), int(p.args.ElementBytes(param)), p.leading(s)
	raw := array[byte](p, s, int64(ld*(n-1)+m)*int64(size))
	if !p.ok() {
		return
	}
	for j := range n {
		for i := range m {
			at := (i + j*ld) * size
			each(datatype, raw[at:at+size], i+j*m)
		}
	}
}

// load returns a matrix of any type as T.
func (p *problem[T]) load(s routine.Slot, m, n int) blas.Matrix[T] {
	if p.storedAs(s) {
		return p.matrix(s, m, n)
	}
	x := blas.Matrix[T]{Data: make([]T, m*n), LD: max(m, 1)}
	p.convert(s, m, n, func(datatype int64, raw []byte, i int) {
		x.Data[i] = blas.FromComplex[T](number.Load(datatype, raw))
	})
	return x
}

func gemmEx[T blas.Number](p *problem[T]) { p.productOfAny(routine.C, routine.D) }

// productOfAny adds beta times one matrix to a product and stores the sum in another, or in the same. It computes in T:
// in place, or in other memory from which the result is converted.
func (p *problem[T]) productOfAny(addend, to routine.Slot) {
	m, n := p.int(routine.M), p.int(routine.N)
	inPlace := p.storedAs(to)
	d := blas.Matrix[T]{LD: max(m, 1)}
	if inPlace {
		d = p.matrix(to, m, n)
	} else {
		d.Data = make([]T, m*n)
	}
	if p.beta != 0 {
		if c := p.load(addend, m, n); p.ok() {
			copyMatrix(d, c, m, n)
		}
	}
	p.accumulate(m, n, d)
	if !p.ok() || inPlace {
		return
	}
	p.convert(to, m, n, func(datatype int64, raw []byte, i int) {
		number.Store(datatype, raw, blas.ToComplex(d.Data[i]))
	})
}

// accumulate stores alpha op(A) op(B) + beta D in D. Sums of products of bytes are exact in float64, and so are the low
// 32 bits of the result as long as alpha and beta are small.
func (p *problem[T]) accumulate(m, n int, d blas.Matrix[T]) {
	k := p.int(routine.K)
	if p.alpha == 0 || k == 0 {
		if p.ok() {
			scaleMatrix(p.beta, m, n, d)
		}
		return
	}
	opA, opB := p.op(routine.TransA), p.op(routine.TransB)
	rowsA, colsA := stored(opA, m, k)
	rowsB, colsB := stored(opB, k, n)
	a, b := p.load(routine.A, rowsA, colsA), p.load(routine.B, rowsB, colsB)
	if p.ok() {
		blas.Gemm(p.blas, opA, opB, m, n, k, p.alpha, a, b, p.beta, d)
	}
}

// syrkEx computes in C, or in other memory from which it converts the triangle.
func syrkEx[T blas.Number](p *problem[T]) {
	n, k, op := p.int(routine.N), p.int(routine.K), p.op(routine.TransA)
	rows, cols := stored(op, n, k)
	var a blas.Matrix[T]
	if p.alpha == 0 {
		k = 0
	} else {
		a = p.load(routine.A, rows, cols)
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
	if !p.ok() {
		return
	}
	blas.RankK(p.uplo(), op, false, n, k, p.alpha, a, a, p.beta, c)
	if !inPlace {
		p.convertTriangle(n, func(datatype int64, raw []byte, i int) {
			number.Store(datatype, raw, blas.ToComplex(c.Data[i]))
		})
	}
}

// convertTriangle is convert for the triangle uplo of C.
func (p *problem[T]) convertTriangle(n int, each func(datatype int64, raw []byte, i int)) {
	upper := p.uplo() == blas.Upper
	p.convert(routine.C, n, n, func(datatype int64, raw []byte, i int) {
		if row, col := i%n, i/n; row == col || (row < col) == upper {
			each(datatype, raw, i)
		}
	})
}
