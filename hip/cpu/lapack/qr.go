package lapack

import (
	"math"

	"roclua/hip/cpu/blas"
)

// Geqrf factorizes A, m x n, into Q R by Householder reflections H = I - tau v v^H. R is in the upper triangle, the
// vectors without their first element, which is one, are below the diagonal, and their scalars are in tau.
func Geqrf[T blas.Number](m, n int, a blas.Matrix[T], tau []T) {
	for j := range min(m, n) {
		tau[j] = reflect(m-j, a.From(j, j).Data)
		if tau[j] == 0 {
			continue
		}
		diagonal := a.At(j, j)
		a.Set(j, j, 1)
		for c := j + 1; c < n; c++ {
			applyAdjoint(m-j, a.From(j, j).Data, tau[j], a.From(j, c).Data)
		}
		a.Set(j, j, diagonal)
	}
}

// reflect computes the reflection that maps x to a multiple of its first element. It stores that element, beta, and
// below it v, and returns tau.
func reflect[T blas.Number](n int, x []T) T {
	rest := blas.Nrm2(blas.Vector[T]{Data: x, N: n, Inc: 1}, 1, n)
	alpha := x[0]
	re := blas.Real(alpha)
	im := blas.Real(alpha * blas.FromComplex[T](complex(0, -1)))
	if !blas.IsComplex[T]() {
		im = 0
	}
	if rest == 0 && im == 0 {
		return 0
	}
	beta := -math.Copysign(math.Hypot(math.Hypot(re, im), rest), re)
	tau := blas.FromComplex[T](complex((beta-re)/beta, -im/beta))
	scale := 1 / (alpha - blas.FromReal[T](beta))
	for i := 1; i < n; i++ {
		x[i] *= scale
	}
	x[0] = blas.FromReal[T](beta)
	return tau
}

// applyAdjoint replaces y by H^H y.
func applyAdjoint[T blas.Number](n int, v []T, tau T, y []T) {
	var sum T
	for i := range n {
		sum += blas.Conj(v[i]) * y[i]
	}
	sum *= blas.Conj(tau)
	for i := range n {
		y[i] -= v[i] * sum
	}
}
