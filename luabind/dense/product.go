package dense

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// Op is the operation on an operand of a product.
type Op int

// The operations.
const (
	None Op = iota
	Trans
	ConjTrans
)

// Shape returns the rows and columns of op(A).
func Shape[T Number](op Op, a Matrix[T]) (rows, cols int) {
	if op == None {
		return a.Rows, a.Cols
	}
	return a.Cols, a.Rows
}

var library gonum.Implementation

// panelOperations is the number of multiplications between two calls of Meter.Step: some hundredths of a second.
const panelOperations = 1 << 26

// Multiply stores alpha op(A) op(B) + beta C in C. It computes panels of columns, which are independent of each other.
// C is not read if beta is 0.
func Multiply[T Number](alpha T, opA Op, a Matrix[T], opB Op, b Matrix[T], beta T, c Matrix[T], m Meter) {
	_, inner := Shape(opA, a)
	if rows, cols := Shape(opB, b); rows != inner || cols != c.Cols {
		panic("dense: the operands of a product do not fit")
	}
	if c.Empty() {
		return
	}
	width := max(1, panelOperations/max(1, c.Rows*inner))
	for j := 0; j < c.Cols; j += width {
		n := min(width, c.Cols-j)
		m.Step(c.Rows * n * max(1, inner))
		part := c.Columns(j, n)
		if inner == 0 {
			scale(beta, part)
			continue
		}
		multiplyPanel(alpha, opA, a, opB, b, j, beta, part)
	}
}

// multiplyPanel computes the columns of a product from j on.
func multiplyPanel[T Number](alpha T, opA Op, a Matrix[T], opB Op, b Matrix[T], j int, beta T, c Matrix[T]) {
	_, inner := Shape(opA, a)
	from := b.Data[j*b.LD:]
	if opB != None {
		from = b.Data[j:]
	}
	ops := [...]blas.Transpose{None: blas.NoTrans, Trans: blas.Trans, ConjTrans: blas.ConjTrans}
	switch data := any(c.Data).(type) {
	case []float64:
		library.Dgemm(ops[opB], ops[opA], c.Cols, c.Rows, inner, any(alpha).(float64), any(from).([]float64), b.LD,
			any(a.Data).([]float64), a.LD, any(beta).(float64), data, c.LD)
	case []complex128:
		if opA == None {
			addColumns(alpha, a, opB, Matrix[T]{LD: b.LD, Data: from}, beta, c)
			return
		}
		library.Zgemm(ops[opB], ops[opA], c.Cols, c.Rows, inner, any(alpha).(complex128), any(from).([]complex128),
			b.LD,
			any(a.Data).([]complex128), a.LD, any(beta).(complex128), data, c.LD)
	}
}

// addColumns computes a product with columns of A, for which gonum has vector code. Its complex product has none.
func addColumns[T Number](alpha T, a Matrix[T], opB Op, b Matrix[T], beta T, c Matrix[T]) {
	scale(beta, c)
	for j := range c.Cols {
		for l := range a.Cols {
			add(alpha*element(opB, b, l, j), a.Column(l), c.Column(j))
		}
	}
}

// element returns element (i, j) of op(A).
func element[T Number](op Op, a Matrix[T], i, j int) T {
	switch op {
	case Trans:
		return a.At(j, i)
	case ConjTrans:
		return Conj(a.At(j, i))
	}
	return a.At(i, j)
}

// scale multiplies a matrix by a number. Zero clears it, whatever it has.
func scale[T Number](beta T, a Matrix[T]) {
	for j := range a.Cols {
		column := a.Column(j)
		if beta == 0 {
			clear(column)
			continue
		}
		for i := range column {
			column[i] *= beta
		}
	}
}

// Combine returns alpha A + beta B.
func Combine[T Number](alpha T, a Matrix[T], beta T, b Matrix[T], m Meter) Matrix[T] {
	c := New[T](a.Rows, a.Cols, m)
	if a.Empty() {
		return c
	}
	for j := range a.Cols {
		m.Step(a.Rows)
		x, y, z := a.Column(j), b.Column(j), c.Column(j)
		for i := range z {
			z[i] = alpha*x[i] + beta*y[i]
		}
	}
	return c
}

// dot returns the product of the adjoint of x with y.
func dot[T Number](x, y []T) T {
	switch x := any(x).(type) {
	case []float64:
		return any(library.Ddot(len(x), x, 1, any(y).([]float64), 1)).(T)
	case []complex128:
		return any(library.Zdotc(len(x), x, 1, any(y).([]complex128), 1)).(T)
	}
	panic("unreachable")
}

// add adds alpha x to y.
func add[T Number](alpha T, x, y []T) {
	switch x := any(x).(type) {
	case []float64:
		library.Daxpy(len(x), any(alpha).(float64), x, 1, any(y).([]float64), 1)
	case []complex128:
		library.Zaxpy(len(x), any(alpha).(complex128), x, 1, any(y).([]complex128), 1)
	}
}
