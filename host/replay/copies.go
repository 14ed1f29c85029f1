package replay

import (
	"strings"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/function"
	"roclua/host/recording"
)

// copyOf returns how a function that copies or fills memory is replayed; nil for others. Those without a stream run in
// the null stream, and the host waits for them.
func copyOf(f *function.Function) func(*replay, *recording.Call) error {
	if f.Recorded != function.Copies && f.Recorded != function.Waits {
		return nil
	}
	wait := !strings.Contains(f.Name, "Async")
	return func(r *replay, c *recording.Call) error { return r.copy(c, wait) }
}

// copy replays a copy or a fill of memory.
func (r *replay) copy(c *recording.Call, wait bool) error {
	var sizes []uint64
	var s *hip.Stream
	for i := range c.Args {
		switch v := &c.Args[i]; v.Letter {
		case function.Size:
			sizes = append(sizes, uint64(v.Int))
		case function.Stream:
			s = r.streamOf(c)
		}
	}
	for _, element := range []struct {
		name  string
		bytes uint64
	}{{"D16", 2}, {"D32", 4}} {
		if strings.Contains(c.Name, element.name) && len(sizes) > 0 {
			sizes[max(0, len(sizes)-2)] *= element.bytes // the width, or the size
		}
	}
	if strings.Contains(c.Name, "Array") {
		sizes = nil // no routine takes arrays, and the sizes are also offsets
	}
	return r.claim(c, sizes, s, wait)
}

// claim uses the memory that a copy or a fill names: of one size; of rows by their pitch, or pitches, their width and
// their number. Other functions name no memory.
func (r *replay) claim(c *recording.Call, sizes []uint64, s *hip.Stream, wait bool) error {
	var spans []driver.Span
	n := len(sizes)
	total := uint64(0)
	switch n {
	case 1:
		total = sizes[0]
	case 3, 4:
		total = sizes[n-2] * sizes[n-1]
	}
	for i := range c.Args {
		if v := &c.Args[i]; v.Letter == function.Address && total > 0 && len(spans) < 2 {
			span := driver.Span{Ptr: driver.Ptr(r.memory.onDevice(uint64(v.Int))), Bytes: total}
			if n > 1 {
				span.Bytes = sizes[min(len(spans), n-3)]*(sizes[n-1]-1) + sizes[n-2]
			}
			spans = append(spans, span)
		}
	}
	return r.rt.Device().Claim(c.Name, spans[min(1, len(spans)):], spans[:min(1, len(spans))], total, s, wait)
}
