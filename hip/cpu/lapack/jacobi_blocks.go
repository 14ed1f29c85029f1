package lapack

import (
	"math"

	"roclua/hip/cpu/blas"
)

// Jacobi's methods rotate blocks of columns: the rotations of two blocks are computed from the small matrix of their
// products, and then all act at once, in a GEMM.

// jacobiBlock is the largest number of columns of a block.
const jacobiBlock = 16

// blockPair is two blocks of columns with the rotations of a step.
type blockPair[T blas.Number] struct {
	from, size [2]int         // of the columns
	m          blas.Matrix[T] // the Hermitian matrix of the blocks, on which the rotations act from both sides
	v          blas.Matrix[T] // the product of the rotations, if there are any
	rotated    bool           // whether there are rotations
	norms      []float64      // of the columns before the rotations; nil if m has no products of columns
}

// order returns the number of columns of both blocks.
func (b *blockPair[T]) order() int { return b.size[0] + b.size[1] }

// offset returns the place of a block, 0 or 1, in the matrices of both.
func (b *blockPair[T]) offset(block int) int { return block * b.size[0] }

// blockPairs are the pairs of the blocks of n columns in one step.
type blockPairs[T blas.Number] struct {
	n, blocks int
	list      []blockPair[T]
}

// newBlockPairs returns an even number of blocks, so that each is in a pair in every step.
func newBlockPairs[T blas.Number](n int) *blockPairs[T] {
	const columns = 2 * jacobiBlock
	half := (n + columns - 1) / columns
	p := &blockPairs[T]{n: n, blocks: 2 * half, list: make([]blockPair[T], half)}
	for i := range p.list {
		b := &p.list[i]
		b.m.Data, b.v.Data = make([]T, columns*columns), make([]T, columns*columns)
	}
	return p
}

// sweep calls a function for each step of a sweep. Each two blocks are a pair in one step. In the first step, also the
// columns of a block are to be rotated with each other.
func (p *blockPairs[T]) sweep(do func(first bool)) {
	first := true
	eachStep(p.blocks, func(pairs [][2]int) {
		for i, pair := range pairs {
			b := &p.list[i]
			for side, block := range pair {
				b.from[side] = block * p.n / p.blocks
				b.size[side] = (block+1)*p.n/p.blocks - b.from[side]
			}
			b.m.LD, b.v.LD, b.rotated = b.order(), b.order(), false
		}
		do(first)
		first = false
	})
}

// eachStep calls a function with lists of pairs of n indices, an even number. An index is in one pair of a list, and
// each two indices are a pair of one list.
func eachStep(n int, do func(pairs [][2]int)) {
	circle, pairs := make([]int, n), make([][2]int, n/2)
	for i := range circle {
		circle[i] = i
	}
	for range n - 1 {
		for i := range pairs {
			p, q := circle[i], circle[n-1-i]
			pairs[i] = [2]int{min(p, q), max(p, q)}
		}
		do(pairs)
		last := circle[n-1] // the first index stays, the others move on
		copy(circle[2:], circle[1:])
		circle[1] = last
	}
}

// rotate rotates each column of the first block with each of the second one, and if all is true also the columns within
// each block, unless their element of the matrix is at most absolute, or relative times their norms.
func (b *blockPair[T]) rotate(all bool, absolute, relative float64) {
	k := b.order()
	last, from := b.size[0], b.size[0]
	if all {
		last, from = k, 0
	}
	for p := range last {
		for q := max(p+1, from); q < k; q++ {
			pq := b.m.At(p, q)
			limit := absolute
			if b.norms != nil {
				limit = max(limit, relative*b.norms[p]*b.norms[q])
			}
			if absOf(pq) <= limit {
				continue
			}
			pp, qq := blas.Real(b.m.At(p, p)), blas.Real(b.m.At(q, q))
			if by, ok := rotationOf(pp, qq, pq); ok {
				b.rotateColumns(p, q, by, pp, qq)
			}
		}
	}
}

// rotateColumns rotates two columns, and the same rows of the matrix.
func (b *blockPair[T]) rotateColumns(p, q int, by rotation[T], pp, qq float64) {
	k := b.order()
	if !b.rotated {
		b.rotated = true
		blas.SetIdentity(k, k, b.v)
	}
	x, y := b.m.Data[p*k:][:k], b.m.Data[q*k:][:k]
	by.apply(x, y)
	x[p], x[q] = blas.FromReal[T](pp-by.shift), 0
	y[p], y[q] = 0, blas.FromReal[T](qq+by.shift)
	copyConjugates(x, b.m.Data[p:], k)
	copyConjugates(y, b.m.Data[q:], k)
	by.apply(b.v.Data[p*k:][:k], b.v.Data[q*k:][:k])
}

// copyConjugates stores conjugated numbers in elements that are a distance apart.
func copyConjugates[T blas.Number](from, to []T, distance int) {
	switch from := any(from).(type) {
	case []complex64:
		to := any(to).([]complex64)
		for i, v := range from {
			to[i*distance] = complex(real(v), -imag(v))
		}
	case []complex128:
		to := any(to).([]complex128)
		for i, v := range from {
			to[i*distance] = complex(real(v), -imag(v))
		}
	default:
		for i, v := range from.([]T) {
			to[i*distance] = v
		}
	}
}

// absOf returns the absolute value of a number.
func absOf[T blas.Number](x T) float64 {
	z := blas.ToComplex(x)
	if imag(z) == 0 {
		return math.Abs(real(z))
	}
	return math.Hypot(real(z), imag(z))
}

// rotateAll multiplies the columns of the blocks in A, which has the given rows, with the rotations.
func (b *blockPair[T]) rotateAll(rows int, a blas.Matrix[T]) {
	blas.WithScratch(rows*b.order(), func(memory []T) { b.storeProduct(rows, b.columnsOf(rows, a, memory), a) })
}

// columnsOf copies the columns of the blocks in A, which has the given rows, to memory.
func (b *blockPair[T]) columnsOf(rows int, a blas.Matrix[T], memory []T) blas.Matrix[T] {
	x := blas.Matrix[T]{Data: memory, LD: rows}
	for block, size := range b.size {
		blas.CopyMatrix(rows, size, a.From(0, b.from[block]), x.From(0, b.offset(block)))
	}
	return x
}

// storeProduct stores the product of X, which columnsOf returned, and the rotations in the columns of A.
func (b *blockPair[T]) storeProduct(rows int, x, a blas.Matrix[T]) {
	for block, size := range b.size {
		blas.Gemm(blas.None, blas.None, rows, size, b.order(), 1, x, b.v.From(0, b.offset(block)), 0,
			a.From(0, b.from[block]))
	}
}
