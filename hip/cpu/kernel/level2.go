package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

func matrixVectorKernels[T blas.Number]() kernels[T] {
	return kernels[T]{
		routine.Gemv: gemv[T],
		routine.Trmv: trmv[T],
		routine.Tpmv: trmv[T],
		routine.Tbmv: trmv[T],
		routine.Trsv: trsv[T],
		routine.Symv: symv[T],
		routine.Hemv: symv[T],
	}
}

// gemvRows is the number of rows whose column sums gemv keeps apart when it has a workspace for them.
const gemvRows = 1024

func gemv[T blas.Number](p *problem[T]) {
	op, m, n := p.op(routine.TransA), p.int(routine.M), p.int(routine.N)
	nx, ny := n, m
	if op != blas.None {
		nx, ny = m, n
	}
	if p.alpha == 0 {
		p.scaleY(ny)
		return
	}
	y := p.vector(routine.Y, routine.IncY, ny)
	a, x := p.matrix(routine.A, m, n), p.vector(routine.X, routine.IncX, nx)
	pieces := (m-1)/gemvRows + 1
	sums := workFor[T](p, buffer.ColumnSums, pieces*n)
	if !p.ok() {
		return
	}
	if op == blas.None || sums == nil {
		blas.Gemv(op, m, n, p.alpha, a, x, p.beta, y)
		return
	}
	for j := range n {
		for i := range pieces {
			sums[j*pieces+i] = blas.ColumnDot(op, a, x, j, i*gemvRows, min((i+1)*gemvRows, m))
		}
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

// scaleY is y = alpha A x + beta y with an alpha of 0: A and x are not read, and with a beta of 1 y is not touched
// either, so they may be null.
func (p *problem[T]) scaleY(n int) {
	if p.beta == 1 {
		return
	}
	if y := p.vector(routine.Y, routine.IncY, n); p.ok() {
		blas.Scale(p.beta, y)
	}
}

// triangle reads a triangular matrix in dense, band or packed storage. band is the number of its diagonals except the
// main one.
func (p *problem[T]) triangle() (t blas.Triangle[T], band int) {
	n, k := p.int(routine.N), p.int(routine.K)
	t = blas.Triangle[T]{N: n, Uplo: p.uplo(), Op: p.op(routine.TransA), Diag: p.diag()}
	param, _ := p.args.Routine.ParamAt(routine.A)
	switch param.Layout {
	case routine.Band:
		a := p.matrix(routine.A, k+1, n)
		t.At = func(i, j int) T {
			if t.Uplo == blas.Upper {
				return a.At(k+i-j, j)
			}
			return a.At(i-j, j)
		}
		return t, k
	case routine.Packed:
		packed := array[T](p, routine.A, int64(n)*int64(n+1)/2)
		t.At = func(i, j int) T {
			if t.Uplo == blas.Upper {
				return packed[i+j*(j+1)/2]
			}
			return packed[i-j+j*(2*n-j+1)/2]
		}
		return t, n
	}
	a := p.matrix(routine.A, n, n)
	t.At = a.At
	return t, n
}

// trmv is trmv, tpmv and tbmv: it computes the product in the workspace and copies it to x.
func trmv[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	t, band := p.triangle()
	x := p.vector(routine.X, routine.IncX, n)
	product := workFor[T](p, buffer.VectorCopy, n)
	if !p.ok() {
		return
	}
	if product == nil {
		p.fail("%s has no workspace for a copy of x", p.args.Routine.CName())
		return
	}
	copied := blas.Vector[T]{Data: product, N: n, Inc: 1}
	t.Multiply(x, copied, band)
	for i := range n {
		x.Set(i, copied.At(i))
	}
}

// trsv counts the finished rows of each problem in the workspace, as the library's blocks do.
func trsv[T blas.Number](p *problem[T]) {
	t, _ := p.triangle()
	x := p.vector(routine.X, routine.IncX, t.N)
	counter := workFor[int32](p, buffer.BlockCounters, 1)
	if !p.ok() {
		return
	}
	t.Solve(x)
	if counter != nil {
		counter[0] = int32(t.N)
	}
}

// symvColumns is the number of columns whose results symv and hemv keep apart.
const symvColumns = 64

func symv[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	if p.alpha == 0 {
		p.scaleY(n)
		return
	}
	y := p.vector(routine.Y, routine.IncY, n)
	a, x := p.matrix(routine.A, n, n), p.vector(routine.X, routine.IncX, n)
	blocks := (n-1)/symvColumns + 1
	sums := workFor[T](p, buffer.BlockColumns, blocks*n)
	if !p.ok() {
		return
	}
	if sums == nil {
		p.fail("%s has no workspace for block columns", p.args.Routine.CName())
		return
	}
	clear(sums)
	for b := range blocks {
		low, high := b*symvColumns, min((b+1)*symvColumns, n)
		blas.SymmetricColumns(p.uplo(), p.hermitian(), n, a, x, sums[b*n:(b+1)*n], low, high)
	}
	for b := 1; b < blocks; b++ {
		for i := range n {
			sums[i] += sums[b*n+i]
		}
	}
	blas.AddScaled(p.alpha, sums[:n], p.beta, y)
}
