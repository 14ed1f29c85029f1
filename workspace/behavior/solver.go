package behavior

import "roclua/hip/routine"

// rectangular holds for a null array that belongs to an m by n matrix, quadratic for one that belongs to a matrix of
// order n.
func rectangular(array routine.Slot) condition {
	return null(array).unless(either(isZero(m), isZero(n)))
}

func quadratic(array routine.Slot) condition { return null(array).unless(isZero(n)) }

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

// solverChecks are the checks of a solver routine that do not follow from its declaration. rocSOLVER checks all its
// routines alike: enumerations, then dimensions and leading dimensions, where 0 is legal for a matrix without rows. A
// query returns then. An executed call also checks its pointers. A null array is accepted if the array has no elements
// by its own dimensions: in an empty batch a null matrix is still an error. An executed call with nothing to compute
// continues: it allocates nothing, and sets info to 0 if it has one.
type solverChecks struct {
	special []condition    // on an enumeration, a pointer or a leading dimension, instead of the usual condition
	sizes   []condition    // illegal sizes, in addition to negative dimensions and small leading dimensions
	dims    []routine.Slot // there is nothing to compute if one is 0; nil means m, n, nrhs and batch_count
	vectors bool           // the leading dimensions of U and V are at least 1
	adjoint bool           // a real matrix has no conjugate transpose, a complex one no transpose
}

// standard checks a routine by its declaration alone.
var standard = solverChecks{}.rules

func (c solverChecks) rules(o operands) []rule {
	if c.dims == nil {
		c.dims = []routine.Slot{m, n, nrhs, batchCount}
	}
	var enums, pointed []condition
	illegal, empty := o.ofDimensions(negative, c.dims...), o.ofDimensions(isZero, c.dims...)
	for i := range o.r.Params {
		switch p := &o.r.Params[i]; {
		case p.Kind.IsEnum() && p.Kind != routine.WorkMode: // fast_alg of gesvd can have any value
			legal := p.Legal()
			if c.adjoint && p.Kind == routine.Operation {
				legal = []int64{routine.OperationNone, adjointOf(o.r.Type)}
			}
			enums = append(enums, c.usual(notOneOf(p.Slot, p.Kind, legal...)))
		case p.Kind.IsPointer():
			pointed = append(pointed, c.usual(missing(p)))
		case p.Role == routine.LeadingDimension:
			least := int64(0)
			if c.vectors && (p.Of == routine.MatU || p.Of == routine.MatV) {
				least = 1
			}
			illegal = append(illegal, c.usual(o.leadingDimension(p.Of, least)))
		}
	}
	if len(o.r.Family.Buffers) == 0 {
		empty = []condition{needsNoWorkspace}
	}
	nothing := unchanged(empty...)
	if o.r.Family.RunsInQueries {
		nothing = quickReturn(empty...).only(queried)
	}
	return []rule{
		value(enums...),
		size(append(illegal, c.sizes...)...),
		nothing,
		queryReturns,
		pointers(pointed...),
	}
}

func adjointOf(t routine.Type) int64 {
	if t.IsComplex() {
		return routine.OperationConjugateTranspose
	}
	return routine.OperationTranspose
}

func (c solverChecks) usual(usual condition) condition {
	for _, s := range c.special {
		if s.slot == usual.slot {
			return s
		}
	}
	return usual
}

// missing holds for a null array that has elements. info is needed unless the batch is empty.
func missing(p *routine.Param) condition {
	if p.Slot == info {
		return null(info).unless(isZero(batchCount))
	}
	return nullIf(p.Slot, func(a *routine.Args) bool {
		return p.Rows.Of(a) > 0 && (p.Cols.IsZero() || p.Cols.Of(a) > 0)
	})
}
