package page

import (
	"cmp"
	"math"
	"strconv"

	"roclua/host/report/timeline"
	"roclua/internal/jsonwriter"
)

// kind is the common part of calls. In the page it is: name, stream or -1, cause, origin, 1 if synchronizing, and
// result or "", and the number of the handle that a library made the call for, or 0.
type kind struct {
	name, cause, origin, result string

	stream, handle int
	synchronizing  bool
}

// indices numbers distinct values from 0.
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

// maxEntries bounds the entries of each kind in one timeline: more cannot be distinguished on a screen.
const maxEntries = 2000

// writeTimeline writes a timeline. Each list in it is flat, with the numbers of consecutive entries, in the format read
// by the page's script. A stream is its place. Times are in microseconds. Strings are indices into the names of the
// document; the common part of calls is an index into its kinds.
//
//	end, left     numbers
//	capacity      bytes of device memory
//	live          at, bytes
//	handles       for each handle a list: device, number, and then at, bytes
//	devices       for each of several devices a list: capacity, 0, and then at, bytes
//	calls         at, duration, bytes or -1, kind
//	kernels       stream, queued, start, end, name, origin
//	marks         at, text, origin, handle
//	hazards       at, text, handle; name, stream and origin of the earlier use, then of the later use
func (d *Document) writeTimeline(w *jsonwriter.Writer, t *timeline.Timeline) {
	p := packer{Writer: w, document: d}
	w.Begin('{')
	w.Key("end")
	p.micro(t.Seconds)
	w.Key("capacity")
	w.Uint(t.Capacity)
	p.list("live", len(t.Live), func() { p.steps(t.Live) })
	w.Key("handles")
	w.Begin('[')
	for _, track := range t.Handles {
		p.track(uint64(track.Device), track.Handle, track.Steps)
	}
	w.End(']')
	p.list("devices", len(t.Devices), func() {
		for _, d := range t.Devices {
			p.track(d.Capacity, 0, d.Live)
		}
	})
	p.list("calls", len(t.Calls), func() { p.calls(t) })
	p.list("kernels", len(t.Kernels), func() { p.kernels(t) })
	p.list("marks", failures(t), func() { p.marks(t) })
	p.list("hazards", len(t.Hazards), func() { p.hazards(t) })
	if p.left > 0 {
		w.Key("left")
		p.int(p.left)
	}
	w.End('}')
}

func (p *packer) calls(t *timeline.Timeline) {
	for i := range head(t.Calls, &p.left) {
		c := &t.Calls[i]
		k := kind{name: c.Name, cause: c.Cause, origin: c.Origin, stream: -1, synchronizing: c.Synchronizing,
			handle: c.Handle}
		if c.HasStream {
			k.stream = place(c.Device, c.Stream)
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
			p.Uint(c.Bytes)
		} else {
			p.int(-1)
		}
		p.int(p.document.kinds.of(k))
	}
}

func (p *packer) kernels(t *timeline.Timeline) {
	for _, k := range head(t.Kernels, &p.left) {
		p.int(place(k.Device, k.Stream))
		p.micro(k.Queued)
		p.micro(k.Start)
		p.micro(k.End)
		p.name(k.Name)
		p.name(k.Origin)
	}
}

// failures returns the number of marks of failed calls.
func failures(t *timeline.Timeline) int {
	n := 0
	for _, m := range t.Marks {
		if m.Text != "" {
			n++
		}
	}
	return n
}

func (p *packer) marks(t *timeline.Timeline) {
	n := 0
	for _, m := range t.Marks {
		if m.Text == "" || n == maxEntries {
			continue
		}
		n++
		p.micro(m.Seconds)
		p.name(m.Text)
		p.name(m.Origin)
		p.int(m.Handle)
	}
}

func (p *packer) hazards(t *timeline.Timeline) {
	for _, h := range head(t.Hazards, &p.left) {
		p.micro(h.Seconds)
		p.name("hazard: " + h.String())
		p.int(cmp.Or(h.Later.Handle, h.Earlier.Handle))
		use := h.Earlier
		for range 2 {
			p.name(use.Call)
			p.int(place(use.Device, use.Stream))
			p.name(use.Origin)
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

// writeKinds writes the kinds, a flat list. It adds their strings to the names.
func (d *Document) writeKinds(w *jsonwriter.Writer) {
	p := packer{Writer: w, document: d}
	w.Begin('[')
	for _, k := range d.kinds.list {
		p.name(k.name)
		p.int(k.stream)
		p.name(k.cause)
		p.name(k.origin)
		p.int(flag(k.synchronizing))
		p.name(k.result)
		p.int(k.handle)
	}
	w.End(']')
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// packer writes the lists of one timeline.
type packer struct {
	*jsonwriter.Writer
	document *Document
	left     int // omitted entries
}

// list writes a list under a key, unless it is empty.
func (p *packer) list(key string, entries int, write func()) {
	if entries > 0 {
		p.Key(key)
		p.Begin('[')
		write()
		p.End(']')
	}
}

func (p *packer) int(n int) { p.Int(int64(n)) }

// name writes a string as its index in the names of the document.
func (p *packer) name(text string) { p.int(p.document.names.of(text)) }

// streamsOfDevice is more than the number of a stream.
const streamsOfDevice = 1 << 20

// place returns a number for a stream of a device: the null streams of all devices have the same number.
func place(device, stream int) int { return device*streamsOfDevice + stream }

// track writes a list that begins with two numbers.
func (p *packer) track(first uint64, second int, list []timeline.Step) {
	p.Begin('[')
	p.Uint(first)
	p.int(second)
	p.steps(list)
	p.End(']')
}

func (p *packer) steps(list []timeline.Step) {
	for _, s := range list[:min(len(list), maxEntries)] {
		p.micro(s.At)
		p.Uint(s.Bytes)
	}
}

// micro writes seconds as microseconds, rounded to tenths.
func (p *packer) micro(seconds float64) {
	var space [24]byte
	text, tenths := space[:0], int64(math.Round(seconds*1e7))
	if tenths < 0 {
		text, tenths = append(text, '-'), -tenths
	}
	text = strconv.AppendInt(text, tenths/10, 10)
	if tenths%10 != 0 {
		text = append(text, '.', byte('0'+tenths%10))
	}
	p.Raw(text)
}
