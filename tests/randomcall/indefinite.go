package randomcall

import (
	"roclua/hip/routine"
)

// block is a block of D of an indefinite factorization: columns first to first+order-1. It exchanged two rows.
type block struct{ first, order, row, with int64 }

// indefiniteBlocks reads the pivots, in the order of the factorization.
func (c *problem) indefiniteBlocks() (list []block) {
	n, columns := c.Args.Int(routine.N), c.Args.Int(routine.N)
	if c.Param(routine.KB) != nil {
		columns = int64(real(c.after.list(routine.KB)[0]))
		if nb := c.Args.Int(routine.NB); columns > nb || columns < nb-1 {
			c.fail("%d columns of at most %d are factorized", columns, nb)
			return nil
		}
	}
	lower := c.Args.Int(routine.Uplo) != routine.FillUpper
	pivots := c.after.list(routine.Ipiv)
	for done := int64(0); done < columns; {
		at, step := done, int64(1)
		if !lower {
			at = n - 1 - done
		}
		pivot := int64(real(pivots[at]))
		x := block{at, 1, max(pivot, -pivot) - 1, at}
		if pivot < 0 {
			if lower {
				x.with++
			} else {
				x.first--
				x.with--
			}
			x.order, step = 2, 2
		}
		list, done = append(list, x), done+step
	}
	return list
}

// factorsIndefinite applies the transformation of each block and its exchange to both sides of D.
func factorsIndefinite(c *problem) {
	blocks := c.indefiniteBlocks()
	c.keepsOther()
	lower := c.Args.Int(routine.Uplo) != routine.FillUpper
	factors := c.symmetric(c.now(routine.A), false)
	d := dense{factors.rows, factors.cols, append([]complex128(nil), factors.v...)}
	for _, x := range blocks {
		for j := x.first; j < x.first+x.order; j++ {
			for i := range d.rows {
				if i < x.first || i >= x.first+x.order {
					d.set(i, j, 0)
					d.set(j, i, 0)
				}
			}
		}
	}
	for i := len(blocks) - 1; i >= 0; i-- {
		blocks[i].transform(lower, factors, d)
		d = d.transposed()
		blocks[i].transform(lower, factors, d)
	}
	c.same("A", d, c.symmetric(c.old(routine.A), false), (1+factors.largest())*c.scale4())
}

// transform multiplies a matrix by the part of the factor that belongs to a block, and exchanges its rows.
func (x block) transform(lower bool, factors, d dense) {
	from, to := int64(0), x.first
	if lower {
		from, to = x.first+x.order, d.rows
	}
	for j := range d.cols {
		for k := x.first; k < x.first+x.order; k++ {
			for i := from; i < to; i++ {
				d.set(i, j, d.at(i, j)+factors.at(i, k)*d.at(k, j))
			}
		}
		y, z := d.at(x.row, j), d.at(x.with, j)
		d.set(x.row, j, z)
		d.set(x.with, j, y)
	}
}
