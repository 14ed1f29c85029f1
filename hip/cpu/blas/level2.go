package blas

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
