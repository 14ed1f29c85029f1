package blas

import (
	"unsafe"

	"roclua/hip/cpu/vector"
)

// A product is computed in blocks that fit into the caches. A block of op(A) and a block of op(B) are copied to panels,
// whose elements are in the order of the innermost loop, and package vector multiplies the panels.
//
// Complex products are products of real numbers: C has the real and the imaginary parts of its elements as rows, a
// panel of A has the rows (re, im) of a column and then (-im, re), and a panel of B has the real parts of a row and
// then the imaginary parts.

// product adds alpha op(A) op(B) to beta C. Sizes count real numbers: complex matrices have twice the rows and twice
// the depth.
type product[R vector.Real] struct {
	m, n, k     int
	alpha, beta R // of real products; 1 for complex ones
	a, b        packed[R]
	c           []R
	ldc         int
}

// packed copies a part of an operand to panels: count rows of op(A), or columns of op(B), from first on, and depth
// elements of each from l on. The last panel may have fewer, with any values in place of the others, which no product
// reads.
type packed[R vector.Real] func(to []R, width, first, count, l, depth int)

// Sizes of blocks in elements of 8 bytes: the depth of all panels, the rows of A, and the columns of B. The panels of A
// fit into the second cache, a panel of B into the first.
const (
	blockDepth = 256
	blockRows  = 192
	blockCols  = 1024
)

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// evenPart returns the size of the parts of n that are at most limit, a multiple of unit.
func evenPart(n, limit, unit int) int {
	parts := (n + limit - 1) / limit
	return roundUp((n+parts-1)/max(parts, 1), unit)
}

// worthAThread is the number of real multiplications from which another thread saves time.
const worthAThread = 1 << 19

// run computes the product with at most the given number of threads.
func (p *product[R]) run(threads int) {
	tile := vector.TileOf[R]()
	threads = min(threads, p.m*p.n*p.k/worthAThread)
	rows, cols := p.m, p.n
	if threads > 1 {
		rows, cols = shares(p.m, p.n, threads)
		rows, cols = roundUp(rows, tile.Rows), roundUp(cols, tile.Cols)
	}
	down, across := (p.m+rows-1)/rows, (p.n+cols-1)/cols
	Parallel(threads, down*across, func(task int) {
		i, j := task%down*rows, task/down*cols
		p.part(tile, i, min(i+rows, p.m), j, min(j+cols, p.n))
	})
}

// shares returns the size of the parts of a matrix for threads. Large matrices have more parts than threads, so that a
// thread that is interrupted gets fewer of them.
func shares(m, n, threads int) (rows, cols int) {
	const large = 256
	rows, cols = m, n
	for down, across := 1, 1; down*across < threads || down*across < 4*threads && max(rows, cols) >= 2*large; {
		if rows > cols {
			down++
		} else {
			across++
		}
		rows, cols = (m+down-1)/down, (n+across-1)/across
		if rows == 1 && cols == 1 {
			break
		}
	}
	return rows, cols
}

// panels is the memory of one goroutine for a product.
type panels[R vector.Real] struct{ a, b []R }

// part computes rows i to iEnd-1 and columns j to jEnd-1 of the product.
func (p *product[R]) part(tile vector.Tile[R], i, iEnd, j, jEnd int) {
	rows := evenPart(iEnd-i, blockRows, tile.Rows)
	cols := evenPart(jEnd-j, blockCols, tile.Cols)
	depth := evenPart(p.k, blockDepth*8/int(unsafe.Sizeof(p.alpha)), 2)
	for column := j; column < jEnd; column++ {
		scaleSlice(p.beta, p.c[i+column*p.ldc:iEnd+column*p.ldc])
	}
	a, b := rows*depth, cols*depth
	WithScratch(a+b, func(memory []R) {
		s := panels[R]{memory[:a], memory[a:]}
		for ; j < jEnd; j += cols {
			width := min(cols, jEnd-j)
			for l := 0; l < p.k; l += depth {
				d := min(depth, p.k-l)
				p.b(s.b, tile.Cols, j, width, l, d)
				for row := i; row < iEnd; row += rows {
					height := min(rows, iEnd-row)
					p.a(s.a, tile.Rows, row, height, l, d)
					p.tiles(tile, s, row, height, j, width, d)
				}
			}
		}
	})
}

// tiles multiplies the panels in s, which belong to a part of C.
func (p *product[R]) tiles(tile vector.Tile[R], s panels[R], i, height, j, width, depth int) {
	for y := 0; y < width; y += tile.Cols {
		b := s.b[y*depth:]
		for x := 0; x < height; x += tile.Rows {
			a, c := s.a[x*depth:], p.c[i+x+(j+y)*p.ldc:]
			rows, cols := min(tile.Rows, height-x), min(tile.Cols, width-y)
			if rows == tile.Rows && cols == tile.Cols {
				tile.Add(depth, p.alpha, &a[0], &b[0], &c[0], p.ldc)
				continue
			}
			right := vector.Factor[R]{Data: b, Down: tile.Cols, Right: 1}
			vector.Update(rows, cols, depth, float64(p.alpha), a, tile.Rows, right, c, p.ldc)
		}
	}
}

// scaleSlice multiplies elements by beta. With a beta of 0 it does not read them.
func scaleSlice[T Number](beta T, y []T) {
	switch beta {
	case 0:
		clear(y)
	case 1:
	default:
		vector.Scale(beta, y)
	}
}

// realProduct is the product of real matrices.
func realProduct[R vector.Real](opA, opB Op, m, n, k int, alpha R, a, b Matrix[R], beta R, c Matrix[R]) *product[R] {
	return &product[R]{
		m: m, n: n, k: k, alpha: alpha, beta: beta, c: c.Data, ldc: c.LD,
		a: packReal(a, opA != None), b: packReal(b, opB == None),
	}
}

// complexProduct is the product of complex matrices whose real and imaginary parts have type R. It scales C itself.
func complexProduct[R vector.Real, T complex64 | complex128](
	opA, opB Op, m, n, k int, alpha T, a, b Matrix[T], c Matrix[T],
) *product[R] {
	z := ToComplex(alpha)
	left := complexOperand[R]{reals[R](a.Data), a.LD, opA != None, opA == ConjTrans}
	right := complexOperand[R]{reals[R](b.Data), b.LD, opB == None, opB == ConjTrans}
	return &product[R]{
		m: 2 * m, n: n, k: 2 * k, alpha: 1, beta: 1, c: reals[R](c.Data), ldc: 2 * c.LD,
		a: left.packRows, b: right.packColumns(R(real(z)), R(imag(z))),
	}
}

// reals returns the real and the imaginary parts of complex numbers.
func reals[R vector.Real, T complex64 | complex128](s []T) []R {
	return unsafe.Slice((*R)(unsafe.Pointer(unsafe.SliceData(s))), 2*len(s))
}
