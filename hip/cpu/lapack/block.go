package lapack

import (
	"slices"

	"roclua/hip/cpu/blas"
)

// block is the product of reflections I - W T W^H. W is order x k and has all its elements, including the zeros and
// ones that are not stored in the matrix. T is upper triangular. The vectors of backward forms are in the reverse
// order, so that H is always the product from the first to the last one.
type block[T blas.Number] struct {
	order, k int
	w, t     blas.Matrix[T]
}

// blockSize returns the number of elements of memory for a block of k reflections.
func blockSize(order, k int) int { return (order + 2*k) * k }

// blockIn makes a block, in memory of blockSize, of the vectors that a matrix stores. T is zero.
func blockIn[T blas.Number](memory []T, form Form, order, k int, v blas.Matrix[T]) block[T] {
	w := blas.Matrix[T]{Data: memory[:order*k], LD: max(order, 1)}
	t := blas.Matrix[T]{Data: memory[order*k:][:k*k], LD: max(k, 1)}
	vectors(form, order, k, v, w)
	clear(t.Data)
	return block[T]{order, k, w, t}
}

// newBlock makes a block, in memory of blockSize, of reflections that a matrix stores.
func newBlock[T blas.Number](
	memory []T, form Form, order, k int, v blas.Matrix[T], tau []T,
) block[T] {
	b := blockIn(memory, form, order, k, v)
	if form.Backward {
		tau = slices.Clone(tau[:k])
		slices.Reverse(tau)
	}
	gram := blas.Matrix[T]{Data: memory[(order+k)*k:], LD: max(k, 1)}
	blas.Gemm(blas.ConjTrans, blas.None, k, k, order, 1, b.w, b.w, 0, gram)
	triangularFactor(k, gram, tau, b.t)
	return b
}

// triangularFactor computes T, which is zero before, from W^H W: column j above the diagonal is -tau T W^H W(j). It
// changes W^H W.
func triangularFactor[T blas.Number](k int, gram blas.Matrix[T], tau []T, t blas.Matrix[T]) {
	for j := range k {
		products := gram.From(0, j)
		blas.ScaleVector(tau[j], blas.Vector[T]{Data: products.Data, N: j, Inc: 1})
		blas.Gemm(blas.None, blas.None, j, 1, j, -1, t, products, 1, t.From(0, j))
		t.Set(j, j, tau[j])
	}
}

// apply multiplies C by op(H) from a side. C has count columns on the left, or rows on the right.
func (b block[T]) apply(side blas.Side, op blas.Op, count int, c blas.Matrix[T]) {
	if b.k == 0 || count == 0 || b.order == 0 {
		return
	}
	blas.WithScratch(2*b.k*count, func(memory []T) {
		product, second := memory[:b.k*count], memory[b.k*count:]
		if side == blas.Left { // C - W (op(T) (W^H C))
			x, y := blas.Matrix[T]{Data: product, LD: b.k}, blas.Matrix[T]{Data: second, LD: b.k}
			blas.Gemm(blas.ConjTrans, blas.None, b.k, count, b.order, 1, b.w, c, 0, x)
			blas.Gemm(op, blas.None, b.k, count, b.k, 1, b.t, x, 0, y)
			blas.Gemm(blas.None, blas.None, b.order, count, b.k, -1, b.w, y, 1, c)
			return
		}
		x, y := blas.Matrix[T]{Data: product, LD: count}, blas.Matrix[T]{Data: second, LD: count}
		blas.Gemm(blas.None, blas.None, count, b.k, b.order, 1, c, b.w, 0, x)
		blas.Gemm(blas.None, op, count, b.k, b.k, 1, x, b.t, 0, y)
		blas.Gemm(blas.None, blas.ConjTrans, count, b.order, b.k, -1, y, b.w, 1, c)
	})
}

// vectors stores the vectors of k reflections as columns of W, with their zeros and ones.
func vectors[T blas.Number](form Form, order, k int, v, w blas.Matrix[T]) {
	clear(w.Data[:order*k])
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
		return
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
}
