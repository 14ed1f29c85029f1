package routine

import (
	"strconv"
	"strings"
)

// Default is the value that an argument takes when it is not named.
type Default struct {
	routine *Routine
	param   *Param
	rule    defaultRule
	value   int64  // of fixed
	first   *Param // of follows and followsReal: the datatype that the call gives
}

// Default returns the default of a parameter; ok is false for one that must be given.
func (r *Routine) Default(p *Param) (d Default, ok bool) {
	d = Default{routine: r, param: p, rule: p.fallback.rule, value: p.fallback.value}
	switch {
	case d.rule == follows || d.rule == followsReal:
		d.first, ok = r.ParamAt(p.fallback.slot)
		return d, ok
	case d.rule != byKind:
	case p.Kind == Real:
		d.rule = realZero
	case p.Kind.IsPointer():
		d.rule = null
	case p.Role != NoRole:
		d.rule = smallest
	default:
		return Default{}, false
	}
	return d, true
}

// Set gives the argument its default. The default may depend on the arguments before it in C order, so callers complete
// missing arguments in that order.
func (d Default) Set(a *Args) {
	slot := d.param.Slot
	switch d.rule {
	case scalarOne:
		a.SetScalar(slot, 1)
	case scalarZero:
		a.SetScalar(slot, 0)
	case realZero:
		a.SetReal(slot, 0)
	case smallest:
		a.SetInt(slot, Smallest(a, d.param))
	case follows:
		a.SetInt(slot, a.Int(d.first.Slot))
	case followsReal:
		datatype := RealOf(a.DatatypeAt(d.first.Slot))
		if d.param.Kind == HipDatatype {
			datatype = HipDatatypeOf(datatype)
		}
		a.SetInt(slot, datatype)
	default:
		a.SetInt(slot, d.value)
	}
}

// String writes the default as documentation shows it: "1", "null", "max(1, m)".
func (d Default) String() string {
	switch d.rule {
	case null:
		return "null"
	case scalarOne:
		return "1"
	case scalarZero, realZero:
		return "0"
	case smallest:
		return d.routine.smallestText(d.param)
	case follows:
		return d.first.Name
	case followsReal:
		return d.first.Name + ", real"
	}
	if d.param.Kind.IsEnum() {
		return ConstantName(d.param.Kind, d.value)
	}
	return strconv.FormatInt(d.value, 10)
}

// smallestText writes Smallest as a formula of the routine's parameters.
func (r *Routine) smallestText(p *Param) string {
	array, ok := r.ParamAt(p.Of)
	if !ok {
		return "0"
	}
	rows := r.formula(array.Rows)
	switch p.Role {
	case LeadingDimension:
		if r.Family.interleaved {
			rows = "inc" + strings.ToLower(array.Name) + "*" + rows
		}
		return "max(1, " + rows + ")"
	case Increment:
		return "1"
	}
	switch array.Layout {
	case Vector:
		return parenthesized(rows) + " * |inc" + array.Name + "|"
	case Packed:
		return rows + " * (" + rows + " + 1) / 2"
	case Contiguous:
		return rows
	}
	ld, _ := r.ParamAt(slots[array.Slot].ld)
	return ld.Name + " * " + parenthesized(r.formula(array.Cols))
}

// formula writes an extent with the routine's own names: some headers call the operation on A trans.
func (r *Routine) formula(e Extent) string {
	p, ok := r.ParamAt(TransA)
	if !ok || p.Name == "transA" {
		return e.Text
	}
	return strings.ReplaceAll(e.Text, "transA", p.Name)
}

// parenthesized puts a formula into parentheses unless it is a single name.
func parenthesized(text string) string {
	if strings.ContainsAny(text, " +") {
		return "(" + text + ")"
	}
	return text
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
		return max(0, rows)
	}
	return a.Int(slots[p.Slot].ld) * p.Cols.Of(a)
}
