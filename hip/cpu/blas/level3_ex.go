package blas

import "math"

// MinPlus stores in D, m x n, the minimum over l < k of alpha op(A)(i, l) + alpha op(B)(l, j). It is at most largest,
// and a NaN is not smaller than any number.
func MinPlus[T Number](opA, opB Op, m, n, k int, alpha T, a, b Matrix[T], largest float64, d Matrix[T]) {
	combine(opA, opB, m, n, k, alpha, a, b, FromReal[T](largest), d, func(old, x, y T) T { return smaller(old, x+y) })
}

// PlusMin stores in D, m x n, the sum over l < k of the smaller one of alpha op(A)(i, l) and alpha op(B)(l, j).
func PlusMin[T Number](opA, opB Op, m, n, k int, alpha T, a, b, d Matrix[T]) {
	combine(opA, opB, m, n, k, alpha, a, b, 0, d, func(old, x, y T) T { return old + smaller(x, y) })
}

// combine joins pairs of elements of op(A) and op(B) with elements of D, which are first at the beginning.
func combine[T Number](
	opA, opB Op, m, n, k int, alpha T, a, b Matrix[T], first T, d Matrix[T], join func(old, x, y T) T,
) {
	for j := range n {
		column := d.Data[j*d.LD:][:m]
		for i := range column {
			column[i] = first
		}
		for l := range k {
			y := alpha * b.at(opB, l, j)
			for i := range column {
				column[i] = join(column[i], alpha*a.at(opA, i, l), y)
			}
		}
	}
}

// smaller returns the smaller one of two real numbers, and the other one if one is NaN.
func smaller[T Number](x, y T) T {
	if v, w := Real(x), Real(y); w < v || math.IsNaN(v) {
		return y
	}
	return x
}

// AddSmaller stores the minimum of D and beta C, or their sum if plus is true, in D, m x n. With a beta of 0, C is not
// read and its elements are zeros.
func AddSmaller[T Number](plus bool, m, n int, beta T, c, d Matrix[T]) {
	for j := range n {
		for i := range m {
			var other T
			if beta != 0 {
				other = beta * c.At(i, j)
			}
			if plus {
				d.Set(i, j, d.At(i, j)+other)
			} else {
				d.Set(i, j, smaller(other, d.At(i, j)))
			}
		}
	}
}
