package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/routine"
)

// gemvRows is the number of rows whose column sums gemv keeps apart when memory was lent for them.
const gemvRows = 1024

func gemv[T blas.Number](p *problem[T]) {
	op, m, n := p.op(routine.TransA), p.int(routine.M), p.int(routine.N)
	nx, ny := n, m
	if op != blas.None {
		nx, ny = m, n
	}
	y := p.vector(routine.Y, routine.IncY, ny)
	if p.alpha == 0 {
		// Neither A nor x is read then, and they may be null.
		if p.ok() {
			blas.Scale(p.beta, y)
		}
		return
	}
	a, x := p.matrix(routine.A, m, n), p.vector(routine.X, routine.IncX, nx)
	pieces := (m-1)/gemvRows + 1
	sums := workFor[T](p, 0, pieces*n)
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

// triangle reads the triangular matrix of trmv, tpmv, tbmv and trsv in its storage. band is the number of diagonals
// beside the main one.
func (p *problem[T]) triangle() (t blas.Triangle[T], band int) {
	n, k := p.int(routine.N), p.int(routine.K)
	t = blas.Triangle[T]{N: n, Uplo: p.uplo(), Op: p.op(routine.TransA), Diag: p.diag()}
	switch p.family() {
	case "tbmv":
		a := p.matrix(routine.A, k+1, n)
		t.At = func(i, j int) T {
			if t.Uplo == blas.Upper {
				return a.At(k+i-j, j)
			}
			return a.At(i-j, j)
		}
		return t, k
	case "tpmv":
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

// trmv is trmv, tpmv and tbmv: the product is made in the lent copy, then overwrites x.
func trmv[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	t, band := p.triangle()
	x := p.vector(routine.X, routine.IncX, n)
	product := workFor[T](p, 0, n)
	if !p.ok() {
		return
	}
	if product == nil {
		p.fail("%s was lent no memory for a copy of x", p.args.Routine.CName())
		return
	}
	copied := blas.Vector[T]{Data: product, N: n, Inc: 1}
	t.Multiply(x, copied, band)
	for i := range n {
		x.Set(i, copied.At(i))
	}
}

// trsv counts the finished rows of each problem in the lent counter, as the library's blocks do.
func trsv[T blas.Number](p *problem[T]) {
	t, _ := p.triangle()
	x := p.vector(routine.X, routine.IncX, t.N)
	counter := workFor[int32](p, 0, 1)
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
	n, hermitian := p.int(routine.N), p.family() == "hemv"
	y := p.vector(routine.Y, routine.IncY, n)
	if p.alpha == 0 {
		if p.ok() {
			blas.Scale(p.beta, y)
		}
		return
	}
	a, x := p.matrix(routine.A, n, n), p.vector(routine.X, routine.IncX, n)
	blocks := (n-1)/symvColumns + 1
	sums := workFor[T](p, 0, blocks*n)
	if !p.ok() {
		return
	}
	if sums == nil {
		p.fail("%s was lent no memory for block columns", p.args.Routine.CName())
		return
	}
	clear(sums)
	for b := range blocks {
		blas.SymmetricColumns(p.uplo(), hermitian, n, a, x, sums[b*n:(b+1)*n], b*symvColumns, min((b+1)*symvColumns, n))
	}
	for b := 1; b < blocks; b++ {
		for i := range n {
			sums[i] += sums[b*n+i]
		}
	}
	blas.AddScaled(p.alpha, sums[:n], p.beta, y)
}
