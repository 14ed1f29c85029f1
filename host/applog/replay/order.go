package replay

import "maps"

// clock has the number of the latest known work of each stream.
type clock map[int]uint64

func (c clock) join(other clock) {
	for s, n := range other {
		c[s] = max(c[s], n)
	}
}

// order is the happens-before order of the work of streams, as HIP defines it. Stream 0 is the null stream.
type order struct {
	streams     map[int]clock // what the next work of a stream comes after
	nonblocking map[int]bool
	events      map[int]clock
	host        clock // what the host has waited for

	// own is the order without the waits for memory that the libraries free: there are none in a workspace of the user.
	own *order
}

func newOrder() *order {
	nonblocking := map[int]bool{}
	of := func(own *order) *order {
		return &order{map[int]clock{}, nonblocking, map[int]clock{}, clock{}, own}
	}
	return of(of(nil))
}

func (o *order) stream(s int) clock {
	c := o.streams[s]
	if c == nil {
		c = clock{}
		o.streams[s] = c
	}
	return c
}

// work adds work to a stream and returns its number. The null stream waits for the blocking streams, and they for it.
func (o *order) work(s int) uint64 {
	if o.own != nil {
		o.own.work(s)
	}
	c := o.stream(s)
	c.join(o.host)
	for other, work := range o.streams {
		if other != s && (s == 0 || other == 0) && !o.nonblocking[s] && !o.nonblocking[other] {
			c.join(work)
		}
	}
	c[s]++
	return c[s]
}

// before reports whether work of a stream comes before the latest work of another one.
func (o *order) before(s int, n uint64, later int) bool { return o.stream(later)[s] >= n }

func (o *order) record(event, s int) {
	o.both(func(o *order) { o.events[event] = maps.Clone(o.stream(s)) })
}

func (o *order) wait(s, event int) { o.both(func(o *order) { o.stream(s).join(o.events[event]) }) }

// waitStream and waitEvent make the host wait.
func (o *order) waitStream(s int)    { o.both(func(o *order) { o.host.join(o.stream(s)) }) }
func (o *order) waitEvent(event int) { o.both(func(o *order) { o.host.join(o.events[event]) }) }

// waitAll makes the host wait for all streams; inLibrary says whether it frees memory of a library.
func (o *order) waitAll(inLibrary bool) {
	wait := func(o *order) {
		for _, c := range o.streams {
			o.host.join(c)
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
