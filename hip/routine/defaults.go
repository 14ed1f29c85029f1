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

type defaultRule uint8

const (
	fixed       defaultRule = iota // one number
	null                           // the null pointer
	scalarOne                      // alpha
	scalarZero                     // beta
	realZero                       // 0 of a number that is passed by value
	smallest                       // the smallest legal leading dimension, increment or stride
	follows                        // another argument's datatype
	followsReal                    // the real type of another argument's datatype
)

// Default returns what a parameter falls back to; ok is false for one that must be given.
func (r *Routine) Default(p *Param) (d Default, ok bool) {
	d = Default{routine: r, param: p}
	switch {
	case p.Kind == Operation:
		d.value = OperationNone
	case p.Kind == Diagonal:
		d.value = DiagonalNonUnit
	case p.Slot == BatchCount:
		d.value = 1
	case p.Slot == Algo:
		d.value = GemmAlgoStandard
	case p.Slot == SolutionIndex, p.Slot == Flags, p.Slot == InvASize:
		d.value = 0
	case p.Kind == Real:
		d.rule = realZero
	case p.Slot == Alpha:
		d.rule = scalarOne
	case p.Slot == Beta:
		d.rule = scalarZero
	case p.Kind.IsPointer():
		d.rule = null
	case p.Of != 0:
		d.rule = smallest
	default:
		return r.datatypeDefault(d)
	}
	return d, true
}

// followed tells which datatype one that is not named follows.
var followed = map[Slot]Slot{BType: AType, CType: AType, DType: CType, ComputeType: AType, YType: XType, ResultType: XType, ExecutionType: XType}

// datatypeDefault lets the datatypes of a call follow the first one: what is said of a or x holds for all. A norm and what
// it is computed in are real.
func (r *Routine) datatypeDefault(d Default) (Default, bool) {
	slot, ok := followed[d.param.Slot]
	if !ok {
		return Default{}, false
	}
	if d.first, ok = r.ParamAt(slot); !ok {
		return Default{}, false
	}
	d.rule = follows
	if r.Family.Name == "nrm2_ex" {
		d.rule = followsReal
	}
	return d, true
}

// Set gives the argument its default. It may follow from the arguments before it in C order, so missing arguments are
// completed in that order.
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
		a.SetInt(slot, RealOf(a.Int(d.first.Slot)))
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
	switch p.Slot {
	case LDA, LDB, LDC, LDD, LDInvA:
		return "max(1, " + rows + ")"
	case IncX, IncY:
		return "1"
	}
	switch array.Layout {
	case Vector:
		return grouped(rows) + " * |inc" + array.Name + "|"
	case Packed:
		return rows + " * (" + rows + " + 1) / 2"
	case Contiguous:
		return rows
	}
	ld, _ := r.ParamAt(companions[array.Slot].ld)
	return ld.Name + " * " + grouped(r.formula(array.Cols))
}

// formula writes an extent with the routine's own names: the operation on A is trans in some headers.
func (r *Routine) formula(e Extent) string {
	p, ok := r.ParamAt(TransA)
	if !ok || p.Name == "transA" {
		return e.Text
	}
	return strings.ReplaceAll(e.Text, "transA", p.Name)
}

// grouped puts a formula that is no single name into parentheses.
func grouped(text string) string {
	for _, r := range text {
		if r == ' ' || r == '+' {
			return "(" + text + ")"
		}
	}
	return text
}
