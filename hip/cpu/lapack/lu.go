package lapack

import "roclua/hip/cpu/blas"

// panelWidth is the number of columns that factorizations process one by one.
const panelWidth = 8

// Getrf factorizes A, m x n, into P L U in place. With pivots nil it exchanges no rows. It returns the 1-based index of
// the first zero pivot, or 0; the factorization continues after a zero pivot.
func Getrf[T blas.Number](m, n int, a blas.Matrix[T], pivots []int32) (info int) {
	info = factorColumns(m, min(m, n), a, pivots)
	if n > m {
		updateRight(m, m, n-m, a, pivots)
	}
	return info
}

// factorColumns is Getrf for n <= m. It halves the columns, because products of large matrices are fast.
func factorColumns[T blas.Number](m, n int, a blas.Matrix[T], pivots []int32) (info int) {
	if n <= panelWidth {
		return Getf2(m, n, a, pivots)
	}
	h := (n/2 + panelWidth - 1) / panelWidth * panelWidth
	var second []int32
	if pivots != nil {
		second = pivots[h:n]
	}
	info = factorColumns(m, h, a, pivots)
	updateRight(m, h, n-h, a, pivots)
	if at := factorColumns(m-h, n-h, a.From(h, h), second); at != 0 && info == 0 {
		info = at + h
	}
	for i := range second {
		second[i] += int32(h)
	}
	if pivots != nil {
		Laswp(h, a, pivots, h, n, false)
	}
	return info
}

// updateRight applies the factorization of the first columns to the columns on their right: it exchanges their rows,
// computes rows of U, and subtracts the product with L from the rows below.
func updateRight[T blas.Number](m, width, right int, a blas.Matrix[T], pivots []int32) {
	u := a.From(0, width)
	if pivots != nil {
		Laswp(right, u, pivots, 0, width, false)
	}
	blas.Trsm(blas.Left, blas.Lower, blas.None, blas.Unit, width, right, 1, a, u)
	blas.Gemm(blas.None, blas.None, m-width, right, width, -1, a.From(width, 0), u, 1, a.From(width, width))
}

// Getf2 is Getrf column by column.
func Getf2[T blas.Number](m, n int, a blas.Matrix[T], pivots []int32) (info int) {
	for j := range min(m, n) {
		column := a.Data[j*a.LD:][:m]
		p := j
		if pivots != nil {
			p, _ = blas.Extremum(blas.Vector[T]{Data: column, N: m, Inc: 1}, false, j, m)
			pivots[j] = int32(p + 1)
			swapRows(n, a, j, p)
		}
		if column[j] == 0 {
			if info == 0 {
				info = j + 1
			}
			continue
		}
		below := column[j+1:]
		blas.Divide(column[j], below)
		row, rest := a.From(j, j+1), a.From(j+1, j+1)
		blas.Gemm(blas.None, blas.None, m-j-1, n-j-1, 1, -1, a.From(j+1, j), row, 1, rest)
	}
	return info
}

func swapRows[T blas.Number](n int, a blas.Matrix[T], i, j int) {
	if i == j {
		return
	}
	for c := range n {
		column := a.Data[c*a.LD:]
		column[i], column[j] = column[j], column[i]
	}
}

// Laswp exchanges rows of n columns by the pivots low to high-1, forward or backward.
func Laswp[T blas.Number](n int, a blas.Matrix[T], pivots []int32, low, high int, backward bool) {
	const part = 32 // columns
	threads := blas.Threads()
	if n*(high-low) < 1<<16 {
		threads = 1
	}
	blas.Parallel(threads, (n+part-1)/part, func(task int) {
		for j := task * part; j < min(n, (task+1)*part); j++ {
			exchange(a.Data[j*a.LD:], pivots, low, high, backward)
		}
	})
}

// exchange is Laswp for one column.
func exchange[T blas.Number](column []T, pivots []int32, low, high int, backward bool) {
	for step := range high - low {
		i := low + step
		if backward {
			i = high - 1 - step
		}
		p := int(pivots[i]) - 1
		column[i], column[p] = column[p], column[i]
	}
}

// Getrs solves op(A) X = B from the factors and pivots of Getrf; X replaces B.
func Getrs[T blas.Number](
	op blas.Op, n, nrhs int, a blas.Matrix[T], pivots []int32, b blas.Matrix[T],
) {
	if op == blas.None {
		Laswp(nrhs, b, pivots, 0, n, false)
		blas.Trsm(blas.Left, blas.Lower, blas.None, blas.Unit, n, nrhs, 1, a, b)
		blas.Trsm(blas.Left, blas.Upper, blas.None, blas.NonUnit, n, nrhs, 1, a, b)
		return
	}
	blas.Trsm(blas.Left, blas.Upper, op, blas.NonUnit, n, nrhs, 1, a, b)
	blas.Trsm(blas.Left, blas.Lower, op, blas.Unit, n, nrhs, 1, a, b)
	Laswp(nrhs, b, pivots, 0, n, true)
}

// Getri replaces the factors of Getrf by the inverse; pivots nil means no exchanges. copied is memory for n*n elements.
// If there is a zero pivot, it returns its 1-based index and changes nothing.
func Getri[T blas.Number](n int, a blas.Matrix[T], pivots []int32, copied []T) (info int) {
	if info = firstZero(n, a); info != 0 {
		return info
	}
	Trtri(blas.Upper, blas.NonUnit, n, a)
	// inv(A) L = inv(U): move L out, then solve for inv(A) from the right.
	l := blas.Matrix[T]{Data: copied, LD: n}
	for j := range n {
		for i := j + 1; i < n; i++ {
			l.Set(i, j, a.At(i, j))
			a.Set(i, j, 0)
		}
	}
	blas.Trsm(blas.Right, blas.Lower, blas.None, blas.Unit, n, n, 1, l, a)
	for j := len(pivots) - 1; j >= 0; j-- {
		swapColumns(n, a, j, int(pivots[j])-1)
	}
	return 0
}

func swapColumns[T blas.Number](m int, a blas.Matrix[T], i, j int) {
	if i == j {
		return
	}
	x, y := a.Data[i*a.LD:][:m], a.Data[j*a.LD:][:m]
	for r, v := range x {
		x[r], y[r] = y[r], v
	}
}

// GetriOutOfPlace stores the inverse in C, from the factors and pivots of Getrf; nil means no exchanges. It returns the
// 1-based index of a zero pivot, or 0; with a zero pivot, C has elements that are not finite.
func GetriOutOfPlace[T blas.Number](n int, a blas.Matrix[T], pivots []int32, c blas.Matrix[T]) int {
	blas.SetIdentity(n, n, c)
	if pivots == nil {
		solveUnpivoted(n, n, a, c)
	} else {
		Getrs(blas.None, n, n, a, pivots, c)
	}
	return firstZero(n, a)
}

// Trtri replaces a triangle by its inverse and does not change the other one. It returns the 1-based index of a zero on
// the diagonal, or 0.
func Trtri[T blas.Number](uplo blas.Uplo, diag blas.Diag, n int, a blas.Matrix[T]) (info int) {
	if diag == blas.NonUnit {
		info = firstZero(n, a)
	}
	if info == 0 {
		invertTriangle(uplo, diag, n, a)
	}
	return info
}

// smallInverse is the order of triangles that are inverted column by column.
const smallInverse = 32

// invertTriangle halves the triangle: the inverse of [A B; 0 C] is [inv(A) -inv(A) B inv(C); 0 inv(C)].
func invertTriangle[T blas.Number](uplo blas.Uplo, diag blas.Diag, n int, a blas.Matrix[T]) {
	if n <= smallInverse {
		for step := range n {
			j := step
			if uplo == blas.Lower {
				j = n - 1 - step
			}
			invertColumn(uplo, diag, n, a, j)
		}
		return
	}
	h := n / 2
	second := a.From(h, h)
	if uplo == blas.Upper {
		off := a.From(0, h)
		blas.Trsm(blas.Left, uplo, blas.None, diag, h, n-h, -1, a, off)
		blas.Trsm(blas.Right, uplo, blas.None, diag, h, n-h, 1, second, off)
	} else {
		off := a.From(h, 0)
		blas.Trsm(blas.Left, uplo, blas.None, diag, n-h, h, -1, second, off)
		blas.Trsm(blas.Right, uplo, blas.None, diag, n-h, h, 1, a, off)
	}
	invertTriangle(uplo, diag, h, a)
	invertTriangle(uplo, diag, n-h, second)
}

// invertColumn computes column j of the inverse from the columns of the inverse that are already computed.
func invertColumn[T blas.Number](uplo blas.Uplo, diag blas.Diag, n int, a blas.Matrix[T], j int) {
	factor := T(0) - 1
	if diag == blas.NonUnit {
		a.Set(j, j, 1/a.At(j, j))
		factor = -a.At(j, j)
	}
	low, high := 0, j
	if uplo == blas.Lower {
		low, high = j+1, n
	}
	for step := range high - low {
		// A triangular product in place: no later element reads this one.
		i, from, to := low+step, low+step+1, high
		if uplo == blas.Lower {
			i = high - 1 - step
			from, to = low, i
		}
		sum := a.At(i, j)
		if diag == blas.NonUnit {
			sum *= a.At(i, i)
		}
		for k := from; k < to; k++ {
			sum += a.At(i, k) * a.At(k, j)
		}
		a.Set(i, j, sum)
	}
	for i := low; i < high; i++ {
		a.Set(i, j, a.At(i, j)*factor)
	}
}

// BlockTridiagonal is a block tridiagonal matrix with blocks of order NB. Each of its arrays has adjacent blocks: those
// below, on and above the diagonal.
type BlockTridiagonal[T blas.Number] struct {
	NB, Blocks             int
	Below, Diagonal, Above blas.Matrix[T]
}

// GeblttrfNpvt factorizes the matrix into L U without pivoting. The blocks on the diagonal become their LU factors; a
// block above the diagonal becomes its product with the inverse of the block on the left of it. It returns the 1-based
// index of the first zero pivot, or 0.
func GeblttrfNpvt[T blas.Number](m BlockTridiagonal[T]) (info int) {
	nb := m.NB
	for k := range m.Blocks {
		diagonal := m.Diagonal.From(0, k*nb)
		if k > 0 {
			blas.Gemm(blas.None, blas.None, nb, nb, nb, -1, m.Below.From(0, (k-1)*nb), m.Above.From(0, (k-1)*nb),
				1, diagonal)
		}
		if at := Getrf(nb, nb, diagonal, nil); at != 0 && info == 0 {
			info = at + k*nb
		}
		if k < m.Blocks-1 {
			solveUnpivoted(nb, nb, diagonal, m.Above.From(0, k*nb))
		}
	}
	return info
}

// GeblttrsNpvt solves M X = B from the factors of GeblttrfNpvt. X replaces B, which is an array of adjacent blocks of
// nrhs columns.
func GeblttrsNpvt[T blas.Number](m BlockTridiagonal[T], nrhs int, x blas.Matrix[T]) {
	nb := m.NB
	for k := range m.Blocks {
		part := x.From(0, k*nrhs)
		if k > 0 {
			blas.Gemm(blas.None, blas.None, nb, nrhs, nb, -1, m.Below.From(0, (k-1)*nb), x.From(0, (k-1)*nrhs),
				1, part)
		}
		solveUnpivoted(nb, nrhs, m.Diagonal.From(0, k*nb), part)
	}
	for k := m.Blocks - 2; k >= 0; k-- {
		blas.Gemm(blas.None, blas.None, nb, nrhs, nb, -1, m.Above.From(0, k*nb), x.From(0, (k+1)*nrhs), 1,
			x.From(0, k*nrhs))
	}
}

// solveUnpivoted solves A X = B from the factors of Getrf without pivots.
func solveUnpivoted[T blas.Number](n, nrhs int, a, b blas.Matrix[T]) {
	blas.Trsm(blas.Left, blas.Lower, blas.None, blas.Unit, n, nrhs, 1, a, b)
	blas.Trsm(blas.Left, blas.Upper, blas.None, blas.NonUnit, n, nrhs, 1, a, b)
}
