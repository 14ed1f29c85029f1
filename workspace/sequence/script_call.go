package sequence

import (
	"fmt"
	"strings"

	"roclua/hip/routine"
)

// Lua returns the call as a Lua expression.
func (d *Call) Lua() string { return d.lua(handleName(0), false) }

// inEitherMode returns the call as an expression for a handle with unknown pointer mode. Scalars are 1 in host memory
// too.
func (d *Call) inEitherMode(handle string) string {
	ones := *d
	ones.Scalars = map[routine.Slot]complex128{}
	for _, p := range d.Routine.Params {
		ones.Scalars[p.Slot] = 1
	}
	device, host := d.lua(handle, true), ones.lua(handle, false)
	if device == host {
		return host
	}
	return fmt.Sprintf("by_mode(%s, function() return %s end, function() return %s end)", handle, device, host)
}

func (d *Call) lua(handle string, onDevice bool) string {
	args, at := []string{handle}, places(d.Routine)
	values := d.integers()
	for i := range d.Routine.Params {
		p := &d.Routine.Params[i]
		switch where, isArray := at[p.Slot]; {
		case p.Kind == routine.Output && (!onDevice || p.IsNumber()):
			continue
		case p.Slot == routine.LayerInfo && !d.Null[p.Slot]:
			args = append(args, strings.ToLower(d.object()))
		case d.Null[p.Slot] || p.Kind == routine.Object:
			args = append(args, "nil")
		case p.Kind == routine.Scalar && onDevice:
			args = append(args, fmt.Sprintf("scalars + %d", offsetOfScalar(values, p)))
		case p.Kind == routine.Output:
			args = append(args, fmt.Sprintf("scalars + %d", resultAt))
		case p.Kind == routine.Scalar:
			args = append(args, fmt.Sprint(real(d.Scalars[p.Slot])))
		case p.Kind == routine.Real:
			args = append(args, fmt.Sprint(d.Reals[p.Slot]))
		case isArray && where.inLists:
			args = append(args, fmt.Sprintf("lists + %d", where.offset))
		case isArray:
			args = append(args, fmt.Sprintf("arrays + %d", where.offset))
		case p.Kind.IsPointer():
			args = append(args, "nil")
		default:
			args = append(args, fmt.Sprint(d.Ints[p.Slot]))
		}
	}
	return fmt.Sprintf("%s.try.%s(%s)", d.Routine.Library, d.Routine.Name, strings.Join(args, ", "))
}
