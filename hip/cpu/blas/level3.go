package blas

func as[T any](v any) T { return v.(T) }

// Gemm stores alpha op(A) op(B) + beta C in C, which is m x n; op(A) has k columns.
func Gemm[T Number](opA, opB Op, m, n, k int, alpha T, a Matrix[T], b Matrix[T], beta T, c Matrix[T]) {
	gemmThreads(Threads(), opA, opB, m, n, k, alpha, a, b, beta, c)
}

// gemmThreads is Gemm with at most the given number of threads.
func gemmThreads[T Number](
	threads int, opA, opB Op, m, n, k int, alpha T, a Matrix[T], b Matrix[T], beta T, c Matrix[T],
) {
	if m == 0 || n == 0 {
		return
	}
	if alpha == 0 || k == 0 {
		ScaleMatrix(beta, m, n, c)
		return
	}
	if factor := ToComplex(alpha); imag(factor) == 0 && m*n*k <= directSize {
		ScaleMatrix(beta, m, n, c)
		addDirectly(opA, opB, m, n, k, real(factor), a, b, c)
		return
	}
	gemmPanels(threads, opA, opB, m, n, k, alpha, a, b, beta, c)
}

// gemmPanels is gemmThreads for large matrices.
func gemmPanels[T Number](
	threads int, opA, opB Op, m, n, k int, alpha T, a Matrix[T], b Matrix[T], beta T, c Matrix[T],
) {
	switch x := any(a).(type) {
	case Matrix[float32]:
		realProduct(opA, opB, m, n, k, as[float32](alpha), x, as[Matrix[float32]](b),
			as[float32](beta), as[Matrix[float32]](c)).run(threads)
	case Matrix[float64]:
		realProduct(opA, opB, m, n, k, as[float64](alpha), x, as[Matrix[float64]](b),
			as[float64](beta), as[Matrix[float64]](c)).run(threads)
	case Matrix[complex64]:
		ScaleMatrix(beta, m, n, c)
		complexProduct[float32](opA, opB, m, n, k, as[complex64](alpha), x, as[Matrix[complex64]](b),
			as[Matrix[complex64]](c)).run(threads)
	case Matrix[complex128]:
		ScaleMatrix(beta, m, n, c)
		complexProduct[float64](opA, opB, m, n, k, as[complex128](alpha), x, as[Matrix[complex128]](b),
			as[Matrix[complex128]](c)).run(threads)
	}
}

// ScaleMatrix multiplies the m x n elements of C by beta.
func ScaleMatrix[T Number](beta T, m, n int, c Matrix[T]) {
	for j := range n {
		scaleSlice(beta, c.Data[j*c.LD:][:m])
	}
}

// Trsm replaces B, m x n, by the solution X of op(A) X = alpha B, or X op(A) = alpha B.
func Trsm[T Number](side Side, uplo Uplo, op Op, diag Diag, m, n int, alpha T, a Matrix[T], b Matrix[T]) {
	triangular[T]{true, side, uplo, op, diag, Threads()}.all(m, n, alpha, a, b)
}

// Trmm replaces B, m x n, by alpha op(A) B, or alpha B op(A).
func Trmm[T Number](side Side, uplo Uplo, op Op, diag Diag, m, n int, alpha T, a Matrix[T], b Matrix[T]) {
	triangular[T]{false, side, uplo, op, diag, Threads()}.all(m, n, alpha, a, b)
}

// Symm stores alpha A B + beta C, or alpha B A + beta C, in C, m x n, with A symmetric, or Hermitian.
func Symm[T Number](side Side, uplo Uplo, hermitian bool, m, n int, alpha T, a, b Matrix[T], beta T, c Matrix[T]) {
	if m == 0 || n == 0 {
		return
	}
	ScaleMatrix(beta, m, n, c)
	if alpha == 0 {
		return
	}
	s := symmetric[T]{side, uplo, hermitian, alpha}
	if side == Left {
		s.add(m, n, a, b, c)
	} else {
		s.add(n, m, a, b, c)
	}
}
