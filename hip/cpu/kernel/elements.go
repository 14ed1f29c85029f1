package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

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

// convert calls a function with every element of a matrix of any type: its bytes and its index in a matrix of T without
// gaps.
func (p *problem[T]) convert(s routine.Slot, m, n int, each func(datatype int64, raw []byte, i int)) {
	param, _ := p.args.Routine.ParamAt(s)
	datatype, size, ld := p.args.Datatype(param), int(p.args.ElementBytes(param)), p.leading(s)
	if m == 0 || n == 0 {
		return
	}
	raw := array[byte](p, s, int64(ld*(n-1)+m)*int64(size))
	for j := range n {
		for i := range m {
			at := (i + j*ld) * size
			each(datatype, raw[at:at+size], i+j*m)
		}
	}
}

// converted fills x, if read is true, with elements of any type, which a function enumerates with their indices. If the
// kernel writes them, they are stored when the problem is computed.
func (p *problem[T]) converted(
	read bool, s routine.Slot, x []T, all func(each func(datatype int64, raw []byte, i int)),
) {
	if read {
		all(func(datatype int64, raw []byte, i int) { x[i] = blas.FromComplex[T](number.Load(datatype, raw)) })
	}
	if param, _ := p.args.Routine.ParamAt(s); param.Access.Writes() {
		p.atEnd = append(p.atEnd, func() {
			all(func(datatype int64, raw []byte, i int) { number.Store(datatype, raw, blas.ToComplex(x[i])) })
		})
	}
}

// load returns a matrix of any type as T: its own elements, or a copy, whose changes are stored when the problem is
// computed.
func (p *problem[T]) load(s routine.Slot, m, n int) blas.Matrix[T] { return p.result(true, s, m, n) }

// result is load of a matrix whose elements are read only if read is true.
func (p *problem[T]) result(read bool, s routine.Slot, m, n int) blas.Matrix[T] {
	if p.storedAs(s) {
		return p.matrix(s, m, n)
	}
	x := blas.NewMatrix[T](m, n)
	p.converted(read, s, x.Data, func(each func(int64, []byte, int)) { p.convert(s, m, n, each) })
	return x
}

// operand returns a matrix of any type on which an operation gives the given rows and columns.
func (p *problem[T]) operand(s routine.Slot, op blas.Op, rows, cols int) blas.Matrix[T] {
	if op != blas.None {
		rows, cols = cols, rows
	}
	return p.load(s, rows, cols)
}

// loadVector returns a vector of any type as T, like load.
func (p *problem[T]) loadVector(s, inc routine.Slot, n int) blas.Vector[T] {
	if p.storedAs(s) {
		return p.vector(s, inc, n)
	}
	x := blas.Vector[T]{Data: make([]T, n), N: n, Inc: 1}
	p.converted(true, s, x.Data, func(each func(int64, []byte, int)) {
		datatype, at := p.addresses(s, inc, n)
		for i := range n {
			each(datatype, at(i), i)
		}
	})
	return x
}

func copyTriangle[T blas.Number](to, from blas.Matrix[T], n int, uplo blas.Uplo) {
	for j := range n {
		for i := range n {
			if i == j || (i < j) == (uplo == blas.Upper) {
				to.Set(i, j, from.At(i, j))
			} else {
				to.Set(i, j, 0)
			}
		}
	}
}

// throughCopy solves in the copy of B in the workspace and copies the solution back.
func throughCopy[T blas.Number](p *problem[T], b blas.Matrix[T], n, nrhs int, solve func(x blas.Matrix[T])) {
	x := blas.Matrix[T]{Data: neededFor[T](p, buffer.RightSideCopy, n*nrhs), LD: n}
	blas.CopyMatrix(n, nrhs, b, x)
	solve(x)
	blas.CopyMatrix(n, nrhs, x, b)
}

// fromLeft replaces C, n x columns, by op(A) C.
func fromLeft[T blas.Number](op blas.Op, n, columns int, a, c blas.Matrix[T]) {
	product := blas.NewMatrix[T](n, columns)
	blas.Gemm(op, blas.None, n, columns, n, 1, a, c, 0, product)
	blas.CopyMatrix(n, columns, product, c)
}

// fromRight replaces C, rows x n, by C A.
func fromRight[T blas.Number](rows, n int, a, c blas.Matrix[T]) {
	product := blas.NewMatrix[T](rows, n)
	blas.Gemm(blas.None, blas.None, rows, n, n, 1, c, a, 0, product)
	blas.CopyMatrix(rows, n, product, c)
}

// reals returns n elements of an array of the real type of T in double precision. What the kernel stores in them is
// stored in the array, at the latest when the problem is computed. Without such an array they are other memory.
func (p *problem[T]) reals(s routine.Slot, n int) []float64 {
	param, ok := p.args.Routine.ParamAt(s)
	switch {
	case !ok:
		return make([]float64, max(n, 0))
	case !blas.IsSingle[T]():
		return array[float64](p, s, int64(n))
	}
	single := array[float32](p, s, int64(n))
	list := make([]float64, len(single))
	for i, v := range single {
		list[i] = float64(v)
	}
	if param.Access.Writes() {
		p.atEnd = append(p.atEnd, func() {
			for i, v := range list {
				single[i] = float32(v)
			}
		})
	}
	return list
}

// setReal stores a real result of this problem, if the routine has it.
func (p *problem[T]) setReal(s routine.Slot, v float64) { p.reals(s, 1)[0] = v }

// setInt stores a result of this problem, if the routine has it.
func (p *problem[T]) setInt(s routine.Slot, v int) {
	if cells := array[int32](p, s, 1); len(cells) > 0 {
		cells[0] = int32(v)
	}
}
