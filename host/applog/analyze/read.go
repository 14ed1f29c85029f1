package analyze

import (
	"bytes"
	"context"
	"io"

	"roclua/host/applog/lines"
	"roclua/workspace"
)

// New returns a log without files.
func New(o Options) *Log {
	l := &Log{blockSize: sizeOfBlock, measureEvery: measureEvery, targets: o.Targets,
		progress: o.Progress, ordered: o.Order, calls: map[string]*Call{},
		notModeled: map[function]*tally{}, cut: map[function]*tally{}, empty: map[function]*tally{},
		most:      make([]uint64, len(o.Targets)),
		notListed: overflow{most: make([]uint64, len(o.Targets))}}
	for _, t := range o.Targets {
		l.initial = append(l.initial, t.Profile.DefaultBytes(t.Arch))
	}
	return l
}

// Read reads the log of one process.
func (l *Log) Read(ctx context.Context, name string, in io.Reader) error {
	l.lives++
	s := &session{name: name, file: len(l.sessions), life: l.lives, streams: map[string]bool{},
		ordered: l.ordered, uses: uses{needs: make([]uint64, len(l.targets)), decide: make([]*Call, len(l.targets))}}
	for _, t := range l.targets {
		memory := workspace.NewGrowing(t.Profile, t.Arch)
		s.handles = append(s.handles, simulated{memory: memory, final: memory.Held})
	}
	l.sessions = append(l.sessions, s)
	r := &reader{Log: l, session: s, parser: lines.NewParser(), known: map[string]*meaning{}}
	err := r.readAll(ctx, in)
	r.endWrap(nil)
	r.endCommands()
	s.threads = int64(r.parser.Mixed())
	for _, name := range r.parser.Open() {
		if err == nil {
			r.tally(r.cut, function{lines.SolverTree, name}, 1, r.session.lines)
		}
	}
	return err
}

func (r *reader) readAll(ctx context.Context, in io.Reader) error {
	from := r.readAhead(in)
	defer close(from.stop)
	for n, block := 0, (*block)(nil); ; n++ {
		if block = <-from.next; block.ready != nil {
			<-block.ready
		}
		r.block(block)
		if block.ready == nil {
			fresh := r.looked > 0 && float64(r.found) < (1-newLines)*float64(r.looked)
			from.prepare.Store(fresh)
		}
		from.atomics.Store(r.parser.AtomicsWord)
		switch {
		case block.err == io.EOF:
			return nil
		case block.err != nil:
			return block.err
		case ctx.Err() != nil:
			return ctx.Err()
		}
		if r.progress != nil && n%progressStep == 0 {
			r.progress(r.Log.lines, r.Log.bytes)
		}
		from.done(block)
	}
}

// block reads the lines of a block.
func (r *reader) block(b *block) {
	r.Log.bytes += b.read
	r.looked, r.found = 0, 0
	for n, text := 0, b.text; len(text) > 0; n++ {
		var line []byte
		var whole bool
		line, text, whole = cutLine(text)
		r.session.lines++
		r.Log.lines++
		r.prepared = nil
		if b.ready != nil {
			r.prepared = &b.prepared.lines[n]
		}
		r.line(line, whole)
	}
}

// line reads the pieces of one line.
func (r *reader) line(line []byte, whole bool) {
	if r.session.lines == 1 {
		r.format = formatOf(line)
	}
	piece, rest := lines.Find(line)
	if piece.Kind == lines.Other {
		r.otherText(line, whole)
		return
	}
	for piece.Kind != lines.Other {
		r.endWrap(piece.Text)
		if piece.Kind != lines.SolverBench {
			r.endCommands()
		}
		r.kinds[piece.Kind]++
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
			r.version = string(bytes.Trim(v, " .\r"))
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
			r.tally(r.empty, function{res.Kind, res.Name}, 1, r.session.lines)
		}
		return
	case lines.SolverArgs:
		if r.claimed = r.parser.Claim(p); r.claimed == nil {
			return // a function called internally
		}
	}
	if r.session.lines == 1 && bytes.HasPrefix(p.Text, []byte("rocblas_create_handle,atomics_allowed")) {
		r.firstCreates = true
	}
	r.apply(r.meaningIn(p, whole), p, whole)
}

// meaningIn returns the meaning of a piece: prepared, cached from an equal piece, or newly parsed.
func (r *reader) meaningIn(p lines.Piece, whole bool) *meaning {
	if whole && r.prepared != nil {
		if m := r.meaningOf(r.prepared); m != nil {
			return m
		}
	}
	r.text = r.appendNormal(append(r.text[:0], byte(p.Kind)), p)
	r.looked++
	m := r.known[string(r.text)]
	if m == nil || !whole {
		return r.parse(p, whole)
	}
	r.found++
	return m
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
		res := r.parser.Parse(p, whole)
		m = &meaning{state: res.State, name: res.Name, count: res.Count}
		if res.State == lines.Full {
			m.call = r.callOf(&res)
			m.mayBeCut = mayBeCut(&res, r.parser.Marked)
		}
	}
	if len(r.known) >= mostLines || r.parser.AtomicsWord != before {
		clear(r.known)
	}
	if whole {
		r.known[string(r.text)] = m
	}
	return m
}

// apply updates the analysis with the meaning of a piece.
func (r *reader) apply(m *meaning, p lines.Piece, whole bool) {
	switch m.state {
	case lines.NoCall:
		if p.Kind == lines.Trace || p.Kind == lines.Marker {
			r.atomics[atomicsOf(p.Text)]++
			r.controls = p.Kind
			r.control(m.name, p.Text, &r.lives)
		}
	case lines.Full:
		if whole && m.mayBeCut {
			r.wrap = wrapped{piece: clone(p), call: m.call, line: r.session.lines}
			return
		}
		if m.call.shared {
			r.session.shared++
		}
		r.count(m.call, p.Kind, m.count, r.session.lines)
	case lines.Cut:
		r.wrap = wrapped{cut: function{p.Kind, m.name}, line: r.session.lines, joined: joinedLines}
		if whole && (p.Kind == lines.Trace || p.Kind == lines.Bench || p.Kind == lines.SolverBench) {
			r.wrap.piece, r.wrap.joined = clone(p), 0
		}
	case lines.Unknown:
		r.endCommands()
		r.tally(r.notModeled, function{p.Kind, m.name}, m.count, r.session.lines)
	}
}

// atomicsOf returns the atomics mode at the end of a line: 1 for allowed.
func atomicsOf(text []byte) int {
	if bytes.HasSuffix(bytes.TrimRight(text, "\" \r"), []byte(",atomics_allowed")) {
		return 1
	}
	return 0
}

// otherText reads a line without a piece: the end of a wrapped call, or unrelated text.
func (r *reader) otherText(line []byte, whole bool) {
	if r.wrap.joined < joinedLines && r.wrap.piece.Text != nil && r.join(line, whole) {
		return
	}
	r.other++
}

// meaningOf returns the meaning of a prepared line, nil if it was prepared for another atomics mode.
func (r *reader) meaningOf(n *preparedLine) *meaning {
	if !n.ok || n.atomics != r.parser.AtomicsWord {
		return nil
	}
	r.parser.Marked = n.marked
	if n.marked && !n.atomics {
		r.parser.AtomicsWord = true
		clear(r.known)
	}
	m := &r.meaning
	*m = n.meaning
	if m.state == lines.Full {
		m.call = r.callWith(&n.call, &r.unlisted)
	}
	return m
}
