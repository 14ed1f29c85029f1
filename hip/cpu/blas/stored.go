package blas

// Layout says how the columns of a matrix are stored.
type Layout uint8

const (
	Dense  Layout = iota // a leading dimension apart
	Banded               // a leading dimension apart, and the rows of a diagonal at one height
	Packed               // one after the other
)

// Stored is a matrix with some stored diagonals below and above the main one: a general matrix, a band or one triangle.
// The stored elements of a column are adjacent in every layout.
type Stored[T Number] struct {
	Data         []T
	LD           int // of Dense and Banded
	Layout       Layout
	Rows         int
	Below, Above int // diagonals; of a triangle, one of them is 0
}

// General returns a dense matrix that is stored completely.
func General[T Number](a Matrix[T], rows, cols int) Stored[T] {
	return Stored[T]{Data: a.Data, LD: a.LD, Rows: rows, Below: rows, Above: cols}
}

// Column returns the stored elements of column j, and the row of the first one.
func (s *Stored[T]) Column(j int) (low int, part []T) {
	low = min(max(0, j-s.Above), s.Rows)
	high := max(low, min(s.Rows, j+s.Below+1))
	at := low + j*s.LD
	switch s.Layout {
	case Banded:
		at += s.Above - j
	case Packed:
		at = j * (2*s.Rows - j + 1) / 2
		if s.Below == 0 {
			at = j * (j + 1) / 2
		}
	}
	return low, s.Data[at:][:high-low]
}

// split returns the diagonal element of column j of a triangle, and the other stored elements with the row of the first
// one.
func (s *Stored[T]) split(j int) (diagonal T, low int, others []T) {
	low, part := s.Column(j)
	if last := len(part) - 1; s.Below == 0 {
		return part[last], low, part[:last]
	}
	return part[0], low + 1, part[1:]
}

// AddProduct adds alpha op(A) x to y, for a matrix A of n columns.
func (s *Stored[T]) AddProduct(op Op, n int, alpha T, x, y []T) {
	for j := range n {
		low, part := s.Column(j)
		if op == None {
			Axpy(alpha*x[j], part, y[low:])
		} else {
			y[j] += alpha * dotSlices(op == ConjTrans, part, x[low:])
		}
	}
}

// AddSymmetric adds columns low to high-1 of a symmetric or Hermitian matrix, times x, to sums, and their transposes,
// without the diagonal, as far as they are in the other triangle. The sum over all columns is the product with x. The
// imaginary parts of the diagonal of a Hermitian matrix are not read.
func (s *Stored[T]) AddSymmetric(hermitian bool, x, sums []T, low, high int) {
	for j := low; j < high; j++ {
		diagonal, from, others := s.split(j)
		if hermitian {
			diagonal = FromReal[T](Real(diagonal))
		}
		sums[j] += diagonal*x[j] + dotSlices(hermitian, others, x[from:])
		Axpy(x[j], others, sums[from:])
	}
}

// AddOuter adds the stored elements of alpha x y^T, or with conj of alpha x y^H, to a matrix of n columns.
func (s *Stored[T]) AddOuter(conj bool, n int, alpha T, x, y []T) {
	for j := range n {
		low, part := s.Column(j)
		Axpy(alpha*conjIf(conj, y[j]), x[low:][:len(part)], part)
	}
}

// MakeDiagonalReal clears the imaginary parts of the diagonal of a triangle.
func (s *Stored[T]) MakeDiagonalReal() {
	for j := range s.Rows {
		low, part := s.Column(j)
		part[j-low] = FromReal[T](Real(part[j-low]))
	}
}

// Triangle is a triangular matrix.
type Triangle[T Number] struct {
	Stored[T]
	Op   Op
	Diag Diag
}

// Multiply replaces x by op(A) x.
func (t *Triangle[T]) Multiply(x []T) { t.apply(false, 1, Matrix[T]{x, t.Rows}) }

// Solve replaces x by the solution of op(A) x = b.
func (t *Triangle[T]) Solve(x []T) { t.apply(true, 1, Matrix[T]{x, t.Rows}) }

// apply multiplies, or solves for, columns of X. It reads each column of A once.
func (t *Triangle[T]) apply(solve bool, count int, x Matrix[T]) {
	// A product computes the elements in the reverse order of a solution, because it needs the old values of the
	// elements whose new values a solution needs.
	forward := (t.Below == 0) != (t.Op == None) // op(A) is lower triangular
	for step := range t.Rows {
		j := step
		if forward != solve {
			j = t.Rows - 1 - step
		}
		diagonal, low, others := t.split(j)
		if diagonal = conjIf(t.Op == ConjTrans, diagonal); t.Diag == Unit {
			diagonal = 1
		}
		for i := range count {
			column := x.Data[i*x.LD:][:t.Rows]
			if t.Op == None {
				t.addColumn(solve, diagonal, others, &column[j], column[low:])
			} else {
				t.addDot(solve, diagonal, others, &column[j], column[low:])
			}
		}
	}
}

// addColumn computes an element of the result from its old value, and adds it, or the old value in a product, times a
// column of A to other elements.
func (t *Triangle[T]) addColumn(solve bool, diagonal T, column []T, element *T, others []T) {
	factor := *element
	if solve {
		*element /= diagonal
		factor = -*element
	} else {
		*element *= diagonal
	}
	Axpy(factor, column, others)
}

// addDot computes an element of the result from its old value and the product of a column of A and other elements.
func (t *Triangle[T]) addDot(solve bool, diagonal T, column []T, element *T, others []T) {
	sum := dotSlices(t.Op == ConjTrans, column, others)
	if solve {
		*element = (*element - sum) / diagonal
	} else {
		*element = *element*diagonal + sum
	}
}
