package lapack

import (
	"cmp"
	"math"

	"roclua/hip/cpu/blas"
)

// Sweeps is the course of one of Jacobi's methods.
type Sweeps struct {
	Residual float64 // the Frobenius norm of the elements outside of the diagonal at the end
	Count    int     // sweeps
	Info     int     // 1 if the method did not converge, otherwise 0
}

// epsilonOf returns half of the distance from 1 to the next number of T.
func epsilonOf[T blas.Number]() float64 {
	if blas.IsSingle[T]() {
		return 0x1p-24
	}
	return 0x1p-53
}

// toleranceOf returns the tolerance for a given one, which is the precision of T unless it is positive.
func toleranceOf[T blas.Number](given float64) float64 {
	if given > 0 {
		return given
	}
	return epsilonOf[T]()
}

// Heevj computes the eigenvalues w of a Hermitian matrix of order n, given by its triangle uplo, by Jacobi's method: it
// rotates until the Frobenius norm of the elements outside of the diagonal is at most abstol times that of the matrix,
// or most sweeps are done. An abstol that is not positive means the precision of T. With vectors, the eigenvectors
// replace A by columns. With sorted, the eigenvalues are ascending.
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
	r := rotator[T]{n: n, m: hermitian(uplo, n, a)}
	if scale != 1 {
		multiplyMatrix(1/scale, n, n, r.m)
	}
	if vectors {
		r.v = newMatrix[T](n, n)
		for i := range n {
			r.v.Set(i, i, 1)
		}
	}
	off, diagonal := r.norms()
	limit := toleranceOf[T](abstol) * math.Hypot(off, diagonal)
	r.small = limit / float64(n)
	var done Sweeps
	for done.Count < most && off > limit {
		eachPair(n, r.rotate)
		off, _ = r.norms()
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
		sortColumns(n, w[:n], r.v.Data, cmp.Compare)
	}
	if vectors {
		copyPart(n, n, r.v, a)
	}
	return done
}

// hermitian returns the Hermitian matrix that has a triangle.
func hermitian[T blas.Number](uplo blas.Uplo, n int, a blas.Matrix[T]) blas.Matrix[T] {
	b := newMatrix[T](n, n)
	for j := range n {
		for i := range j {
			v := a.At(i, j)
			if uplo == blas.Lower {
				v = blas.Conj(a.At(j, i))
			}
			b.Set(i, j, v)
			b.Set(j, i, blas.Conj(v))
		}
		b.Set(j, j, blas.FromReal[T](blas.Real(a.At(j, j))))
	}
	return b
}

// eachPair calls a function once for each two of n indices, in an order in which n/2 successive pairs have no index in
// common.
func eachPair(n int, do func(p, q int)) {
	even := n + n%2
	top, bottom := make([]int, even/2), make([]int, even/2)
	for i := range top {
		top[i], bottom[i] = 2*i, 2*i+1
	}
	next := func(i int) int {
		switch {
		case i == 2 || i == even-1:
			return i - 1
		case i%2 == 0:
			return i - 2
		}
		return i + 2
	}
	for range even - 1 {
		for i, p := range top {
			if q := bottom[i]; p < n && q < n {
				do(p, q)
			}
			if p > 0 {
				top[i] = next(p)
			}
			bottom[i] = next(bottom[i])
		}
	}
}

// rotator is a Hermitian matrix on which rotations act, and the product of the rotations so far.
type rotator[T blas.Number] struct {
	n     int
	m, v  blas.Matrix[T]
	small float64 // elements that are at most this remain: if all are, their norm is below the limit
}

// norms returns the Frobenius norms of the elements outside of and on the diagonal.
func (r *rotator[T]) norms() (off, diagonal float64) {
	for j := range r.n {
		above := blas.Nrm2(blas.Vector[T]{Data: r.m.Data[j*r.n:], N: r.n, Inc: 1}, 0, j)
		off = math.Hypot(off, math.Sqrt2*above)
		diagonal = math.Hypot(diagonal, blas.Real(r.m.At(j, j)))
	}
	return off, diagonal
}

// rotate makes the element (p, q) zero.
func (r *rotator[T]) rotate(p, q int) {
	x, y := r.m.Data[p*r.n:][:r.n], r.m.Data[q*r.n:][:r.n]
	rotation, ok := rotationOf(blas.Real(x[p]), blas.Real(y[q]), y[p])
	if !ok || blas.Abs1(y[p]) <= r.small {
		return
	}
	pp, qq := blas.Real(x[p])-rotation.shift, blas.Real(y[q])+rotation.shift
	rotation.apply(x, y)
	x[p], x[q], y[p], y[q] = blas.FromReal[T](pp), 0, 0, blas.FromReal[T](qq)
	for i := range r.n {
		if i != p && i != q {
			r.m.Set(p, i, blas.Conj(x[i]))
			r.m.Set(q, i, blas.Conj(y[i]))
		}
	}
	if r.v.Data != nil {
		rotation.apply(r.v.Data[p*r.n:][:r.n], r.v.Data[q*r.n:][:r.n])
	}
}

// rotation maps two columns x and y to c x - conj(s) y and s x + c y.
type rotation[T blas.Number] struct {
	c, s, adjoint T
	shift         float64 // by which the elements on the diagonal change
}

// rotationOf returns the rotation that makes a Hermitian matrix of order 2 diagonal. ok is false if it is diagonal.
func rotationOf[T blas.Number](pp, qq float64, pq T) (r rotation[T], ok bool) {
	z := blas.ToComplex(pq)
	size := math.Hypot(real(z), imag(z))
	if size < 0x1p-1000 || blas.IsSingle[T]() && size < 0x1p-120 {
		return r, false
	}
	angle := (qq - pp) / (2 * size)
	tangent := math.Copysign(1, angle) / (math.Abs(angle) + math.Hypot(1, angle))
	c := 1 / math.Hypot(1, tangent)
	s := complex(tangent*c/size, 0) * z
	r = rotation[T]{c: blas.FromReal[T](c), s: blas.FromComplex[T](s), shift: tangent * size}
	r.adjoint = blas.Conj(r.s)
	return r, true
}

func (r rotation[T]) apply(x, y []T) {
	y = y[:len(x)]
	for i, v := range x {
		w := y[i]
		x[i] = r.c*v - r.adjoint*w
		y[i] = r.s*v + r.c*w
	}
}

// Gesvdj computes singular values and vectors like Gesvd, by Jacobi's method for A^H A, or for A A^H if m < n: it
// rotates columns of A until their products are at most abstol times the products of their norms, or most sweeps are
// done. The residual is that of A^H A.
func Gesvdj[T blas.Number](
	o *blas.OpenBLAS, m, n int, a blas.Matrix[T], abstol float64, most int, s []float64, left int, u blas.Matrix[T],
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
		done = gesvdj(o, m, n, a, abstol, most, s, left, u, right, v)
	} else {
		x, y := newMatrix[T](n, right), newMatrix[T](left, m)
		done = gesvdj(o, n, m, adjoint(m, n, a), abstol, most, s, right, x, left, y)
		copyAdjoint(n, right, x, v)
		copyAdjoint(left, m, y, u)
	}
	multiplyAll(scale, s[:min(m, n)])
	done.Residual *= scale * scale
	return done
}

// gesvdj is Gesvdj for m >= n.
func gesvdj[T blas.Number](
	o *blas.OpenBLAS, m, n int, a blas.Matrix[T], abstol float64, most int, s []float64, left int, u blas.Matrix[T],
	right int, v blas.Matrix[T],
) Sweeps {
	w, p := newMatrix[T](m, n), newMatrix[T](n, n)
	copyPart(m, n, a, w)
	for i := range n {
		p.Set(i, i, 1)
	}
	done := orthogonalize(m, n, w, p, toleranceOf[T](abstol), most)
	for j := range n {
		s[j] = blas.Nrm2(blas.Vector[T]{Data: w.Data[j*m:], N: m, Inc: 1}, 0, m)
	}
	descending := func(a, b float64) int { return cmp.Compare(b, a) }
	values := append([]float64(nil), s[:n]...)
	sortColumns(n, s[:n], p.Data, descending)
	sortColumns(m, values, w.Data, descending)
	tau := make([]T, n)
	Factor(o, QR, m, n, w, tau) // the left vectors are orthonormal even for columns of zeros
	for j := range n {
		if blas.Real(w.At(j, j)) < 0 {
			multiplyAll(blas.FromReal[T](-1), p.Data[j*n:][:n])
		}
	}
	if left > 0 {
		widen(m, 0, left, w, u)
		Multiply(o, QR, blas.Left, blas.None, m, left, n, w, tau, u)
	}
	if right > 0 {
		copyAdjoint(n, n, p, v)
	}
	return done
}

// orthogonalize rotates the columns of W, m x n, and in the same way those of P, n x n.
func orthogonalize[T blas.Number](m, n int, w, p blas.Matrix[T], tolerance float64, most int) (done Sweeps) {
	column := func(j int) []T { return w.Data[j*m:][:m] }
	square := func(j int) float64 { return blas.Real(blas.DotColumns(column(j), column(j))) }
	small := max(tolerance, epsilonOf[T]()*float64(m))
	rotated := n > 1
	for done.Count < most && rotated {
		rotated = false
		eachPair(n, func(i, j int) {
			x, y := column(i), column(j)
			xx, yy, xy := square(i), square(j), blas.DotColumns(x, y)
			z := blas.ToComplex(xy)
			if math.Hypot(real(z), imag(z)) <= small*math.Sqrt(xx)*math.Sqrt(yy) {
				return
			}
			if r, ok := rotationOf(xx, yy, xy); ok {
				rotated = true
				r.apply(x, y)
				r.apply(p.Data[i*n:][:n], p.Data[j*n:][:n])
			}
		})
		done.Count++
	}
	norm := 0.0
	for j := range n {
		for i := range j {
			z := blas.ToComplex(blas.DotColumns(column(i), column(j)))
			done.Residual = math.Hypot(done.Residual, math.Sqrt2*math.Hypot(real(z), imag(z)))
		}
		norm = math.Hypot(norm, square(j))
	}
	if rotated && done.Residual > small*math.Hypot(norm, done.Residual) {
		done.Info = 1
	}
	return done
}
