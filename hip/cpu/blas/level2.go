package blas

// Gemv adds alpha op(A) x to beta y, A being m x n.
func Gemv[T Number](op Op, m, n int, alpha T, a Matrix[T], x Vector[T], beta T, y Vector[T]) {
	scale(beta, y)
	if alpha == 0 {
		return
	}
	if op == None {
		for j := range n {
			f := alpha * x.At(j)
			for i := range m {
				y.Set(i, y.At(i)+f*a.At(i, j))
			}
		}
		return
	}
	for j := range n {
		y.Set(j, y.At(j)+alpha*ColumnDot(op, a, x, j, 0, m))
	}
}

// ColumnDot returns the product of rows low to high-1 of column j, conjugated by op, with x.
func ColumnDot[T Number](op Op, a Matrix[T], x Vector[T], j, low, high int) T {
	var sum T
	for i := low; i < high; i++ {
		sum += conjIf(op == ConjTrans, a.At(i, j)) * x.At(i)
	}
	return sum
}

// scale multiplies y by beta. With a beta of 0 it does not read the old values, which may be NaN.
func scale[T Number](beta T, y Vector[T]) {
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

// Triangle reads a triangular matrix in any storage. At is called only for elements of the triangle.
type Triangle[T Number] struct {
	N    int
	Uplo Uplo
	Op   Op
	Diag Diag
	At   func(i, j int) T
}

// element returns op(A)(i, j).
func (t *Triangle[T]) element(i, j int) T {
	if i == j && t.Diag == Unit {
		return 1
	}
	if t.Op == None {
		return t.At(i, j)
	}
	return conjIf(t.Op == ConjTrans, t.At(j, i))
}

// lower reports whether op(A) is lower triangular.
func (t *Triangle[T]) lower() bool { return (t.Uplo == Lower) == (t.Op == None) }

// Multiply stores op(A) x in y, which may not share memory with x. Elements beyond band diagonals are zero.
func (t *Triangle[T]) Multiply(x, y Vector[T], band int) {
	for i := range t.N {
		low, high := max(0, i-band), i+1
		if !t.lower() {
			low, high = i, min(t.N, i+band+1)
		}
		var sum T
		for j := low; j < high; j++ {
			sum += t.element(i, j) * x.At(j)
		}
		y.Set(i, sum)
	}
}

// Solve replaces x by the solution of op(A) x = b.
func (t *Triangle[T]) Solve(x Vector[T]) {
	for step := range t.N {
		i, low, high := step, 0, step
		if !t.lower() {
			i = t.N - 1 - step
			low, high = i+1, t.N
		}
		sum := x.At(i)
		for j := low; j < high; j++ {
			sum -= t.element(i, j) * x.At(j)
		}
		if t.Diag == NonUnit {
			sum /= t.element(i, i)
		}
		x.Set(i, sum)
	}
}

// SymmetricColumns adds columns low to high-1 of a symmetric or Hermitian matrix, times x, to sums, which has a cell
// for every row. Only the triangle uplo of A is read.
func SymmetricColumns[T Number](uplo Uplo, hermitian bool, n int, a Matrix[T], x Vector[T], sums []T, low, high int) {
	for j := low; j < high; j++ {
		f := x.At(j)
		for i := range n {
			sums[i] += symmetricAt(uplo, hermitian, a, i, j) * f
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
	scale(beta, y)
	for i := range y.N {
		y.Set(i, y.At(i)+alpha*sums[i])
	}
}

// Scale multiplies y by beta.
func Scale[T Number](beta T, y Vector[T]) { scale(beta, y) }
