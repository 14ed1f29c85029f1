package blas

import "roclua/hip/cpu/vector"

// Gemv adds alpha op(A) x to beta y, A being m x n.
func Gemv[T Number](op Op, m, n int, alpha T, a Matrix[T], x Vector[T], beta T, y Vector[T]) {
	Scale(beta, y)
	if alpha == 0 {
		return
	}
	s, sums := General(a, m, n), y.Adjacent()
	s.AddProduct(op, n, alpha, x.Adjacent(), sums)
	y.Store(sums)
}

// ColumnDot returns the product of rows low to high-1 of column j, conjugated by op, with x.
func ColumnDot[T Number](op Op, a Matrix[T], x Vector[T], j, low, high int) T {
	var sum T
	for i := low; i < high; i++ {
		sum += conjIf(op == ConjTrans, a.At(i, j)) * x.At(i)
	}
	return sum
}

// Scale multiplies y by beta. With a beta of 0 it does not read the old values, which may be NaN.
func Scale[T Number](beta T, y Vector[T]) {
	for i := range y.N {
		switch beta {
		case 1:
			return
		case 0:
			y.Set(i, 0)
		default:
			y.Set(i, beta*y.At(i))
		}
	}
}

// symmetricAt returns an element of a symmetric or Hermitian matrix from its stored triangle.
func symmetricAt[T Number](uplo Uplo, hermitian bool, a Matrix[T], i, j int) T {
	switch {
	case i == j && hermitian:
		return FromReal[T](Real(a.At(i, i)))
	case i == j || (i < j) == (uplo == Upper):
		return a.At(i, j)
	}
	return conjIf(hermitian, a.At(j, i))
}

// AddScaled stores alpha sums + beta y in y.
func AddScaled[T Number](alpha T, sums []T, beta T, y Vector[T]) {
	Scale(beta, y)
	for i := range y.N {
		y.Set(i, y.At(i)+alpha*sums[i])
	}
}

// directSize is the largest number of multiplications of a product that reads B, and A unless it is transposed, in
// place: copying them to panels would take longer than it saves.
const directSize = 1 << 19

// addDirectly adds alpha op(A) op(B) to C.
func addDirectly[T Number](opA, opB Op, m, n, k int, alpha float64, a, b, c Matrix[T]) {
	f := vector.Factor[T]{Data: b.Data, Down: 1, Right: b.LD, Conj: opB == ConjTrans && IsComplex[T]()}
	if opB != None {
		f.Down, f.Right = f.Right, f.Down
	}
	if opA == None {
		vector.Update(m, n, k, alpha, a.Data, a.LD, f, c.Data, c.LD)
		return
	}
	WithScratch(m*k, func(memory []T) {
		transpose(memory, m, a.Data, a.LD, m, k)
		if opA == ConjTrans && IsComplex[T]() {
			conjugate(m, k, Matrix[T]{memory, m})
		}
		vector.Update(m, n, k, alpha, memory, m, f, c.Data, c.LD)
	})
}

// narrowest returns the largest number of columns of B on the left, or rows on the right, that vectors computes faster
// than GEMMs. Dot products have no vector kernel.
func (t triangular[T]) narrowest() int {
	if t.adjoint() {
		return 2
	}
	return 4
}

// adjoint reports whether vectors computes dot products with conjugated columns of A.
func (t triangular[T]) adjoint() bool { return (t.op == None) == (t.side == Right) }

// narrow computes the result for count columns of B on the left, or rows on the right, which it copies to other memory
// and back. It reads each column of A once.
func (t triangular[T]) narrow(order, count int, a, b Matrix[T]) {
	if t.side == Left {
		t.vectors(order, count, a, b)
		return
	}
	WithScratch(order*count, func(memory []T) {
		x := Matrix[T]{memory, order}
		for j := range order {
			for i, v := range b.Data[j*b.LD:][:count] {
				memory[j+i*order] = v
			}
		}
		t.vectors(order, count, a, x)
		for j := range order {
			column := b.Data[j*b.LD:][:count]
			for i := range column {
				column[i] = memory[j+i*order]
			}
		}
	})
}

// vectors computes the result for columns of X, which are rows of B on the right. A row times a matrix is the transpose
// of the matrix times a column. When this needs A transposed but not conjugated, or conjugated but not transposed, the
// columns of X are conjugated before and after.
func (t triangular[T]) vectors(order, count int, a, x Matrix[T]) {
	conj := IsComplex[T]() && (t.op == Trans) == (t.side == Left)
	if conj {
		conjugate(order, count, x)
	}
	adjoint := t.adjoint()
	for step := range order {
		j := step
		if t.forward() != t.solve {
			j = order - 1 - step
		}
		low, high := 0, j
		if t.uplo == Lower {
			low, high = j+1, order
		}
		column, diagonal := a.Data[j*a.LD:], T(1)
		if t.diag == NonUnit {
			diagonal = conjIf(adjoint, column[j])
		}
		for i := range count {
			v := x.Data[i*x.LD:][:order]
			if adjoint {
				t.dot(diagonal, column[low:high], v[low:high], &v[j])
			} else {
				t.axpy(diagonal, column[low:high], v[low:high], &v[j])
			}
		}
	}
	if conj {
		conjugate(order, count, x)
	}
}

// axpy computes an element of the result from its old value, and adds it, or the old value in a product, times a
// column of A to other elements.
func (t triangular[T]) axpy(diagonal T, column, others []T, element *T) {
	factor := *element
	if t.solve {
		*element /= diagonal
		factor = -*element
	} else {
		*element *= diagonal
	}
	Axpy(factor, column, others)
}

// dot computes an element of the result from its old value and the product of a column of A, conjugated, and other
// elements.
func (t triangular[T]) dot(diagonal T, column, others []T, element *T) {
	sum := DotColumns(column, others)
	if t.solve {
		*element = (*element - sum) / diagonal
	} else {
		*element = *element*diagonal + sum
	}
}

func conjugate[T Number](m, n int, x Matrix[T]) {
	for j := range n {
		switch column := any(x.Data[j*x.LD:][:m]).(type) {
		case []complex64:
			negateImaginary(reals[float32](column))
		case []complex128:
			negateImaginary(reals[float64](column))
		}
	}
}

// negateImaginary conjugates complex numbers, given by their parts.
func negateImaginary[R vector.Real](x []R) {
	for i := 1; i < len(x); i += 2 {
		x[i] = -x[i]
	}
}
