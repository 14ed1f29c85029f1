package analyze

import (
	"slices"

	"roclua/host/applog/lines"
)

// ranked lists the kinds that describe the same calls, the best first.
var ranked = [][]lines.Kind{
	{lines.Trace, lines.Marker, lines.Bench, lines.Profile},
	{lines.SolverArgs, lines.SolverBench},
}

// simulated returns the files that record calls in order, each call in one file.
func (l *Log) simulated() []*session {
	trace, tree := l.anyHas(lines.Trace), l.anyHas(lines.SolverTree)
	var list []*session
	for _, s := range l.sessions {
		ordered := s.recorded != nil || s.has(lines.Listed) ||
			s.has(lines.Trace) || s.has(lines.SolverTree) || s.has(lines.Marker) && !trace ||
			s.has(lines.Bench) && !trace && !l.anyHas(lines.Marker) || s.has(lines.SolverBench) && !tree
		if ordered {
			list = append(list, s)
		}
	}
	return list
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

func (l *Log) anyHas(kinds ...lines.Kind) bool {
	return slices.ContainsFunc(l.sessions, func(s *session) bool { return s.has(kinds...) })
}

// hidden reports whether rocSOLVER calls are missing from the logs.
func (l *Log) hidden() bool { return l.bursts > 0 && !l.anyHas(lines.SolverBench, lines.SolverTree) }

// onlyCounted reports whether the rocBLAS calls are only in profiles, which have no order.
func (l *Log) onlyCounted() bool {
	return l.anyHas(lines.Profile) && !l.anyHas(lines.Trace, lines.Bench, lines.Marker)
}

// withoutSizes reports whether the rocSOLVER calls are only in profiles, which have no sizes.
func (l *Log) withoutSizes() bool {
	return l.anyHas(lines.SolverProfile) && !l.anyHas(lines.SolverBench, lines.SolverTree)
}

// withoutLogs reports whether there are only recordings, and files that list calls.
func (l *Log) withoutLogs() bool {
	return !slices.ContainsFunc(l.sessions, func(s *session) bool { return s.recorded == nil && s.Form == "" })
}
