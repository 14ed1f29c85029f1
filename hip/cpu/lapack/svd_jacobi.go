package lapack

import (
	"math"
	"slices"

	"roclua/hip/cpu/blas"
)

// Gesvdj computes singular values and vectors like Gesvd, by Jacobi's method for A^H A, or for A A^H if m < n: it
// rotates columns of A until their products are at most abstol times the products of their norms, or most sweeps are
// done. Products of rounding errors remain. The residual
// is computed from A^H A.
func Gesvdj[T blas.Number](
	m, n int, a blas.Matrix[T], abstol float64, most int, s []float64, left int, u blas.Matrix[T],
	right int, v blas.Matrix[T],
) Sweeps {
	scale, ok := scaleOfMatrix(m, n, a, func(int, int) bool { return true })
	if !ok {
		fill(math.NaN(), s[:min(m, n)])
		fillMatrix(m, left, u)
		fillMatrix(right, n, v)
		return Sweeps{math.NaN(), 0, 1}
	}
	if scale != 1 {
		multiplyMatrix(1/scale, m, n, a)
	}
	var done Sweeps
	if m >= n {
		done = gesvdj(m, n, a, abstol, most, s, left, u, right, v)
	} else {
		x, y := newMatrix[T](n, right), newMatrix[T](left, m)
		done = gesvdj(n, m, adjoint(m, n, a), abstol, most, s, right, x, left, y)
		copyAdjoint(n, right, x, v)
		copyAdjoint(left, m, y, u)
	}
	if done.Info == 0 {
		settleSingular(m, n, s[:min(m, n)], left, u, right, v)
	}
	multiplyAll(scale, s[:min(m, n)])
	done.Residual *= scale * scale
	return done
}

// gesvdj is Gesvdj for m >= n.
func gesvdj[T blas.Number](
	m, n int, a blas.Matrix[T], abstol float64, most int, s []float64, left int, u blas.Matrix[T],
	right int, v blas.Matrix[T],
) Sweeps {
	w, p := newMatrix[T](m, n), newMatrix[T](n, n)
	blas.CopyMatrix(m, n, a, w)
	for i := range n {
		p.Set(i, i, 1)
	}
	done := orthogonalize(m, n, w, p, toleranceOf[T](abstol), most)
	for j := range n {
		s[j] = norm(w, j, m)
	}
	sortColumns(s[:n], descending, p, w)
	for j, v := range s[:n] {
		if isTiny[T](v) { // a reflection would not be unitary
			clear(w.Data[j*m:][:m])
		}
	}
	tau := make([]T, n)
	Factor(QR, m, n, w, tau) // the left vectors are orthonormal even for columns of zeros
	for j := range n {
		if blas.Real(w.At(j, j)) < 0 {
			multiplyAll(blas.FromReal[T](-1), p.Data[j*n:][:n])
		}
	}
	if left > 0 {
		widen(m, 0, left, w, u)
		Multiply(QR, blas.Left, blas.None, m, left, n, w, tau, u)
	}
	if right > 0 {
		copyAdjoint(n, n, p, v)
	}
	return done
}

// norm returns the norm of the first m elements of a column.
func norm[T blas.Number](a blas.Matrix[T], column, m int) float64 {
	return blas.Nrm2(blas.Vector[T]{Data: a.Data[column*a.LD:], N: m, Inc: 1}, 0, m)
}

// orthogonalize rotates the columns of W, m x n, and in the same way the columns of P, n x n.
func orthogonalize[T blas.Number](m, n int, w, p blas.Matrix[T], tolerance float64, most int) (done Sweeps) {
	small := max(tolerance, epsilonOf[T]()*float64(m))
	least := 0.0 // the norm up to which columns of a singular matrix are rounding errors
	for j := range n {
		least = max(least, epsilonOf[T]()*float64(m)*norm(w, j, m))
	}
	pairs := newBlockPairs[T](n)
	rotated := n > 1
	for done.Count < most && rotated {
		rotated = false
		pairs.sweep(func(first bool) {
			blas.Parallel(blas.Threads(), len(pairs.list), func(i int) {
				pairs.list[i].orthogonalize(first, m, n, w, p, small, least)
			})
			rotated = rotated || slices.ContainsFunc(pairs.list, func(b blockPair[T]) bool { return b.rotated })
		})
		done.Count++
	}
	products := newMatrix[T](n, n)
	blas.Gemm(blas.ConjTrans, blas.None, n, n, m, 1, w, w, 0, products)
	off, diagonal := norms(n, products)
	done.Residual = off
	if rotated && off > small*math.Hypot(off, diagonal) {
		done.Info = 1
	}
	return done
}

// orthogonalize rotates columns of the blocks whose products are more than small times the product of their norms, and
// more than the square of least.
func (b *blockPair[T]) orthogonalize(first bool, m, n int, w, p blas.Matrix[T], small, least float64) {
	k := b.order()
	blas.WithScratch(m*k, func(memory []T) {
		x := b.columnsOf(m, w, memory)
		blas.Gemm(blas.ConjTrans, blas.None, k, k, m, 1, x, x, 0, b.m)
		b.norms = b.norms[:0]
		for i := range k {
			b.norms = append(b.norms, math.Sqrt(max(blas.Real(b.m.At(i, i)), 0)))
		}
		if b.rotate(first, least*least, small); b.rotated {
			b.storeProduct(m, x, w)
			b.rotateAll(n, p)
		}
	})
}
