package lapack

import (
	"math"
	"slices"

	"roclua/hip/cpu/blas"
)

// Widths of panels of a QR factorization: whose reflections are applied together, and whose columns are processed one
// by one.
const (
	reflectorWidth = 64
	smallReflector = 32
)

// Geqrf factorizes A, m x n, into Q R by Householder reflections H = I - tau v v^H. R is in the upper triangle, the
// vectors without their first element, which is one, are below the diagonal, and their scalars are in tau.
func Geqrf[T blas.Number](m, n int, a blas.Matrix[T], tau []T) {
	for j := 0; j < min(m, n); j += reflectorWidth {
		width := min(reflectorWidth, min(m, n)-j)
		factorPanel(m-j, width, n-j-width, a.From(j, j), tau[j:])
	}
}

// factorPanel factorizes the first n columns of a matrix, and applies their reflections to the columns on the right of
// them. It halves the columns.
func factorPanel[T blas.Number](m, n, right int, a blas.Matrix[T], tau []T) {
	if n <= smallReflector {
		factorSmall(m, n, a, tau)
	} else {
		h := n / 2
		factorPanel(m, h, n-h, a, tau)
		factorPanel(m-h, n-h, 0, a.From(h, h), tau[h:])
	}
	if right > 0 {
		blas.WithScratch(blockSize(m, n), func(memory []T) {
			newBlock(memory, QR, m, n, a, tau).apply(blas.Left, blas.ConjTrans, right, a.From(0, n))
		})
	}
}

// factorSmall is factorPanel column by column.
func factorSmall[T blas.Number](m, n int, a blas.Matrix[T], tau []T) {
	for j := range n {
		v := a.From(j, j).Data[:m-j]
		tau[j] = reflect(m-j, v)
		diagonal := v[0]
		v[0] = 1
		Larf(blas.Left, m-j, n-j-1, blas.Vector[T]{Data: v, N: m - j, Inc: 1}, blas.Conj(tau[j]), a.From(j, j+1))
		v[0] = diagonal
	}
}

// reflect computes the reflection that maps x to a multiple of its first element. It stores that element, beta, and
// below it v, and returns tau.
func reflect[T blas.Number](n int, x []T) T {
	rest := blas.Nrm2(blas.Vector[T]{Data: x, N: n, Inc: 1}, 1, n)
	alpha := x[0]
	re := blas.Real(alpha)
	im := blas.Real(alpha * blas.FromComplex[T](complex(0, -1)))
	if !blas.IsComplex[T]() {
		im = 0
	}
	if rest == 0 && im == 0 {
		return 0
	}
	beta := -math.Copysign(math.Hypot(math.Hypot(re, im), rest), re)
	tau := blas.FromComplex[T](complex((beta-re)/beta, -im/beta))
	blas.Divide(alpha-blas.FromReal[T](beta), x[1:n])
	x[0] = blas.FromReal[T](beta)
	return tau
}

// Factor factorizes A, m x n, by Householder reflections: into Q R, L Q, Q L or R Q, as the form says. The triangle
// and the vectors of the reflections replace A; tau gets the min(m, n) scalars of the reflections.
func Factor[T blas.Number](form Form, m, n int, a blas.Matrix[T], tau []T) {
	if form == QR {
		Geqrf(m, n, a, tau)
		return
	}
	// The other factorizations are the QR factorization of the adjoint matrix, or of the matrix in reverse order.
	rows, cols := m, n
	if form.Rows {
		rows, cols = n, m
	}
	b := blas.Matrix[T]{Data: make([]T, rows*cols), LD: max(rows, 1)}
	form.turn(m, n, func(i, j, row, col int) { b.Set(row, col, conjIf(form.Rows, a.At(i, j))) })
	Geqrf(rows, cols, b, tau)
	form.turn(m, n, func(i, j, row, col int) { a.Set(i, j, conjIf(form.Rows, b.At(row, col))) })
	if form.Backward {
		slices.Reverse(tau[:min(m, n)])
	}
}

// turn calls a function for each element (i, j) of an m x n matrix, with its place in the matrix whose QR factorization
// gives the factorization of the form. It proceeds by square parts, because one of the matrices is read across its
// columns.
func (f Form) turn(m, n int, each func(i, j, row, col int)) {
	const part = 32
	for first := 0; first < m; first += part {
		for j := range n {
			for i := first; i < min(first+part, m); i++ {
				row, col := i, j
				if f.Backward {
					row, col = m-1-i, n-1-j
				}
				if f.Rows {
					row, col = col, row
				}
				each(i, j, row, col)
			}
		}
	}
}

func conjIf[T blas.Number](conj bool, x T) T {
	if conj {
		return blas.Conj(x)
	}
	return x
}
