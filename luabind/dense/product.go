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
		part := c.Part(0, j, c.Rows, n).blas()
		if inner == 0 {
			blas.ScaleMatrix(beta, c.Rows, n, part)
			continue
		}
		from := b.Part(0, j, inner, n)
		if opB != None {
			from = b.Part(j, 0, n, inner)
		}
		blas.Gemm(opA, opB, c.Rows, n, inner, alpha, a.blas(), from.blas(), beta, part)
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
