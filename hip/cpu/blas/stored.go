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

// column is split with the diagonal element that counts.
func (t *Triangle[T]) column(j int) (diagonal T, low int, others []T) {
	diagonal, low, others = t.split(j)
	if t.Diag == Unit {
		diagonal = 1
	}
	return conjIf(t.Op == ConjTrans, diagonal), low, others
}

// Multiply stores op(A) x in y, which may not share memory with x.
func (t *Triangle[T]) Multiply(x, y []T) {
	clear(y)
	for j := range t.Rows {
		diagonal, low, others := t.column(j)
		y[j] += diagonal * x[j]
		if t.Op == None {
			Axpy(x[j], others, y[low:])
		} else {
			y[j] += dotSlices(t.Op == ConjTrans, others, x[low:])
		}
	}
}

// Solve replaces x by the solution of op(A) x = b.
func (t *Triangle[T]) Solve(x []T) {
	backward := (t.Below == 0) == (t.Op == None) // op(A) is upper triangular
	for step := range t.Rows {
		j := step
		if backward {
			j = t.Rows - 1 - step
		}
		diagonal, low, others := t.column(j)
		if t.Op != None {
			x[j] -= dotSlices(t.Op == ConjTrans, others, x[low:])
		}
		if t.Diag == NonUnit {
			x[j] /= diagonal
		}
		if t.Op == None {
			Axpy(-x[j], others, x[low:])
		}
	}
}
