package analyze

import (
	"cmp"
	"fmt"
	"slices"

	"roclua/hip/defect"
)

// Hit is a known defect of the libraries and the calls that it concerns on a target.
type Hit struct {
	defect.Finding
	Calls int64 // how many there are
	First *Call
}

// String describes the hit in a line, with the first call.
func (h *Hit) String() string {
	calls := fmt.Sprintf("%d calls, such as", h.Calls)
	if h.Calls == 1 {
		calls = "1 call,"
	}
	return fmt.Sprintf("%s %s: %s", calls, h.First.Label(), h.Finding)
}

// stateOf returns the state of the handle of a call, as far as a recording or the settings of a file say it.
func stateOf(c *Call) defect.State {
	s := c.State
	if c.Settings.Captured {
		s.Capturing, s.StreamOrdered = defect.Yes, defect.Yes
	}
	if c.Settings.Workspace > 0 {
		s.Managed, s.StreamOrdered = defect.No, defect.No
	}
	return s
}

// defects returns the known defects that concern the calls on a target: those that the arguments decide first, then by
// the number of calls.
func (a *Answer) defects(t *Target) (list []*Hit) {
	rows := t.Rows()
	for _, c := range a.Calls {
		if !rows.Any(c.Routine) {
			continue
		}
		for _, f := range rows.Of(&defect.Call{Args: c.Args(), Known: c.Known.Has}, stateOf(c)) {
			i := slices.IndexFunc(list, func(h *Hit) bool { return h.Finding == f })
			if i < 0 {
				i, list = len(list), append(list, &Hit{Finding: f, First: c})
			}
			list[i].Calls += c.Times
		}
	}
	slices.SortStableFunc(list, func(x, y *Hit) int {
		return cmp.Or(cmp.Compare(x.Rank(), y.Rank()), cmp.Compare(y.Calls, x.Calls))
	})
	return list
}
