package randomcall

import (
	"fmt"
	"math"

	"roclua/hip/routine"
)

// The definitions of routines that compute some of the eigenvalues or singular values of a condensed matrix, or their
// vectors.

// realsBefore returns a real array of a problem before the call.
func (c *Call) realsBefore(s routine.Slot, b int64) []float64 {
	p := c.Param(s)
	list := make([]float64, max(0, p.Rows.Of(c.Args)))
	for i := range list {
		list[i] = real(c.get(c.Before[s], p, b, int64(i)))
	}
	return list
}

// integer returns an element of an array of integers after the call.
func (c *Call) integer(s routine.Slot, b, i int64) int64 {
	return int64(real(c.get(c.Arrays[s].Data(), c.Param(s), b, i)))
}

// below returns the number of eigenvalues of a tridiagonal matrix that are less than x, by Sturm's sequence.
func below(d, e []float64, x float64) (count int) {
	pivot := 1.0
	for i, v := range d {
		square := 0.0
		if i > 0 {
			square = e[i-1] * e[i-1]
		}
		pivot = v - x - square/pivot
		if math.Abs(pivot) < 1e-200 {
			pivot = -1e-200
		}
		if pivot < 0 {
			count++
		}
	}
	return count
}

// near is the distance in which a computed eigenvalue of a matrix of order n and moderate size is from an exact one.
func (c *Call) near(n int) float64 {
	return 100 * c.precision() * float64(10+n)
}

// someOfTridiagonal is the definition of stebz: the place of each eigenvalue follows from the number of smaller ones.
func someOfTridiagonal(c *Call, b int64) error {
	d, e := c.realsBefore(routine.VecD, b), c.realsBefore(routine.VecE, b)
	count, near := c.integer(routine.Nev, b, 0), c.near(len(d))
	w := c.reals(routine.VecW, b)[:count]
	first, want := 0, len(d)
	switch c.Args.Int(routine.Erange) {
	case routine.ErangeIndex:
		first = int(c.Args.Int(routine.LowerIndex)) - 1
		want = int(c.Args.Int(routine.UpperIndex)) - first
	case routine.ErangeValue:
		low, high := c.Args.Real(routine.LowerBound), c.Args.Real(routine.UpperBound)
		first = below(d, e, low)
		want = below(d, e, high) - first
	}
	if len(w) != want {
		return fmt.Errorf("%d eigenvalues, want %d", len(w), want)
	}
	blocks := c.integer(routine.Nsplit, b, 0)
	if last := c.integer(routine.Isplit, b, blocks-1); last != int64(len(d)) {
		return fmt.Errorf("the last of %d blocks ends in row %d, want %d", blocks, last, len(d))
	}
	if blocks == 1 || c.Args.Int(routine.Eorder) == routine.EorderEntire {
		for i, x := range w {
			if at := first + i; below(d, e, x-near) > at || below(d, e, x+near) <= at {
				return fmt.Errorf("eigenvalue %d is %v, next to which there are %d and %d smaller ones", at, x,
					below(d, e, x-near), below(d, e, x+near))
			}
		}
	}
	for i := range count {
		if block := c.integer(routine.Iblock, b, i); block < 1 || block > blocks {
			return fmt.Errorf("eigenvalue %d has block %d of %d", i, block, blocks)
		}
	}
	return nil
}

// eigenvaluesOfPairs makes a tridiagonal matrix of blocks of order 2, and computes their eigenvalues.
func (c *Call) eigenvaluesOfPairs() {
	n := c.Args.Int(routine.N)
	put := func(s routine.Slot, i int64, v float64) { c.Put(c.Param(s), 0, i, complex(v, 0)) }
	integers := func(s routine.Slot) []int32 { return view[int32](c.Arrays[s].Data()) }
	integers(routine.Nev)[0] = int32(n)
	for from := int64(0); from < n; from += 2 {
		d := c.realsBefore(routine.VecD, 0)[from:]
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
		e := c.realsBefore(routine.VecE, 0)[from]
		root := math.Hypot((d[0]-d[1])/2, e)
		put(routine.VecW, from, (d[0]+d[1])/2-root)
		put(routine.VecW, from+1, (d[0]+d[1])/2+root)
		integers(routine.Iblock)[from+1] = int32(block + 1)
	}
}

// vectorsOfPairs is the definition of stein.
func vectorsOfPairs(c *Call, b int64) error {
	d, e, w := c.realsBefore(routine.VecD, b), c.realsBefore(routine.VecE, b), c.realsBefore(routine.VecW, b)
	n := int64(len(d))
	t, z := build(n, n, func(i, j int64) complex128 { return tridiagonalAt(d, e, i, j) }), c.now(routine.MatZ, b)
	if err := c.same("T Z", t.times(z), z.scaledColumns(w), float64(10*n)); err != nil {
		return err
	}
	return c.orthonormal("Z", z)
}

// rotates is the definition of lasr.
func rotates(c *Call, b int64) error {
	cosines, sines := c.realsBefore(routine.VecC, b), c.realsBefore(routine.VecS, b)
	order := int64(len(cosines)) + 1
	p := identity(order)
	for step := range order - 1 {
		j := step
		if c.Args.Int(routine.Direct) == routine.DirectBackward {
			j = order - 2 - step
		}
		x, y := j, j+1
		switch c.Args.Int(routine.PivotMode) {
		case routine.PivotTop:
			x = 0
		case routine.PivotBottom:
			y = order - 1
		}
		r := identity(order)
		cosine, sine := complex(cosines[j], 0), complex(sines[j], 0)
		r.set(x, x, cosine)
		r.set(y, y, cosine)
		r.set(x, y, sine)
		r.set(y, x, -sine)
		p = r.times(p)
	}
	if c.Args.Int(routine.Side) == routine.SideRight {
		p = p.transposed()
	}
	want := c.product(p, c.old(routine.A, b))
	return c.same("A", c.now(routine.A, b), want, 1+want.largest())
}

// foundValues returns the singular values that a call has found, and checks their number and range.
func (c *Call) foundValues(b int64, all int64) ([]float64, error) {
	count := c.integer(routine.Nsv, b, 0)
	if count < 0 || count > all {
		return nil, fmt.Errorf("%d singular values", count)
	}
	s := c.reals(routine.VecS, b)[:count]
	switch c.Args.Int(routine.Srange) {
	case routine.SrangeAll:
		if count != all {
			return nil, fmt.Errorf("%d singular values, want %d", count, all)
		}
	case routine.SrangeIndex:
		if want := c.Args.Int(routine.UpperIndex) - c.Args.Int(routine.LowerIndex) + 1; count != want {
			return nil, fmt.Errorf("%d singular values, want %d", count, want)
		}
	case routine.SrangeValue:
		for _, v := range s {
			if near := c.near(int(all)); v < c.Args.Real(routine.LowerBound)-near ||
				v >= c.Args.Real(routine.UpperBound)+near {
				return nil, fmt.Errorf("singular value %v is outside of the range", v)
			}
		}
	}
	return s, inOrder(s, true)
}

// pairs checks that A V = U S and A^H U = V S, with orthonormal U and V.
func (c *Call) pairs(A, u, v dense, s []float64, scale float64) error {
	if err := c.same("A V", A.times(v), u.scaledColumns(s), scale); err != nil {
		return err
	}
	if err := c.same("A^H U", A.adjoint().times(u), v.scaledColumns(s), scale); err != nil {
		return err
	}
	if err := c.orthonormal("U", u); err != nil {
		return err
	}
	return c.orthonormal("V", v)
}

// someOfBidiagonal is the definition of bdsvdx.
func someOfBidiagonal(c *Call, b int64) error {
	d, e := c.realsBefore(routine.VecD, b), c.realsBefore(routine.VecE, b)
	n := int64(len(d))
	s, err := c.foundValues(b, n)
	if err != nil || c.Args.Int(routine.Svect) == routine.SvectNone {
		return err
	}
	upper := c.Args.Int(routine.Uplo) == routine.FillUpper
	t := build(n, n, func(i, j int64) complex128 { return bidiagonalAt(upper, d, e, i, j) })
	z := c.now(routine.MatZ, b)
	u := build(n, int64(len(s)), z.at)
	v := build(n, int64(len(s)), func(i, j int64) complex128 { return z.at(n+i, j) })
	return c.pairs(t, u, v, s, float64(10*n))
}

// someSingularValues is the definition of gesvdx.
func someSingularValues(c *Call, b int64) error {
	A := c.old(routine.A, b)
	s, err := c.foundValues(b, min(A.rows, A.cols))
	if err != nil {
		return err
	}
	k, scale := int64(len(s)), c.scale4(b)
	left := c.Args.Int(routine.LeftSvect) == routine.SvectSingular
	right := c.Args.Int(routine.RightSvect) == routine.SvectSingular
	if !left || !right {
		return nil
	}
	u, v := c.now(routine.MatU, b), c.now(routine.MatV, b)
	return c.pairs(A, build(A.rows, k, u.at), build(k, A.cols, v.at).adjoint(), s, scale)
}
