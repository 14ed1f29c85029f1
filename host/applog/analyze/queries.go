package analyze

import (
	"encoding/binary"
	"slices"

	"roclua/hip/routine"
	"roclua/host/applog/lines"
)

// pairs are the families that hipSOLVER queries together, one directly after the other. It queries getrf and getrf_npvt
// for the case that the program wants no pivots.
var pairs = map[routine.FamilyID]routine.FamilyID{routine.Getrf: routine.GetrfNpvt,
	routine.GesvOutOfPlace: routine.Gesv, routine.GelsOutOfPlace: routine.Gels}

// queriedJobs are the options with which hipsolverDnDgesvd_bufferSize, which does not take them, queries gesvd: all
// pairs but the last.
var queriedJobs = []int64{routine.SvectNone, routine.SvectAll, routine.SvectSingular, routine.SvectOverwrite}

// command counts a command of rocSOLVER, unless it and the ones before it are a size query of hipSOLVER.
func (r *reader) command(c *Call, line int64) {
	n := len(r.commands)
	switch {
	case n > 0 && inOneQuery(r.commands[n-1].call, c):
		r.asked(n-1, c)
		return
	case n > 0 && !r.continuesJobs(c):
		r.endCommands()
	}
	if c.key == "" {
		r.counted(c, lines.SolverBench, 1, line)
		return
	}
	r.commands = append(r.commands, command{c, line})
	if len(r.commands) == len(queriedJobs)*len(queriedJobs)-1 {
		r.asked(0)
	}
}

// asked removes the commands from the given one on, which are a size query together with further calls.
func (r *reader) asked(from int, calls ...*Call) {
	for _, c := range r.commands[from:] {
		calls = append(calls, c.call)
	}
	for _, c := range calls {
		c.asked = true
	}
	r.sizeQueries += int64(len(calls))
	r.commands = r.commands[:from]
	r.endCommands()
}

// endCommands counts the commands that are not part of a query.
func (r *reader) endCommands() {
	for _, c := range r.commands {
		r.counted(c.call, lines.SolverBench, 1, c.line)
	}
	r.commands = r.commands[:0]
}

// inOneQuery reports whether hipSOLVER queries two calls together.
func inOneQuery(a, b *Call) bool {
	family, ok := pairs[a.Routine.Family.ID]
	return ok && b.Routine.Family.ID == family && a.Routine.Type == b.Routine.Type &&
		slices.Equal(integers(a, false), integers(b, false))
}

// continuesJobs reports whether a call continues the pairs of options of a query of gesvd.
func (r *reader) continuesJobs(c *Call) bool {
	first, n := r.commands[0].call, len(r.commands)
	return hasJobs(first, 0) && hasJobs(c, n) && first.Routine == c.Routine &&
		slices.Equal(integers(first, false), integers(c, false))
}

func hasJobs(c *Call, i int) bool {
	if c.Routine.Family.ID != routine.Gesvd {
		return false
	}
	a, n := c.Args(), len(queriedJobs)
	return a.Int(routine.LeftSvect) == queriedJobs[i/n] && a.Int(routine.RightSvect) == queriedJobs[i%n]
}

// integers returns the sizes of a call, without leading dimensions and strides, and on request its options.
func integers(c *Call, options bool) (list []int64) {
	a := c.Args()
	for i := range c.Routine.Params {
		p := &c.Routine.Params[i]
		if p.Kind.IsInteger() && p.Role == routine.NoRole || options && p.Kind.IsEnum() {
			list = append(list, a.Int(p.Slot))
		}
	}
	return list
}

// markQueries marks the calls that may be of a size query: a single command of rocSOLVER describes them.
func (l *Log) markQueries() {
	key := func(c *Call) string {
		text := []byte(c.Routine.Name)
		for _, n := range integers(c, true) {
			text = binary.AppendVarint(text, n)
		}
		return string(text)
	}
	times := map[string]int64{}
	for _, c := range l.order {
		if c.onlyCommands() {
			times[key(c)] += c.counts[lines.SolverBench]
		}
	}
	for _, c := range l.order {
		c.MayBeQuery = c.onlyCommands() && !c.asked && times[key(c)] == 1
	}
}

// onlyCommands reports whether only commands of rocSOLVER describe a call.
func (c *Call) onlyCommands() bool {
	return c.counts[lines.SolverBench] > 0 && c.counts[lines.SolverArgs] == 0
}

// mayQuery reports whether a call that could grow a handle may be of a size query, or was left out as one.
func (l *Log) mayQuery() bool {
	return l.sizeQueries > 0 || slices.ContainsFunc(l.order, func(c *Call) bool { return c.large && c.onlyCommands() })
}

// count counts a call. Commands of rocSOLVER are counted when the next one is read.
func (r *reader) count(c *Call, kind lines.Kind, times, line int64) {
	if kind == lines.SolverBench {
		r.command(c, line)
		return
	}
	r.endCommands()
	r.counted(c, kind, times, line)
}
