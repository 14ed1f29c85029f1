package blas

import "math"

func as[T any](v any) T { return v.(T) }

// Gemm stores alpha op(A) op(B) + beta C in C, which is m x n; op(A) has k columns. OpenBLAS computes large ones
// unless o is nil.
func Gemm[T Number](o *OpenBLAS, opA, opB Op, m, n, k int, alpha T, a Matrix[T], b Matrix[T], beta T, c Matrix[T]) {
	if m == 0 || n == 0 {
		return
	}
	if o.pays(m, n, k) && max(a.LD, b.LD, c.LD) <= math.MaxInt32 {
		gemmC(o, opA, opB, m, n, k, alpha, a, b, beta, c)
		return
	}
	gemmGo(opA, opB, m, n, k, alpha, a, b, beta, c)
}

// gemmGo is Gemm in Go.
func gemmGo[T Number](opA, opB Op, m, n, k int, alpha T, a Matrix[T], b Matrix[T], beta T, c Matrix[T]) {
	gemmThreads(Threads(), opA, opB, m, n, k, alpha, a, b, beta, c)
}

// gemmThreads is Gemm in Go with at most the given number of threads.
func gemmThreads[T Number](
	threads int, opA, opB Op, m, n, k int, alpha T, a Matrix[T], b Matrix[T], beta T, c Matrix[T],
) {
	if m == 0 || n == 0 {
		return
	}
	if alpha == 0 || k == 0 {
		scaleAll(beta, m, n, c)
		return
	}
	if factor := ToComplex(alpha); imag(factor) == 0 && m*n*k <= directSize {
		scaleAll(beta, m, n, c)
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
		scaleAll(beta, m, n, c)
		complexProduct[float32](opA, opB, m, n, k, as[complex64](alpha), x, as[Matrix[complex64]](b),
			as[Matrix[complex64]](c)).run(threads)
	case Matrix[complex128]:
		scaleAll(beta, m, n, c)
		complexProduct[float64](opA, opB, m, n, k, as[complex128](alpha), x, as[Matrix[complex128]](b),
			as[Matrix[complex128]](c)).run(threads)
	}
}

// scaleAll multiplies the m x n elements of C by beta.
func scaleAll[T Number](beta T, m, n int, c Matrix[T]) {
	for j := range n {
		scaleSlice(beta, c.Data[j*c.LD:][:m])
	}
}

// Trsm replaces B, m x n, by the solution X of op(A) X = alpha B, or X op(A) = alpha B. OpenBLAS computes large
// ones unless o is nil.
func Trsm[T Number](o *OpenBLAS, side Side, uplo Uplo, op Op, diag Diag, m, n int, alpha T, a Matrix[T], b Matrix[T]) {
	if m == 0 || n == 0 {
		return
	}
	k := m
	if side == Right {
		k = n
	}
	if o.pays(m, n, k) && max(a.LD, b.LD) <= math.MaxInt32 {
		trsmC(o, side, uplo, op, diag, m, n, alpha, a, b)
		return
	}
	trsmGo(side, uplo, op, diag, m, n, alpha, a, b)
}

// trsmGo is Trsm in Go.
func trsmGo[T Number](side Side, uplo Uplo, op Op, diag Diag, m, n int, alpha T, a Matrix[T], b Matrix[T]) {
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
	scaleAll(beta, m, n, c)
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

// RankK adds alpha op(A) op(B)^T to the triangle uplo of beta C, of order n. With hermitian it takes the adjoint
// instead of the transpose and makes the diagonal real. op(A) and op(B) have k columns. For complex types op is None,
// or ConjTrans with hermitian and Trans without. With B = A it is syrk and herk, otherwise syrkx and herkx.
func RankK[T Number](uplo Uplo, op Op, hermitian bool, n, k int, alpha T, a, b Matrix[T], beta T, c Matrix[T]) {
	u := rankUpdate[T]{uplo, op, flipped(op, hermitian), hermitian, k, beta, []rankTerm[T]{{alpha, a, b}}}
	u.all(Threads(), n, c)
}

// flipped returns the operation on the second factor of a rank-k update, whose first one has the given operation.
func flipped(op Op, hermitian bool) Op {
	if op != None {
		return None
	}
	return transposed(hermitian)
}

// TriangleOfProduct adds the triangle uplo of alpha op(A) op(B) to that of beta C, of order n. op(A) has k columns.
func TriangleOfProduct[T Number](uplo Uplo, opA, opB Op, n, k int, alpha T, a, b Matrix[T], beta T, c Matrix[T]) {
	u := rankUpdate[T]{uplo, opA, opB, false, k, beta, []rankTerm[T]{{alpha, a, b}}}
	u.all(Threads(), n, c)
}

// Rank2K adds alpha op(A) op(B)^T and its transpose, or with hermitian its adjoint, to the triangle uplo of beta C. op
// is as for RankK.
func Rank2K[T Number](uplo Uplo, op Op, hermitian bool, n, k int, alpha T, a, b Matrix[T], beta T, c Matrix[T]) {
	terms := []rankTerm[T]{{alpha, a, b}, {conjIf(hermitian, alpha), b, a}}
	u := rankUpdate[T]{uplo, op, flipped(op, hermitian), hermitian, k, beta, terms}
	u.all(Threads(), n, c)
}

// update stores x + beta c in C(i, j).
func update[T Number](hermitian bool, x, beta T, c Matrix[T], i, j int) {
	if beta != 0 {
		old := c.At(i, j)
		if hermitian && i == j {
			old = FromReal[T](Real(old))
		}
		x += beta * old
	}
	if hermitian && i == j {
		x = FromReal[T](Real(x))
	}
	c.Set(i, j, x)
}
