package lapack

import "roclua/hip/cpu/blas"

// panelWidth is the number of columns that a blocked factorization processes at a time.
const panelWidth = 48

// Getrf factorizes A, m x n, into P L U in place. With pivots nil it exchanges no rows. It returns the 1-based index of
// the first zero pivot, or 0; the factorization continues after a zero pivot.
func Getrf[T blas.Number](o *blas.OpenBLAS, m, n int, a blas.Matrix[T], pivots []int32) (info int) {
	for j := 0; j < min(m, n); j += panelWidth {
		width := min(panelWidth, min(m, n)-j)
		var panelPivots []int32
		if pivots != nil {
			panelPivots = pivots[j : j+width]
		}
		if at := Getf2(m-j, width, a.From(j, j), panelPivots); at != 0 && info == 0 {
			info = at + j
		}
		for i := range panelPivots {
			panelPivots[i] += int32(j)
		}
		if pivots != nil {
			Laswp(j, a, pivots, j, j+width, false)
			Laswp(n-j-width, a.From(0, j+width), pivots, j, j+width, false)
		}
		updateTrailing(o, m, n, j, width, a)
	}
	return info
}

// updateTrailing computes the rows of U to the right of a panel, and subtracts their product with L from the rest of A.
func updateTrailing[T blas.Number](o *blas.OpenBLAS, m, n, j, width int, a blas.Matrix[T]) {
	right, below := n-j-width, m-j-width
	blas.Trsm(o, blas.Left, blas.Lower, blas.None, blas.Unit, width, right, 1, a.From(j, j), a.From(j, j+width))
	blas.Gemm(o, blas.None, blas.None, below, right, width, -1, a.From(j+width, j), a.From(j, j+width),
		1, a.From(j+width, j+width))
}

// Getf2 is Getrf column by column.
func Getf2[T blas.Number](m, n int, a blas.Matrix[T], pivots []int32) (info int) {
	for j := range min(m, n) {
		p := j
		if pivots != nil {
			p, _ = blas.Extremum(blas.Vector[T]{Data: a.From(0, j).Data, N: m, Inc: 1}, false, j, m)
			pivots[j] = int32(p + 1)
			swapRows(n, a, j, p)
		}
		if a.At(j, j) == 0 {
			if info == 0 {
				info = j + 1
			}
			continue
		}
		for i := j + 1; i < m; i++ {
			a.Set(i, j, a.At(i, j)/a.At(j, j))
		}
		for c := j + 1; c < n; c++ {
			f := a.At(j, c)
			for i := j + 1; i < m; i++ {
				a.Set(i, c, a.At(i, c)-a.At(i, j)*f)
			}
		}
	}
	return info
}

func swapRows[T blas.Number](n int, a blas.Matrix[T], i, j int) {
	if i == j {
		return
	}
	for c := range n {
		x, y := a.At(i, c), a.At(j, c)
		a.Set(i, c, y)
		a.Set(j, c, x)
	}
}

// Laswp exchanges rows of n columns by the pivots low to high-1, forward or backward.
func Laswp[T blas.Number](n int, a blas.Matrix[T], pivots []int32, low, high int, backward bool) {
	for step := range high - low {
		i := low + step
		if backward {
			i = high - 1 - step
		}
		swapRows(n, a, i, int(pivots[i])-1)
	}
}

// Getrs solves op(A) X = B from the factors and pivots of Getrf; X replaces B.
func Getrs[T blas.Number](
	o *blas.OpenBLAS, op blas.Op, n, nrhs int, a blas.Matrix[T], pivots []int32, b blas.Matrix[T],
) {
	if op == blas.None {
		Laswp(nrhs, b, pivots, 0, n, false)
		blas.Trsm(o, blas.Left, blas.Lower, blas.None, blas.Unit, n, nrhs, 1, a, b)
		blas.Trsm(o, blas.Left, blas.Upper, blas.None, blas.NonUnit, n, nrhs, 1, a, b)
		return
	}
	blas.Trsm(o, blas.Left, blas.Upper, op, blas.NonUnit, n, nrhs, 1, a, b)
	blas.Trsm(o, blas.Left, blas.Lower, op, blas.Unit, n, nrhs, 1, a, b)
	Laswp(nrhs, b, pivots, 0, n, true)
}

// Getri replaces the factors of Getrf by the inverse. copied has n*n elements. If there is a zero pivot, Getri
// returns its 1-based index and changes nothing.
func Getri[T blas.Number](o *blas.OpenBLAS, n int, a blas.Matrix[T], pivots []int32, copied []T) (info int) {
	for j := range n {
		if a.At(j, j) == 0 {
			return j + 1
		}
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
	blas.Trsm(o, blas.Right, blas.Lower, blas.None, blas.Unit, n, n, 1, l, a)
	for j := n - 1; j >= 0; j-- {
		swapColumns(n, a, j, int(pivots[j])-1)
	}
	return 0
}

func swapColumns[T blas.Number](m int, a blas.Matrix[T], i, j int) {
	if i == j {
		return
	}
	for r := range m {
		x, y := a.At(r, i), a.At(r, j)
		a.Set(r, i, y)
		a.Set(r, j, x)
	}
}

// Trtri replaces a triangle by its inverse and does not change the other one. It returns the 1-based index of a zero on
// the diagonal, or 0.
func Trtri[T blas.Number](uplo blas.Uplo, diag blas.Diag, n int, a blas.Matrix[T]) (info int) {
	for j := range n {
		if diag == blas.NonUnit && a.At(j, j) == 0 {
			return j + 1
		}
	}
	for step := range n {
		j := step
		if uplo == blas.Lower {
			j = n - 1 - step
		}
		invertColumn(uplo, diag, n, a, j)
	}
	return 0
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
