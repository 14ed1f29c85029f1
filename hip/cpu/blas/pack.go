package blas

import "roclua/hip/cpu/vector"

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
