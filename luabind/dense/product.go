package dense

import "roclua/hip/cpu/blas"

// Op is the operation on an operand of a product.
type Op = blas.Op

// The operations.
const (
	None      = blas.None
	Trans     = blas.Trans
	ConjTrans = blas.ConjTrans
)

// Shape returns the rows and columns of op(A).
func Shape[T Number](op Op, a Matrix[T]) (rows, cols int) {
	if op == None {
		return a.Rows, a.Cols
	}
	return a.Cols, a.Rows
}

// A panel is the columns of a product between two calls of Meter.Step, which takes some hundredths of a second. With
// fewer columns than panelColumns a product takes longer.
const (
	panelOperations = 1 << 28
	panelColumns    = 32
)

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
	width := max(panelColumns, panelOperations/max(1, c.Rows*inner))
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
	blas.Gemm(opA, opB, c.Rows, c.Cols, inner, alpha, blas.Matrix[T]{Data: a.Data, LD: a.LD},
		blas.Matrix[T]{Data: from, LD: b.LD}, beta, blas.Matrix[T]{Data: c.Data, LD: c.LD})
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

// Combine returns alpha A + beta B. B is not read if beta is 0.
func Combine[T Number](alpha T, a Matrix[T], beta T, b Matrix[T], m Meter) Matrix[T] {
	c := New[T](a.Rows, a.Cols, m)
	for j, x := range a.columns(m) {
		z := c.Column(j)
		if beta != 0 {
			copy(z, b.Column(j))
		}
		for i := range z {
			z[i] = alpha*x[i] + beta*z[i]
		}
	}
	return c
}
