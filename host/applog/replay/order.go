package replay

import (
	"fmt"
	"maps"
)

// queue is a stream in the order of work: the number of a stream that the program made, or the null stream of a device.
type queue int

// nullOf returns the null stream of a device: 0 or a negative number.
func nullOf(device int) queue { return queue(-device) }

func (q queue) isNull() bool { return q <= 0 }

// text names the stream, with the device of a null stream if there are several.
func (q queue) text(several bool) string {
	switch {
	case !q.isNull():
		return fmt.Sprintf("stream %d", q)
	case several:
		return fmt.Sprintf("stream 0 of device %d", -q)
	}
	return "stream 0"
}

// kind is what a stream is made as.
type kind struct {
	device      int
	nonblocking bool
}

// clock has the number of the latest known work of each stream.
type clock map[queue]uint64

func (c clock) join(other clock) {
	for s, n := range other {
		c[s] = max(c[s], n)
	}
}

// order is the happens-before order of the work of streams, as HIP defines it.
type order struct {
	streams map[queue]clock // what the next work of a stream comes after
	kinds   map[queue]kind  // of streams that are not null streams
	events  map[int]clock
	host    clock // what the host has waited for

	// own is the order without the waits for memory that the libraries free: there are none in a workspace of the user.
	own *order
}

func newOrder() *order {
	kinds := map[queue]kind{}
	of := func(own *order) *order {
		return &order{map[queue]clock{}, kinds, map[int]clock{}, clock{}, own}
	}
	return of(of(nil))
}

// kind returns the device of a stream, and whether it does not wait for the null stream.
func (o *order) kind(s queue) kind {
	if s.isNull() {
		return kind{device: int(-s)}
	}
	return o.kinds[s]
}

// blocks reports whether two streams wait for each other, because one is the null stream of their device.
func (o *order) blocks(a, b queue) bool {
	x, y := o.kind(a), o.kind(b)
	return x.device == y.device && (a.isNull() || b.isNull()) && !x.nonblocking && !y.nonblocking
}

func (o *order) stream(s queue) clock {
	c := o.streams[s]
	if c == nil {
		c = clock{}
		o.streams[s] = c
	}
	return c
}

// work adds work to a stream and returns its number. The null stream waits for the blocking streams of its device, and
// they for it.
func (o *order) work(s queue) uint64 {
	if o.own != nil {
		o.own.work(s)
	}
	c := o.stream(s)
	c.join(o.host)
	for other, work := range o.streams {
		if other != s && o.blocks(s, other) {
			c.join(work)
		}
	}
	c[s]++
	return c[s]
}

// before reports whether work of a stream comes before the latest work of another one.
func (o *order) before(s queue, n uint64, later queue) bool { return o.stream(later)[s] >= n }

func (o *order) record(event int, s queue) {
	o.both(func(o *order) { o.events[event] = maps.Clone(o.stream(s)) })
}

func (o *order) wait(s queue, event int) {
	o.both(func(o *order) { o.stream(s).join(o.events[event]) })
}

// waitStream and waitEvent make the host wait.
func (o *order) waitStream(s queue)  { o.both(func(o *order) { o.host.join(o.stream(s)) }) }
func (o *order) waitEvent(event int) { o.both(func(o *order) { o.host.join(o.events[event]) }) }

// waitDevice makes the host wait for all streams of a device; inLibrary says whether it frees memory of a library.
func (o *order) waitDevice(device int, inLibrary bool) {
	wait := func(o *order) {
		for s, c := range o.streams {
			if o.kind(s).device == device {
				o.host.join(c)
			}
		}
	}
	if inLibrary {
		wait(o)
	} else {
		o.both(wait)
	}
}

func (o *order) both(f func(*order)) {
	f(o)
	f(o.own)
}
