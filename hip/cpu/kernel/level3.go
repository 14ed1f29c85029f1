package kernel

import (
	"math"

	"roclua/hip/cpu/blas"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// gemm adds to C.
func gemm[T blas.Number](p *problem[T]) { p.product(routine.C, routine.C) }

// product adds beta times one matrix to alpha op(A) op(B) and stores the sum in another matrix, or in the same one.
func (p *problem[T]) product(addend, to routine.Slot) {
	m, n := p.int(routine.M), p.int(routine.N)
	d := p.result(p.beta != 0 && addend == to, to, m, n)
	if p.beta != 0 && addend != to {
		blas.CopyMatrix(m, n, p.load(addend, m, n), d)
	}
	p.accumulate(m, n, d)
}

// accumulate stores alpha op(A) op(B) + beta D in D. Sums of products of bytes are exact in float64, and so are the low
// 32 bits of the result if alpha and beta are small.
func (p *problem[T]) accumulate(m, n int, d blas.Matrix[T]) {
	k := p.int(routine.K)
	if p.alpha == 0 || k == 0 {
		blas.ScaleMatrix(p.beta, m, n, d)
		return
	}
	opA, opB := p.op(routine.TransA), p.op(routine.TransB)
	a, b := p.operand(routine.A, opA, m, k), p.operand(routine.B, opB, k, n)
	p.multiply(opA, opB, m, n, k, a, b, d)
}

// Multiplications of a product between two calls of GivenUp, and the least number of columns of its panels. Narrower
// panels make large products slower.
const panelProducts, panelColumns = 1 << 26, 256

// multiply computes a product by panels of columns, which do not depend on each other.
func (p *problem[T]) multiply(opA, opB blas.Op, m, n, k int, a, b, c blas.Matrix[T]) {
	width := max(panelColumns, panelProducts/max(1, m*k))
	for j := 0; j < n && !p.mem.GivenUp(); j += width {
		first := j * b.LD
		if opB != blas.None {
			first = j
		}
		panel := blas.Matrix[T]{Data: b.Data[first:], LD: b.LD}
		result := blas.Matrix[T]{Data: c.Data[j*c.LD:], LD: c.LD}
		blas.Gemm(opA, opB, m, min(width, n-j), k, p.alpha, a, panel, p.beta, result)
	}
}

func symm[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	c := p.matrix(routine.C, m, n)
	if p.alpha == 0 {
		blas.ScaleMatrix(p.beta, m, n, c)
		return
	}
	a, b := p.matrix(routine.A, p.order(), p.order()), p.matrix(routine.B, m, n)
	blas.Symm(p.side(), p.uplo(), p.hermitian(), m, n, p.alpha, a, b, p.beta, c)
}

// trmm computes in C, which may be B.
func trmm[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	c := p.matrix(routine.C, m, n)
	if p.alpha == 0 {
		blas.ScaleMatrix(0, m, n, c)
		return
	}
	a, b := p.matrix(routine.A, p.order(), p.order()), p.matrix(routine.B, m, n)
	blas.CopyMatrix(m, n, b, c)
	blas.Trmm(p.side(), p.uplo(), p.op(routine.TransA), p.diag(), m, n, p.alpha, a, c)
}

// trsm solves panel by panel: columns of B on the left, rows on the right. Each solution remains in the workspace,
// where the library solves. The smaller workspace of the degraded form has narrower panels.
func trsm[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	b := p.matrix(routine.B, m, n)
	if p.alpha == 0 {
		blas.ScaleMatrix(0, m, n, b)
		return
	}
	a := p.matrix(routine.A, p.order(), p.order())
	scratch := p.solutionMemory()
	solve := func(rows, cols int, x blas.Matrix[T]) {
		blas.Trsm(p.side(), p.uplo(), p.op(routine.TransA), p.diag(), rows, cols, p.alpha, a, x)
	}
	width := len(scratch) / p.order()
	if width == 0 {
		solve(m, n, b)
		return
	}
	solvePanel := throughMemory[T]
	if apart(a.Data, b.Data) && apart(a.Data, scratch) && apart(b.Data, scratch) {
		solvePanel = inPlace[T]
	}
	if p.side() == blas.Left {
		for j := 0; j < n; j += width {
			cols := min(width, n-j)
			solvePanel(b.From(0, j), m, cols, scratch, solve)
		}
		return
	}
	for i := 0; i < m; i += width {
		rows := min(width, m-i)
		solvePanel(b.From(i, 0), rows, n, scratch, solve)
	}
}

// solutionMemory returns this problem's share of the workspace for solutions, which is empty for one column on the
// left.
func (p *problem[T]) solutionMemory() []T {
	all := work[T](p, buffer.Solution)
	share := len(all) / int(p.args.Batch())
	return all[int(p.index)*share : (int(p.index)+1)*share]
}

// throughMemory copies a panel to the workspace, solves there, and copies the solution back.
func throughMemory[T blas.Number](
	b blas.Matrix[T], rows, cols int, scratch []T, solve func(rows, cols int, x blas.Matrix[T]),
) {
	x := blas.Matrix[T]{Data: scratch[:rows*cols], LD: rows}
	blas.CopyMatrix(rows, cols, b, x)
	solve(rows, cols, x)
	blas.CopyMatrix(rows, cols, x, b)
}

// inPlace solves in the panel and copies the solution to the workspace. If the matrices and the workspace do not
// overlap, it has the effects of throughMemory, with one copy less.
func inPlace[T blas.Number](
	b blas.Matrix[T], rows, cols int, scratch []T, solve func(rows, cols int, x blas.Matrix[T]),
) {
	solve(rows, cols, b)
	blas.CopyMatrix(rows, cols, b, blas.Matrix[T]{Data: scratch[:rows*cols], LD: rows})
}

// gemmt touches no array if the result is C.
func gemmt[T blas.Number](p *problem[T]) {
	if p.alpha == 0 && p.beta == 1 {
		return
	}
	n, k := p.int(routine.N), p.int(routine.K)
	opA, opB := p.op(routine.TransA), p.op(routine.TransB)
	var a, b blas.Matrix[T]
	if p.alpha == 0 {
		k = 0
	} else {
		a, b = p.operand(routine.A, opA, n, k), p.operand(routine.B, opB, k, n)
	}
	c := p.matrix(routine.C, n, n)
	blas.TriangleOfProduct(p.uplo(), opA, opB, n, k, p.alpha, a, b, p.beta, c)
}

// gemmEx adds C and stores the sum in D.
func gemmEx[T blas.Number](p *problem[T]) { p.product(routine.C, routine.D) }

func syrkEx[T blas.Number](p *problem[T]) {
	n, k, op := p.int(routine.N), p.int(routine.K), p.op(routine.TransA)
	a, _, k := p.factors(op, n, k)
	c := blas.Matrix[T]{LD: n}
	if p.storedAs(routine.C) {
		c = p.matrix(routine.C, n, n)
	} else { // the other triangle is not touched
		c.Data = make([]T, n*n)
		p.converted(true, routine.C, c.Data, func(each func(int64, []byte, int)) {
			p.convert(routine.C, n, n, func(datatype int64, raw []byte, i int) {
				if row, col := i%n, i/n; row == col || (row < col) == (p.uplo() == blas.Upper) {
					each(datatype, raw, i)
				}
			})
		})
	}
	blas.RankK(p.uplo(), op, false, n, k, p.alpha, a, a, p.beta, c)
}

// geamEx stores the result in D, which may be one of the other matrices.
func geamEx[T blas.Number](p *problem[T]) {
	m, n, k := p.int(routine.M), p.int(routine.N), p.int(routine.K)
	plus := p.args.Int(routine.GeamOperation) == routine.GeamPlusMin
	var c blas.Matrix[T]
	if p.beta != 0 {
		c = p.load(routine.C, m, n)
	}
	d := blas.NewMatrix[T](m, n)
	blas.Add(blas.None, blas.None, m, n, p.beta, c, 0, c, d)
	if k > 0 {
		p.combine(plus, m, n, k, d)
	}
	blas.CopyMatrix(m, n, d, p.result(false, routine.D, m, n))
}

// combine joins D with A and B. With an alpha of 0 they are not read, and count as zeros.
func (p *problem[T]) combine(plus bool, m, n, k int, d blas.Matrix[T]) {
	if p.alpha == 0 {
		blas.Combine(plus, blas.None, blas.None, m, n, 1, 0, blas.NewMatrix[T](m, 1), blas.NewMatrix[T](1, n),
			p.largest(), d)
		return
	}
	opA, opB := p.op(routine.TransA), p.op(routine.TransB)
	a, b := p.operand(routine.A, opA, m, k), p.operand(routine.B, opB, k, n)
	for j := 0; j < n && !p.mem.GivenUp(); j++ { // columns do not depend on each other
		column := b.From(0, j)
		if opB != blas.None {
			column = b.From(j, 0)
		}
		blas.Combine(plus, opA, opB, m, 1, k, p.alpha, a, column, p.largest(), d.From(0, j))
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

func dgmm[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	a, c := p.matrix(routine.A, m, n), p.matrix(routine.C, m, n)
	x := p.adjacent(routine.X, routine.IncX, p.order())
	blas.MultiplyDiagonal(p.side(), m, n, a, x, c)
}

func geam[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	opA, opB := p.op(routine.TransA), p.op(routine.TransB)
	var a, b blas.Matrix[T]
	if p.alpha != 0 {
		a = p.operand(routine.A, opA, m, n)
	}
	if p.beta != 0 {
		b = p.operand(routine.B, opB, m, n)
	}
	c := p.matrix(routine.C, m, n)
	blas.Add(opA, opB, m, n, p.alpha, a, p.beta, b, c)
}

// The updates do not read x and y, and do not change A, if alpha is 0.

// ger is ger, geru and gerc.
func ger[T blas.Number](p *problem[T]) {
	if p.alpha == 0 {
		return
	}
	m, n := p.int(routine.M), p.int(routine.N)
	x, y := p.adjacent(routine.X, routine.IncX, m), p.adjacent(routine.Y, routine.IncY, n)
	a := p.storage(m, n, m, n)
	a.AddOuter(p.conjugated(), n, p.alpha, x, y)
}

// syr is syr and her in dense and packed storage.
func syr[T blas.Number](p *problem[T]) {
	if p.alpha == 0 {
		return
	}
	n := p.int(routine.N)
	x, a := p.adjacent(routine.X, routine.IncX, n), p.storedTriangle()
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
	if p.hermitian() {
		other = blas.Conj(p.alpha)
	}
	a.AddOuter(p.hermitian(), n, p.alpha, x, y)
	a.AddOuter(p.hermitian(), n, other, y, x)
	if p.hermitian() {
		a.MakeDiagonalReal()
	}
}

// rankK returns a kernel of rank-k updates: syrk, herk, syrkx and herkx, or syr2k and her2k.
func rankK[T blas.Number](
	update func(uplo blas.Uplo, op blas.Op, hermitian bool, n, k int, alpha T, a, b blas.Matrix[T], beta T,
		c blas.Matrix[T]),
) body[T] {
	return func(p *problem[T]) {
		n, k, op := p.int(routine.N), p.int(routine.K), p.op(routine.TransA)
		if (p.alpha == 0 || k == 0) && p.beta == 1 {
			return // the imaginary parts of the diagonal stay, too
		}
		c := p.matrix(routine.C, n, n)
		a, b, k := p.factors(op, n, k)
		update(p.uplo(), op, p.hermitian(), n, k, p.alpha, a, b, p.beta, c)
	}
}

// factors returns the factors of a rank-k update; B is A if the routine has one factor. If alpha is 0, they are not
// read, and the returned rank is 0.
func (p *problem[T]) factors(op blas.Op, n, k int) (a, b blas.Matrix[T], rank int) {
	if p.alpha == 0 {
		return a, b, 0
	}
	a = p.operand(routine.A, op, n, k)
	b = a
	if p.args.Routine.Has(routine.B) {
		b = p.operand(routine.B, op, n, k)
	}
	return a, b, k
}
