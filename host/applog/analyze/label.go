package analyze

import (
	"strings"

	"roclua/hip/routine"
	"roclua/host/files"
)

// Label writes a call in the syntax of roclua size. It omits leading dimensions, increments and strides with their
// minimum values, and options with their usual values.
func (c *Call) Label() string {
	var b strings.Builder
	b.WriteString(c.Routine.UniqueName())
	a := c.Args()
	for i := range c.Routine.Params {
		p := &c.Routine.Params[i]
		if text, ok := files.Value(a, p); ok && c.Known.Has(p.Slot) && !isUsual(a, p) {
			b.WriteString(" " + p.Name + "=" + text)
		}
	}
	return b.String() + c.Settings.String()
}

// isUsual reports whether an argument can be omitted: it has its default, or has no effect.
func isUsual(a *routine.Args, p *routine.Param) bool {
	switch {
	case p.Kind == routine.Real:
		return true
	case p.Slot == routine.Beta, p.Slot == routine.Algo:
		return true
	case p.Slot == routine.SolutionIndex, p.Slot == routine.Flags:
		return a.Int(p.Slot) == 0
	case p.Role != routine.NoRole:
		return a.Int(p.Slot) == routine.Smallest(a, p)
	}
	return false
}
