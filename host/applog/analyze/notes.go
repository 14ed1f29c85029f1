package analyze

import (
	"fmt"
	"slices"

	"roclua/host/applog/lines"
)

func (l *Log) notes(a *Answer) []Note {
	var list []Note
	if !l.withoutLogs() {
		list = append([]Note{
			{Unlogged, "set_workspace, set_device_memory_size and size queries leave no line: if the application " +
				"sets a workspace, give it with --workspace"},
			{NoStatus, "a log has no statuses: a call that failed counts as made, and hipBLAS repeats calls that " +
				"return memory_error"},
		}, l.handleNotes()...)
	}
	add := func(when bool, code, format string, args ...any) {
		if when {
			list = append(list, Note{code, fmt.Sprintf(format, args...)})
		}
	}
	add(l.hidden(), HiddenSolver,
		"%d bursts of rocblas_get_stream lines are of rocSOLVER calls, which a log of rocBLAS does not show: their "+
			"needs and growths are missing; log rocSOLVER too (roclua docs logging)", l.bursts)
	add(len(a.Cut) > 0, CutLines, "%d lines are cut, or have a format that is not known: their calls are not counted",
		total(a.Cut))
	add(len(a.NotModeled) > 0, NotModelled, "%d calls are of functions that are not modelled: their needs are "+
		"not known", total(a.NotModeled))
	add(len(a.Empty) > 0, EmptyTrees, "%d trace trees of rocSOLVER have no arguments and do not count: they are of "+
		"size queries, as hipSOLVER makes them, or of calls that failed before they computed", total(a.Empty))
	add(l.sizeQueries > 0, SizeQueries, "%d commands of rocSOLVER do not count: they are size queries of hipSOLVER, "+
		"which allocate nothing", l.sizeQueries)
	add(slices.ContainsFunc(a.Calls, (*Call).onlyCommands), MaybeQueries, "commands of rocSOLVER "+
		"(ROCSOLVER_LAYER=2) are logged for size queries too, which allocate nothing: counts include them, and calls "+
		"marked \"query?\" may not have been executed; in a trace (ROCSOLVER_LAYER=1) a query has no arguments")
	add(slices.ContainsFunc(a.Calls, lacksOptions), LostOptions, "lines lack options that decide the size, as a "+
		"letter that rocSOLVER does not write: the needs of these calls are the most that they can be")
	if why := unknownReason(a); why != "" {
		add(true, UnknownNeed, "the needs of some calls are not known; they are marked with ?: %s", why)
	}
	add(a.NotListed.Times > 0, MoreCalls, "there are more than %d distinct calls: %d further calls count for the "+
		"needs and growths and are not listed", mostCalls, a.NotListed.Times)
	add(l.anyHas(lines.HipBLASLt), OtherLibrary, "%s", l.matmuls.note())
	add(l.withoutSizes(), NoSizes,
		"a profile of rocSOLVER has no sizes; log a trace (ROCSOLVER_LAYER=1)")
	return list
}

// unknownReason returns why the need of a call is unknown; "" if all are known.
func unknownReason(a *Answer) string {
	for _, c := range a.Calls {
		for _, n := range c.Needs {
			if !n.Known() {
				return c.Routine.UniqueName() + ": " + n.Reason
			}
		}
	}
	return ""
}

func lacksOptions(c *Call) bool {
	return !c.shared && slices.ContainsFunc(c.Needs, func(n Need) bool { return n.AtMost })
}

func total(list []Function) (n int64) {
	for _, f := range list {
		n += f.Count
	}
	return n
}

// handleNotes returns the gaps in the logs about handles and the order of calls.
func (l *Log) handleNotes() (list []Note) {
	together := l.simulated()
	add := func(code, format string, args ...any) {
		list = append(list, Note{code, fmt.Sprintf(format, args...)})
	}
	for _, s := range together {
		if s.firstCreates && !s.createsLater && s.destroys <= s.creates {
			add(Truncated, "%s starts with create_handle: if rocBLAS of rocm-6.4 wrote it to a file and the "+
				"application created other handles before, their calls are missing", s.Name)
		}
		if s.threads > 1 {
			add(MixedTrees, "%s has the trace trees of %d threads at the same time: the growths are a range%s",
				s.Name, s.threads, sharedText(s.shared))
		}
		switch {
		case s.truncated():
			add(Truncated, "%s: more destroy_handle than create_handle lines: rocBLAS of rocm-6.4 truncates its log "+
				"whenever a handle is created, so calls are missing; write the log to standard error instead",
				s.Name)
		case s.severalHandles() && s.handleCount() > s.threads:
			add(SeveralHandles, "%s: %d handles were in use at the same time, and a line does not name its handle: "+
				"the growths are a range", s.Name, s.handleCount())
		case s.creates == 0 && s.hasBLAS():
			add(NoHandle, "%s has no create_handle line: growths are those of one new handle that makes all calls",
				s.Name)
		}
	}
	switch {
	case !l.onlyCounted():
	case l.anyHas(lines.SolverBench, lines.SolverTree):
		add(NoOrder, "the rocBLAS calls are in a profile, which has no order: their growths are missing")
	default:
		add(NoOrder, "a profile has no order of calls: it shows the needs of calls, and no growths")
	}
	solver := slices.ContainsFunc(together, func(s *session) bool { return s.hasSolver() && !s.hasBLAS() })
	if solver && len(together) > 1 {
		add(SeparateFiles, "rocBLAS and rocSOLVER calls are in separate files, whose order with respect to each "+
			"other is not known: growths are those of a handle for each file")
	}
	return list
}

// sharedText describes lines of mixed trees that can be of several functions.
func sharedText(lines int64) string {
	if lines == 0 {
		return ""
	}
	return fmt.Sprintf("; %d lines with arguments can be of more than one function: their needs are the most that "+
		"they can be", lines)
}

// missing lists the calls that the log lacks, or whose needs on target i are unknown.
func (l *Log) missing(a *Answer, i int) (list []string) {
	add := func(when bool, format string, args ...any) {
		if when {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	solver := l.anyHas(lines.SolverBench, lines.SolverTree)
	add(l.hidden() || l.withoutSizes(), "the rocSOLVER calls")
	add(!solver && !l.hidden() && !l.withoutSizes() && l.mayHideSolver(), "the rocSOLVER calls, if there are any")
	add(slices.ContainsFunc(l.sessions, (*session).truncated), "the calls before the last handle")
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

// mayHideSolver reports whether a program may have called rocSOLVER without a sign in its log. Every rocSOLVER call
// leaves a get_stream line in a trace of rocBLAS, but so do some programs; other logs have no such lines.
func (l *Log) mayHideSolver() bool {
	for _, s := range l.sessions {
		if s.getStreams > 0 || s.has(lines.Bench, lines.Profile) && !l.anyHas(lines.Trace, lines.Marker) {
			return true
		}
	}
	return false
}

// truncated reports whether a new handle has truncated the log.
func (s *session) truncated() bool { return s.destroys > s.creates && s.creates > 0 }
