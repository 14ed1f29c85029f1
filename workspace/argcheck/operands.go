package argcheck

import (
	"fmt"

	"roclua/hip/routine"
)

// builder makes the list of rules of a routine. A list is built for each variant, since an array of a batch may be
// checked differently.
type builder func(operands) []rule

// operands are the arrays of a routine as its family declares them. Conditions on leading dimensions take the number of
// rows from there.
type operands struct{ r *routine.Routine }

// ldTooSmall holds when the leading dimension of an array is smaller than its rows or than 1.
func (o operands) ldTooSmall(array routine.Slot) condition { return o.leadingDimension(array, 1) }

// ldBelowRows is ldTooSmall for the families that accept a leading dimension of 0 for an array without rows.
func (o operands) ldBelowRows(array routine.Slot) condition { return o.leadingDimension(array, 0) }

func (o operands) leadingDimension(array routine.Slot, least int64) condition {
	p, ok := o.r.Companion(array, routine.LeadingDimension)
	if !ok {
		panic(fmt.Sprintf("workspace/argcheck: an array of %s has no leading dimension", o.r.CName()))
	}
	ld, rows := p.Slot, o.array(array).Rows
	want := rows.Text
	if least > 0 {
		want = fmt.Sprintf("max(%d, %s)", least, rows.Text)
	}
	return condition{
		slot: ld,
		test: func(a *routine.Args) bool { v := a.Int(ld); return v < least || v < rows.Of(a) },
		message: func(a *routine.Args) string {
			return fmt.Sprintf("%s is %d, must be at least %s = %d", name(a, ld), a.Int(ld), want,
				max(least, rows.Of(a)))
		},
	}
}

// ldBelowRowsIn32 is ldBelowRows of a family that stores the number of rows in 32 bits, also in its 64-bit forms.
func (o operands) ldBelowRowsIn32(array routine.Slot) condition {
	c, rows := o.ldBelowRows(array), o.array(array).Rows
	narrow := func(a *routine.Args) int64 { return int64(int32(rows.Of(a))) }
	c.test = func(a *routine.Args) bool { return a.Int(c.slot) < narrow(a) }
	c.message = func(a *routine.Args) string {
		return fmt.Sprintf("%s is %d, must be at least %s = %d, in 32 bits", name(a, c.slot), a.Int(c.slot), rows.Text,
			narrow(a))
	}
	return c
}

// orderBeyond holds when a square array is larger than one kernel takes.
func (o operands) orderBeyond(array routine.Slot, limit int64) condition {
	p := o.array(array)
	return condition{
		slot: array,
		test: func(a *routine.Args) bool { return p.Rows.Of(a) > limit },
		message: func(a *routine.Args) string {
			return fmt.Sprintf("%s has %d rows (%s), more than one kernel's %d", p.Name, p.Rows.Of(a), p.Rows.Text,
				limit)
		},
	}
}

func (o operands) array(s routine.Slot) *routine.Param {
	p, ok := o.r.ParamAt(s)
	if !ok {
		panic(fmt.Sprintf("workspace/argcheck: the rules of %s name an array that it does not have", o.r.CName()))
	}
	return p
}

// in64 keeps a rule only for the 64-bit forms.
func (o operands) in64(r rule) rule {
	if !o.r.Wide {
		r.in = 0
	}
	return r
}
