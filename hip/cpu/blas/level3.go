package blas

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

var impl gonum.Implementation

func trans(op Op) blas.Transpose {
	return [...]blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}[op]
}

// flippedSide, flippedUplo and diagonal translate arguments for the transposed problem in row-major storage.
func flippedSide(s Side) blas.Side { return [...]blas.Side{blas.Right, blas.Left}[s] }
func flippedUplo(u Uplo) blas.Uplo { return [...]blas.Uplo{blas.Lower, blas.Upper}[u] }
func diagonal(d Diag) blas.Diag    { return [...]blas.Diag{blas.NonUnit, blas.Unit}[d] }

func as[T any](v any) T { return v.(T) }

// Gemm stores alpha op(A) op(B) + beta C in C, which is m x n; op(A) has k columns. OpenBLAS computes large ones
// unless o is nil.
func Gemm[T Number](o *OpenBLAS, opA, opB Op, m, n, k int, alpha T, a Matrix[T], b Matrix[T], beta T, c Matrix[T]) {
	if m == 0 || n == 0 {
		return
	}
	if o.pays(m, n, k) {
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
	if alpha == 0 || k == 0 {
		scaleAll(beta, m, n, c)
		return
	}
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
	if o.pays(m, n, k) {
		trsmC(o, side, uplo, op, diag, m, n, alpha, a, b)
		return
	}
	trsmGo(side, uplo, op, diag, m, n, alpha, a, b)
}

// trsmGo is Trsm by gonum.
func trsmGo[T Number](side Side, uplo Uplo, op Op, diag Diag, m, n int, alpha T, a Matrix[T], b Matrix[T]) {
	s, u, t, d := flippedSide(side), flippedUplo(uplo), trans(op), diagonal(diag)
	switch x := any(a.Data).(type) {
	case []float32:
		impl.Strsm(s, u, t, d, n, m, as[float32](alpha), x, a.LD, as[[]float32](b.Data), b.LD)
	case []float64:
		impl.Dtrsm(s, u, t, d, n, m, as[float64](alpha), x, a.LD, as[[]float64](b.Data), b.LD)
	case []complex64:
		impl.Ctrsm(s, u, t, d, n, m, as[complex64](alpha), x, a.LD, as[[]complex64](b.Data), b.LD)
	case []complex128:
		impl.Ztrsm(s, u, t, d, n, m, as[complex128](alpha), x, a.LD, as[[]complex128](b.Data), b.LD)
	}
}

// Trmm replaces B, m x n, by alpha op(A) B, or alpha B op(A).
func Trmm[T Number](side Side, uplo Uplo, op Op, diag Diag, m, n int, alpha T, a Matrix[T], b Matrix[T]) {
	if m == 0 || n == 0 {
		return
	}
	s, u, t, d := flippedSide(side), flippedUplo(uplo), trans(op), diagonal(diag)
	switch x := any(a.Data).(type) {
	case []float32:
		impl.Strmm(s, u, t, d, n, m, as[float32](alpha), x, a.LD, as[[]float32](b.Data), b.LD)
	case []float64:
		impl.Dtrmm(s, u, t, d, n, m, as[float64](alpha), x, a.LD, as[[]float64](b.Data), b.LD)
	case []complex64:
		impl.Ctrmm(s, u, t, d, n, m, as[complex64](alpha), x, a.LD, as[[]complex64](b.Data), b.LD)
	case []complex128:
		impl.Ztrmm(s, u, t, d, n, m, as[complex128](alpha), x, a.LD, as[[]complex128](b.Data), b.LD)
	}
}

// Symm stores alpha A B + beta C, or alpha B A + beta C, in C, m x n, with A symmetric, or Hermitian.
func Symm[T Number](side Side, uplo Uplo, hermitian bool, m, n int, alpha T, a, b Matrix[T], beta T, c Matrix[T]) {
	if m == 0 || n == 0 {
		return
	}
	s, u := flippedSide(side), flippedUplo(uplo)
	switch x := any(a.Data).(type) {
	case []float32:
		impl.Ssymm(s, u, n, m, as[float32](alpha), x, a.LD, as[[]float32](b.Data), b.LD,
			as[float32](beta), as[[]float32](c.Data), c.LD)
	case []float64:
		impl.Dsymm(s, u, n, m, as[float64](alpha), x, a.LD, as[[]float64](b.Data), b.LD,
			as[float64](beta), as[[]float64](c.Data), c.LD)
	case []complex64:
		call := impl.Csymm
		if hermitian {
			call = impl.Chemm
		}
		call(s, u, n, m, as[complex64](alpha), x, a.LD, as[[]complex64](b.Data), b.LD,
			as[complex64](beta), as[[]complex64](c.Data), c.LD)
	case []complex128:
		call := impl.Zsymm
		if hermitian {
			call = impl.Zhemm
		}
		call(s, u, n, m, as[complex128](alpha), x, a.LD, as[[]complex128](b.Data), b.LD,
			as[complex128](beta), as[[]complex128](c.Data), c.LD)
	}
}

// RankK adds alpha op(A) op(B)^T to the triangle uplo of beta C, of order n. With hermitian it takes the adjoint
// instead of the transpose and makes the diagonal real. op(A) and op(B) have k columns. With B = A it is syrk and
// herk, otherwise syrkx and herkx.
func RankK[T Number](uplo Uplo, op Op, hermitian bool, n, k int, alpha T, a, b Matrix[T], beta T, c Matrix[T]) {
	for j := range n {
		low, high := 0, j+1
		if uplo == Lower {
			low, high = j, n
		}
		for i := low; i < high; i++ {
			var sum T
			for l := range k {
				sum += operand(op, a, i, l) * conjIf(hermitian, operand(op, b, j, l))
			}
			update(hermitian, alpha*sum, beta, c, i, j)
		}
	}
}

// operand returns op(A)(i, l).
func operand[T Number](op Op, a Matrix[T], i, l int) T {
	if op == None {
		return a.At(i, l)
	}
	return conjIf(op == ConjTrans, a.At(l, i))
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

// Rank2K adds alpha op(A) op(B)^T and its transpose, or with hermitian its adjoint, to the triangle uplo of beta C.
func Rank2K[T Number](uplo Uplo, op Op, hermitian bool, n, k int, alpha T, a, b Matrix[T], beta T, c Matrix[T]) {
	for j := range n {
		low, high := 0, j+1
		if uplo == Lower {
			low, high = j, n
		}
		for i := low; i < high; i++ {
			var ab, ba T
			for l := range k {
				ab += operand(op, a, i, l) * conjIf(hermitian, operand(op, b, j, l))
				ba += operand(op, b, i, l) * conjIf(hermitian, operand(op, a, j, l))
			}
			update(hermitian, alpha*ab+conjIf(hermitian, alpha)*ba, beta, c, i, j)
		}
	}
}
