package lapack

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/lapack/gonum"

	"roclua/hip/cpu/blas"
)

// Problem is a form of the generalized Hermitian eigenvalue problem.
type Problem int

const (
	AxBx Problem = iota // A x = lambda B x
	ABx                 // A B x = lambda x
	BAx                 // B A x = lambda x
)

// FromStandard replaces eigenvectors of the matrix that Sygst computes, n x columns, by the eigenvectors of the
// original generalized problem. B is a triangular factor of Potrf.
func FromStandard[T blas.Number](
	form Problem, uplo blas.Uplo, n, columns int, b, z blas.Matrix[T],
) {
	op := blas.None
	if (uplo == blas.Lower) == (form != BAx) {
		op = blas.ConjTrans
	}
	if form == BAx {
		blas.Trmm(blas.Left, uplo, op, blas.NonUnit, n, columns, 1, b, z)
	} else {
		blas.Trsm(blas.Left, uplo, op, blas.NonUnit, n, columns, 1, b, z)
	}
}

// Heev replaces w by the n eigenvalues, ascending, of a Hermitian matrix given by its triangle uplo. With vectors, the
// orthonormal eigenvectors replace A by columns; otherwise the triangle is destroyed. e has n elements and gets the
// other diagonal of the tridiagonal form, zero unless the iteration does not converge. It returns the number of
// elements that did not converge. Which vectors it returns, in particular of repeated eigenvalues, does not depend on
// rounding: see settle.
//
// If an element is not finite, all results are NaN and no element has converged.
func Heev[T blas.Number](
	vectors bool, uplo blas.Uplo, n int, a blas.Matrix[T], w, e []float64,
) (unconverged int) {
	clear(e[:n])
	kept := func(i, j int) bool { return i == j || (i < j) == (uplo == blas.Upper) }
	scale, ok := scaleOfMatrix(n, n, a, kept)
	if !ok {
		fill(math.NaN(), w[:n], e[:n-1])
		if vectors {
			fillMatrix(n, n, a)
		}
		return n - 1
	}
	if scale != 1 {
		multiplyMatrix(1/scale, n, n, a)
	}
	defer func() { multiplyAll(scale, w[:n]) }()
	tau := make([]T, n)
	Sytrd(uplo, n, a, w, e, tau)
	if !vectors {
		return Steqr(n, w, e, nil)
	}
	z := make([]float64, n*n)
	unconverged = Steqr(n, w, e, z)
	x := Converted[T](n, n, z)
	Ormtr(blas.Left, uplo, blas.None, n, n, a, tau, x)
	if unconverged == 0 {
		settleEigenvectors(n, w, x)
	}
	blas.CopyMatrix(n, n, x, a)
	return unconverged
}

// Sygst replaces the Hermitian matrix A by the matrix of a standard eigenvalue problem. B has the Cholesky factor of
// the other matrix of a generalized problem. With divide the result is inv(U^H) A inv(U) or inv(L) A inv(L^H), for the
// problem A x = lambda B x; otherwise it is U A U^H or L^H A L, for the other two forms. Only the triangles uplo are
// used.
func Sygst[T blas.Number](divide bool, uplo blas.Uplo, n int, a, b blas.Matrix[T]) {
	full := hermitian(uplo, n, a)
	first, second := blas.ConjTrans, blas.None
	if (uplo == blas.Upper) != divide {
		first, second = second, first
	}
	if divide {
		blas.Trsm(blas.Left, uplo, first, blas.NonUnit, n, n, 1, b, full)
		blas.Trsm(blas.Right, uplo, second, blas.NonUnit, n, n, 1, b, full)
	} else {
		blas.Trmm(blas.Left, uplo, first, blas.NonUnit, n, n, 1, b, full)
		blas.Trmm(blas.Right, uplo, second, blas.NonUnit, n, n, 1, b, full)
	}
	for j := range n {
		full.Set(j, j, blas.FromReal[T](blas.Real(full.At(j, j))))
	}
	copyTriangle(uplo, n, full, a)
}

// hermitian returns the Hermitian matrix that has a triangle.
func hermitian[T blas.Number](uplo blas.Uplo, n int, a blas.Matrix[T]) blas.Matrix[T] {
	b := blas.NewMatrix[T](n, n)
	blas.CopySymmetric(uplo, true, n, 0, n, a, b)
	return b
}

// tridiagonalWidth is the number of columns that Sytrd reduces before it updates the columns to the right of them.
const tridiagonalWidth = 32

// Sytrd reduces a Hermitian matrix of order n, given by its triangle uplo, to a real tridiagonal matrix Q^H A Q with
// the diagonal d and the other diagonal e. As in LAPACK, Q is a product of n-1 reflections: tau gets their scalars, and
// their vectors replace the rest of the triangle.
func Sytrd[T blas.Number](uplo blas.Uplo, n int, a blas.Matrix[T], d, e []float64, tau []T) {
	if uplo == blas.Lower {
		reduceLower(n, a, d, e, tau)
		return
	}
	// An upper triangle is a lower one in the reverse order of rows and columns.
	b := blas.NewMatrix[T](n, n)
	reverseTriangle(blas.Upper, n, a, b)
	reduceLower(n, b, d, e, tau)
	reverseTriangle(blas.Lower, n, b, a)
	slices.Reverse(d[:n])
	slices.Reverse(e[:n-1])
	slices.Reverse(tau[:n-1])
}

// reverseTriangle copies a triangle with its rows and columns in the reverse order to the other triangle.
func reverseTriangle[T blas.Number](uplo blas.Uplo, n int, from, to blas.Matrix[T]) {
	for j := range n {
		low, high := 0, j+1
		if uplo == blas.Lower {
			low, high = j, n
		}
		for i := low; i < high; i++ {
			to.Set(n-1-i, n-1-j, from.At(i, j))
		}
	}
}

// reduceLower is Sytrd for the lower triangle.
func reduceLower[T blas.Number](n int, a blas.Matrix[T], d, e []float64, tau []T) {
	w := blas.NewMatrix[T](n, min(n, tridiagonalWidth))
	for j := 0; j < n; j += tridiagonalWidth {
		width := min(tridiagonalWidth, n-j)
		part := a.From(j, j)
		latrdLower(n-j, width, part, e[j:], tau[j:], w)
		if rest := n - j - width; rest > 0 {
			blas.Rank2K(blas.Lower, blas.None, true, rest, width, -1, part.From(width, 0), w.From(width, 0), 1,
				part.From(width, width))
		}
		for i := j; i < j+width; i++ {
			d[i] = blas.Real(a.At(i, i))
			if i < n-1 {
				a.Set(i+1, i, blas.FromReal[T](e[i]))
			}
		}
	}
}

// Latrd reduces k rows and columns of a Hermitian matrix of order n to tridiagonal form, the first ones of a lower
// triangle or the last ones of an upper one. It computes W, n x k; the caller subtracts V W^H + W V^H from the rest of
// the matrix, V being the vectors of the reflections, with their ones. The ones replace the elements of the other
// diagonal in A, which are in e. Elements of W that LAPACK uses as scratch become zero, and each column's element in
// the row of its reflection is not written.
func Latrd[T blas.Number](uplo blas.Uplo, n, k int, a blas.Matrix[T], e []float64, tau []T, w blas.Matrix[T]) {
	if uplo == blas.Lower {
		latrdLower(n, k, a, e, tau, w)
		return
	}
	b := blas.NewMatrix[T](n, n)
	x := blas.NewMatrix[T](n, k)
	reverseTriangle(blas.Upper, n, a, b)
	reflections := min(k, n-1)
	someE, someTau := make([]float64, reflections), make([]T, reflections)
	latrdLower(n, k, b, someE, someTau, x)
	reverseTriangle(blas.Lower, n, b, a)
	for i := range reflections {
		e[n-2-i], tau[n-2-i] = someE[i], someTau[i]
	}
	for j := range reflections {
		for i := range n {
			if i != j {
				w.Set(n-1-i, k-1-j, x.At(i, j))
			}
		}
	}
}

// latrdLower is Latrd for the lower triangle.
func latrdLower[T blas.Number](n, k int, a blas.Matrix[T], e []float64, tau []T, w blas.Matrix[T]) {
	sums := make([]T, k)
	for i := range k {
		column := a.Data[i*a.LD:][i:n]
		subtractRow(i, a.From(i, 0), w.From(i, 0), column)
		subtractRow(i, w.From(i, 0), a.From(i, 0), column)
		column[0] = blas.FromReal[T](blas.Real(column[0]))
		if i == n-1 {
			return
		}
		v := column[1:]
		tau[i] = reflect(len(v), v)
		e[i] = blas.Real(v[0])
		v[0] = 1
		clear(w.Data[i*w.LD:][:i])
		y := w.Data[i*w.LD:][i+1 : n]
		multiplyHermitian(len(v), a.From(i+1, i+1), v, y)
		// A without the updates so far is A + V W^H + W V^H.
		subtractProduct(i, a.From(i+1, 0), w.From(i+1, 0), v, y, sums)
		subtractProduct(i, w.From(i+1, 0), a.From(i+1, 0), v, y, sums)
		multiplyAll(tau[i], y)
		half := blas.FromReal[T](-0.5)
		blas.Axpy(half*tau[i]*blas.DotColumns(y, v), v, y)
	}
}

// columnBlock is the number of columns that stay in the cache between their products from the left and from the right.
const columnBlock = 8

// multiplyHermitian stores A x in y, A being given by its lower triangle.
func multiplyHermitian[T blas.Number](n int, a blas.Matrix[T], x, y []T) {
	clear(y)
	var sums [columnBlock]T
	for from := 0; from < n; from += columnBlock {
		to := min(from+columnBlock, n)
		for j := from; j < to; j++ {
			y[j] += blas.FromReal[T](blas.Real(a.At(j, j))) * x[j]
			for i := j + 1; i < to; i++ {
				y[i] += a.At(i, j) * x[j]
				y[j] += blas.Conj(a.At(i, j)) * x[i]
			}
		}
		below := a.From(to, from)
		multiplyAdjoint(to-from, x[to:], below, sums[:])
		for i, v := range sums[:to-from] {
			y[from+i] += v
		}
		addProduct(n-to, to-from, below, x[from:], y[to:])
	}
}

// multiplyAdjoint stores A^H x in y. A has k columns of the length of x.
func multiplyAdjoint[T blas.Number](k int, x []T, a blas.Matrix[T], y []T) {
	blas.DotsOfColumns(k, x, a, y)
	for i := 0; i < k && blas.IsComplex[T](); i++ {
		y[i] = blas.Conj(y[i])
	}
}

// addProduct adds A x to y. A has k columns of n elements.
func addProduct[T blas.Number](n, k int, a blas.Matrix[T], x, y []T) {
	blas.Gemm(blas.None, blas.None, n, 1, k, 1, a, blas.Matrix[T]{Data: x, LD: k}, 1, blas.Matrix[T]{Data: y, LD: n})
}

// subtractRow subtracts A b^H from y. A has k columns of the length of y, and b is the first row of B.
func subtractRow[T blas.Number](k int, a, b blas.Matrix[T], y []T) {
	blas.Gemm(blas.None, blas.ConjTrans, len(y), 1, k, -1, a, b, 1, blas.Matrix[T]{Data: y, LD: len(y)})
}

// subtractProduct subtracts A B^H x from y. A and B have k columns of the length of x; sums is memory for k elements.
func subtractProduct[T blas.Number](k int, a, b blas.Matrix[T], x, y, sums []T) {
	blas.DotsOfColumns(k, x, b, sums)
	subtractRow(k, a, blas.Matrix[T]{Data: sums, LD: 1}, y)
}

// Eigenvalue is an eigenvalue of a tridiagonal matrix and its block, from 0.
type Eigenvalue struct {
	Value float64
	Block int
}

// Stebz returns the eigenvalues of a real tridiagonal matrix with the diagonal d and the other diagonal e, ascending,
// with their blocks. An element of e splits blocks if it is negligible in T. It changes d and e.
func Stebz[T blas.Number](d, e []float64) (values []Eigenvalue, blocks []Block, unconverged int) {
	blocks = blocksOf(d, e, epsilonOf[T](), smallestSquareRoot[T]())
	for i, b := range blocks {
		unconverged += Steqr(b.To-b.From, d[b.From:b.To], e[b.From:max(b.From, b.To-1)], nil)
		for _, v := range d[b.From:b.To] {
			values = append(values, Eigenvalue{v, i})
		}
	}
	slices.SortStableFunc(values, func(x, y Eigenvalue) int { return cmp.Compare(x.Value, y.Value) })
	return values, blocks, unconverged
}

// smallestSquareRoot returns the root of the smallest normal number of T.
func smallestSquareRoot[T blas.Number]() float64 {
	if blas.IsSingle[T]() {
		return 0x1p-63
	}
	return 0x1p-511
}

// Stein stores in the columns of Z, n x len(values), the eigenvectors of a real tridiagonal matrix that belong to
// eigenvalues of its blocks. The eigenvalues of one block must differ but need not be exact: each
// represents the nearest exact eigenvalue that is not yet used. It returns the number of elements of e that did not
// converge.
func Stein[T blas.Number](
	n int, d, e []float64, values []Eigenvalue, blocks []Block, z blas.Matrix[T],
) (unconverged int) {
	for j := range values {
		clear(z.Data[j*z.LD:][:n])
	}
	for k, b := range blocks {
		if !slices.ContainsFunc(values, func(v Eigenvalue) bool { return v.Block == k }) {
			continue
		}
		size := b.To - b.From
		exact, rest := slices.Clone(d[b.From:b.To]), slices.Clone(e[b.From:b.To-1])
		vectors := make([]float64, size*size)
		unconverged += Steqr(size, exact, rest, vectors)
		used := make([]bool, size)
		for j, v := range values {
			if v.Block != k {
				continue
			}
			at := nearestUnused(exact, used, v.Value)
			for i, x := range vectors[at*size:][:size] {
				z.Set(b.From+i, j, blas.FromReal[T](x))
			}
		}
	}
	return unconverged
}

// nearestUnused returns the index of the unused value nearest to x, and marks it as used; 0 if all are used.
func nearestUnused(values []float64, used []bool, x float64) (place int) {
	place = -1
	for i, v := range values {
		if !used[i] && (place < 0 || math.Abs(v-x) < math.Abs(values[place]-x)) {
			place = i
		}
	}
	place = max(place, 0)
	used[place] = true
	return place
}

// Without vectors, gonum iterates on real tridiagonal matrices, with a variant that needs no square roots.
var iterations gonum.Implementation

// Block is the rows [From, To) of a tridiagonal matrix, which no element of the other diagonal connects to the rest.
type Block struct{ From, To int }

// blocksOf splits a tridiagonal matrix with the diagonal d where elements of e are at most eps times the geometric mean
// of their neighbors in d, or less than small. It sets those elements to zero.
func blocksOf(d, e []float64, eps, small float64) []Block {
	var list []Block
	from := 0
	for i := range d {
		if i == len(d)-1 {
			return append(list, Block{from, i + 1})
		}
		size := math.Abs(e[i])
		if size <= math.Sqrt(math.Abs(d[i]))*math.Sqrt(math.Abs(d[i+1]))*eps || size < small {
			e[i] = 0
			list = append(list, Block{from, i + 1})
			from = i + 1
		}
	}
	return list
}

// Steqr replaces d by the eigenvalues, ascending, of the real tridiagonal matrix of order n with the diagonal d and the
// other diagonal e, and unless vectors is nil stores the orthonormal eigenvectors in its n*n elements, by columns. It
// returns the number of elements of e that did not converge to zero.
//
// If an element is not finite, all results are NaN and no element has converged.
func Steqr(n int, d, e []float64, vectors []float64) (unconverged int) {
	d, e = d[:n], e[:max(n-1, 0)]
	scale, ok := scaleOf(d, e)
	if !ok {
		fill(math.NaN(), d, e, vectors)
		return len(e)
	}
	multiplyAll(1/scale, d)
	multiplyAll(1/scale, e)
	clear(vectors)
	for _, b := range blocksOf(d, e, 0x1p-53, 0x1p-1000) {
		unconverged += b.solve(n, d, e, vectors)
	}
	sortColumns(d, cmp.Compare, blas.Matrix[float64]{Data: vectors, LD: n})
	multiplyAll(scale, d)
	multiplyAll(scale, e)
	return unconverged
}

// solve is Steqr for a block. The iterations need blocks without very small elements.
func (b Block) solve(n int, d, e, vectors []float64) (unconverged int) {
	size := b.To - b.From
	d, e = d[b.From:b.To], e[b.From:b.To-1]
	if size == 1 {
		if vectors != nil {
			vectors[b.From*(n+1)] = 1
		}
		return 0
	}
	scale, _ := scaleOf(d, e)
	multiplyAll(1/scale, d)
	multiplyAll(1/scale, e)
	if vectors == nil {
		iterations.Dsterf(size, d, e)
	} else {
		if tridiagonalVectors(d, e, blas.Matrix[float64]{Data: vectors[b.From*(n+1):], LD: n}) {
			clear(e)
		}
	}
	multiplyAll(scale, d)
	multiplyAll(scale, e)
	return countNonzero(e)
}

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
		r.v = blas.NewMatrix[T](n, n)
		blas.SetIdentity(n, n, r.v)
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

// storeBlocks stores blocks of copyBlocks, and the adjoint.
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
