package page

import (
	"math"
	"strconv"

	"roclua/host/report/timeline"
)

// Timeline is a timeline as JSON. Each list in it is flat: the numbers of one entry after those of another, as a
// function of the script of the page reads them. Times are in microseconds. Strings are indices into the names of the
// document; what the calls of many cases have in common is an index into its kinds.
//
//	end, left     numbers
//	capacity      bytes of device memory
//	live          at, bytes
//	handles       for each handle a list: at, bytes
//	calls         at, duration, bytes or -1, kind
//	kernels       stream, queued, start, end, name, origin
//	marks         at, text, origin
//	hazards       at, text; name, stream and origin of the earlier use, then of the later use
type Timeline []byte

// kind is what calls have in common. In the page it is: name, stream or -1, cause, origin, 1 if it is synchronizing,
// and result or "".
type kind struct {
	name, cause, origin, result string

	stream        int
	synchronizing bool
}

// indices gives each of some values an index, from 0.
type indices[T comparable] struct {
	list   []T
	places map[T]int
}

// of returns the index of a value.
func (x *indices[T]) of(value T) int {
	at, ok := x.places[value]
	if ok {
		return at
	}
	if x.places == nil {
		x.places = map[T]int{}
	}
	at = len(x.list)
	x.places[value] = at
	x.list = append(x.list, value)
	return at
}

// maxEntries bounds what one timeline keeps of each kind: more cannot be distinguished on a screen.
const maxEntries = 2000

// Pack makes a timeline ready for the page.
func (d *Document) Pack(t *timeline.Timeline) Timeline {
	left := 0
	p := &packer{out: make([]byte, 0, 512)}
	p.key("end")
	p.micro(t.Seconds)
	p.key("capacity")
	p.uint(t.Capacity)
	p.list("live", len(t.Live), func() { p.steps(t.Live) })
	p.key("handles")
	p.begin('[')
	for _, track := range t.Handles {
		p.begin('[')
		p.steps(track.Steps)
		p.end(']')
	}
	p.end(']')
	p.list("calls", len(t.Calls), func() { d.packCalls(p, t, &left) })
	p.list("kernels", len(t.Kernels), func() { d.packKernels(p, t, &left) })
	p.list("marks", failures(t), func() { d.packMarks(p, t) })
	p.list("hazards", len(t.Hazards), func() { d.packHazards(p, t, &left) })
	if left > 0 {
		p.key("left")
		p.int(left)
	}
	p.end('}')
	return p.out
}

func (d *Document) packCalls(p *packer, t *timeline.Timeline, left *int) {
	for i := range head(t.Calls, left) {
		c := &t.Calls[i]
		k := kind{c.Name, c.Cause, c.Origin, "", -1, c.Synchronizing}
		if c.HasStream {
			k.stream = c.Stream
		}
		if c.Result != 0 {
			k.result = c.Result.Error()
		}
		if c.Injected != "" {
			k.result += ", injected: " + c.Injected
		}
		p.micro(c.Seconds)
		p.micro(c.Duration)
		if c.HasBytes {
			p.uint(c.Bytes)
		} else {
			p.int(-1)
		}
		p.int(d.kinds.of(k))
	}
}

func (d *Document) packKernels(p *packer, t *timeline.Timeline, left *int) {
	for _, k := range head(t.Kernels, left) {
		p.int(k.Stream)
		p.micro(k.Queued)
		p.micro(k.Start)
		p.micro(k.End)
		p.int(d.names.of(k.Name))
		p.int(d.names.of(k.Origin))
	}
}

// failures returns the number of marks of calls that failed.
func failures(t *timeline.Timeline) int {
	n := 0
	for _, m := range t.Marks {
		if m.Text != "" {
			n++
		}
	}
	return n
}

func (d *Document) packMarks(p *packer, t *timeline.Timeline) {
	n := 0
	for _, m := range t.Marks {
		if m.Text == "" || n == maxEntries {
			continue
		}
		n++
		p.micro(m.Seconds)
		p.int(d.names.of(m.Text))
		p.int(d.names.of(m.Origin))
	}
}

func (d *Document) packHazards(p *packer, t *timeline.Timeline, left *int) {
	for _, h := range head(t.Hazards, left) {
		p.micro(h.Seconds)
		p.int(d.names.of("hazard: " + h.String()))
		use := h.Earlier
		for range 2 {
			p.int(d.names.of(use.Call))
			p.int(use.Stream)
			p.int(d.names.of(use.Origin))
			use = h.Later
		}
	}
}

// head returns the first entries, and adds the number of the others to left.
func head[T any](list []T, left *int) []T {
	kept := min(len(list), maxEntries)
	*left += len(list) - kept
	return list[:kept]
}

// kindsText returns the kinds as JSON, a flat list. It adds their strings to the names.
func (d *Document) kindsText() []byte {
	var p packer
	p.begin('[')
	for _, k := range d.kinds.list {
		p.int(d.names.of(k.name))
		p.int(k.stream)
		p.int(d.names.of(k.cause))
		p.int(d.names.of(k.origin))
		p.int(flag(k.synchronizing))
		p.int(d.names.of(k.result))
	}
	p.end(']')
	return p.out
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// packer writes numbers and lists of numbers as JSON.
type packer struct{ out []byte }

// list writes a list below a key, unless it has no entries.
func (p *packer) list(key string, entries int, write func()) {
	if entries > 0 {
		p.key(key)
		p.begin('[')
		write()
		p.end(']')
	}
}

// key begins a member of the object.
func (p *packer) key(name string) {
	if len(p.out) == 0 {
		p.out = append(p.out, '{')
	} else {
		p.out = append(p.out, ',')
	}
	p.out = append(strconv.AppendQuote(p.out, name), ':')
}

// separate writes a comma between two values of a list.
func (p *packer) separate() {
	if n := len(p.out); n > 0 && p.out[n-1] != '[' && p.out[n-1] != ':' {
		p.out = append(p.out, ',')
	}
}

func (p *packer) begin(bracket byte) {
	p.separate()
	p.out = append(p.out, bracket)
}

func (p *packer) end(bracket byte) { p.out = append(p.out, bracket) }

func (p *packer) int(n int) {
	p.separate()
	p.out = strconv.AppendInt(p.out, int64(n), 10)
}

func (p *packer) uint(n uint64) {
	p.separate()
	p.out = strconv.AppendUint(p.out, n, 10)
}

func (p *packer) steps(list []timeline.Step) {
	for _, s := range list[:min(len(list), maxEntries)] {
		p.micro(s.At)
		p.uint(s.Bytes)
	}
}

// micro writes seconds as microseconds, rounded to tenths.
func (p *packer) micro(seconds float64) {
	tenths := int64(math.Round(seconds * 1e7))
	p.separate()
	if tenths < 0 {
		p.out, tenths = append(p.out, '-'), -tenths
	}
	p.out = strconv.AppendInt(p.out, tenths/10, 10)
	if tenths%10 != 0 {
		p.out = append(p.out, '.', byte('0'+tenths%10))
	}
}
