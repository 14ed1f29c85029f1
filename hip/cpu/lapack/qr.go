package lapack

import (
	"math"
	"slices"

	"roclua/hip/cpu/blas"
)

// Widths of panels of a QR factorization: whose reflections are applied together, and whose columns are processed one
// by one.
const (
	reflectorWidth = 64
	smallReflector = 32
)

// Geqrf factorizes A, m x n, into Q R by Householder reflections H = I - tau v v^H. R is in the upper triangle, the
// vectors without their first element, which is one, are below the diagonal, and their scalars are in tau.
func Geqrf[T blas.Number](m, n int, a blas.Matrix[T], tau []T) {
	for j := 0; j < min(m, n); j += reflectorWidth {
		width := min(reflectorWidth, min(m, n)-j)
		factorPanel(m-j, width, n-j-width, a.From(j, j), tau[j:])
	}
}

// factorPanel factorizes the first n columns of a matrix, and applies their reflections to the columns on the right of
// them. It halves the columns.
func factorPanel[T blas.Number](m, n, right int, a blas.Matrix[T], tau []T) {
	if n <= smallReflector {
		factorSmall(m, n, a, tau)
	} else {
		h := n / 2
		factorPanel(m, h, n-h, a, tau)
		factorPanel(m-h, n-h, 0, a.From(h, h), tau[h:])
	}
	if right > 0 {
		blas.WithScratch(blockSize(m, n), func(memory []T) {
			newBlock(memory, QR, m, n, a, tau).apply(blas.Left, blas.ConjTrans, right, a.From(0, n))
		})
	}
}

// factorSmall is factorPanel column by column.
func factorSmall[T blas.Number](m, n int, a blas.Matrix[T], tau []T) {
	for j := range n {
		v := a.From(j, j).Data[:m-j]
		tau[j] = reflect(m-j, v)
		diagonal := v[0]
		v[0] = 1
		Larf(blas.Left, m-j, n-j-1, blas.Vector[T]{Data: v, N: m - j, Inc: 1}, blas.Conj(tau[j]), a.From(j, j+1))
		v[0] = diagonal
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
	blas.Divide(alpha-blas.FromReal[T](beta), x[1:n])
	x[0] = blas.FromReal[T](beta)
	return tau
}

// Factor factorizes A, m x n, by Householder reflections: into Q R, L Q, Q L or R Q, as the form says. The triangle
// and the vectors of the reflections replace A; tau gets the min(m, n) scalars of the reflections.
func Factor[T blas.Number](form Form, m, n int, a blas.Matrix[T], tau []T) {
	if form == QR {
		Geqrf(m, n, a, tau)
		return
	}
	// The other factorizations are the QR factorization of the adjoint matrix, or of the matrix in reverse order.
	rows, cols := m, n
	if form.Rows {
		rows, cols = n, m
	}
	b := blas.NewMatrix[T](rows, cols)
	form.turn(m, n, func(i, j, row, col int) { b.Set(row, col, conjIf(form.Rows, a.At(i, j))) })
	Geqrf(rows, cols, b, tau)
	form.turn(m, n, func(i, j, row, col int) { a.Set(i, j, conjIf(form.Rows, b.At(row, col))) })
	if form.Backward {
		slices.Reverse(tau[:min(m, n)])
	}
}

// turn calls a function for each element (i, j) of an m x n matrix, with its place in the matrix whose QR factorization
// gives the factorization of the form. It proceeds by square parts, because one of the matrices is read across its
// columns.
func (f Form) turn(m, n int, each func(i, j, row, col int)) {
	const part = 32
	for first := 0; first < m; first += part {
		for j := range n {
			for i := first; i < min(first+part, m); i++ {
				row, col := i, j
				if f.Backward {
					row, col = m-1-i, n-1-j
				}
				if f.Rows {
					row, col = col, row
				}
				each(i, j, row, col)
			}
		}
	}
}

func conjIf[T blas.Number](conj bool, x T) T {
	if conj {
		return blas.Conj(x)
	}
	return x
}

// Generate replaces the vectors of k reflections in A, m x n, by rows or columns of Q: the first n columns for QR, the
// last n columns for QL, the first m rows for LQ, the last m rows for RQ. The vectors are in the first k columns or
// rows of A, in the last ones for backward forms.
func Generate[T blas.Number](form Form, m, n, k int, a blas.Matrix[T], tau []T) {
	if m == 0 || n == 0 {
		return
	}
	v := blas.NewMatrix[T](m, n)
	blas.CopyMatrix(m, n, a, v)
	for j := range n {
		column := a.Data[j*a.LD:][:m]
		clear(column)
		one := j
		if form.Backward {
			one += m - n
		}
		if one >= 0 && one < m {
			column[one] = 1
		}
	}
	side, op, order := blas.Left, blas.None, m
	if form.Rows {
		side, op, order = blas.Right, blas.ConjTrans, n
	}
	if form.Backward && form.Rows {
		v = v.From(m-k, 0)
	} else if form.Backward {
		v = v.From(0, n-k)
	}
	// The blocks from the last to the first one. Rows and columns of the identity before a block stay as they are.
	blas.WithScratch(blockSize(order, min(reflectorWidth, k)), func(memory []T) {
		for j := (k - 1) / reflectorWidth * reflectorWidth; k > 0 && j >= 0; j -= reflectorWidth {
			b, _ := blockAt(memory, form, order, k, j, v, tau)
			part, count := a.From(j, j), n-j
			if form.Backward {
				part = a
			}
			if form.Rows {
				count = m - j
			}
			b.apply(side, op, count, part)
		}
	})
}

// blockAt makes the block that starts with reflection j of the product H. Its order is the order of the part of a
// matrix that it changes: from row or column j, or up to j before the end for backward forms.
func blockAt[T blas.Number](
	memory []T, form Form, order, k, j int, v blas.Matrix[T], tau []T,
) (b block[T], from int) {
	width := min(reflectorWidth, k-j)
	if !form.Backward {
		return newBlock(memory, form, order-j, width, v.From(j, j), tau[j:]), j
	}
	first := k - j - width
	part := v.From(0, first)
	if form.Rows {
		part = v.From(first, 0)
	}
	return newBlock(memory, form, order-j, width, part, tau[first:]), 0
}

// Multiply multiplies C, m x n, by op(Q) from a side, Q being the product of k reflections in A. op is not blas.Trans
// for complex types.
func Multiply[T blas.Number](
	form Form, side blas.Side, op blas.Op, m, n, k int, a blas.Matrix[T], tau []T, c blas.Matrix[T],
) {
	order, count := m, n
	if side == blas.Right {
		order, count = n, m
	}
	adjoint := (op != blas.None) != form.Rows // Q of rows is the adjoint of the product
	op = blas.None
	if adjoint {
		op = blas.ConjTrans
	}
	blocks := (k + reflectorWidth - 1) / reflectorWidth
	blas.WithScratch(blockSize(order, min(reflectorWidth, k)), func(memory []T) {
		for step := range blocks {
			j := step * reflectorWidth
			if adjoint == (side == blas.Right) {
				j = (blocks - 1 - step) * reflectorWidth
			}
			b, from := blockAt(memory, form, order, k, j, a, tau)
			part := c.From(from, 0)
			if side == blas.Right {
				part = c.From(0, from)
			}
			b.apply(side, op, count, part)
		}
	})
}

// Orgtr replaces the reflections of Sytrd in A by Q.
func Orgtr[T blas.Number](uplo blas.Uplo, n int, a blas.Matrix[T], tau []T) {
	q := blas.NewMatrix[T](n, n)
	blas.SetIdentity(n, n, q)
	Ormtr(blas.Left, uplo, blas.None, n, n, a, tau, q)
	blas.CopyMatrix(n, n, q, a)
}

// Ormtr multiplies C, m x n, by op(Q) from a side, Q being the product of the reflections of Sytrd in A.
func Ormtr[T blas.Number](
	side blas.Side, uplo blas.Uplo, op blas.Op, m, n int, a blas.Matrix[T], tau []T,
	c blas.Matrix[T],
) {
	order := m
	if side == blas.Right {
		order = n
	}
	if order < 2 {
		return
	}
	// Q is the identity in the first row and column of a lower triangle, in the last ones of an upper triangle.
	form, v, from := QR, a.From(1, 0), 1
	if uplo == blas.Upper {
		form, v, from = QL, a.From(0, 1), 0
	}
	if side == blas.Left {
		Multiply(form, side, op, m-1, n, m-1, v, tau, c.From(from, 0))
	} else {
		Multiply(form, side, op, m, n-1, n-1, v, tau, c.From(0, from))
	}
}

// Orgbr replaces the reflections of Gebrd in A, m x n, by columns of Q, or with ofP by rows of P^H. k is the number of
// columns, or rows, of the matrix that Gebrd reduced.
func Orgbr[T blas.Number](ofP bool, m, n, k int, a blas.Matrix[T], tau []T) {
	if m == 0 || n == 0 {
		return
	}
	q := blas.NewMatrix[T](m, n)
	blas.SetIdentity(m, n, q)
	if ofP {
		Ormbr(true, blas.Right, blas.ConjTrans, m, n, k, a, tau, q)
	} else {
		Ormbr(false, blas.Left, blas.None, m, n, k, a, tau, q)
	}
	blas.CopyMatrix(m, n, q, a)
}

// Ormbr multiplies C, m x n, by op(Q), or with ofP by op(P), from a side. k is the number of columns, or of rows with
// ofP, of the matrix that Gebrd reduced. op is not blas.Trans for complex types.
func Ormbr[T blas.Number](
	ofP bool, side blas.Side, op blas.Op, m, n, k int, a blas.Matrix[T], tau []T, c blas.Matrix[T],
) {
	order := m
	if side == blas.Right {
		order = n
	}
	form, reflections, from := QR, k, 0
	if ofP {
		form = LQ // whose Q is the adjoint of P
		if op == blas.None {
			op = blas.ConjTrans
		} else {
			op = blas.None
		}
	}
	if ofP && order <= k { // the first row and column of P are unit vectors
		reflections, from, a = order-1, 1, a.From(0, 1)
	} else if !ofP && order < k {
		reflections, from, a = order-1, 1, a.From(1, 0)
	}
	if reflections <= 0 || m == 0 || n == 0 {
		return
	}
	if side == blas.Left {
		Multiply(form, side, op, m-from, n, reflections, a, tau, c.From(from, 0))
	} else {
		Multiply(form, side, op, m, n-from, reflections, a, tau, c.From(0, from))
	}
}

// Larfg returns beta and tau, and replaces x by v, such that the reflection H = I - tau (1, v) (1, v)^H maps
// (alpha, x) to (beta, 0) by its adjoint: H^H (alpha, x) = (beta, 0). beta is real.
func Larfg[T blas.Number](alpha T, x blas.Vector[T]) (beta, tau T) {
	column := make([]T, x.N+1)
	column[0] = alpha
	copy(column[1:], x.Adjacent())
	tau = reflect(len(column), column)
	for i := range x.N {
		x.Set(i, column[i+1])
	}
	return column[0], tau
}

// Larf multiplies C, m x n, by the reflection H = I - tau v v^H from a side.
func Larf[T blas.Number](side blas.Side, m, n int, v blas.Vector[T], tau T, c blas.Matrix[T]) {
	if tau == 0 || m == 0 || n == 0 {
		return
	}
	column := blas.Matrix[T]{Data: v.Adjacent(), LD: v.N}
	blas.WithScratch(max(m, n), func(memory []T) {
		if side == blas.Left { // C - v (tau v^H C)
			row := blas.Matrix[T]{Data: memory[:n], LD: 1}
			blas.DotsOfColumns(n, column.Data, c, row.Data)
			blas.ScaleVector(tau, blas.Vector[T]{Data: row.Data, N: n, Inc: 1})
			blas.Gemm(blas.None, blas.None, m, n, 1, -1, column, row, 1, c)
			return
		}
		product := blas.Matrix[T]{Data: memory[:m], LD: m} // C - (tau C v) v^H
		blas.Gemm(blas.None, blas.None, m, 1, n, 1, c, column, 0, product)
		blas.ScaleVector(tau, blas.Vector[T]{Data: product.Data, N: m, Inc: 1})
		blas.Gemm(blas.None, blas.ConjTrans, m, n, 1, -1, product, column, 1, c)
	})
}

// Larft computes the triangular factor T of the product of k reflections of an order. T is upper triangular, for
// backward forms lower triangular; the other triangle becomes zero.
func Larft[T blas.Number](form Form, order, k int, v blas.Matrix[T], tau []T, t blas.Matrix[T]) {
	b := newBlock(make([]T, blockSize(order, k)), form, order, k, v, tau)
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
	form Form, side blas.Side, op blas.Op, m, n, k int, v, t, c blas.Matrix[T],
) {
	order, count := m, n
	if side == blas.Right {
		order, count = n, m
	}
	b := blockIn(make([]T, blockSize(order, k)), form, order, k, v)
	for j := range k {
		for i := range j + 1 {
			if form.Backward {
				b.t.Set(i, j, t.At(k-1-i, k-1-j))
			} else {
				b.t.Set(i, j, t.At(i, j))
			}
		}
	}
	b.apply(side, op, count, c)
}

// Form says how a matrix stores the vectors of k reflections H1 to Hk. By default they are its columns: the vector of
// Hi, i from 1, starts with a one in row i, and the product of the reflections is H = H1 H2 ... Hk.
type Form struct {
	Rows     bool // the vectors, conjugated, are rows instead of columns
	Backward bool // H = Hk ... H2 H1, and each vector ends with a one, in row order-k+i for Hi
}

// The forms of the factorizations. Q is H for QR and QL, and the adjoint of H for LQ and RQ.
var (
	QR = Form{}
	QL = Form{Backward: true}
	LQ = Form{Rows: true}
	RQ = Form{Rows: true, Backward: true}
)

// place returns the column or row that stores the vector of factor j of the product.
func (f Form) place(k, j int) int {
	if f.Backward {
		return k - 1 - j
	}
	return j
}

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

// Gels solves op(A) X = B for A, m x n, in the sense of least squares if op(A) has more rows than columns, otherwise
// for the X with the least norm. X replaces the first rows of B, which has max(m, n) rows. A becomes its QR
// factorization, or its LQ factorization if m < n.
//
// If A does not have full rank, Gels returns the 1-based index of the first zero on the diagonal of the triangle, and
// does not solve: B is unchanged, or for least squares the product with the orthogonal matrix. Otherwise it returns 0.
func Gels[T blas.Number](op blas.Op, m, n, nrhs int, a, b blas.Matrix[T]) (info int) {
	k, form, uplo := n, QR, blas.Upper
	if m < n {
		k, form, uplo = m, LQ, blas.Lower
	}
	tau := make([]T, k)
	Factor(form, m, n, a, tau)
	opposite := blas.ConjTrans
	if op != blas.None {
		op, opposite = blas.ConjTrans, blas.None
	}
	leastSquares := (op == blas.None) == (m >= n)
	if leastSquares {
		Multiply(form, blas.Left, opposite, max(m, n), nrhs, k, a, tau, b)
	}
	if info = firstZero(k, a); info != 0 {
		return info
	}
	blas.Trsm(blas.Left, uplo, op, blas.NonUnit, k, nrhs, 1, a, b)
	if !leastSquares {
		for j := range nrhs {
			clear(b.Data[k+j*b.LD : max(m, n)+j*b.LD])
		}
		Multiply(form, blas.Left, opposite, max(m, n), nrhs, k, a, tau, b)
	}
	return 0
}

// firstZero returns the 1-based index of the first zero on the diagonal, or 0.
func firstZero[T blas.Number](n int, a blas.Matrix[T]) int {
	for i := range n {
		if a.At(i, i) == 0 {
			return i + 1
		}
	}
	return 0
}
