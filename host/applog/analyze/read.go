package analyze

import (
	"bufio"
	"bytes"
	"context"
	"io"

	"roclua/host/applog/lines"
	"roclua/workspace"
	"roclua/workspace/footprint"
)

// Options is what to compute.
type Options struct {
	Targets []footprint.Target

	// Order keeps the order of the calls, for Log.Order.
	Order bool

	// Progress is called now and then with the lines and bytes that have been read; nil for none.
	Progress func(lines, bytes int64)
}

// Log is the logs of an application.
type Log struct {
	targets  []footprint.Target
	progress func(lines, bytes int64)
	ordered  bool

	sessions   []*session
	calls      map[string]*Call
	order      []*Call
	notListed  overflow
	notModeled map[function]*tally // functions that are not in the table
	cut        map[function]*tally
	refused    map[function]*tally
	lives      int
	commonest  map[string]int64 // other lines, while there are no calls
	most       []uint64         // that a call needs, for each target
	profiled   profiled

	bytes, lines int64
	key          []byte
}

// function is a function of a kind of line.
type function struct {
	kind lines.Kind
	name string
}

// tally counts the lines of a function.
type tally struct {
	count int64
	file  int
	line  int64
}

// overflow counts the calls that are not kept because there are too many distinct ones.
type overflow struct {
	times int64
	most  []uint64 // for each target
}

// New returns a log without files.
func New(o Options) *Log {
	return &Log{targets: o.Targets, progress: o.Progress, ordered: o.Order, calls: map[string]*Call{},
		notModeled: map[function]*tally{}, cut: map[function]*tally{}, refused: map[function]*tally{},
		commonest: map[string]int64{}, most: make([]uint64, len(o.Targets)),
		notListed: overflow{most: make([]uint64, len(o.Targets))}}
}

const (
	longestLine  = 1 << 16 // bytes; the rest of a longer line is skipped
	mostCalls    = 100_000 // distinct calls that are kept
	mostLines    = 50_000  // distinct lines whose meaning is remembered
	mostOthers   = 2_000   // distinct lines of other text that are counted
	progressStep = 1 << 18 // lines between two reports of progress
)

// reader reads one file.
type reader struct {
	*Log
	*session
	parser *lines.Parser
	known  map[string]*meaning
	text   []byte // of a piece, without addresses
	wrap   wrapped
}

// meaning is what a piece means wherever it is.
type meaning struct {
	state lines.State
	name  string
	count int64
	call  *Call

	mayBeCut bool // the next line may be the end of the call
}

// Read reads the log of one process.
func (l *Log) Read(ctx context.Context, name string, in io.Reader) error {
	l.lives++
	s := &session{name: name, file: len(l.sessions), life: l.lives, streams: map[string]bool{}}
	for _, t := range l.targets {
		memory := workspace.NewGrowing(t.Profile, t.Arch)
		s.handles = append(s.handles, simulated{memory: memory, final: memory.Held})
	}
	l.sessions = append(l.sessions, s)
	r := &reader{Log: l, session: s, parser: lines.NewParser(), known: map[string]*meaning{}}
	err := r.readAll(ctx, bufio.NewReaderSize(in, longestLine))
	r.endWrap(nil)
	if name := r.parser.Tree(); name != "" && err == nil {
		r.tally(r.cut, function{lines.SolverTree, name}, 1, r.session.lines)
	}
	return err
}

func (r *reader) readAll(ctx context.Context, in *bufio.Reader) error {
	for {
		line, err := in.ReadSlice('\n')
		r.Log.bytes += int64(len(line))
		whole := err == nil
		if len(line) > 0 {
			r.session.lines++
			r.Log.lines++
			r.line(bytes.TrimRight(line, "\n"), whole)
		}
		for err == bufio.ErrBufferFull {
			line, err = in.ReadSlice('\n')
			r.Log.bytes += int64(len(line))
		}
		if r.Log.lines%progressStep == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if r.progress != nil {
				r.progress(r.Log.lines, r.Log.bytes)
			}
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

// line reads the pieces of one line.
func (r *reader) line(line []byte, whole bool) {
	piece, rest := lines.Find(line)
	if piece.Kind == lines.Other {
		r.otherText(line, whole)
		return
	}
	for piece.Kind != lines.Other {
		r.endWrap(piece.Text)
		r.kinds[piece.Kind]++
		r.piece(piece, whole && rest == nil)
		if rest == nil {
			return
		}
		piece, rest = lines.Find(rest)
	}
}

// piece reads a piece. whole is false for one that may have lost its end.
func (r *reader) piece(p lines.Piece, whole bool) {
	switch p.Kind {
	case lines.Header:
		if v, ok := bytes.CutPrefix(p.Text, []byte("rocBLAS Version:")); ok {
			r.version = string(bytes.Trim(v, " .\r"))
		}
		return
	case lines.Internal, lines.SolverProfile:
		return
	case lines.HIP, lines.Allocation:
		r.profiled.add(p)
		return
	case lines.SolverTree:
		res := r.parser.Parse(p, whole)
		if res.State == lines.Refused {
			r.tally(r.refused, function{res.Kind, res.Name}, 1, r.session.lines)
		}
		return
	case lines.SolverArgs:
		if r.parser.Tree() == "" {
			return // of a function that the call uses
		}
	}
	if r.session.lines == 1 && bytes.HasPrefix(p.Text, []byte("rocblas_create_handle,atomics_allowed")) {
		r.firstCreates = true
	}
	r.text = r.appendNormal(append(r.text[:0], byte(p.Kind)), p)
	m := r.known[string(r.text)]
	if m == nil || !whole {
		m = r.parse(p, whole)
	} else if p.Kind == lines.SolverArgs {
		r.parser.EndTree()
	}
	r.apply(m, p, whole)
	if p.Kind == lines.Marker {
		r.profiled.addRange(p, m, r.file, r.session.lines)
	}
}

// appendNormal appends a piece without what distinguishes lines about equal calls: the addresses of arrays.
func (r *reader) appendNormal(to []byte, p lines.Piece) []byte {
	text := p.Text
	switch p.Kind {
	case lines.SolverArgs:
		to = append(append(to, r.parser.Tree()...), 0)
	case lines.Trace, lines.Marker:
		if end := bytes.IndexByte(text, '"'); p.Kind == lines.Marker && end >= 0 {
			text = text[:end] // the other columns differ in every row
		}
		for {
			i := bytes.Index(text, []byte("0x"))
			if i < 0 {
				break
			}
			to = append(to, text[:i+2]...)
			for text = text[i+2:]; len(text) > 0 && isHex(text[0]); {
				text = text[1:]
			}
			to = append(to, '0')
		}
	}
	return append(to, text...)
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// parse finds the meaning of a piece, and remembers it if it is whole.
func (r *reader) parse(p lines.Piece, whole bool) *meaning {
	before := r.parser.AtomicsWord
	res := r.parser.Parse(p, whole)
	m := &meaning{state: res.State, name: res.Name, count: res.Count}
	if res.State == lines.Full {
		m.call = r.callOf(&res)
		m.mayBeCut = p.Kind == lines.Trace && !r.parser.Marked ||
			(p.Kind == lines.Bench || p.Kind == lines.SolverBench) && lines.IsCut(m.call.Routine, &m.call.Known)
	}
	if len(r.known) >= mostLines || r.parser.AtomicsWord != before {
		clear(r.known)
	}
	if whole {
		r.known[string(r.text)] = m
	}
	return m
}

// apply does what a piece means.
func (r *reader) apply(m *meaning, p lines.Piece, whole bool) {
	switch m.state {
	case lines.NoCall:
		if p.Kind == lines.Trace || p.Kind == lines.Marker {
			r.atomics[atomicsOf(p.Text)]++
			r.control(m.name, p.Text, &r.lives)
		}
	case lines.Full:
		if whole && m.mayBeCut {
			r.wrap = wrapped{piece: clone(p), call: m.call, line: r.session.lines}
			return
		}
		r.count(m.call, p.Kind, m.count, r.session.lines)
	case lines.Cut:
		r.wrap = wrapped{cut: function{p.Kind, m.name}, line: r.session.lines, joined: joinedLines}
		if whole && (p.Kind == lines.Trace || p.Kind == lines.Bench || p.Kind == lines.SolverBench) {
			r.wrap.piece, r.wrap.joined = clone(p), 0
		}
	case lines.Unknown:
		r.tally(r.notModeled, function{p.Kind, m.name}, m.count, r.session.lines)
	}
}

// atomicsOf returns which mode of atomics a line ends with: 1 for allowed.
func atomicsOf(text []byte) int {
	if bytes.HasSuffix(bytes.TrimRight(text, "\" \r"), []byte(",atomics_allowed")) {
		return 1
	}
	return 0
}

// count counts a call.
func (r *reader) count(c *Call, kind lines.Kind, times, line int64) {
	r.burst = 0
	r.session.calls += times
	if c.key == "" {
		r.notListed.times += times
	} else if c.counts[kind] += times; c.Line == 0 {
		c.File, c.Line = r.file, line
	}
	if r.ordered {
		r.record(c, kind, times)
	}
	if kind != lines.Profile {
		r.call(c, r.file, line)
	}
}

// callOf returns the call of a result: the one that is known, or a new one.
func (r *reader) callOf(res *lines.Result) *Call {
	r.key = pack(r.key, res.Call.Args)
	if c := r.Log.calls[string(r.key)]; c != nil {
		return c
	}
	c := &Call{Routine: res.Call.Args.Routine, Known: res.Call.Known, Needs: r.needsOf(&res.Call)}
	raises := false // more than any call so far: it may be the one that decides
	for i, t := range r.targets {
		raises = raises || c.Needs[i].Bytes > r.most[i]
		r.most[i] = max(r.most[i], c.Needs[i].Bytes)
		c.large = c.large || c.Needs[i].Bytes > workspace.NewGrowing(t.Profile, t.Arch).Default
	}
	if len(r.order) < mostCalls || raises && len(r.order) < 2*mostCalls {
		c.key = string(r.key)
		r.Log.calls[c.key] = c
		r.order = append(r.order, c)
		return c
	}
	for i := range r.targets {
		r.notListed.most[i] = max(r.notListed.most[i], c.Needs[i].Bytes)
	}
	return c
}

// tally counts a line of a function. The names are those of the log, so their number is bounded.
func (r *reader) tally(to map[function]*tally, f function, times, line int64) {
	if to[f] == nil && len(to) >= mostOthers {
		f.name = "(more names)"
	}
	if to[f] == nil {
		to[f] = &tally{file: r.file, line: line}
	}
	to[f].count += times
}

// otherText reads a line without a piece: the end of a call that is wrapped, or no part of a log.
func (r *reader) otherText(line []byte, whole bool) {
	if r.wrap.joined < joinedLines && r.wrap.piece.Text != nil && r.join(line, whole) {
		return
	}
	r.other++
	if len(r.order) > 0 {
		return
	}
	text := bytes.TrimSpace(line)
	text = text[:min(len(text), 80)]
	if _, ok := r.commonest[string(text)]; len(text) > 0 && (ok || len(r.commonest) < mostOthers) {
		r.commonest[string(text)]++
	}
}
