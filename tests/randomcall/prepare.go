package randomcall

import (
	"bytes"

	"roclua/hip/routine"
)

// preparations change the random arrays of families whose arguments depend on each other.
var preparations = map[routine.FamilyID]func(c *Call){
	routine.Laswp: (*Call).pivotsOfRows,

	routine.Sytf2: (*Call).indefinite, routine.Sytrf: (*Call).indefinite, routine.Lasyf: (*Call).indefinite,

	routine.GeblttrfNpvt: (*Call).dominantBlocks, routine.GeblttrfNpvtInterleaved: (*Call).dominantBlocks,
	routine.GeblttrsNpvt: (*Call).smallFactors, routine.GeblttrsNpvtInterleaved: (*Call).smallFactors,

	routine.Sygs2: (*Call).dominantFactor, routine.Sygst: (*Call).dominantFactor,
	routine.Sygv: (*Call).dominantFactor, routine.Sygvd: (*Call).dominantFactor,
	routine.Sygvj: (*Call).dominantFactor, routine.Sygvdj: (*Call).dominantFactor,
	routine.Sygvx: (*Call).dominantFactor, routine.Sygvdx: (*Call).dominantFactor,

	routine.Stein: (*Call).eigenvaluesOfPairs,

	routine.Orgtr: (*Call).unitaryReflections, routine.Ormtr: (*Call).unitaryReflections,
	routine.Orgbr: (*Call).unitaryReflections, routine.Ormbr: (*Call).unitaryReflections,
}

// prepare changes arrays that were drawn, where numbers without a relation have no result.
func (c *Call) prepare() {
	id := c.Args.Routine.Family.ID
	change := preparations[id]
	if _, ok := givenReflections[id]; ok {
		change = (*Call).makeUnitary
	}
	if change == nil {
		return
	}
	change(c)
	for s, block := range c.Arrays {
		c.Before[s] = bytes.Clone(block.Data())
	}
}

// pivotsOfRows draws pivots among all rows of the matrix.
func (c *Call) pivotsOfRows() {
	cells := view[int32](c.Arrays[routine.Ipiv].Data())
	for i := range cells {
		cells[i] = 1 + int32(c.Rand.Int64N(c.Param(routine.A).Rows.Of(c.Args)))
	}
}

// onDiagonal stores numbers on the diagonal of each block of a matrix, whose columns are multiples of its rows.
func (c *Call) onDiagonal(s routine.Slot, value func() complex128) {
	p := c.Param(s)
	rows, cols := p.Rows.Of(c.Args), p.Cols.Of(c.Args)
	ld, inc := c.companion(s, routine.LeadingDimension), max(1, c.companion(s, routine.Increment))
	for b := range c.Args.Batch() {
		for j := range cols {
			c.Put(p, b, j%rows*inc+j*ld, value())
		}
	}
}

// indefinite gives A a diagonal with small numbers, so that there are exchanges and blocks of order 2.
func (c *Call) indefinite() {
	c.onDiagonal(routine.A, func() complex128 { return complex(c.Rand.NormFloat64()/8, c.Rand.NormFloat64()/8) })
}

// dominantBlocks gives the blocks on the diagonal large diagonals.
func (c *Call) dominantBlocks() {
	size := complex(4+3*float64(c.Args.Int(routine.NB)), 0)
	c.onDiagonal(routine.B, func() complex128 { return size })
}

// smallFactors makes the elements of triangular blocks small, except their diagonals, so that solutions stay small.
func (c *Call) smallFactors() {
	p := c.Param(routine.B)
	for b := range c.Args.Batch() {
		for i := range c.inner[p.Slot] {
			c.Put(p, b, i, c.get(c.Before[p.Slot], p, b, i)/complex(4*float64(c.Args.Int(routine.NB)), 0))
		}
	}
	c.onDiagonal(routine.B, func() complex128 { return 2 })
}

// dominantFactor gives B, a triangle or a Hermitian matrix, a large diagonal.
func (c *Call) dominantFactor() {
	size := complex(4+2*float64(c.Args.Int(routine.N)), 0)
	c.onDiagonal(routine.B, func() complex128 { return size })
}
