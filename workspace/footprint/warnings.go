package footprint

import (
	"fmt"
	"slices"

	"roclua/hip/routine"
	"roclua/internal/units"
	"roclua/workspace/behavior"
)

// warnings returns the warnings about one call.
func (s *Sequence) warnings(t Target, i int, point []int, n *Need) []string {
	var list []string
	who := fmt.Sprintf("call %d, %s: ", i+1, s.Calls[i].Routine.UniqueName())
	if text := s.refusedWhenRun(t, i, point); text != "" {
		list = append(list, who+"the query accepts these arguments, but the call itself fails: "+text)
	}
	if n.CanDegrade {
		list = append(list, who+degraded(n, t.Profile.DefaultBytes(t.Arch)))
	}
	if n.Unreported > 0 {
		list = append(list, who+"it allocates "+units.FormatBytes(n.Unreported)+
			" more when it runs, which no size query reports: in a workspace of the reported size it returns "+
			"memory_error")
	}
	if text := s.smallerNeedsMore(t, i, point, n.Bytes); text != "" {
		list = append(list, who+text)
	}
	return list
}

func degraded(n *Need, available uint64) string {
	if n.Degraded == 0 {
		return fmt.Sprintf("it also runs without memory, more slowly (perf_degraded), when there are fewer than %s",
			units.FormatBytes(n.Bytes))
	}
	text := fmt.Sprintf("it also runs in %s, more slowly (perf_degraded)", units.FormatBytes(n.Degraded))
	if n.Bytes > available && n.Degraded <= available {
		text += ", which a fixed workspace of the default size has"
	}
	return text
}

// refusedWhenRun runs the checks of an executed call that need no memory, because size queries omit some of them. It
// returns why the call fails, or "".
func (s *Sequence) refusedWhenRun(t Target, i int, point []int) string {
	a := s.programs[i].at(s.Axes, point)
	if a.Routine.Library == routine.HipSOLVER {
		return "" // it computes nothing
	}
	mode := behavior.Mode{SymmetricOfAnyOrder: t.sizing().Release.SymmetricOfAnyOrder}
	if decision := behavior.Decide(a, mode); decision.Refused() {
		return decision.Reason()
	}
	return ""
}

// dimensions are the arguments that make a problem larger.
var dimensions = []routine.Slot{routine.M, routine.N, routine.K, routine.NRHS, routine.BatchCount}

// reach is the number of smaller values of a dimension that are tried.
const reach = 1024

// smallerNeedsMore looks for a smaller problem that needs more: a workspace that is sized for the largest problem is
// then too small for it.
func (s *Sequence) smallerNeedsMore(t Target, i int, point []int, bytes uint64) string {
	p, target := s.programs[i], t.sizing()
	a := p.at(s.Axes, point)
	most, text := bytes, ""
	for _, slot := range dimensions {
		param, ok := a.Routine.ParamAt(slot)
		if !ok || p.derives(slot) {
			continue
		}
		value := a.Int(slot)
		for v := value - 1; v >= max(1, value-reach); v-- {
			p.args.SetInt(slot, v)
			p.complete()
			var d behavior.Demand
			if s.sizeCall(target, i, &p.args, &d) == nil && d.Optimal.Total() > most {
				most = d.Optimal.Total()
				text = fmt.Sprintf("a smaller problem needs more: %s = %d needs %s", param.Name, v,
					units.FormatBytes(most))
			}
		}
		p.args.SetInt(slot, value)
		p.complete()
	}
	return text
}

// derives reports whether an argument has the value of another one.
func (p *program) derives(slot routine.Slot) bool {
	return slices.ContainsFunc(p.followed, func(f follow) bool { return f.to == slot })
}
