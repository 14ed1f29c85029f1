package lapack

import (
	"cmp"
	"math"

	"roclua/hip/cpu/blas"
)

// Sweeps is the outcome of a Jacobi method.
type Sweeps struct {
	Residual float64 // the Frobenius norm of the elements outside of the diagonal at the end
	Count    int     // sweeps
	Info     int     // 1 if the method did not converge, otherwise 0
}

// toleranceOf returns the tolerance for a given one, which is the precision of T unless it is positive.
func toleranceOf[T blas.Number](given float64) float64 {
	if given > 0 {
		return given
	}
	return epsilonOf[T]()
}

// Heevj computes the eigenvalues w of a Hermitian matrix of order n, given by its triangle uplo, by Jacobi's method: it
// rotates until the Frobenius norm of the elements outside of the diagonal is at most abstol times the norm of the
// matrix, or most sweeps are done. An abstol that is not positive means the precision of T. With vectors, the
// eigenvectors replace A by columns. With sorted, the eigenvalues are ascending.
//
// If an element is not finite, all results are NaN.
func Heevj[T blas.Number](
	sorted, vectors bool, uplo blas.Uplo, n int, a blas.Matrix[T], abstol float64, most int, w []float64,
) Sweeps {
	kept := func(i, j int) bool { return i == j || (i < j) == (uplo == blas.Upper) }
	scale, ok := scaleOfMatrix(n, n, a, kept)
	if !ok {
		fill(math.NaN(), w[:n])
		if vectors {
			fillMatrix(n, n, a)
		}
		return Sweeps{math.NaN(), 0, 1}
	}
	r := rotator[T]{n: n, m: hermitian(uplo, n, a), pairs: newBlockPairs[T](n)}
	if scale != 1 {
		multiplyMatrix(1/scale, n, n, r.m)
	}
	if vectors {
		r.v = newMatrix[T](n, n)
		for i := range n {
			r.v.Set(i, i, 1)
		}
	}
	off, diagonal := norms(n, r.m)
	limit := toleranceOf[T](abstol) * math.Hypot(off, diagonal)
	r.small = limit / float64(n)
	var done Sweeps
	for done.Count < most && off > limit {
		r.sweep()
		off, _ = norms(n, r.m)
		done.Count++
	}
	if off > limit {
		done.Info = 1
	}
	done.Residual = off * scale
	for i := range n {
		w[i] = blas.Real(r.m.At(i, i)) * scale
	}
	if sorted {
		sortColumns(w[:n], cmp.Compare, r.v)
	}
	if sorted && vectors && done.Info == 0 {
		settleEigenvectors(n, w, r.v)
	}
	if vectors {
		blas.CopyMatrix(n, n, r.v, a)
	}
	return done
}

// rotator is a Hermitian matrix on which rotations act, and the product of the rotations so far.
type rotator[T blas.Number] struct {
	n     int
	m, v  blas.Matrix[T]
	small float64 // elements that are at most this remain: if all are, their norm is below the limit
	pairs *blockPairs[T]
}

// norms returns the Frobenius norms of the elements outside of and on the diagonal of a Hermitian matrix of order n.
func norms[T blas.Number](n int, a blas.Matrix[T]) (off, diagonal float64) {
	for j := range n {
		above := norm(a, j, j)
		off = math.Hypot(off, math.Sqrt2*above)
		diagonal = math.Hypot(diagonal, blas.Real(a.At(j, j)))
	}
	return off, diagonal
}

// sweep makes each element outside of the diagonal zero once, unless it is small.
func (r *rotator[T]) sweep() {
	r.pairs.sweep(func(first bool) {
		list := r.pairs.list
		blas.Parallel(blas.Threads(), len(list), func(i int) {
			b := &list[i]
			r.copyBlocks(b, b, b.m)
			b.rotate(first, r.small, 0)
			if b.rotated && r.v.Data != nil {
				b.rotateAll(r.n, r.v)
			}
		})
		blas.Parallel(blas.Threads(), len(list)*len(list), func(task int) {
			if i, j := task/len(list), task%len(list); i <= j {
				r.rotateBlocks(&list[i], &list[j])
			}
		})
	})
}

// copyBlocks copies the elements in the rows of a pair of blocks and the columns of another one.
func (r *rotator[T]) copyBlocks(rows, columns *blockPair[T], to blas.Matrix[T]) {
	for i, height := range rows.size {
		for j, width := range columns.size {
			blas.CopyMatrix(height, width, r.m.From(rows.from[i], columns.from[j]),
				to.From(rows.offset(i), columns.offset(j)))
		}
	}
}

// rotateBlocks applies the rotations of a pair of blocks to rows, and the rotations of another pair to columns. It also
// stores the adjoint of the result.
func (r *rotator[T]) rotateBlocks(rows, columns *blockPair[T]) {
	if rows == columns {
		if rows.rotated {
			r.storeBlocks(rows, columns, rows.m)
		}
		return
	}
	if !rows.rotated && !columns.rotated {
		return
	}
	k, l := rows.order(), columns.order()
	blas.WithScratch(2*k*l, func(memory []T) {
		x, y := blas.Matrix[T]{Data: memory, LD: k}, blas.Matrix[T]{Data: memory[k*l:], LD: k}
		r.copyBlocks(rows, columns, x)
		if columns.rotated {
			blas.Gemm(blas.None, blas.None, k, l, l, 1, x, columns.v, 0, y)
			x, y = y, x
		}
		if rows.rotated {
			blas.Gemm(blas.ConjTrans, blas.None, k, l, k, 1, rows.v, x, 0, y)
			x = y
		}
		r.storeBlocks(rows, columns, x)
	})
}

// storeBlocks stores what copyBlocks copied, and the adjoint.
func (r *rotator[T]) storeBlocks(rows, columns *blockPair[T], from blas.Matrix[T]) {
	for j, width := range columns.size {
		for i, height := range rows.size {
			block := from.From(rows.offset(i), columns.offset(j))
			blas.CopyMatrix(height, width, block, r.m.From(rows.from[i], columns.from[j]))
			for column := range width {
				at := columns.from[j] + column + rows.from[i]*r.n
				copyConjugates(block.Data[column*block.LD:][:height], r.m.Data[at:], r.n)
			}
		}
	}
}
