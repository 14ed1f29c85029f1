package region

import "roclua/hip/routine"

// Overlap finds memory that two regions share: the address of a first byte in common and a number of bytes from there
// that both have. It is exact. Its cost does not depend on the size when strides and pitches are equal, as they are for
// blocks of one matrix; otherwise it grows with the smaller number of problems and columns.
func (r *Region) Overlap(o *Region) (at, bytes uint64, ok bool) {
	low, n := r.Bounds()
	otherLow, otherN := o.Bounds()
	if low >= otherLow+otherN || otherLow >= low+n {
		return 0, 0, false
	}
	if r.contiguous() && o.contiguous() {
		at = max(low, otherLow)
		return at, min(low+n, otherLow+otherN) - at, true
	}
	x, y := r.problems(), o.problems()
	x.each(y, func(i, j int64) bool {
		at, bytes, ok = r.columns(i).overlap(o.columns(j), r.Shape != Full || o.Shape != Full)
		return !ok
	})
	return at, bytes, ok
}

// Covers reports whether every byte of o lies in r. It may return false for regions of different structure although o
// lies in r, but never true if it does not.
func (r *Region) Covers(o *Region) bool {
	if r.Count == 1 && r.Cols == 1 {
		low, n := r.Bounds()
		otherLow, otherN := o.Bounds()
		if low <= otherLow && otherLow+otherN <= low+n {
			return true
		}
	}
	x, y := *r, *o
	x.Param, y.Param, x.Access, y.Access = nil, nil, routine.None, routine.None
	return x == y
}

// contiguous reports whether the region is one interval of addresses. Most regions are.
func (r *Region) contiguous() bool { return r.Count == 1 && r.Cols == 1 && r.Shape == Full }

// series is a sequence of intervals of one width at equal distances.
type series struct {
	base, step, width, count int64
}

func (r *Region) problems() series {
	return series{base: int64(r.Base), step: int64(r.Stride), width: int64(r.extent()), count: int64(r.Count)}
}

// within returns the indices, from first to last, of the intervals that meet [low, high).
func (s series) within(low, high int64) (first, last int64) {
	if s.step == 0 {
		if s.base < high && low < s.base+s.width {
			return 0, 0
		}
		return 0, -1
	}
	return max(0, floorDiv(low-s.base-s.width, s.step)+1), min(s.count-1, floorDiv(high-1-s.base, s.step))
}

// each calls f for pairs of intervals that meet until f returns false. For two series with one step it visits one pair
// for each shift between them, because all pairs of a shift have the same distance.
func (s series) each(o series, f func(i, j int64) bool) {
	if s.step == o.step && s.step > 0 {
		s.eachShift(o, f)
		return
	}
	if s.count > o.count {
		o.each(s, func(i, j int64) bool { return f(j, i) })
		return
	}
	first, last := s.within(o.base, o.base+(o.count-1)*o.step+o.width)
	for i := first; i <= last; i++ {
		low := s.base + i*s.step
		from, to := o.within(low, low+s.width)
		for j := from; j <= to; j++ {
			if !f(i, j) {
				return
			}
		}
	}
}

func (s series) eachShift(o series, f func(i, j int64) bool) {
	// Interval i of s meets interval i+k of o when k*step lies between the two bounds.
	low := max(floorDiv(s.base-o.base-o.width, s.step)+1, -(s.count - 1))
	high := min(floorDiv(s.base+s.width-1-o.base, s.step), o.count-1)
	for k := low; k <= high; k++ {
		if i := max(0, -k); !f(i, i+k) {
			return
		}
	}
}

// columns are the columns of one problem.
type columns struct {
	series
	rows, elem int64
	shape      Shape
}

func (r *Region) columns(problem int64) columns {
	return columns{
		series: series{base: int64(r.Base) + problem*int64(r.Stride), step: int64(r.Pitch),
			width: int64(r.Rows * r.Elem), count: int64(r.Cols)},
		rows: int64(r.Rows), elem: int64(r.Elem), shape: r.Shape,
	}
}

// interval returns the addresses of column j that belong to the region.
func (c columns) interval(j int64) (low, high int64) {
	low = c.base + j*c.step
	high = low + c.width
	switch c.shape {
	case UpperTriangle:
		high = low + min(j+1, c.rows)*c.elem
	case LowerTriangle:
		low += min(j, c.rows) * c.elem
	}
	return low, high
}

// overlap compares two problems column by column. Columns of a triangle differ, so it compares every pair of a shift.
func (c columns) overlap(o columns, triangles bool) (at, bytes uint64, ok bool) {
	visit := func(i, j int64) bool {
		low, high := c.interval(i)
		otherLow, otherHigh := o.interval(j)
		low, high = max(low, otherLow), min(high, otherHigh)
		if low < high {
			at, bytes, ok = uint64(low), uint64(high-low), true
		}
		return !ok
	}
	if !triangles || c.step != o.step || c.step == 0 {
		c.each(o.series, visit)
		return at, bytes, ok
	}
	c.eachShift(o.series, func(i, j int64) bool {
		for i < c.count && j < o.count && visit(i, j) {
			i, j = i+1, j+1
		}
		return !ok
	})
	return at, bytes, ok
}

// floorDiv divides by a positive number and rounds towards minus infinity.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
