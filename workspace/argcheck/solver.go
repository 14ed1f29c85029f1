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
func quadratic(array routine.Slot) condition   { return null(array).unless(zero(n)) }

// solverChecks is what distinguishes the checks of a solver routine. rocSOLVER checks all its routines alike:
// enumerations, then dimensions and leading dimensions, where 0 is legal for a matrix without rows; here a query
// returns. An executed call then checks its pointers. A null array is accepted if the array has no elements by its own
// dimensions: in an empty batch a null matrix is still an error. An executed call with nothing to compute continues:
// it allocates nothing, and sets info to 0 if it has one.
type solverChecks struct {
	enums []condition    // illegal enumerations
	sizes []condition    // illegal sizes, in addition to negative dimensions and small leading dimensions
	dims  []routine.Slot // the dimensions; the call has nothing to compute if one is 0
	null  []condition    // null pointers
}

func (c solverChecks) rules(o operands) []rule {
	var illegal, empty []condition
	for _, d := range c.dims {
		illegal = append(illegal, negative(d))
		empty = append(empty, zero(d))
	}
	for i := range o.r.Params {
		if p := &o.r.Params[i]; p.Role == routine.LeadingDimension {
			illegal = append(illegal, o.ldBelowRows(p.Of))
		}
	}
	return []rule{
		value(c.enums...),
		size(append(illegal, c.sizes...)...),
		unchanged(empty...),
		queryReturns,
		pointers(c.null...),
	}
}
