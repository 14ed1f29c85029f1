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

// narrowest returns the largest number of columns of B on the left, or rows on the right, that narrow computes faster
// than GEMMs. Dot products have no vector kernel.
func (t triangular[T]) narrowest() int {
	if (t.op == None) == (t.side == Right) { // narrow computes dot products
		return 2
	}
	return 4
}

// narrow computes the result for count columns of B on the left, or rows on the right. A row times a matrix is the
// transpose of the matrix times a column, which is copied to other memory and back.
func (t triangular[T]) narrow(order, count int, a, b Matrix[T]) {
	stored := Stored[T]{Data: a.Data, LD: a.LD, Rows: order, Below: order}
	if t.uplo == Upper {
		stored.Below, stored.Above = 0, order
	}
	if t.side == Left {
		(&Triangle[T]{stored, t.op, t.diag}).apply(t.solve, count, b)
		return
	}
	op := None
	if t.op == None {
		op = Trans
	}
	WithScratch(order*count, func(memory []T) {
		x := Matrix[T]{memory, order}
		transpose(x.Data, order, b.Data, b.LD, order, count)
		if t.op == ConjTrans { // A is conjugated, but not transposed
			conjugate(order, count, x)
		}
		(&Triangle[T]{stored, op, t.diag}).apply(t.solve, count, x)
		if t.op == ConjTrans {
			conjugate(order, count, x)
		}
		transpose(b.Data, b.LD, x.Data, order, count, order)
	})
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
