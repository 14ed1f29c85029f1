package dense

import (
	"math"

	"roclua/hip/cpu/blas"
)

// FormQ returns the first cols columns of Q, the product of the reflections H = I - tau v v^H that geqrf stores: v has
// a one in the row of its index, and its elements below are in the column of qr.
func FormQ[T Number](qr Matrix[T], tau []T, cols int, m Meter) Matrix[T] {
	q := New[T](qr.Rows, cols, m)
	for j := range min(qr.Rows, cols) {
		q.Set(j, j, 1)
	}
	m.Reserve(bytesOf(qr.Rows, 1, 16))
	v := make([]T, qr.Rows)
	for k := min(len(tau), qr.Rows, qr.Cols) - 1; k >= 0; k-- {
		below := v[k:]
		copy(below, qr.Column(k)[k:])
		below[0] = 1
		// Columns before k have zeros in the rows that the reflection changes.
		for j := k; j < cols; j++ {
			m.Step(2 * len(below))
			reflectColumn(below, tau[k], q.Column(j)[k:])
		}
	}
	return q
}

// reflectColumn replaces y by y - tau v v^H y.
func reflectColumn[T Number](v []T, tau T, y []T) { blas.Axpy(-tau*blas.DotColumns(v, y), v, y) }

// Factor replaces A by R and the reflections of its QR factorization, in the form of geqrf, and returns their scalars.
func Factor[T Number](a Matrix[T], m Meter) (tau []T) {
	tau = make([]T, min(a.Rows, a.Cols))
	for k := range tau {
		x := a.Column(k)[k:]
		diagonal, scalar := reflection(x)
		tau[k] = scalar
		x[0] = 1
		for j := k + 1; j < a.Cols; j++ {
			m.Step(2 * len(x))
			reflectColumn(x, blas.Conj(scalar), a.Column(j)[k:])
		}
		x[0] = diagonal
	}
	return tau
}

// reflection computes the reflection whose adjoint maps x to a multiple of the first unit vector. It returns that
// multiple and tau, and leaves v in x, except for its first element.
func reflection[T Number](x []T) (diagonal, tau T) {
	norm := Norm(Of(len(x), 1, x), Unmetered{})
	if norm == 0 {
		return 0, 0
	}
	alpha := x[0]
	beta := blas.FromReal[T](-math.Copysign(norm, blas.Real(alpha)))
	for i := 1; i < len(x); i++ {
		x[i] /= alpha - beta
	}
	return beta, (beta - alpha) / beta
}
