package analyze

import (
	"roclua/hip/routine"
	"roclua/host/applog/lines"
)

// reader reads one file.
type reader struct {
	*Log
	*session
	parser *lines.Parser
	known  map[string]*meaning
	text   []byte  // a piece without addresses
	last   command // call of a trace that may be cut; not yet counted

	commands []command // not yet counted
	claimed  []string  // functions whose arguments the current piece may have
}

// meaning is the context-independent meaning of a piece.
type meaning struct {
	state lines.State
	name  string
	count int64
	call  *Call

	mayBeCut bool // its line lacks the atomics mode
}

// A log of rocSOLVER's commands has the calls of size queries too, and they look like other calls. This file finds the
// certain ones, of hipSOLVER: each _bufferSize function makes one size query, some of them with several calls in a row.
// A call that is logged twice was executed at least once, if the program makes no query without a call.

// command is a command of rocSOLVER, or a line of a trace, that is not yet counted.
type command struct {
	call *Call
	line int64
}

// candidate is a call that may already be known.
type candidate struct {
	routine *routine.Routine
	known   lines.Slots
	key     []byte
	needs   []Need
}

// tally counts a line of a function. Any text in a log can be a name, so the number of names is bounded.
func (r *reader) tally(to map[function]*tally, f function, times, line int64) {
	if to[f] == nil && len(to) >= mostOthers {
		f.name = "(more names)"
	}
	if to[f] == nil {
		to[f] = &tally{file: r.file, line: line}
	}
	to[f].count += times
}
