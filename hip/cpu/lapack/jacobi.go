package lapack

import (
	"cmp"
	"math"
	"sync/atomic"

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
		eachStep(n, r.rotate)
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
		sortColumns(w[:n], cmp.Compare, r.v)
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

// eachStep calls a function with lists of pairs of n indices. An index is in at most one pair of a list, and each two
// indices are a pair of one list.
func eachStep(n int, do func(pairs [][2]int)) {
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
	pairs := make([][2]int, 0, even/2)
	for range even - 1 {
		pairs = pairs[:0]
		for i, p := range top {
			if q := bottom[i]; p < n && q < n {
				pairs = append(pairs, [2]int{p, q})
			}
			if p > 0 {
				top[i] = next(p)
			}
			bottom[i] = next(bottom[i])
		}
		do(pairs)
	}
}

// rotator is a Hermitian matrix on which rotations act, and the product of the rotations so far.
type rotator[T blas.Number] struct {
	n     int
	m, v  blas.Matrix[T]
	small float64 // elements that are at most this remain: if all are, their norm is below the limit
	step  []planeRotation[T]
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

// rotate makes the elements of pairs without a common index zero.
func (r *rotator[T]) rotate(pairs [][2]int) {
	r.step = r.step[:0]
	for _, pair := range pairs {
		p, q := pair[0], pair[1]
		if blas.Abs1(r.m.At(p, q)) <= r.small {
			continue
		}
		if by, ok := rotationOf(blas.Real(r.m.At(p, p)), blas.Real(r.m.At(q, q)), r.m.At(p, q)); ok {
			pp, qq := blas.Real(r.m.At(p, p))-by.shift, blas.Real(r.m.At(q, q))+by.shift
			r.step = append(r.step, planeRotation[T]{by, p, q, blas.FromReal[T](pp), blas.FromReal[T](qq)})
		}
	}
	onThreads(r.n, len(r.step), func(i int) {
		by := &r.step[i]
		by.apply(r.m.Data[by.p*r.n:][:r.n], r.m.Data[by.q*r.n:][:r.n])
		if r.v.Data != nil {
			by.apply(r.v.Data[by.p*r.n:][:r.n], r.v.Data[by.q*r.n:][:r.n])
		}
	})
	onThreads(r.n, r.n, func(j int) { // the adjoint of the rotations, from the left
		column := r.m.Data[j*r.n:][:r.n]
		for i := range r.step {
			by := &r.step[i]
			x, y := column[by.p], column[by.q]
			column[by.p], column[by.q] = by.c*x-by.s*y, by.adjoint*x+by.c*y
		}
	})
	for _, by := range r.step {
		r.m.Set(by.p, by.p, by.pp)
		r.m.Set(by.q, by.q, by.qq)
		r.m.Set(by.p, by.q, 0)
		r.m.Set(by.q, by.p, 0)
	}
}

// onThreads calls a function for each index below count, on all threads if the order of the matrix is large.
func onThreads(order, count int, do func(i int)) {
	const large, part = 128, 16
	if order < large {
		for i := range count {
			do(i)
		}
		return
	}
	blas.Parallel(blas.Threads(), (count+part-1)/part, func(task int) {
		for i := task * part; i < min(count, (task+1)*part); i++ {
			do(i)
		}
	})
}

// planeRotation is a rotation in the plane of two indices, with the elements that it leaves on the diagonal.
type planeRotation[T blas.Number] struct {
	rotation[T]
	p, q   int
	pp, qq T
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
	sortColumns(s[:n], descending, p, w)
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
	squares := make([]float64, n) // of the norms of the columns; rotations change them only approximately
	var rotated atomic.Bool
	rotate := func(i, j int) {
		x, y := column(i), column(j)
		xy := blas.DotColumns(x, y)
		z := blas.ToComplex(xy)
		if math.Hypot(real(z), imag(z)) <= small*math.Sqrt(squares[i])*math.Sqrt(squares[j]) {
			return
		}
		if r, ok := rotationOf(squares[i], squares[j], xy); ok {
			rotated.Store(true)
			squares[i], squares[j] = max(squares[i]-r.shift, 0), max(squares[j]+r.shift, 0)
			r.apply(x, y)
			r.apply(p.Data[i*n:][:n], p.Data[j*n:][:n])
		}
	}
	rotated.Store(n > 1)
	for done.Count < most && rotated.Load() {
		rotated.Store(false)
		for j := range n {
			squares[j] = square(j)
		}
		eachStep(n, func(pairs [][2]int) {
			onThreads(n, len(pairs), func(i int) { rotate(pairs[i][0], pairs[i][1]) })
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
	if rotated.Load() && done.Residual > small*math.Hypot(norm, done.Residual) {
		done.Info = 1
	}
	return done
}
