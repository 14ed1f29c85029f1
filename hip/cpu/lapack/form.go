package lapack

import (
	"slices"

	"roclua/hip/cpu/blas"
)

// Form is the way in which a matrix keeps the vectors of k reflections H1 to Hk. By default they are its columns: that
// of Hi, i from 1, begins with a one in row i, and the product of the reflections is H = H1 H2 ... Hk.
type Form struct {
	Rows     bool // the vectors, conjugated, are rows instead of columns
	Backward bool // H = Hk ... H2 H1, and each vector ends with a one: that of Hi in row order-k+i
}

// The forms of the factorizations. Q is H for QR and QL, and the adjoint of H for LQ and RQ.
var (
	QR = Form{}
	QL = Form{Backward: true}
	LQ = Form{Rows: true}
	RQ = Form{Rows: true, Backward: true}
)

// block is the product of reflections I - W T W^H. W is order x k and has all its elements, also the zeros and ones
// that no matrix keeps. T is upper triangular. The vectors of backward forms are in the reverse order, so that H is
// always the product from the first to the last one.
type block[T blas.Number] struct {
	order, k int
	w, t     blas.Matrix[T]
}

// Larft computes the triangular factor T of the product of k reflections of an order. T is upper triangular, for
// backward forms lower triangular; the other triangle becomes zero.
func Larft[T blas.Number](form Form, order, k int, v blas.Matrix[T], tau []T, t blas.Matrix[T]) {
	b := newBlock(nil, form, order, k, v, tau)
	for j := range k {
		for i := range k {
			if form.Backward {
				t.Set(k-1-i, k-1-j, b.t.At(i, j))
			} else {
				t.Set(i, j, b.t.At(i, j))
			}
		}
	}
}

// Larfb multiplies C, m x n, by op(H) from a side, H being the product of k reflections with the triangular factor T
// of Larft. The operation applies to T: with blas.Trans it is the transpose of a real H.
func Larfb[T blas.Number](
	o *blas.OpenBLAS, form Form, side blas.Side, op blas.Op, m, n, k int, v, t, c blas.Matrix[T],
) {
	order, count := m, n
	if side == blas.Right {
		order, count = n, m
	}
	b := block[T]{order, k, vectors(form, order, k, v), blas.Matrix[T]{Data: make([]T, k*k), LD: max(k, 1)}}
	for j := range k {
		for i := range j + 1 {
			if form.Backward {
				b.t.Set(i, j, t.At(k-1-i, k-1-j))
			} else {
				b.t.Set(i, j, t.At(i, j))
			}
		}
	}
	b.apply(o, side, op, count, c)
}

// newBlock makes a block of reflections that a matrix keeps.
func newBlock[T blas.Number](
	o *blas.OpenBLAS, form Form, order, k int, v blas.Matrix[T], tau []T,
) block[T] {
	b := block[T]{order, k, vectors(form, order, k, v), blas.Matrix[T]{Data: make([]T, k*k), LD: max(k, 1)}}
	if form.Backward {
		tau = slices.Clone(tau[:k])
		slices.Reverse(tau)
	}
	gram := blas.Matrix[T]{Data: make([]T, k*k), LD: max(k, 1)}
	blas.Gemm(o, blas.ConjTrans, blas.None, k, k, order, 1, b.w, b.w, 0, gram)
	triangularFactor(k, gram, tau, b.t)
	return b
}

// triangularFactor computes T from W^H W. It halves the reflections: the block above the diagonal of T is
// -T1 W1^H W2 T2.
func triangularFactor[T blas.Number](k int, gram blas.Matrix[T], tau []T, t blas.Matrix[T]) {
	if k <= smallReflector {
		for j := range k {
			for i := range j {
				var sum T
				for l := i; l < j; l++ {
					sum += t.At(i, l) * gram.At(l, j)
				}
				t.Set(i, j, -tau[j]*sum)
			}
			t.Set(j, j, tau[j])
		}
		return
	}
	h := k / 2
	off, second := t.From(0, h), t.From(h, h)
	triangularFactor(h, gram, tau[:h], t)
	triangularFactor(k-h, gram.From(h, h), tau[h:], second)
	copyPart(h, k-h, gram.From(0, h), off)
	blas.Trmm(blas.Left, blas.Upper, blas.None, blas.NonUnit, h, k-h, -1, t, off)
	blas.Trmm(blas.Right, blas.Upper, blas.None, blas.NonUnit, h, k-h, 1, second, off)
}

// apply multiplies C by op(H) from a side. C has count columns on the left, or rows on the right.
func (b block[T]) apply(o *blas.OpenBLAS, side blas.Side, op blas.Op, count int, c blas.Matrix[T]) {
	if b.k == 0 || count == 0 || b.order == 0 {
		return
	}
	if side == blas.Left {
		product := blas.Matrix[T]{Data: make([]T, b.k*count), LD: b.k}
		blas.Gemm(o, blas.ConjTrans, blas.None, b.k, count, b.order, 1, b.w, c, 0, product)
		blas.Trmm(blas.Left, blas.Upper, op, blas.NonUnit, b.k, count, 1, b.t, product)
		blas.Gemm(o, blas.None, blas.None, b.order, count, b.k, -1, b.w, product, 1, c)
		return
	}
	product := blas.Matrix[T]{Data: make([]T, count*b.k), LD: count}
	blas.Gemm(o, blas.None, blas.None, count, b.k, b.order, 1, c, b.w, 0, product)
	blas.Trmm(blas.Right, blas.Upper, op, blas.NonUnit, count, b.k, 1, b.t, product)
	blas.Gemm(o, blas.None, blas.ConjTrans, count, b.order, b.k, -1, product, b.w, 1, c)
}

// vectors returns the vectors of k reflections as columns, with their zeros and ones.
func vectors[T blas.Number](form Form, order, k int, v blas.Matrix[T]) blas.Matrix[T] {
	w := blas.Matrix[T]{Data: make([]T, order*k), LD: max(order, 1)}
	for j := range k {
		one, from, to := j, j+1, order
		if form.Backward {
			one, from, to = order-1-j, 0, order-1-j
		}
		w.Set(one, j, 1)
		if !form.Rows {
			source := form.place(k, j)
			copy(w.Data[from+j*w.LD:to+j*w.LD], v.Data[from+source*v.LD:to+source*v.LD])
		}
	}
	if !form.Rows {
		return w
	}
	for i := range order { // all vectors at once, because the elements of a row are far apart in memory
		count := min(i, k)
		if form.Backward {
			count = min(order-1-i, k)
		}
		for j := range count {
			w.Set(i, j, blas.Conj(v.At(form.place(k, j), i)))
		}
	}
	return w
}

// place returns the column or row that keeps the vector of factor j of the product.
func (f Form) place(k, j int) int {
	if f.Backward {
		return k - 1 - j
	}
	return j
}

// copyPart copies rows x cols elements.
func copyPart[T blas.Number](rows, cols int, from, to blas.Matrix[T]) {
	for j := range cols {
		copy(to.Data[j*to.LD:][:rows], from.Data[j*from.LD:][:rows])
	}
}
