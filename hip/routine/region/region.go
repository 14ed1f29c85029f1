// Package region describes the device memory that the arguments of a call occupy, and finds the memory that two calls
// share.
package region

import (
	"fmt"
	"math/bits"

	"roclua/hip/routine"
)

// Region is the device memory that one array of a call occupies: Count problems, Stride bytes apart, each of Cols
// columns, Pitch bytes apart, each of Rows elements. Vectors with an increment are rows of one element. The gaps
// between columns and problems do not belong to it, so two blocks of one matrix are different memory.
type Region struct {
	Param  *routine.Param // the parameter that gives the array; nil for other memory, such as workspace
	Access routine.Access
	Base   uint64 // device address of the first problem
	Elem   uint64 // bytes of an element
	Rows   uint64
	Cols   uint64
	Pitch  uint64
	Count  uint64
	Stride uint64
	Shape  Shape

	// Indirect means that Base is the address of an array of Count device pointers, one for each problem. The memory of
	// the problems is known once the pointers are read: see Through.
	Indirect bool
}

// Shape is the part of a region's columns that belongs to it.
type Shape uint8

const (
	Full          Shape = iota // whole columns
	UpperTriangle              // column j down to row j
	LowerTriangle              // column j from row j
)

// limit saturates sizes. No device is that large, so arguments of any size give a region outside of every allocation,
// never one that wraps around.
const limit = 1 << 60

// Of returns the device memory that a call touches, in the order of its parameters. Null pointers have none: the
// library's checks have refused a null where memory is needed. Matrices and vectors that are only read have none when
// their factor, mostly alpha, is zero on the host, because the library does not read them then. An empty call of a
// solver has only the results that it sets to zeros. Arrays of pointers give two regions: the pointers, and the memory
// they point to, which is Indirect.
func Of(a *routine.Args) []Region { return Append(make([]Region, 0, 8), a) }

// Append appends the regions of a call to a list.
func Append(list []Region, a *routine.Args) []Region {
	if a.LaunchesNothing() {
		return list
	}
	empty, params := a.Empty(), a.Routine.Params
	for i := range params {
		p := &params[i]
		switch {
		case !p.Kind.IsPointer() || p.Kind == routine.Object || a.Null(p.Slot) || onHost(a, p):
		case a.Batch() <= 0 || a.ElementBytes(p) == 0 || empty && !a.Zeroed(p):
		case p.Kind == routine.Scalar || p.Kind == routine.Output:
			list = append(list, scalarRegion(a, p))
		case p.Access == routine.In && zeroOnHost(a, p.ReadFactor(a.Routine)):
		default:
			list = appendArray(list, a, p)
			if empty && len(list) > 0 {
				list[len(list)-1].Access = routine.Out
			}
		}
	}
	return list
}

// onHost reports whether a scalar or a result is in host memory.
func onHost(a *routine.Args, p *routine.Param) bool {
	return (p.Kind == routine.Scalar || p.Kind == routine.Output) && a.Int(p.Slot) == routine.Host
}

// zeroOnHost reports whether a scalar is known to be zero.
func zeroOnHost(a *routine.Args, scalar routine.Slot) bool {
	return a.Int(scalar) == routine.Host && a.Scalar(scalar) == 0
}

// scalarRegion is the memory of a scalar, or of the adjacent results of a reduction.
func scalarRegion(a *routine.Args, p *routine.Param) Region {
	r := Region{Param: p, Access: p.Access, Base: a.Ptr(p.Slot), Elem: uint64(a.ElementBytes(p)), Rows: 1, Cols: 1,
		Count: 1}
	if p.Kind == routine.Output {
		r.Rows = uint64(a.Batch())
	}
	return r
}

// OfArray returns the device memory of one array of a call, also if the call does not read it.
func OfArray(a *routine.Args, p *routine.Param) []Region { return appendArray(nil, a, p) }

// appendArray appends the regions of an array, which it makes in their place in the list.
func appendArray(list []Region, a *routine.Args, p *routine.Param) []Region {
	rows, cols := p.Rows.Of(a), int64(1)
	if !p.Cols.IsZero() {
		cols = p.Cols.Of(a)
	}
	if rows <= 0 || cols <= 0 {
		return list
	}
	count := uint64(a.Batch())
	if p.Kind == routine.ArrayOfArrays {
		list = append(list, Region{Param: p, Access: routine.In, Base: a.Ptr(p.Slot), Elem: 8, Rows: count, Cols: 1,
			Count: 1})
	}
	list = append(list, Region{})
	r := &list[len(list)-1]
	r.Param, r.Access, r.Base, r.Elem = p, p.Access, a.Ptr(p.Slot), uint64(a.ElementBytes(p))
	r.Rows, r.Cols, r.Count = uint64(rows), uint64(cols), count
	r.layOut(a)
	if p.Kind == routine.ArrayOfArrays {
		r.Indirect = true
		return list
	}
	stride := int64(r.Rows * r.Elem) // info has no stride: its elements are adjacent
	if elements, ok := companion(a, p, routine.Stride); ok {
		stride = signedProduct(elements, r.Elem)
	}
	r.spread(stride)
	r.normalize()
	return list
}

// layOut sets the fields that follow from the layout of the array in memory.
func (r *Region) layOut(a *routine.Args) {
	inc, hasInc := companion(a, r.Param, routine.Increment)
	switch r.Param.Layout {
	case routine.Vector:
		r.Rows, r.Cols = 1, r.Rows
		r.Pitch = product(uint64(max(inc, -inc)), r.Elem) // a negative increment runs through the same memory backwards
	case routine.Packed:
		r.Rows, r.Cols = product(r.Rows, r.Rows+1)/2, 1
	case routine.Dense, routine.Band, routine.Upper:
		if hasInc { // the gaps of interleaved arrays count
			r.Rows = product(r.Rows-1, uint64(max(1, inc))) + 1
		}
		ld, _ := companion(a, r.Param, routine.LeadingDimension)
		r.Pitch = product(uint64(max(0, ld)), r.Elem)
	}
	if r.Param.Layout == routine.Upper {
		r.Shape = triangle(a.Int(routine.Uplo))
	}
}

// companion returns the leading dimension, increment or stride of an array; ok is false if it has none.
func companion(a *routine.Args, array *routine.Param, role routine.Role) (value int64, ok bool) {
	p, ok := a.Routine.Companion(array.Slot, role)
	if !ok {
		return 0, false
	}
	return a.Int(p.Slot), true
}

func triangle(uplo int64) Shape {
	switch uplo {
	case routine.FillUpper:
		return UpperTriangle
	case routine.FillLower:
		return LowerTriangle
	}
	return Full
}

// spread puts the problems of a region a stride apart; a negative stride leads to lower addresses.
func (r *Region) spread(stride int64) {
	if stride < 0 {
		r.Stride = uint64(-stride)
		r.Base -= min(r.Base, product(r.Count-1, r.Stride))
		return
	}
	r.Stride = uint64(stride)
}

// normalize joins adjacent columns and adjacent problems, so that contiguous memory is one column.
func (r *Region) normalize() {
	if r.Cols == 1 {
		r.Shape, r.Pitch = Full, 0
	} else if r.Shape == Full && r.Pitch <= r.Rows*r.Elem {
		r.Rows, r.Cols, r.Pitch = r.Extent()/r.Elem, 1, 0
	}
	if r.Count == 1 || r.Stride == 0 {
		r.Count, r.Stride = 1, 0
	} else if r.Cols == 1 && r.Stride <= r.Rows*r.Elem {
		r.Rows = sum(product(r.Count-1, r.Stride), r.Rows*r.Elem) / r.Elem
		r.Count, r.Stride = 1, 0
	}
}

// Through returns the memory of the problems of an Indirect region, given their pointers. Pointers at equal distances
// share one region, so all of them must point into one allocation.
func (r *Region) Through(pointers []uint64) []Region {
	var list []Region
	for len(pointers) > 0 {
		n := 1
		for n < len(pointers) && (n == 1 || pointers[n]-pointers[n-1] == pointers[1]-pointers[0]) {
			n++
		}
		part := *r
		part.Base, part.Count, part.Indirect = pointers[0], uint64(n), false
		var stride int64
		if n > 1 {
			stride = int64(pointers[1] - pointers[0])
		}
		part.spread(stride)
		part.normalize()
		list = append(list, part)
		pointers = pointers[n:]
	}
	return list
}

// Span returns a region of plain bytes that is not an argument.
func Span(base, bytes uint64, access routine.Access) Region {
	return Region{Access: access, Base: base, Elem: 1, Rows: bytes, Cols: 1, Count: 1}
}

// Bounds returns the first address of the region and the bytes up to its last one, gaps included.
func (r *Region) Bounds() (low, bytes uint64) {
	if r.Count == 1 {
		return r.Base, r.Extent()
	}
	return r.Base, sum(product(r.Count-1, r.Stride), r.Extent())
}

// Intervals calls f with the addresses of each column of each problem, from low up to but without high, until f returns
// false.
func (r *Region) Intervals(f func(low, high uint64) bool) {
	if r.contiguous() {
		if bytes := r.Rows * r.Elem; bytes > 0 {
			f(r.Base, r.Base+bytes)
		}
		return
	}
	for problem := range int64(r.Count) {
		c := r.columns(problem)
		for j := range c.count {
			if low, high := c.interval(j); low < high && !f(uint64(low), uint64(high)) {
				return
			}
		}
	}
}

// Extent returns the bytes from a problem's first element to its last.
func (r *Region) Extent() uint64 {
	return sum(product(r.Cols-1, r.Pitch), product(r.Rows, r.Elem))
}

// String names the region for messages: "A (8388608 bytes)".
func (r Region) String() string {
	name := "workspace"
	if r.Param != nil {
		name = r.Param.Name
	}
	_, bytes := r.Bounds()
	return fmt.Sprintf("%s (%d bytes)", name, bytes)
}

// product multiplies and saturates at limit.
func product(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 {
		return limit
	}
	return min(lo, limit)
}

// sum adds two saturated sizes.
func sum(a, b uint64) uint64 { return min(a+b, limit) }

// signedProduct multiplies a stride in elements by their size and saturates both ways.
func signedProduct(stride int64, elem uint64) int64 {
	if stride < 0 {
		return -int64(product(uint64(-stride), elem))
	}
	return int64(product(uint64(stride), elem))
}

// Bytes returns the bytes that belong to the region, without gaps.
func (r *Region) Bytes() uint64 {
	elements, short := product(r.Rows, r.Cols), min(r.Rows, r.Cols)
	switch r.Shape {
	case UpperTriangle:
		elements = sum(product(short, short+1)/2, product(r.Cols-short, r.Rows))
	case LowerTriangle:
		elements = sum(product(short, short+1)/2, product(r.Rows-short, r.Cols))
	}
	return product(product(elements, r.Elem), r.Count)
}

// Traffic returns the bytes that a call has to read and to write at least: each array once, and twice if it is changed.
func Traffic(a *routine.Args) (bytes uint64) {
	for _, r := range Of(a) {
		if r.Access.Reads() {
			bytes = sum(bytes, r.Bytes())
		}
		if r.Access.Writes() {
			bytes = sum(bytes, r.Bytes())
		}
	}
	return bytes
}

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
	return series{base: int64(r.Base), step: int64(r.Stride), width: int64(r.Extent()), count: int64(r.Count)}
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
