package randomcall

import (
	"bytes"
	"math"
	"math/cmplx"

	"roclua/hip/routine"
)

// preparations change the random arrays of families whose arguments depend on each other.
var preparations = map[routine.FamilyID]func(c *drawing){
	routine.Laswp: (*drawing).pivotsOfRows,

	routine.Sytf2: (*drawing).indefinite, routine.Sytrf: (*drawing).indefinite, routine.Lasyf: (*drawing).indefinite,

	routine.GeblttrfNpvt: (*drawing).dominantBlocks, routine.GeblttrfNpvtInterleaved: (*drawing).dominantBlocks,
	routine.GeblttrsNpvt: (*drawing).smallFactors, routine.GeblttrsNpvtInterleaved: (*drawing).smallFactors,

	routine.Sygs2: (*drawing).dominantFactor, routine.Sygst: (*drawing).dominantFactor,
	routine.Sygv: (*drawing).dominantFactor, routine.Sygvd: (*drawing).dominantFactor,
	routine.Sygvj: (*drawing).dominantFactor, routine.Sygvdj: (*drawing).dominantFactor,
	routine.Sygvx: (*drawing).dominantFactor, routine.Sygvdx: (*drawing).dominantFactor,

	routine.Stein: (*drawing).eigenvaluesOfPairs,

	routine.Orgtr: (*drawing).makeUnitary, routine.Ormtr: (*drawing).makeUnitary,
	routine.Orgbr: (*drawing).makeUnitary, routine.Ormbr: (*drawing).makeUnitary, routine.Larft: (*drawing).makeUnitary,
}

// prepare changes arrays that were drawn, where numbers without a relation have no result.
func (c *drawing) prepare() {
	id := c.Args.Routine.Family.ID
	change := preparations[id]
	if _, ok := givenForms[id]; ok {
		change = (*drawing).makeUnitary
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
func (c *drawing) pivotsOfRows() {
	cells := view[int32](c.Arrays[routine.Ipiv].Data())
	for i := range cells {
		cells[i] = 1 + int32(c.Rand.Int64N(c.Param(routine.A).Rows.Of(c.Args)))
	}
}

// onDiagonal stores numbers on the diagonal of each block of a matrix, whose columns are multiples of its rows.
func (c *drawing) onDiagonal(s routine.Slot, value func() complex128) {
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
func (c *drawing) indefinite() {
	c.onDiagonal(routine.A, func() complex128 { return complex(c.Rand.NormFloat64()/8, c.Rand.NormFloat64()/8) })
}

// dominantBlocks gives the blocks on the diagonal large diagonals.
func (c *drawing) dominantBlocks() {
	size := complex(4+3*float64(c.Args.Int(routine.NB)), 0)
	c.onDiagonal(routine.B, func() complex128 { return size })
}

// smallFactors makes the elements of triangular blocks small, except their diagonals, so that solutions stay small.
func (c *drawing) smallFactors() {
	p := c.Param(routine.B)
	for b := range c.Args.Batch() {
		for i := range c.inner[p.Slot] {
			c.Put(p, b, i, c.problem(b).before.number(p.Slot, i)/complex(4*float64(c.Args.Int(routine.NB)), 0))
		}
	}
	c.onDiagonal(routine.B, func() complex128 { return 2 })
}

// dominantFactor gives B, a triangle or a Hermitian matrix, a large diagonal.
func (c *drawing) dominantFactor() {
	size := complex(4+2*float64(c.Args.Int(routine.N)), 0)
	c.onDiagonal(routine.B, func() complex128 { return size })
}

// makeUnitary changes the scalars of the reflections that a call reads, so that the reflections are unitary and long
// products stay finite.
func (c *drawing) makeUnitary() {
	for b := range c.Args.Batch() {
		p := c.problem(b)
		k := p.given()
		for i, v := range k.vectors(p.now(k.matrix), k.count) {
			turn := cmplx.Rect(1, c.Rand.Float64())
			c.Put(c.Param(k.scalars), b, int64(i), (1+turn)/v.adjoint().times(v).at(0, 0))
		}
	}
}

// eigenvaluesOfPairs makes a tridiagonal matrix of blocks of order 2, and computes their eigenvalues.
func (c *drawing) eigenvaluesOfPairs() {
	n := c.Args.Int(routine.N)
	before := c.problem(0).before
	put := func(s routine.Slot, i int64, v float64) { c.Put(c.Param(s), 0, i, complex(v, 0)) }
	integers := func(s routine.Slot) []int32 { return view[int32](c.Arrays[s].Data()) }
	integers(routine.Nev)[0] = int32(n)
	for from := int64(0); from < n; from += 2 {
		d := before.reals(routine.VecD)[from:]
		block := from / 2
		integers(routine.Isplit)[block] = int32(min(from+2, n))
		integers(routine.Iblock)[from] = int32(block + 1)
		if from == n-1 {
			put(routine.VecW, from, d[0])
			continue
		}
		if from+2 < n {
			put(routine.VecE, from+1, 0)
		}
		e := before.reals(routine.VecE)[from]
		root := math.Hypot((d[0]-d[1])/2, e)
		put(routine.VecW, from, (d[0]+d[1])/2-root)
		put(routine.VecW, from+1, (d[0]+d[1])/2+root)
		integers(routine.Iblock)[from+1] = int32(block + 1)
	}
}
