package routine

var one = Extent{"1", func(*Args) int64 { return 1 }}

// of is a dimension that an argument gives.
func of(s Slot) Extent { return Extent{slotName(s), func(a *Args) int64 { return a.Int(s) }} }

// plusOne is a dimension that is one larger than an argument.
func plusOne(s Slot) Extent {
	return Extent{slotName(s) + "+1", func(a *Args) int64 { return a.Int(s) + 1 }}
}

// minusOne is a dimension that is one smaller than an argument.
func minusOne(s Slot) Extent {
	return Extent{slotName(s) + "-1", func(a *Args) int64 { return a.Int(s) - 1 }}
}

// twice is a dimension that is two times an argument.
func twice(s Slot) Extent {
	return Extent{"2*" + slotName(s), func(a *Args) int64 { return 2 * a.Int(s) }}
}

// smaller is the smaller of two dimensions.
func smaller(s, t Slot) Extent {
	return Extent{
		"min(" + slotName(s) + ", " + slotName(t) + ")",
		func(a *Args) int64 { return min(a.Int(s), a.Int(t)) },
	}
}

// larger is the larger of two dimensions.
func larger(s, t Slot) Extent {
	return Extent{
		"max(" + slotName(s) + ", " + slotName(t) + ")",
		func(a *Args) int64 { return max(a.Int(s), a.Int(t)) },
	}
}

// byOperation is one dimension when an operand is taken as it is, another when it is transposed.
func byOperation(trans, asIs, transposed Slot) Extent {
	text := slotName(trans) + " is none ? " + slotName(asIs) + " : " + slotName(transposed)
	return Extent{text, func(a *Args) int64 {
		if a.Int(trans) == OperationNone {
			return a.Int(asIs)
		}
		return a.Int(transposed)
	}}
}

// bySide is one dimension when the matrix is the left factor, another when it is the right one.
func bySide(left, right Slot) Extent {
	return Extent{"side is left ? " + slotName(left) + " : " + slotName(right), func(a *Args) int64 {
		if a.Int(Side) == SideLeft {
			return a.Int(left)
		}
		return a.Int(right)
	}}
}

// Smallest returns the smallest legal value of a leading dimension, increment or stride p, given the call's other
// arguments. It is the default of these parameters. Leading dimensions are at least 1.
func Smallest(a *Args, p *Param) int64 {
	array, ok := a.Routine.ParamAt(p.Of)
	if !ok {
		return 0
	}
	switch p.Role {
	case LeadingDimension:
		return max(1, array.Rows.Of(a)*spacing(a, array))
	case Increment:
		return 1
	}
	return span(a, array)
}

// spacing returns the distance of two elements of a column, in elements: 1 except in interleaved arrays.
func spacing(a *Args, array *Param) int64 {
	if !a.Routine.Family.interleaved {
		return 1
	}
	return max(1, a.Int(slots[array.Slot].inc))
}

// span returns the elements between the starts of the arrays of two problems without a gap between them.
func span(a *Args, p *Param) int64 {
	rows := p.Rows.Of(a)
	switch p.Layout {
	case Vector:
		inc := a.Int(slots[p.Slot].inc)
		return rows * max(inc, -inc)
	case Packed:
		return rows * (rows + 1) / 2
	case Contiguous:
		return rows
	}
	return a.Int(slots[p.Slot].ld) * p.Cols.Of(a)
}
