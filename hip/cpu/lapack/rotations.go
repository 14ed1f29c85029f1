package lapack

import (
	"math"

	"roclua/hip/cpu/blas"
)

// Planes selects the pairs of rows or columns that Lasr rotates.
type Planes int

const (
	Variable Planes = iota // neighbors
	Top                    // the first one and each other
	Bottom                 // each other and the last one
)

// Lasr multiplies A, m x n, from a side by rotations with the cosines c and the sines s. On the left they act on rows,
// on the right on columns. They are applied from the first to the last one, or backward.
func Lasr[T blas.Number](side blas.Side, planes Planes, backward bool, m, n int, c, s []float64, a blas.Matrix[T]) {
	order, count, next, across := m, n, a.LD, 1
	if side == blas.Right {
		order, count, next, across = n, m, 1, a.LD
	}
	for step := range order - 1 {
		j := step
		if backward {
			j = order - 2 - step
		}
		x, y := j, j+1
		switch planes {
		case Top:
			x = 0
		case Bottom:
			y = order - 1
		}
		cosine, sine := blas.FromReal[T](c[j]), blas.FromReal[T](s[j])
		for i := range count {
			p, q := &a.Data[x*across+i*next], &a.Data[y*across+i*next]
			*p, *q = cosine**p+sine**q, cosine**q-sine**p
		}
	}
}

// rotation maps two columns x and y to c x - conj(s) y and s x + c y.
type rotation[T blas.Number] struct {
	c, s, adjoint T
	shift         float64 // by which the elements on the diagonal change
}

// rotationOf returns the rotation that makes a Hermitian matrix of order 2 diagonal. ok is false if it is diagonal.
func rotationOf[T blas.Number](pp, qq float64, pq T) (r rotation[T], ok bool) {
	z, size := blas.ToComplex(pq), absOf(pq)
	if isTiny[T](size) {
		return r, false
	}
	angle := (qq - pp) / (2 * size)
	tangent := math.Copysign(1, angle) / (math.Abs(angle) + hypotOfOne(angle))
	c := 1 / hypotOfOne(tangent)
	s := complex(tangent*c/size, 0) * z
	r = rotation[T]{c: blas.FromReal[T](c), s: blas.FromComplex[T](s), shift: tangent * size}
	r.adjoint = blas.Conj(r.s)
	return r, true
}

// isTiny reports whether numbers of T that are a little smaller lose digits.
func isTiny[T blas.Number](x float64) bool {
	return x < 0x1p-1000 || blas.IsSingle[T]() && x < 0x1p-120
}

// hypotOfOne is math.Hypot(1, x), but faster.
func hypotOfOne(x float64) float64 {
	if size := math.Abs(x); size > 1e100 {
		return size
	}
	return math.Sqrt(1 + x*x)
}

func (r rotation[T]) apply(x, y []T) {
	y = y[:len(x)]
	for i, v := range x {
		w := y[i]
		x[i] = r.c*v - r.adjoint*w
		y[i] = r.s*v + r.c*w
	}
}
