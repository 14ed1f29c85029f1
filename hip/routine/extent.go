package routine

var one = Extent{"1", func(*Args) int64 { return 1 }}

// of is a dimension that an argument gives.
func of(s Slot) Extent { return Extent{dimName[s], func(a *Args) int64 { return a.Int(s) }} }

// plus is a dimension that an argument gives, and c more.
func plusOne(s Slot) Extent {
	return Extent{dimName[s] + "+1", func(a *Args) int64 { return a.Int(s) + 1 }}
}

// smaller is the smaller of two dimensions.
func smaller(s, t Slot) Extent {
	return Extent{"min(" + dimName[s] + ", " + dimName[t] + ")", func(a *Args) int64 { return min(a.Int(s), a.Int(t)) }}
}

// byOperation is one dimension when an operand is taken as it is, another when it is transposed.
func byOperation(trans, asIs, transposed Slot) Extent {
	name := "transA"
	if trans == TransB {
		name = "transB"
	}
	return Extent{name + " is none ? " + dimName[asIs] + " : " + dimName[transposed], func(a *Args) int64 {
		if a.Int(trans) == OperationNone {
			return a.Int(asIs)
		}
		return a.Int(transposed)
	}}
}

// bySide is one dimension when the matrix stands on the left, another on the right.
func bySide(left, right Slot) Extent {
	return Extent{"side is left ? " + dimName[left] + " : " + dimName[right], func(a *Args) int64 {
		if a.Int(Side) == SideLeft {
			return a.Int(left)
		}
		return a.Int(right)
	}}
}

// Smallest returns the smallest legal value of a leading dimension, increment or stride p, given the call's other
// arguments; it is what named arguments fall back to. Leading dimensions are at least 1.
func Smallest(a *Args, p *Param) int64 {
	array, ok := a.Routine.ParamAt(p.Of)
	if !ok {
		return 0
	}
	switch p.Slot {
	case LDA, LDB, LDC, LDD, LDInvA:
		return max(1, array.Rows.Of(a))
	case IncX, IncY:
		return 1
	}
	return span(a, array)
}

// span returns the elements between the starts of two problems' arrays that lie side by side.
func span(a *Args, p *Param) int64 {
	rows := p.Rows.Of(a)
	switch p.Layout {
	case Vector:
		inc := a.Int(companions[p.Slot].inc)
		return rows * max(inc, -inc)
	case Packed:
		return rows * (rows + 1) / 2
	case Contiguous:
		return rows
	}
	return a.Int(companions[p.Slot].ld) * p.Cols.Of(a)
}
