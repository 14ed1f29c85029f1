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

// packReal returns the copying of a real operand. The elements that follow each other in a panel, rows of op(A) or
// columns of op(B), follow each other in memory; if along is true, elements of different depths do.
func packReal[R vector.Real](m Matrix[R], along bool) packed[R] {
	return func(to []R, width, first, count, l, depth int) {
		for ; count > 0; count, first = count-width, first+width {
			panel := to[:width*depth]
			to = to[width*depth:]
			if along {
				transpose(panel, width, m.Data[l+first*m.LD:], m.LD, min(count, width), depth)
				continue
			}
			n := min(count, width)
			for d := range depth {
				copy(panel[d*width:], m.Data[first+(l+d)*m.LD:][:n])
			}
		}
	}
}

// transpose stores the transpose of a matrix in another one, which is m x n, four rows at a time.
func transpose[T Number](to []T, ldTo int, from []T, ld, m, n int) {
	i := 0
	for ; i+4 <= m; i += 4 {
		c0, c1 := from[i*ld:][:n], from[(i+1)*ld:][:n]
		c2, c3 := from[(i+2)*ld:][:n], from[(i+3)*ld:][:n]
		at := i
		for j, v := range c0 {
			part := to[at : at+4 : at+4]
			part[0], part[1], part[2], part[3] = v, c1[j], c2[j], c3[j]
			at += ldTo
		}
	}
	for ; i < m; i++ {
		for j, v := range from[i*ld:][:n] {
			to[i+j*ldTo] = v
		}
	}
}

// complexOperand is a complex matrix as real numbers. ld counts complex numbers; along is as for packReal.
type complexOperand[R vector.Real] struct {
	data        []R
	ld          int
	along, conj bool
}

// steps returns the index of the element at a place in a panel and a depth, and the distances to the next place and
// the next depth.
func (o *complexOperand[R]) steps(place, depth int) (index, nextPlace, nextDepth int) {
	if o.along {
		return 2 * (depth + place*o.ld), 2 * o.ld, 2
	}
	return 2 * (place + depth*o.ld), 2, 2 * o.ld
}

// packRows copies rows of op(A). All sizes count real numbers and are even.
func (o *complexOperand[R]) packRows(to []R, width, first, count, l, depth int) {
	for ; count > 0; count, first = count-width, first+width {
		panel := to[:width*depth]
		to = to[width*depth:]
		n := min(count, width)
		start, nextPlace, nextDepth := o.steps(first/2, l/2)
		for d := 0; d < depth; d += 2 {
			re, im := panel[d*width:][:n], panel[(d+1)*width:][:n]
			at := start
			for i := 0; i+1 < len(re) && i+1 < len(im); i += 2 {
				x, y := o.data[at], o.data[at+1]
				if o.conj {
					y = -y
				}
				re[i], re[i+1], im[i], im[i+1] = x, y, -y, x
				at += nextPlace
			}
			start += nextDepth
		}
	}
}

// packColumns returns the copying of columns of alpha op(B).
func (o *complexOperand[R]) packColumns(re, im R) packed[R] {
	return func(to []R, width, first, count, l, depth int) {
		for ; count > 0; count, first = count-width, first+width {
			panel := to[:width*depth]
			to = to[width*depth:]
			n := min(count, width)
			start, nextPlace, nextDepth := o.steps(first, l/2)
			for d := 0; d < depth; d += 2 {
				reals, imags := panel[d*width:][:n], panel[(d+1)*width:][:n]
				at := start
				for i := range reals {
					x, y := o.data[at], o.data[at+1]
					if o.conj {
						y = -y
					}
					reals[i], imags[i] = re*x-im*y, re*y+im*x
					at += nextPlace
				}
				start += nextDepth
			}
		}
	}
}
