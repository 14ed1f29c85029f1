package argcheck

import "roclua/hip/routine"

var (
	uplo  = []condition{badUplo}
	trans = []condition{badTransA}

	rectangle = []routine.Slot{m, n, batchCount}
	square    = []routine.Slot{n, batchCount}
	system    = []routine.Slot{n, nrhs, batchCount}

	nullB    = null(matB).unless(either(zero(n), zero(nrhs)))
	nullInfo = null(info).unless(zero(batchCount))
)

// rectangular holds for a null array that belongs to an m by n matrix, quadratic for one that belongs to a matrix of
// order n.
func rectangular(array routine.Slot) condition { return null(array).unless(either(zero(m), zero(n))) }

func quadratic(array routine.Slot) condition { return null(array).unless(zero(n)) }

// orderBySide returns the number of rows of C if the other factor is on the left, otherwise its columns.
func orderBySide(a *routine.Args) int64 {
	if a.Int(routine.Side) == routine.SideLeft {
		return a.Int(m)
	}
	return a.Int(n)
}

// vectorOfSide holds for a null array of vectors that have elements.
func vectorOfSide(array routine.Slot) condition {
	return nullIf(array, func(a *routine.Args) bool { return orderBySide(a) != 0 })
}

// solverChecks is what distinguishes the checks of a solver routine. rocSOLVER checks all its routines alike:
// enumerations, then dimensions and leading dimensions, where 0 is legal for a matrix without rows; here a query
// returns. An executed call then checks its pointers. A null array is accepted if the array has no elements by its own
// dimensions: in an empty batch a null matrix is still an error. An executed call with nothing to compute continues:
// it allocates nothing, and sets info to 0 if it has one.
type solverChecks struct {
	enums []condition    // illegal enumerations
	sizes []condition    // illegal sizes, in addition to negative dimensions and small leading dimensions
	dims  []routine.Slot // the dimensions; the call has nothing to compute if one is 0
	null  []condition    // null pointers; nil means all arrays that have elements

	needed map[routine.Slot]condition // replace the conditions on null pointers that null does not give
	freeLD bool                       // leading dimensions do not follow the rows of their arrays
}

func (c solverChecks) rules(o operands) []rule {
	var illegal, empty []condition
	for _, d := range c.dims {
		illegal = append(illegal, negative(d))
		empty = append(empty, zero(d))
	}
	for i := range o.r.Params {
		if p := &o.r.Params[i]; p.Role == routine.LeadingDimension && !c.freeLD {
			illegal = append(illegal, o.ldBelowRows(p.Of))
		}
	}
	if c.null == nil {
		c.null = o.missingArrays(c.needed)
	}
	if len(o.r.Family.Buffers) == 0 {
		empty = []condition{needsNoWorkspace}
	}
	nothing := unchanged(empty...)
	if o.r.Family.RunsInQueries {
		nothing = quickReturn(empty...).only(queried)
	}
	return []rule{
		value(c.enums...),
		size(append(illegal, c.sizes...)...),
		nothing,
		queryReturns,
		pointers(c.null...),
	}
}

// missingArrays returns the conditions on null pointers of all arrays, which are needed if they have elements. info is
// needed unless the batch is empty.
func (o operands) missingArrays(needed map[routine.Slot]condition) []condition {
	var list []condition
	for i := range o.r.Params {
		p := &o.r.Params[i]
		special, ok := needed[p.Slot]
		switch {
		case ok:
			list = append(list, special)
		case p.Slot == info:
			list = append(list, nullInfo)
		case p.Kind.IsPointer():
			list = append(list, missing(p))
		}
	}
	return list
}

// missing holds for a null array that has elements.
func missing(p *routine.Param) condition {
	return nullIf(p.Slot, func(a *routine.Args) bool {
		return p.Rows.Of(a) > 0 && (p.Cols.IsZero() || p.Cols.Of(a) > 0)
	})
}
