package analyze

import (
	"slices"

	"roclua/host/applog/lines"
)

// Step is a call made one or more times in a row, or a new handle.
type Step struct {
	Call  *Call // nil for a handle that replaces the only one
	Times int64
}

// step is a Step of a file, with the kind of its lines.
type step struct {
	call  *Call
	times int64
	kind  lines.Kind
}

// mostSteps bounds the recorded steps.
const mostSteps = 2_000_000

// record keeps the order of calls, if requested.
func (s *session) record(c *Call, kind lines.Kind, times int64) {
	switch last := len(s.steps) - 1; {
	case c.key == "" || len(s.steps) >= mostSteps:
		s.omitted += times
	case last >= 0 && s.steps[last].call == c && s.steps[last].kind == kind:
		s.steps[last].times += times
	default:
		s.steps = append(s.steps, step{c, times, kind})
	}
}

// recordHandle records where a handle replaces the only one, if the order was requested.
func (s *session) recordHandle() {
	if s.ordered && len(s.steps) < mostSteps {
		s.steps = append(s.steps, step{nil, 1, s.controls})
	}
}

// ranked lists the kinds that describe the same calls, the best first.
var ranked = [][]lines.Kind{
	{lines.Trace, lines.Marker, lines.Bench, lines.Profile},
	{lines.SolverArgs, lines.SolverBench},
}

// Order returns the calls in log order, each once even if several kinds of lines describe it, and the number of calls
// omitted beyond the bound. It needs Options.Order.
func (l *Log) Order() (list []Step, missing int64) {
	for _, s := range l.simulatedOrAll() {
		missing += s.omitted
		for _, st := range s.steps {
			if !l.describes(st.kind) {
				continue
			}
			if n := len(list); n > 0 && st.call != nil && list[n-1].Call == st.call {
				list[n-1].Times += st.times
			} else {
				list = append(list, Step{st.call, st.times})
			}
		}
	}
	return list, missing
}

// simulatedOrAll returns the files that record calls in order, or all if there are none.
func (l *Log) simulatedOrAll() []*session {
	if list := l.simulated(); len(list) > 0 {
		return list
	}
	return l.sessions
}

// describes reports whether a kind is the best one present for its calls.
func (l *Log) describes(kind lines.Kind) bool {
	for _, kinds := range ranked {
		if i := slices.Index(kinds, kind); i >= 0 {
			return !l.anyHas(kinds[:i]...)
		}
	}
	return false
}
