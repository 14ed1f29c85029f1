package randomcall

import (
	"fmt"

	"roclua/hip/routine"
)

// positiveInverse multiplies the inverse with the product of the factor.
func positiveInverse(c *Call, b int64) error {
	inverse := c.symmetric(c.now(routine.A, b), true)
	if err := c.keepsOther(b); err != nil {
		return err
	}
	product := c.choleskyProduct(c.old(routine.A, b)).times(inverse)
	return c.same("A inv(A)", product, identity(inverse.rows), c.scale4(b)*c.scale4(b)*(1+inverse.largest()))
}

// keepsOther compares the triangle of A that the routine does not use with that before the call.
func (c *Call) keepsOther(b int64) error {
	upper := c.Args.Int(routine.Uplo) == routine.FillUpper
	old, now := c.old(routine.A, b), c.now(routine.A, b)
	unit := c.Param(routine.Diag) != nil && c.Args.Int(routine.Diag) == routine.DiagonalUnit
	for j := range old.cols {
		for i := range old.rows {
			if (i != j && (i < j) != upper || i == j && unit) && now.at(i, j) != old.at(i, j) {
				return fmt.Errorf("A(%d, %d) becomes %v, want it unchanged", i, j, now.at(i, j))
			}
		}
	}
	return nil
}

func invertsTriangle(c *Call, b int64) error {
	inverse := c.triangleOf(c.now(routine.A, b))
	for i := range inverse.rows {
		if c.Args.Int(routine.Diag) == routine.DiagonalUnit {
			inverse.set(i, i, 1)
		}
	}
	if err := c.keepsOther(b); err != nil {
		return err
	}
	matrix := c.triangular(b)
	return c.same("A inv(A)", matrix.times(inverse), identity(inverse.rows), c.scale4(b)*(1+inverse.largest()))
}

// multipliesTriangle expects U U^H or L^H L.
func multipliesTriangle(c *Call, b int64) error {
	factor := c.triangleOf(c.old(routine.A, b))
	want := factor.times(factor.adjoint())
	if c.Args.Int(routine.Uplo) != routine.FillUpper {
		want = factor.adjoint().times(factor)
	}
	if err := c.keepsOther(b); err != nil {
		return err
	}
	return c.same("the product", c.triangleOf(c.now(routine.A, b)), c.triangleOf(want), c.scale4(b)*c.scale4(b))
}

// inverseElsewhere multiplies the inverse in C with the product of the factors.
func inverseElsewhere(c *Call, b int64) error {
	inverse := c.now(routine.C, b)
	if err := c.same("A", c.now(routine.A, b), c.old(routine.A, b), 0); err != nil {
		return err
	}
	product := c.luProduct(c.old(routine.A, b), b).times(inverse)
	return c.same("A inv(A)", product, identity(inverse.rows), c.scale4(b)*(1+inverse.largest())*100)
}

// standardForm reverts the division by the Cholesky factor, or multiplies with it.
func standardForm(c *Call, b int64) error {
	old, now := c.symmetric(c.old(routine.A, b), true), c.symmetric(c.now(routine.A, b), true)
	if err := c.keepsOther(b); err != nil {
		return err
	}
	divided := c.Args.Int(routine.Itype) == routine.EformAx
	left := c.triangleOf(c.old(routine.B, b))
	if (c.Args.Int(routine.Uplo) == routine.FillUpper) == divided {
		left = left.adjoint()
	}
	scale := c.scale4(b) * (1 + left.largest()) * (1 + left.largest()) * float64(left.rows)
	if divided {
		return c.same("A", left.times(now).times(left.adjoint()), old, scale)
	}
	return c.same("A", now, left.times(old).times(left.adjoint()), scale)
}

// block is a block of D of an indefinite factorization: columns first to first+order-1. It exchanged two rows.
type block struct{ first, order, row, with int64 }

// indefiniteBlocks reads the pivots, in the order of the factorization.
func (c *Call) indefiniteBlocks(b int64) (list []block, err error) {
	n, columns := c.Args.Int(routine.N), c.Args.Int(routine.N)
	if c.Param(routine.KB) != nil {
		columns = int64(real(c.list(c.Arrays[routine.KB].Data(), routine.KB, b)[0]))
		if nb := c.Args.Int(routine.NB); columns > nb || columns < nb-1 {
			return nil, fmt.Errorf("%d columns of at most %d are factorized", columns, nb)
		}
	}
	lower := c.Args.Int(routine.Uplo) != routine.FillUpper
	pivots := c.list(c.Arrays[routine.Ipiv].Data(), routine.Ipiv, b)
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
	return list, nil
}

// factorsIndefinite applies the transformation of each block and its exchange to both sides of D.
func factorsIndefinite(c *Call, b int64) error {
	blocks, err := c.indefiniteBlocks(b)
	if err != nil {
		return err
	}
	if err := c.keepsOther(b); err != nil {
		return err
	}
	lower := c.Args.Int(routine.Uplo) != routine.FillUpper
	factors := c.symmetric(c.now(routine.A, b), false)
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
	return c.same("A", d, c.symmetric(c.old(routine.A, b), false), (1+factors.largest())*c.scale4(b))
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

// blockAt returns block k of adjacent blocks with the given columns.
func blockAt(m dense, k, cols int64) dense {
	return build(m.rows, cols, func(i, j int64) complex128 { return m.at(i, k*cols+j) })
}

// factorsBlocks multiplies the factors of a block tridiagonal matrix, block by block.
func factorsBlocks(c *Call, b int64) error {
	nb, count := c.Args.Int(routine.NB), c.Args.Int(routine.NBlocks)
	below, oldB, nowB := c.old(routine.A, b), c.old(routine.B, b), c.now(routine.B, b)
	oldC, nowC := c.old(routine.C, b), c.now(routine.C, b)
	scale := oldB.largest() * float64(20*nb)
	for k := range count {
		diagonal := unpivoted(blockAt(nowB, k, nb))
		sum := diagonal
		if k > 0 {
			sum = blockAt(below, k-1, nb).times(blockAt(nowC, k-1, nb)).plus(1, diagonal, 1)
		}
		if err := c.same(fmt.Sprintf("block %d of B", k), sum, blockAt(oldB, k, nb), scale); err != nil {
			return err
		}
		if k == count-1 {
			break
		}
		above := diagonal.times(blockAt(nowC, k, nb))
		if err := c.same(fmt.Sprintf("block %d of C", k), above, blockAt(oldC, k, nb), scale); err != nil {
			return err
		}
	}
	return nil
}

// solvesBlocks multiplies the factors of a block tridiagonal matrix with the solution.
func solvesBlocks(c *Call, b int64) error {
	nb, count, nrhs := c.Args.Int(routine.NB), c.Args.Int(routine.NBlocks), c.Args.Int(routine.NRHS)
	below, diagonal, above := c.old(routine.A, b), c.old(routine.B, b), c.old(routine.C, b)
	old, now := c.old(routine.MatX, b), c.now(routine.MatX, b)
	scale := diagonal.largest() * float64(20*nb) * (1 + now.largest())
	var last dense
	for k := range count {
		y := blockAt(now, k, nrhs)
		if k < count-1 {
			y = blockAt(above, k, nb).times(blockAt(now, k+1, nrhs)).plus(1, y, 1)
		}
		right := unpivoted(blockAt(diagonal, k, nb)).times(y)
		if k > 0 {
			right = blockAt(below, k-1, nb).times(last).plus(1, right, 1)
		}
		if err := c.same(fmt.Sprintf("block %d of M X", k), right, blockAt(old, k, nrhs), scale); err != nil {
			return err
		}
		last = y
	}
	return nil
}
