package timeline

import (
	"sort"

	"roclua/hip/trace"
)

// ownersOf returns the number of the handle for whose memory each call was made, or 0 if a script or the library itself
// made it. A handle records a change of its memory, or a failure, directly after its calls, at the same line.
func ownersOf(h trace.History) []int {
	owners := make([]int, len(h.Calls))
	for i := len(h.Calls) - 1; i >= 0; i-- {
		c := &h.Calls[i]
		if c.Cause == trace.CauseScript || c.Cause == trace.CauseLibrary {
			continue
		}
		after := sort.Search(len(h.Marks), func(j int) bool { return h.Marks[j].Seconds >= c.Seconds })
		if after == len(h.Marks) || h.Marks[after].Origin != c.Origin {
			continue
		}
		switch m := h.Marks[after]; {
		case i+1 == len(h.Calls) || h.Calls[i+1].Seconds > m.Seconds:
			owners[i] = m.Handle
		case h.Calls[i+1].Cause == c.Cause && h.Calls[i+1].Origin == c.Origin:
			owners[i] = owners[i+1]
		}
	}
	return owners
}
