package size

import (
	"fmt"

	"roclua/host/answer"
	"roclua/internal/units"
	"roclua/workspace/footprint"
	"roclua/workspace/hipsolver"
)

// returnedLines lists the results of functions of hipSOLVER, once for all targets with the same result.
func returnedLines(s *footprint.Sequence, list []*footprint.Footprint) (lines []string) {
	for i, c := range s.Calls {
		for _, said := range answer.Each(targetNames(list), func(target int) []string {
			if n := &list[target].Calls[i]; n.Returned != nil {
				return []string{returned(n.Returned, n.Bytes)}
			}
			return nil
		}) {
			lines = append(lines, fmt.Sprintf("call %d, %s%s: %s", i+1, c.Routine.Name, said.On, said.Text))
		}
	}
	return lines
}

// refused returns the error of the first call that hipSOLVER refuses. JSON has the status of each call instead.
func refused(list []*footprint.Footprint) error {
	for _, f := range list {
		if err := f.Refused(); err != nil {
			return err
		}
	}
	return nil
}

// returned describes a result and its unit, and the bytes that a program allocates if it multiplies the result by the
// size of an element.
func returned(r *hipsolver.Result, buffer uint64) string {
	multiplied := fmt.Sprintf("; a program that multiplies it by the %d bytes of an element allocates ", r.Element)
	switch {
	case r.Host:
		return fmt.Sprintf("lworkOnDevice is %d bytes, lworkOnHost is 0", r.Lwork)
	case r.Element == 0 || buffer == 0:
		return fmt.Sprintf("lwork is %d bytes", r.Lwork)
	case r.Each == 1:
		return fmt.Sprintf("lwork is %d bytes%s%s, %d times the buffer", r.Lwork, multiplied,
			units.FormatBytes(buffer*r.Element), r.Element)
	}
	return fmt.Sprintf("lwork is %d %s, or %d bytes if HIPSOLVER_BUFFERSIZE_RETURN_BYTES is set%s%s, the buffer",
		r.Lwork, r.Unit(), buffer, multiplied, units.FormatBytes(buffer))
}
