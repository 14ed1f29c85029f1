package analyze

import (
	"fmt"

	"roclua/host/applog/lines"
)

// missing lists the calls that the log lacks, or whose needs on target i are unknown.
func (l *Log) missing(a *Answer, i int) (list []string) {
	add := func(when bool, format string, args ...any) {
		if when {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	solver := l.anyHas(lines.SolverBench, lines.SolverTree)
	add(l.hidden() || l.withoutSizes(), "the calls of rocSOLVER")
	add(!solver && !l.hidden() && !l.withoutSizes() && l.mayHideSolver(), "the calls of rocSOLVER, if there are any")
	add(l.truncated(), "the calls before the last handle")
	add(len(a.Cut) > 0, "%s", counted(total(a.Cut), "call that cannot be read", "calls that cannot be read"))
	add(len(a.NotModeled) > 0, "%s", counted(total(a.NotModeled), "call of a function that is not modelled",
		"calls of functions that are not modelled"))
	var unknown int64
	for _, c := range a.Calls {
		if !c.Needs[i].Known() {
			unknown += c.Times
		}
	}
	add(unknown > 0, "%s", counted(unknown, "call with an unknown need", "calls with unknown needs"))
	return list
}

func counted(n int64, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

// mayHideSolver reports whether a program may have called rocSOLVER without a sign in its log. Every call of rocSOLVER
// leaves a get_stream line in a trace of rocBLAS, but so do some programs; other logs have no such lines.
func (l *Log) mayHideSolver() bool {
	for _, s := range l.sessions {
		if s.getStreams > 0 || s.has(lines.Bench, lines.Profile) && !l.anyHas(lines.Trace, lines.Marker) {
			return true
		}
	}
	return false
}

// truncated reports whether a new handle has truncated a log.
func (l *Log) truncated() bool {
	for _, s := range l.sessions {
		if s.destroys > s.creates && s.creates > 0 {
			return true
		}
	}
	return false
}
