package lapack

import (
	"math"

	"roclua/hip/cpu/blas"
)

// Widths of panels of a QR factorization: of those whose reflections are applied together, and of those whose columns
// are processed one by one.
const (
	reflectorWidth = 64
	smallReflector = 8
)

// GeqrfBy is Geqrf, by OpenBLAS for large matrices unless o is nil.
func GeqrfBy[T blas.Number](o *blas.OpenBLAS, m, n int, a blas.Matrix[T], tau []T) {
	if !blas.QR(o, m, n, a, tau) {
		Geqrf(m, n, a, tau)
	}
}

// Geqrf factorizes A, m x n, into Q R by Householder reflections H = I - tau v v^H. R is in the upper triangle, the
// vectors without their first element, which is one, are below the diagonal, and their scalars are in tau.
func Geqrf[T blas.Number](m, n int, a blas.Matrix[T], tau []T) {
	for j := 0; j < min(m, n); j += reflectorWidth {
		width := min(reflectorWidth, min(m, n)-j)
		r := reflector[T]{m - j, width, a.From(j, j), blas.Matrix[T]{Data: make([]T, width*width), LD: width}}
		r.factor(tau[j : j+width])
		r.applyAdjoint(n-j-width, a.From(j, j+width))
	}
}

// reflector is a product of reflections I - V T V^H. V is m x n; it is below the diagonal of a matrix and has ones on
// the diagonal. T is upper triangular.
type reflector[T blas.Number] struct {
	m, n int
	v, t blas.Matrix[T]
}

// factor factorizes the matrix whose place V takes, and computes T. It halves the columns.
func (r reflector[T]) factor(tau []T) {
	if r.n <= smallReflector {
		r.factorSmall(tau)
		return
	}
	h := r.n / 2
	left := reflector[T]{r.m, h, r.v, r.t}
	right := reflector[T]{r.m - h, r.n - h, r.v.From(h, h), r.t.From(h, h)}
	left.factor(tau[:h])
	left.applyAdjoint(r.n-h, r.v.From(0, h))
	right.factor(tau[h:])
	// The block above the diagonal of T is -T1 V1^H V2 T2. V2 begins h rows below V1.
	off, below := r.t.From(0, h), r.v.From(h, 0)
	for j := range right.n {
		for i := range h {
			off.Set(i, j, blas.Conj(below.At(j, i)))
		}
	}
	blas.Trmm(blas.Right, blas.Lower, blas.None, blas.Unit, h, right.n, 1, right.v, off)
	if rest := right.m - right.n; rest > 0 {
		blas.Gemm(nil, blas.ConjTrans, blas.None, h, right.n, rest, 1, below.From(right.n, 0),
			right.v.From(right.n, 0), 1, off)
	}
	blas.Trmm(blas.Left, blas.Upper, blas.None, blas.NonUnit, h, right.n, -1, left.t, off)
	blas.Trmm(blas.Right, blas.Upper, blas.None, blas.NonUnit, h, right.n, 1, right.t, off)
}

// factorSmall is factor column by column.
func (r reflector[T]) factorSmall(tau []T) {
	for j := range r.n {
		v := r.v.From(j, j).Data[:r.m-j]
		tau[j] = reflect(r.m-j, v)
		diagonal := v[0]
		v[0] = 1
		for c := j + 1; c < r.n && tau[j] != 0; c++ {
			y := r.v.From(j, c).Data[:r.m-j]
			blas.Axpy(-blas.Conj(tau[j])*blas.DotColumns(v, y), v, y)
		}
		for i := range j {
			earlier := r.v.From(j, i).Data[:r.m-j]
			r.t.Set(i, j, -tau[j]*blas.DotColumns(earlier, v))
		}
		v[0] = diagonal
		for i := range j { // the product of T so far and this column, in place
			var sum T
			for k := i; k < j; k++ {
				sum += r.t.At(i, k) * r.t.At(k, j)
			}
			r.t.Set(i, j, sum)
		}
		r.t.Set(j, j, tau[j])
	}
}

// applyAdjoint replaces C, which has the given columns, by (I - V T V^H)^H C.
func (r reflector[T]) applyAdjoint(cols int, c blas.Matrix[T]) {
	if cols == 0 {
		return
	}
	rest, bottom, v := r.m-r.n, c.From(r.n, 0), r.v.From(r.n, 0)
	w := blas.Matrix[T]{Data: make([]T, r.n*cols), LD: r.n}
	for j := range cols {
		copy(w.Data[j*w.LD:][:r.n], c.Data[j*c.LD:][:r.n])
	}
	blas.Trmm(blas.Left, blas.Lower, blas.ConjTrans, blas.Unit, r.n, cols, 1, r.v, w)
	if rest > 0 {
		blas.Gemm(nil, blas.ConjTrans, blas.None, r.n, cols, rest, 1, v, bottom, 1, w)
	}
	blas.Trmm(blas.Left, blas.Upper, blas.ConjTrans, blas.NonUnit, r.n, cols, 1, r.t, w)
	if rest > 0 {
		blas.Gemm(nil, blas.None, blas.None, rest, cols, r.n, -1, v, w, 1, bottom)
	}
	blas.Trmm(blas.Left, blas.Lower, blas.None, blas.Unit, r.n, cols, 1, r.v, w)
	for j := range cols {
		column := c.Data[j*c.LD:][:r.n]
		for i, x := range w.Data[j*w.LD:][:r.n] {
			column[i] -= x
		}
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
