package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// storage returns the matrix A with the given numbers of stored diagonals below and above the main one.
func (p *problem[T]) storage(rows, cols, below, above int) blas.Stored[T] {
	s := blas.Stored[T]{LD: p.leading(routine.A), Rows: rows, Below: below, Above: above}
	switch param, _ := p.args.Routine.ParamAt(routine.A); param.Layout {
	case routine.Band:
		s.Layout = blas.Banded
		s.Data = p.matrix(routine.A, below+above+1, cols).Data
	case routine.Packed:
		s.Layout = blas.Packed
		s.Data = array[T](p, routine.A, int64(cols)*int64(cols+1)/2)
	default:
		s.Data = p.matrix(routine.A, rows, cols).Data
	}
	return s
}

// storedTriangle returns the triangle uplo of A, of order n.
func (p *problem[T]) storedTriangle() blas.Stored[T] {
	n := p.int(routine.N)
	diagonals := n
	if param, _ := p.args.Routine.ParamAt(routine.A); param.Layout == routine.Band {
		diagonals = p.int(routine.K)
	}
	if p.uplo() == blas.Upper {
		return p.storage(n, n, 0, diagonals)
	}
	return p.storage(n, n, diagonals, 0)
}

func (p *problem[T]) triangle() blas.Triangle[T] {
	return blas.Triangle[T]{Stored: p.storedTriangle(), Op: p.op(routine.TransA), Diag: p.diag()}
}

// gemvRows is the number of rows of a piece of a column. gemv stores the sums of pieces separately if it has a
// workspace for them.
const gemvRows = 1024

// gemv is gemv for matrices and vectors of any types.
func gemv[T blas.Number](p *problem[T]) {
	op, m, n := p.op(routine.TransA), p.int(routine.M), p.int(routine.N)
	nx, ny := operands(op, m, n)
	if p.alpha == 0 {
		p.scaleY(ny)
		return
	}
	y := p.loadVector(routine.Y, routine.IncY, ny)
	a, x := p.load(routine.A, m, n), p.loadVector(routine.X, routine.IncX, nx)
	pieces := (m-1)/gemvRows + 1
	sums := workFor[T](p, buffer.ColumnSums, pieces*n)
	if op == blas.None || sums == nil {
		blas.Gemv(op, m, n, p.alpha, a, x, p.beta, y)
	} else {
		p.sumColumns(op, m, n, a, x, y, sums)
	}
}

// operands returns the lengths of x and y in a product with op(A), for an m x n matrix A.
func operands(op blas.Op, m, n int) (nx, ny int) {
	if op == blas.None {
		return n, m
	}
	return m, n
}

// sumColumns is gemv for a transposed matrix. It stores the sums of pieces of columns in the workspace.
func (p *problem[T]) sumColumns(op blas.Op, m, n int, a blas.Matrix[T], x, y blas.Vector[T], sums []T) {
	pieces, elements := len(sums)/n, x.Adjacent()
	for i := range pieces {
		low := i * gemvRows
		part := blas.Vector[T]{Data: elements[low:], N: min(gemvRows, m-low), Inc: 1}
		blas.Gemv(op, part.N, n, 1, a.From(low, 0), part, 0, blas.Vector[T]{Data: sums[i:], N: n, Inc: pieces})
	}
	blas.Scale(p.beta, y)
	for j := range n {
		var total T
		for _, v := range sums[j*pieces : (j+1)*pieces] {
			total += v
		}
		y.Set(j, y.At(j)+p.alpha*total)
	}
}

func gbmv[T blas.Number](p *problem[T]) {
	op, m, n := p.op(routine.TransA), p.int(routine.M), p.int(routine.N)
	nx, ny := operands(op, m, n)
	if p.alpha == 0 {
		p.scaleY(ny)
		return
	}
	a := p.storage(m, n, p.int(routine.KL), p.int(routine.KU))
	x, y := p.vector(routine.X, routine.IncX, nx), p.vector(routine.Y, routine.IncY, ny)
	blas.Scale(p.beta, y)
	sums := y.Adjacent()
	a.AddProduct(op, n, p.alpha, x.Adjacent(), sums)
	y.Store(sums)
}

// scaleY is y = alpha A x + beta y with an alpha of 0: A and x are not read, and with a beta of 1 y is not touched
// either, so they may be null.
func (p *problem[T]) scaleY(n int) {
	if p.beta == 1 {
		return
	}
	blas.Scale(p.beta, p.loadVector(routine.Y, routine.IncY, n))
}

// trmv is trmv, tpmv and tbmv: it computes the product in the workspace and copies it to x.
func trmv[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	t := p.triangle()
	x := p.vector(routine.X, routine.IncX, n)
	product := blas.Vector[T]{Data: neededFor[T](p, buffer.VectorCopy, n), N: n, Inc: 1}
	blas.CopyVector(x, product)
	t.Multiply(product.Data)
	blas.CopyVector(product, x)
}

// trsv is trsv, tpsv and tbsv. trsv counts the finished rows of each problem in the workspace, as the library's blocks
// do.
func trsv[T blas.Number](p *problem[T]) {
	t := p.triangle()
	x := p.vector(routine.X, routine.IncX, t.Rows)
	var counter []int32
	if p.args.Routine.Family.Uses(buffer.BlockCounters) {
		counter = workFor[int32](p, buffer.BlockCounters, 1)
	}
	solution := x.Adjacent()
	t.Solve(solution)
	x.Store(solution)
	if counter != nil {
		counter[0] = int32(t.Rows)
	}
}

// symvColumns is the number of columns of a block. symv and hemv store the results of blocks separately.
const symvColumns = 64

// symv is the product with a symmetric or Hermitian matrix in any storage. In dense storage the results of blocks of
// columns are separate in the workspace.
func symv[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	if p.alpha == 0 {
		p.scaleY(n)
		return
	}
	y := p.vector(routine.Y, routine.IncY, n)
	a, x := p.storedTriangle(), p.vector(routine.X, routine.IncX, n)
	width := n
	var sums []T
	if p.args.Routine.Family.Uses(buffer.BlockColumns) {
		width = symvColumns
		sums = neededFor[T](p, buffer.BlockColumns, ((n-1)/width+1)*n)
	} else {
		sums = make([]T, n)
	}
	clear(sums)
	adjacent := x.Adjacent()
	for low := 0; low < n; low += width {
		part := sums[low/width*n:][:n]
		a.AddSymmetric(p.hermitian(), adjacent, part, low, min(low+width, n))
		if low > 0 {
			blas.Axpy(1, part, sums)
		}
	}
	blas.AddScaled(p.alpha, sums[:n], p.beta, y)
}
