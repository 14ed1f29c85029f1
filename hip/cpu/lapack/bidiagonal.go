package lapack

import "roclua/hip/cpu/blas"

// bidiagonalWidth is the number of rows and columns that Gebrd reduces before it updates the rest.
const bidiagonalWidth = 32

// Gebrd reduces A, m x n, to a real bidiagonal matrix Q^H A P with the diagonal d and the other diagonal e, which is
// above the diagonal if m >= n and below it otherwise. As in LAPACK, Q and P are products of reflections with the
// scalars tauq and taup. The vectors of Q are in the columns below the bidiagonal matrix; the vectors of P, conjugated,
// are in the rows to the right of it.
func Gebrd[T blas.Number](m, n int, a blas.Matrix[T], d, e []float64, tauq, taup []T) {
	if m < n { // the adjoint matrix has the adjoint form
		b := adjoint(m, n, a)
		Gebrd(n, m, b, d, e, taup, tauq)
		copyAdjoint(n, m, b, a)
		return
	}
	x, y := newMatrix[T](m, min(n, bidiagonalWidth)), newMatrix[T](n, min(n, bidiagonalWidth))
	taup[n-1] = 0
	for j := 0; j < n; j += bidiagonalWidth {
		width := min(bidiagonalWidth, n-j)
		part := a.From(j, j)
		u := labrd(m-j, n-j, width, part, d[j:], e[j:], tauq[j:], taup[j:], x, y)
		if rest := n - j - width; rest > 0 {
			corner := part.From(width, width)
			blas.Gemm(blas.None, blas.ConjTrans, m-j-width, rest, width, -1, part.From(width, 0), y.From(width, 0),
				1, corner)
			blas.Gemm(blas.None, blas.ConjTrans, m-j-width, rest, width, -1, x.From(width, 0), u.From(width, 0), 1,
				corner)
		}
		for i := j; i < j+width; i++ {
			a.Set(i, i, blas.FromReal[T](d[i]))
			if i < n-1 {
				a.Set(i, i+1, blas.FromReal[T](e[i]))
			}
		}
	}
}

// Labrd reduces the first k rows and columns of A, m x n, to bidiagonal form. It computes X, m x k, and Y, n x k, with
// which V Y^H + X U^H is to be subtracted from the rest of the matrix, V and U being the vectors of the reflections,
// with their ones. The ones replace the elements of the bidiagonal matrix in A, which are in d and e. Elements of X and
// Y that LAPACK uses as scratch become zero. If k is min(m, n), the last step has only the reflection of one side: then
// A has the last element of d, and the last columns of X and Y and the scalar of the other side are not written.
func Labrd[T blas.Number](
	m, n, k int, a blas.Matrix[T], d, e []float64, tauq, taup []T, x, y blas.Matrix[T],
) {
	if m < n {
		b := adjoint(m, n, a)
		labrd(n, m, k, b, d, e, taup, tauq, y, x)
		copyAdjoint(n, m, b, a)
		return
	}
	labrd(m, n, k, a, d, e, tauq, taup, x, y)
}

// labrd is Labrd for m >= n. It returns U, n x k.
func labrd[T blas.Number](
	m, n, k int, a blas.Matrix[T], d, e []float64, tauq, taup []T, x, y blas.Matrix[T],
) blas.Matrix[T] {
	u, sums := newMatrix[T](n, k), make([]T, k+1)
	for i := range k {
		column := a.Data[i*a.LD:][i:m]
		for p := range i {
			blas.Axpy(-blas.Conj(y.At(i, p)), a.Data[p*a.LD:][i:m], column)
			blas.Axpy(-blas.Conj(u.At(i, p)), x.Data[p*x.LD:][i:m], column)
		}
		tauq[i] = reflect(len(column), column)
		d[i] = blas.Real(column[0])
		if i == n-1 {
			break
		}
		column[0] = 1
		clear(y.Data[i*y.LD:][:i])
		clear(x.Data[i*x.LD:][:m])
		yi := y.Data[i*y.LD:][i+1 : n]
		for c := range yi {
			yi[c] = blas.DotColumns(a.Data[(i+1+c)*a.LD:][i:m], column)
		}
		subtractProduct(i, y.From(i+1, 0), a.From(i, 0), column, yi, sums)
		subtractProduct(i, u.From(i+1, 0), x.From(i, 0), column, yi, sums)
		multiplyAll(tauq[i], yi)

		row := u.Data[i*u.LD:][i+1 : n] // conjugated
		for c := range row {
			row[c] = blas.Conj(a.At(i, i+1+c))
		}
		for p := range i + 1 {
			blas.Axpy(-blas.Conj(a.At(i, p)), y.Data[p*y.LD:][i+1:n], row)
		}
		for p := range i {
			blas.Axpy(-blas.Conj(x.At(i, p)), u.Data[p*u.LD:][i+1:n], row)
		}
		taup[i] = reflect(len(row), row)
		e[i] = blas.Real(row[0])
		row[0] = 1
		for c, v := range row {
			a.Set(i, i+1+c, blas.Conj(v))
		}

		xi := x.Data[i*x.LD:][i+1 : m]
		for c, v := range row {
			blas.Axpy(v, a.Data[(i+1+c)*a.LD:][i+1:m], xi)
		}
		subtractProduct(i+1, a.From(i+1, 0), y.From(i+1, 0), row, xi, sums)
		subtractProduct(i, x.From(i+1, 0), u.From(i+1, 0), row, xi, sums)
		multiplyAll(taup[i], xi)
	}
	return u
}
