package randomcall

import (
	"math"
	"math/cmplx"
	"slices"

	"roclua/hip/routine"
)

// dense is a matrix in double precision with all its elements.
type dense struct {
	rows, cols int64
	v          []complex128
}

func newDense(rows, cols int64) dense { return dense{rows, cols, make([]complex128, rows*cols)} }

func (d dense) at(i, j int64) complex128 { return d.v[i+j*d.rows] }

func (d dense) set(i, j int64, x complex128) { d.v[i+j*d.rows] = x }

func build(rows, cols int64, f func(i, j int64) complex128) dense {
	d := newDense(rows, cols)
	for j := range cols {
		for i := range rows {
			d.set(i, j, f(i, j))
		}
	}
	return d
}

// times multiplies. An exact zero means an element outside of a triangle, which is not a factor even of an infinity.
func (d dense) times(e dense) dense {
	out := newDense(d.rows, e.cols)
	for j := range e.cols {
		sums := out.v[j*d.rows:][:d.rows]
		for k, y := range e.v[j*e.rows:][:d.cols] {
			if y == 0 {
				continue
			}
			for i, x := range d.v[int64(k)*d.rows:][:d.rows] {
				if x != 0 {
					sums[i] += x * y
				}
			}
		}
	}
	return out
}

func (d dense) transposed() dense {
	return build(d.cols, d.rows, func(i, j int64) complex128 { return d.at(j, i) })
}

func (d dense) adjoint() dense {
	return build(d.cols, d.rows, func(i, j int64) complex128 { return cmplx.Conj(d.at(j, i)) })
}

func (d dense) op(operation int64) dense {
	switch operation {
	case routine.OperationTranspose:
		return d.transposed()
	case routine.OperationConjugateTranspose:
		return d.adjoint()
	}
	return d
}

// plus returns x d + y e; a matrix whose factor is 0 is not read.
func (d dense) plus(x complex128, e dense, y complex128) dense {
	return build(d.rows, d.cols, func(i, j int64) complex128 {
		v := complex128(0)
		if x != 0 {
			v = x * d.at(i, j)
		}
		if y != 0 {
			v += y * e.at(i, j)
		}
		return v
	})
}

// largest returns the largest absolute value among the finite elements.
func (d dense) largest() float64 {
	m := 0.0
	for _, v := range d.v {
		if finite(v) {
			m = math.Max(m, cmplx.Abs(v))
		}
	}
	return m
}

// squares returns the sum of the squared absolute values of the elements.
func (d dense) squares() (sum float64) {
	for _, x := range d.v {
		sum += real(x)*real(x) + imag(x)*imag(x)
	}
	return sum
}

// scaledColumns multiplies the columns of a matrix.
func (d dense) scaledColumns(by []float64) dense {
	return build(d.rows, d.cols, func(i, j int64) complex128 { return d.at(i, j) * complex(by[j], 0) })
}

func identity(n int64) dense {
	return build(n, n, func(i, j int64) complex128 {
		if i == j {
			return 1
		}
		return 0
	})
}

// unpivoted multiplies the factors in a matrix.
func unpivoted(lu dense) dense {
	d := min(lu.rows, lu.cols)
	L := build(lu.rows, d, func(i, j int64) complex128 {
		switch {
		case i == j:
			return 1
		case i > j:
			return lu.at(i, j)
		}
		return 0
	})
	U := build(d, lu.cols, func(i, j int64) complex128 {
		if i <= j {
			return lu.at(i, j)
		}
		return 0
	})
	return L.times(U)
}

// blockAt returns block k of adjacent blocks with the given columns.
func blockAt(m dense, k, cols int64) dense {
	return build(m.rows, cols, func(i, j int64) complex128 { return m.at(i, k*cols+j) })
}

// solve solves a positive definite system.
func (d dense) solve(b dense) dense {
	a, x := dense{d.rows, d.cols, slices.Clone(d.v)}, dense{b.rows, b.cols, slices.Clone(b.v)}
	for k := range a.rows {
		for i := range a.rows {
			if i == k {
				continue
			}
			factor := a.at(i, k) / a.at(k, k)
			for j := k + 1; j < a.cols; j++ {
				a.set(i, j, a.at(i, j)-factor*a.at(k, j))
			}
			for j := range x.cols {
				x.set(i, j, x.at(i, j)-factor*x.at(k, j))
			}
		}
	}
	return build(x.rows, x.cols, func(i, j int64) complex128 { return x.at(i, j) / a.at(i, i) })
}
