package kernel

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

func matrixKernels[T blas.Number]() kernels[T] {
	return kernels[T]{
		routine.Gemm:   gemm[T],
		routine.Symm:   symm[T],
		routine.Hemm:   symm[T],
		routine.Syrk:   rankK[T],
		routine.Herk:   rankK[T],
		routine.Syrkx:  rankK[T],
		routine.Herkx:  rankK[T],
		routine.Syr2k:  rank2K[T],
		routine.Her2k:  rank2K[T],
		routine.Trmm:   trmm[T],
		routine.Trsm:   trsm[T],
		routine.TrsmEx: trsm[T],
		routine.Trtri:  trtri[T],
	}
}

// stored returns the rows and columns that an operand has in memory.
func stored(op blas.Op, rows, cols int) (int, int) {
	if op == blas.None {
		return rows, cols
	}
	return cols, rows
}

// scaleMatrix multiplies C by beta, which needs neither factor.
func scaleMatrix[T blas.Number](beta T, m, n int, c blas.Matrix[T]) {
	for j := range n {
		blas.Scale(beta, blas.Vector[T]{Data: c.Data[j*c.LD:], N: m, Inc: 1})
	}
}

func gemm[T blas.Number](p *problem[T]) {
	if !p.storedAs(routine.C) {
		p.productOfAny(routine.C, routine.C)
		return
	}
	m, n, k := p.int(routine.M), p.int(routine.N), p.int(routine.K)
	opA, opB := p.op(routine.TransA), p.op(routine.TransB)
	c := p.matrix(routine.C, m, n)
	if p.alpha == 0 || k == 0 {
		if p.ok() {
			scaleMatrix(p.beta, m, n, c)
		}
		return
	}
	rowsA, colsA := stored(opA, m, k)
	rowsB, colsB := stored(opB, k, n)
	a, b := p.matrix(routine.A, rowsA, colsA), p.matrix(routine.B, rowsB, colsB)
	if p.ok() {
		p.multiply(opA, opB, m, n, k, a, b, c)
	}
}

// Multiplications of a product between two calls of GivenUp, and the least number of columns of its panels, with
// OpenBLAS and in Go: about a tenth of a second, unless a column takes longer. Narrower panels make large products
// slower.
const (
	panelProducts, panelColumns     = 1 << 32, 256
	panelProductsGo, panelColumnsGo = 1 << 26, 256
)

// multiply computes a product by panels of columns, which do not depend on each other.
func (p *problem[T]) multiply(opA, opB blas.Op, m, n, k int, a, b, c blas.Matrix[T]) {
	products, columns := panelProducts, panelColumns
	if p.blas == nil {
		products, columns = panelProductsGo, panelColumnsGo
	}
	width := max(columns, products/max(1, m*k))
	for j := 0; j < n && !p.mem.GivenUp(); j += width {
		first := j * b.LD
		if opB != blas.None {
			first = j
		}
		panel := blas.Matrix[T]{Data: b.Data[first:], LD: b.LD}
		result := blas.Matrix[T]{Data: c.Data[j*c.LD:], LD: c.LD}
		blas.Gemm(p.blas, opA, opB, m, min(width, n-j), k, p.alpha, a, panel, p.beta, result)
	}
}

// order returns the order of the square matrix of a two-sided product.
func (p *problem[T]) order() int {
	if p.side() == blas.Left {
		return p.int(routine.M)
	}
	return p.int(routine.N)
}

func symm[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	c := p.matrix(routine.C, m, n)
	if p.alpha == 0 {
		if p.ok() {
			scaleMatrix(p.beta, m, n, c)
		}
		return
	}
	a, b := p.matrix(routine.A, p.order(), p.order()), p.matrix(routine.B, m, n)
	if p.ok() {
		blas.Symm(p.side(), p.uplo(), p.hermitian(), m, n, p.alpha, a, b, p.beta, c)
	}
}

// rankK is syrk, herk, syrkx and herkx.
func rankK[T blas.Number](p *problem[T]) {
	n, k, op := p.int(routine.N), p.int(routine.K), p.op(routine.TransA)
	if p.keepsC(k) {
		return
	}
	c := p.matrix(routine.C, n, n)
	a, b, k := p.factors(op, n, k)
	if p.ok() {
		blas.RankK(p.uplo(), op, p.hermitian(), n, k, p.alpha, a, b, p.beta, c)
	}
}

func rank2K[T blas.Number](p *problem[T]) {
	n, k, op := p.int(routine.N), p.int(routine.K), p.op(routine.TransA)
	if p.keepsC(k) {
		return
	}
	c := p.matrix(routine.C, n, n)
	a, b, k := p.factors(op, n, k)
	if p.ok() {
		blas.Rank2K(p.uplo(), op, p.hermitian(), n, k, p.alpha, a, b, p.beta, c)
	}
}

// keepsC reports whether the result of a rank-k update is C. Then also the imaginary parts of its diagonal stay.
func (p *problem[T]) keepsC(k int) bool { return (p.alpha == 0 || k == 0) && p.beta == 1 }

// factors returns the factors of a rank-k update, B being A when the routine has one. With an alpha of 0 they are not
// read, which a k of 0 says.
func (p *problem[T]) factors(op blas.Op, n, k int) (a, b blas.Matrix[T], rank int) {
	if p.alpha == 0 {
		return a, b, 0
	}
	rows, cols := stored(op, n, k)
	a = p.matrix(routine.A, rows, cols)
	b = a
	if _, ok := p.args.Routine.ParamAt(routine.B); ok {
		b = p.matrix(routine.B, rows, cols)
	}
	return a, b, k
}

// trmm computes in C, which may be B.
func trmm[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	c := p.matrix(routine.C, m, n)
	if p.alpha == 0 {
		if p.ok() {
			scaleMatrix(0, m, n, c)
		}
		return
	}
	a, b := p.matrix(routine.A, p.order(), p.order()), p.matrix(routine.B, m, n)
	if !p.ok() {
		return
	}
	copyMatrix(c, b, m, n)
	blas.Trmm(p.side(), p.uplo(), p.op(routine.TransA), p.diag(), m, n, p.alpha, a, c)
}

func copyMatrix[T blas.Number](to, from blas.Matrix[T], m, n int) {
	for j := range n {
		copy(to.Data[j*to.LD:j*to.LD+m], from.Data[j*from.LD:j*from.LD+m])
	}
}

// trsm solves panel by panel: columns of B on the left, rows on the right. Each solution is left in the workspace, in
// which the library solves. The smaller workspace of the degraded form has narrower panels.
func trsm[T blas.Number](p *problem[T]) {
	m, n := p.int(routine.M), p.int(routine.N)
	b := p.matrix(routine.B, m, n)
	if p.alpha == 0 {
		if p.ok() {
			scaleMatrix(0, m, n, b)
		}
		return
	}
	a := p.matrix(routine.A, p.order(), p.order())
	scratch := p.solutionMemory()
	if !p.ok() {
		return
	}
	solve := func(rows, cols int, x blas.Matrix[T]) {
		blas.Trsm(p.blas, p.side(), p.uplo(), p.op(routine.TransA), p.diag(), rows, cols, p.alpha, a, x)
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
	copyMatrix(x, b, rows, cols)
	solve(rows, cols, x)
	copyMatrix(b, x, rows, cols)
}

// inPlace solves in the panel and copies the solution to the workspace. If the matrices and the workspace are apart, it
// leaves in all of them what throughMemory does, with one copy less.
func inPlace[T blas.Number](
	b blas.Matrix[T], rows, cols int, scratch []T, solve func(rows, cols int, x blas.Matrix[T]),
) {
	solve(rows, cols, b)
	copyMatrix(blas.Matrix[T]{Data: scratch[:rows*cols], LD: rows}, b, rows, cols)
}

// trtri inverts in invA, which may be A. The other triangle of invA becomes zero when it is not A.
func trtri[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, inverse := p.matrix(routine.A, n, n), p.matrix(routine.InvA, n, n)
	if !p.ok() {
		return
	}
	if &a.Data[0] != &inverse.Data[0] {
		copyTriangle(inverse, a, n, p.uplo())
	}
	lapack.Trtri(p.uplo(), p.diag(), n, inverse)
	if p.diag() == blas.Unit {
		for i := range n {
			inverse.Set(i, i, 1)
		}
	}
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
