package render

import (
	"fmt"
	"strings"

	"roclua/hip/routine"
	"roclua/host/applog/analyze"
)

// Label writes a call in the syntax of roclua size. It omits leading dimensions, increments and strides with their
// minimum values, and options with their usual values.
func Label(c *analyze.Call) string {
	var b strings.Builder
	b.WriteString(c.Routine.UniqueName())
	a := c.Args()
	for i := range c.Routine.Params {
		p := &c.Routine.Params[i]
		if text, ok := valueText(a, p); ok && c.Known.Has(p.Slot) && !isUsual(a, p) {
			b.WriteString(" " + p.Name + "=" + text)
		}
	}
	return b.String()
}

// valueText writes the value of an integer, an option or a number in script syntax. ok is false for arrays, and for
// scalars, because a call keeps only their class.
func valueText(a *routine.Args, p *routine.Param) (text string, ok bool) {
	switch {
	case p.Kind.IsEnum():
		return strings.TrimPrefix(routine.ConstantName(p.Kind, a.Int(p.Slot)), routine.EnumName(p.Kind)+"_"), true
	case p.Kind.IsInteger():
		return fmt.Sprint(a.Int(p.Slot)), true
	case p.Kind == routine.Real:
		return fmt.Sprint(a.Real(p.Slot)), true
	case p.Kind == routine.Scalar && !a.Null(p.Slot) && a.Scalar(p.Slot) == 0:
		return "0", true
	}
	return "", false
}

// isUsual reports whether an argument can be omitted: it has its default, or has no effect.
func isUsual(a *routine.Args, p *routine.Param) bool {
	switch {
	case p.Kind == routine.Real:
		return true
	case p.Slot == routine.Beta, p.Slot == routine.Algo, p.Slot == routine.SolutionIndex, p.Slot == routine.Flags:
		return true
	case p.Role != routine.NoRole:
		return a.Int(p.Slot) == routine.Smallest(a, p)
	}
	return false
}
