package analyze

import (
	"bufio"
	"bytes"
	"context"
	"io"

	"roclua/hip/matmul"
	"roclua/hip/routine"
	"roclua/host/applog/lines"
	"roclua/host/exit"
	"roclua/host/files"
)

// New returns a log without files.
func New(o Options) *Log {
	l := &Log{targets: o.Targets, progress: o.Progress, ordered: o.Order, calls: map[string]*Call{},
		functions: map[function]*Function{}, matmuls: newMatmuls(),
		most: make([]uint64, len(o.Targets)), notListed: Extra{Most: make([]uint64, len(o.Targets))}}
	for _, t := range o.Targets {
		l.initial = append(l.initial, t.Profile.DefaultBytes(t.Arch))
	}
	return l
}

// newSession begins one process's calls.
func (l *Log) newSession(name string) *session {
	s := &session{File: File{Name: name}, number: len(l.sessions), ordered: l.ordered, handle: newHandle(0, l.targets),
		streams: map[string]int{}}
	l.sessions = append(l.sessions, s)
	return s
}

// List reads a file that lists calls, which one handle makes.
func (l *Log) List(ctx context.Context, name string, text []byte, o files.Options) error {
	r := &reader{Log: l, session: l.newSession(name)}
	defer l.closeDevices()
	for _, t := range l.targets {
		o.Archs = append(o.Archs, t.Arch)
	}
	content, err := files.Read(ctx, name, text, o, func(c *files.Call) error {
		if r.Kinds[lines.Listed]++; c.Product != nil {
			l.matmuls.count(matmulLine{matmul.Command, *c.Product}, c.Times)
			r.Kinds[lines.HipBLASLt]++
			return nil
		}
		r.count(r.callOf(whole(c.Args), &c.Settings), lines.Listed, c.Times, int64(c.Line))
		return nil
	})
	if content != nil {
		if exit.Of(err) == exit.Nothing {
			content.Remarks = append(content.Remarks, err.Error())
		}
		r.Form, r.Notes = content.Form.Name, content.Notes()
	}
	r.session.Lines = int64(bytes.Count(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))) + 1
	return err
}

// Read reads the log of one process.
func (l *Log) Read(ctx context.Context, name string, in io.Reader) error {
	s := l.newSession(name)
	r := &reader{Log: l, session: s, parser: lines.NewParser(), known: map[string]*meaning{}}
	err := r.readAll(ctx, in)
	r.endLine(nil)
	r.endCommands()
	s.threads = int64(r.parser.Mixed())
	for _, name := range r.parser.Open() {
		if err == nil {
			r.tally(function{lines.Cut, lines.SolverTree, name}, 1, r.session.Lines)
		}
	}
	return err
}

func (r *reader) readAll(ctx context.Context, in io.Reader) error {
	from := bufio.NewReaderSize(in, longestLine)
	for {
		if r.session.Lines%progressStep == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if r.progress != nil {
				r.progress(r.Log.lines, r.Log.bytes)
			}
		}
		line, err := from.ReadSlice('\n')
		if len(line) > 0 {
			r.session.Lines++
			r.Log.lines++
			r.Log.bytes += int64(len(line))
			text, whole := bytes.CutSuffix(line, []byte("\n"))
			r.line(text, whole)
		}
		for err == bufio.ErrBufferFull {
			line, err = from.ReadSlice('\n')
			r.Log.bytes += int64(len(line))
		}
		switch err {
		case nil:
		case io.EOF:
			return nil
		default:
			return err
		}
	}
}

func (r *reader) line(line []byte, whole bool) {
	if r.session.Lines == 1 {
		r.Format = files.OtherOf(line)
	}
	piece, rest := lines.Find(line)
	if piece.Kind == lines.Other {
		if bytes.Contains(line, atomicsWord) {
			r.endLine(line)
		}
		r.Other++
		return
	}
	for piece.Kind != lines.Other {
		r.endLine(piece.Text)
		if piece.Kind != lines.SolverBench {
			r.endCommands()
		}
		r.Kinds[piece.Kind]++
		r.piece(piece, whole && rest == nil)
		if rest == nil {
			return
		}
		piece, rest = lines.Find(rest)
	}
}

// piece reads a piece. whole is false if its end may be missing.
func (r *reader) piece(p lines.Piece, whole bool) {
	switch p.Kind {
	case lines.Header:
		if v, ok := bytes.CutPrefix(p.Text, []byte("rocBLAS Version:")); ok {
			r.RocBLAS = string(bytes.Trim(v, " .\r"))
		}
		return
	case lines.Internal, lines.SolverProfile:
		return
	case lines.HipBLASLt:
		r.matmuls.add(string(p.Text))
		return
	case lines.SolverTree:
		res := r.parser.Parse(p, whole)
		if res.State == lines.Empty {
			r.tally(function{lines.Empty, p.Kind, res.Name}, 1, r.session.Lines)
		}
		return
	case lines.SolverArgs:
		if r.claimed = r.parser.Claim(p); r.claimed == nil {
			return // a function called internally
		}
	}
	if r.session.Lines == 1 && bytes.HasPrefix(p.Text, []byte("rocblas_create_handle,atomics_allowed")) {
		r.firstCreates = true
	}
	r.apply(r.meaningOf(p, whole), p)
}

// meaningOf returns the meaning of a piece, which is kept for equal pieces.
func (r *reader) meaningOf(p lines.Piece, whole bool) *meaning {
	r.text = r.appendNormal(append(r.text[:0], byte(p.Kind)), p)
	if m := r.known[string(r.text)]; m != nil && whole {
		return m
	}
	return r.parse(p, whole)
}

// appendNormal appends a piece with addresses numbered in their order, so that lines about equal calls are equal.
func (r *reader) appendNormal(to []byte, p lines.Piece) []byte {
	text := p.Text
	switch p.Kind {
	case lines.SolverArgs:
		for _, name := range r.claimed {
			to = append(append(to, name...), 0)
		}
	case lines.Trace, lines.Marker:
		if end := bytes.IndexByte(text, '"'); p.Kind == lines.Marker && end >= 0 {
			text = text[:end] // other columns differ in every row
		}
		var seen [8][]byte // a further address counts as a new one
		for n := 0; ; {
			i := bytes.Index(text, []byte("0x"))
			if i < 0 {
				break
			}
			to = append(to, text[:i+2]...)
			text = text[i+2:]
			end := 0
			for end < len(text) && isHex(text[end]) {
				end++
			}
			at := 0
			for at < n && !bytes.Equal(seen[at], text[:end]) {
				at++
			}
			if at == n && n < len(seen) {
				seen[n], n = text[:end], n+1
			}
			to, text = append(to, '0'+byte(at)), text[end:]
		}
	}
	return append(to, text...)
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// parse parses a piece, and caches the meaning if it is whole.
func (r *reader) parse(p lines.Piece, whole bool) *meaning {
	before := r.parser.AtomicsWord
	var m *meaning
	if p.Kind == lines.SolverArgs {
		m = r.arguments(p)
	} else {
		m = &meaning{Result: r.parser.Parse(p, whole)}
		if m.State == lines.Full {
			m.call = r.callOf(&m.Call, noSettings)
			m.mayBeCut = p.Kind == lines.Trace && !r.parser.AtomicsWord && whole
		}
	}
	if len(r.known) >= mostLines || r.parser.AtomicsWord != before {
		clear(r.known)
	}
	if whole && (m.call == nil || m.call.key != "") { // calls that are not listed are seldom equal
		r.known[string(r.text)] = m
	}
	return m
}

// apply updates the analysis with the meaning of a piece.
func (r *reader) apply(m *meaning, p lines.Piece) {
	switch m.State {
	case lines.NoCall:
		if p.Kind == lines.Trace || p.Kind == lines.Marker {
			r.Create[atomicsOf(p.Text)]++
			r.controls = p.Kind
			r.control(m.Name, p.Text)
		}
	case lines.Full:
		if m.mayBeCut {
			r.last = command{m.call, r.session.Lines}
			return
		}
		if m.call.shared {
			r.session.shared++
		}
		r.count(m.call, p.Kind, m.Count, r.session.Lines)
	case lines.Cut:
		r.tally(function{lines.Cut, p.Kind, m.Name}, 1, r.session.Lines)
	case lines.Unknown:
		r.endCommands()
		r.tally(function{lines.Unknown, p.Kind, m.Name}, m.Count, r.session.Lines)
	}
}

// atomicsOf returns the atomics mode at the end of a line: 1 for allowed.
func atomicsOf(text []byte) int {
	if bytes.HasSuffix(bytes.TrimRight(text, "\" \r"), []byte(",atomics_allowed")) {
		return 1
	}
	return 0
}

// atomicsWord is the begin of the atomics mode at the end of a line.
var atomicsWord = []byte(",atomics_")

// endLine counts a call of a trace without atomics modes. If the next line ends with one, this call's line was cut.
func (r *reader) endLine(next []byte) {
	c, line := r.last.call, r.last.line
	r.last = command{}
	switch {
	case c == nil:
	case bytes.Contains(next, atomicsWord):
		r.tally(function{lines.Cut, lines.Trace, c.Routine.CName()}, 1, line)
	default:
		r.count(c, lines.Trace, 1, line)
	}
}

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
	lines.Result
	call     *Call
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

// tally counts a line of a function. Any text in a log can be a name, so the number of names is bounded.
func (r *reader) tally(f function, times, line int64) {
	if r.functions[f] == nil && len(r.functions) >= mostOthers {
		f.name = "(more names)"
	}
	if r.functions[f] == nil {
		r.functions[f] = &Function{Name: f.name, Kind: f.kind, File: r.session.Name, Number: r.number, Line: line,
			Reason: routine.NotModelled(routine.ScriptName(f.name))}
	}
	r.functions[f].Count += times
}
