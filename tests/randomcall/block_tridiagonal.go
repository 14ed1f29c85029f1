package randomcall

import (
	"fmt"

	"roclua/hip/routine"
)

// factorsBlocks multiplies the factors of a block tridiagonal matrix, block by block.
func factorsBlocks(c *problem) {
	nb, count := c.Args.Int(routine.NB), c.Args.Int(routine.NBlocks)
	below, oldB, nowB := c.old(routine.A), c.old(routine.B), c.now(routine.B)
	oldC, nowC := c.old(routine.C), c.now(routine.C)
	scale := oldB.largest() * float64(20*nb)
	for k := range count {
		diagonal := unpivoted(blockAt(nowB, k, nb))
		sum := diagonal
		if k > 0 {
			sum = blockAt(below, k-1, nb).times(blockAt(nowC, k-1, nb)).plus(1, diagonal, 1)
		}
		c.same(fmt.Sprintf("block %d of B", k), sum, blockAt(oldB, k, nb), scale)
		if k == count-1 {
			break
		}
		above := diagonal.times(blockAt(nowC, k, nb))
		c.same(fmt.Sprintf("block %d of C", k), above, blockAt(oldC, k, nb), scale)
	}
}

// solvesBlocks multiplies the factors of a block tridiagonal matrix with the solution.
func solvesBlocks(c *problem) {
	nb, count, nrhs := c.Args.Int(routine.NB), c.Args.Int(routine.NBlocks), c.Args.Int(routine.NRHS)
	below, diagonal, above := c.old(routine.A), c.old(routine.B), c.old(routine.C)
	old, now := c.old(routine.MatX), c.now(routine.MatX)
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
		c.same(fmt.Sprintf("block %d of M X", k), right, blockAt(old, k, nrhs), scale)
		last = y
	}
}
