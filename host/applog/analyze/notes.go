package analyze

import (
	"fmt"
	"slices"
	"strings"

	"roclua/host/applog/lines"
)

// notes returns the notes about all logs.
func (l *Log) notes(a *Answer) []Note {
	var list []Note
	if !l.onlyRecorded() {
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
		"%d bursts of rocblas_get_stream lines are of calls of rocSOLVER, which a log of rocBLAS does not show: their "+
			"needs and growths are missing; log rocSOLVER too (roclua docs logging)", l.bursts())
	add(len(a.Cut) > 0, CutLines, "%d lines are cut, or have a format that is not known: their calls are not counted",
		total(a.Cut))
	add(len(a.NotModeled) > 0, NotModelled, "%d calls are of functions that are not modelled: their needs are "+
		"not known", total(a.NotModeled))
	add(len(a.Empty) > 0, EmptyTrees, "%d trace trees of rocSOLVER have no arguments and do not count: they are of "+
		"size queries, as hipSOLVER makes them, or of calls that failed before they computed", total(a.Empty))
	add(l.queries() > 0, SizeQueries, "%d commands of rocSOLVER do not count: they are size queries of hipSOLVER, "+
		"which allocate nothing", l.queries())
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
	add(l.anyHas(lines.HipBLASLt), OtherLibrary, "%s", l.matmuls.note(a.Matmuls))
	add(l.withoutSizes(), NoSizes,
		"a profile of rocSOLVER has no sizes; log a trace (ROCSOLVER_LAYER=1)")
	return append(list, l.profilerNotes(a)...)
}

// profilerNotes describes differences between predicted growths and growths that a profiler saw.
func (l *Log) profilerNotes(a *Answer) (list []Note) {
	p := &l.profiled
	if p.dropped {
		list = append(list, Note{MoreRows, fmt.Sprintf("the profiler's files have more than %d rows of one kind: "+
			"growths in later rows are not seen", mostRows)})
	}
	switch {
	case a.Seen != nil:
	case p.hip:
		return append(list, Note{OneProfile, "the profiler's calls of HIP show growths only with the ranges of the " +
			"same run: record both (rocprofv3 --hip-runtime-trace --marker-trace, with ROCBLAS_LAYER=1)"})
	case len(p.ranges) > 0:
		return append(list, Note{OneProfile, "with the calls of HIP of the same run, growths that really happened " +
			"are shown: rocprofv3 --hip-runtime-trace --marker-trace"})
	default:
		return list
	}
	notSeen := onTargets(a, func(c *Compared) int { return len(c.NotSeen) })
	if notSeen != "" {
		list = append(list, Note{NotSeen, "growths are predicted that the profiler did not see (" + notSeen +
			"): the application may set a workspace or a size, have other handles, or run another release or " +
			"architecture" + asyncText(a)})
	}
	if n := onTargets(a, func(c *Compared) int { return len(c.NotPredicted) }); n != "" {
		list = append(list, Note{NotPredicted, "the profiler saw growths that are not predicted (" + n + "): the " +
			"calls may be of several handles, each of which grows, or of another release or architecture"})
	}
	return list
}

// asyncText reports stream-ordered allocation in the profile.
func asyncText(a *Answer) string {
	if a.Seen.Async == 0 {
		return ""
	}
	return fmt.Sprintf("; calls of rocBLAS called hipMallocAsync %d times, so a handle allocates stream-ordered and "+
		"does not grow", a.Seen.Async)
}

// onTargets lists the targets with a nonzero number, with that number; "" if there are none.
func onTargets(a *Answer, number func(*Compared) int) string {
	var texts []string
	for i := range a.Targets {
		if n := number(&a.Targets[i].Seen); n > 0 {
			texts = append(texts, fmt.Sprintf("%s: %d", a.Targets[i].String(), n))
		}
	}
	return strings.Join(texts, ", ")
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
			add(Truncated, "%s begins with create_handle: if rocBLAS of rocm-6.4 wrote it to a file and the "+
				"application created other handles before, their calls are missing", s.name)
		}
		if s.threads > 1 {
			add(MixedTrees, "%s has the trace trees of %d threads at the same time: the growths are a range%s", s.name,
				s.threads, sharedText(s.shared))
		}
		switch {
		case s.destroys > s.creates && s.creates > 0:
			add(Truncated, "%s: more destroy_handle than create_handle lines: rocBLAS of rocm-6.4 truncates its log "+
				"whenever a handle is created, so calls are missing; write the log to standard error instead", s.name)
		case s.severalHandles() && s.handleCount() > s.threads:
			add(SeveralHandles, "%s: %d handles were in use at the same time, and a line does not name its handle: "+
				"the growths are a range", s.name, s.handleCount())
		case s.creates == 0 && s.hasBLAS():
			add(NoHandle, "%s has no create_handle line: growths are those of one new handle that makes all calls",
				s.name)
		}
	}
	switch {
	case !l.onlyCounted():
	case l.anyHas(lines.SolverBench, lines.SolverTree):
		add(NoOrder, "the calls of rocBLAS are in a profile, which has no order: their growths are missing")
	default:
		add(NoOrder, "a profile has no order of calls: it shows what calls need, and no growths")
	}
	solver := slices.ContainsFunc(together, func(s *session) bool { return s.hasSolver() && !s.hasBLAS() })
	if solver && len(together) > 1 {
		add(SeparateFiles, "calls of rocBLAS and rocSOLVER are in separate files, whose order with respect to each "+
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
