package page

import (
	"cmp"
	"math"

	"roclua/hip/trace"
	"roclua/host/report/timeline"
)

// packed is a timeline as the page's script reads it. Each list is flat, with the numbers of consecutive entries. A
// stream is its place. Times are in microseconds. Strings are indices into the names of the document; the common part
// of calls is the number of its kind.
type packed struct {
	End      float64     `json:"end"`
	Capacity uint64      `json:"capacity"`          // bytes of device memory
	Live     []float64   `json:"live,omitempty"`    // at, bytes
	Handles  [][]float64 `json:"handles"`           // of each: device, number, and then at, bytes
	Devices  [][]float64 `json:"devices,omitempty"` // of each of several: capacity, 0, and then at, bytes
	Calls    []float64   `json:"calls,omitempty"`   // at, duration, bytes or -1, kind
	Kernels  []float64   `json:"kernels,omitempty"` // stream, queued, start, end, name, origin
	Marks    []float64   `json:"marks,omitempty"`   // of failed calls: at, text, origin, handle
	Hazards  []float64   `json:"hazards,omitempty"` // at, text, handle; name, stream and origin of both uses
	Left     int         `json:"left,omitempty"`    // entries that are left out
}

// maxEntries bounds the entries of each kind in one timeline: more cannot be distinguished on a screen.
const maxEntries = 2000

// Pack converts a timeline, and adds its strings and kinds to the document that is written.
func (d *Document) Pack(t *timeline.Timeline) *packed {
	p := &packed{End: micro(t.Seconds), Capacity: t.Capacity, Live: steps(t.Live), Handles: [][]float64{}}
	for _, track := range t.Handles {
		p.Handles = append(p.Handles, append([]float64{float64(track.Device), float64(track.Handle)},
			steps(track.Steps)...))
	}
	for _, device := range t.Devices {
		p.Devices = append(p.Devices, append([]float64{float64(device.Capacity), 0}, steps(device.Live)...))
	}
	for i := range head(t.Calls, &p.Left) {
		c := &t.Calls[i]
		bytes := -1.0
		if c.HasBytes {
			bytes = float64(c.Bytes)
		}
		p.Calls = append(p.Calls, micro(c.Seconds), micro(c.Duration), bytes, d.kind(c))
	}
	for _, k := range head(t.Kernels, &p.Left) {
		p.Kernels = append(p.Kernels, place(k.Device, k.Stream), micro(k.Queued), micro(k.Start), micro(k.End),
			d.name(k.Name), d.name(k.Origin))
	}
	for _, m := range t.Marks {
		if m.Text != "" && len(p.Marks) < 4*maxEntries {
			p.Marks = append(p.Marks, micro(m.Seconds), d.name(m.Text), d.name(m.Origin), float64(m.Handle))
		}
	}
	for _, h := range head(t.Hazards, &p.Left) {
		p.Hazards = append(p.Hazards, micro(h.Seconds), d.name("hazard: "+h.String()),
			float64(cmp.Or(h.Later.Handle, h.Earlier.Handle)),
			d.name(h.Earlier.Call), place(h.Earlier.Device, h.Earlier.Stream), d.name(h.Earlier.Origin),
			d.name(h.Later.Call), place(h.Later.Device, h.Later.Stream), d.name(h.Later.Origin))
	}
	return p
}

// head returns the first entries, and adds the number of the others to left.
func head[T any](list []T, left *int) []T {
	kept := min(len(list), maxEntries)
	*left += len(list) - kept
	return list[:kept]
}

func steps(list []timeline.Step) []float64 {
	var flat []float64
	for _, s := range list[:min(len(list), maxEntries)] {
		flat = append(flat, micro(s.At), float64(s.Bytes))
	}
	return flat
}

// micro returns seconds as microseconds, rounded to tenths.
func micro(seconds float64) float64 { return math.Round(seconds*1e7) / 10 }

// streamsOfDevice is more than the number of a stream.
const streamsOfDevice = 1 << 20

// place returns a number for a stream of a device: the null streams of all devices have the same number.
func place(device, stream int) float64 { return float64(device*streamsOfDevice + stream) }

// name returns the index of a string in the names of the document.
func (d *Document) name(text string) float64 { return float64(d.nameAt(text)) }

func (d *Document) nameAt(text string) int {
	at, ok := d.nameIndex[text]
	if !ok {
		at = len(d.Names)
		d.nameIndex[text] = at
		d.Names = append(d.Names, text)
	}
	return at
}

// kind is the common part of calls. In the page it is: name, stream or -1, cause, origin, 1 if synchronizing, and
// result or "", and the number of the handle that a library made the call for, or 0.
type kind struct {
	name, cause, origin, result string

	stream, handle int
	synchronizing  bool
}

// kind returns the number of the kind of a call.
func (d *Document) kind(c *trace.Call) float64 {
	k := kind{name: c.Name, cause: c.Cause, origin: c.Origin, stream: -1, synchronizing: c.Synchronizing,
		handle: c.Handle}
	if c.HasStream {
		k.stream = int(place(c.Device, c.Stream))
	}
	if c.Result != 0 {
		k.result = c.Result.Error()
	}
	if c.Injected != "" {
		k.result += ", injected: " + c.Injected
	}
	at, ok := d.kindIndex[k]
	if !ok {
		at = len(d.kindIndex)
		d.kindIndex[k] = at
		synchronizing := 0
		if k.synchronizing {
			synchronizing = 1
		}
		d.Kinds = append(d.Kinds, d.nameAt(k.name), k.stream, d.nameAt(k.cause), d.nameAt(k.origin), synchronizing,
			d.nameAt(k.result), k.handle)
	}
	return float64(at)
}
