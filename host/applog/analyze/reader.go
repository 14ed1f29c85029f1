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
	text   []byte // a piece without addresses
	wrap   wrapped

	commands []command     // not yet counted
	prepared *preparedLine // current line, if it was prepared
	claimed  []string      // functions whose arguments the current piece may have
	meaning  meaning       // of a prepared line
	unlisted Call          // call of a prepared line, if not kept
	looked   int           // pieces of this block that were looked up
	found    int           // known pieces among them
}

// meaning is the context-independent meaning of a piece.
type meaning struct {
	state lines.State
	name  string
	count int64
	call  *Call

	mayBeCut bool // the next line may be the end of the call
}

// A log of rocSOLVER's commands has the calls of size queries too, and they look like other calls. This file finds the
// certain ones, of hipSOLVER: each _bufferSize function makes one size query, some of them with several calls in a row.
// A call that is logged twice was executed at least once, if the program makes no query without a call.

// command is a command of rocSOLVER that is not yet counted.
type command struct {
	call *Call
	line int64
}

// wrapped is an unfinished piece; its end may be in the next line.
type wrapped struct {
	piece  lines.Piece
	joined int
	line   int64
	cut    function
	call   *Call // meaning of the piece if the next line is not its end
}

// joinedLines is the maximum number of lines of a wrapped call.
const joinedLines = 4

// preparedLine is the last piece of a line, if it is complete and depends on earlier lines only through the atomics
// mode.
type preparedLine struct {
	ok      bool
	atomics bool // earlier lines ended with the atomics mode
	marked  bool // this line does
	meaning meaning
	call    preparedCall
}

// preparedCall is a call that may already be known.
type preparedCall struct {
	routine *routine.Routine
	known   lines.Slots
	key     []byte
	needs   []Need
}

// mayBeCut reports whether the end of a call may be in the next line. marked means that its line ends with the atomics
// mode.
func mayBeCut(res *lines.Result, marked bool) bool {
	return res.Kind == lines.Trace && !marked ||
		(res.Kind == lines.Bench || res.Kind == lines.SolverBench) &&
			lines.IsCut(res.Call.Args.Routine, &res.Call.Known)
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
