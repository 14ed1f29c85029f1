package cpu

import (
	"slices"

	"roclua/hip/driver"
)

// stream is an ordered queue with a goroutine that performs its operations. The host performs brief ones that need not
// wait.
type stream struct {
	device    *device
	id        int
	slot      int  // its slot in clocks; reused after the stream is destroyed and the host has waited for it
	blocking  bool // synchronizes with the null stream
	number    uint64
	clock     clock       // of the last operation
	last      *operation  // nil before the first
	done      counter     // the number of the operation that was performed last
	queue     *queue      // nil before the first operation that the host does not perform
	spare     []operation // of the latest chunk, whose length is chunk
	chunk     int
	destroyed bool

	capture *capture // of which it is a part; nil while it is not captured
	branch  int      // its index in the capture
	tail    []int    // the nodes that its next node depends on
}

func (d *device) newStream(id int, blocking bool) *stream {
	s := &stream{device: d, id: id, blocking: blocking}
	s.slot, s.number = d.runtime.takeSlot()
	s.done.reach(s.number)
	d.streams = append(d.streams, s)
	return s
}

// enqueue queues work that uses the given memory. It happens after the stream's earlier work, everything that the host
// has waited for, and, between the null stream and blocking streams, the earlier work of the other.
func (s *stream) enqueue(site driver.Site, uses []use, run func() error, after ...*operation) *operation {
	o := s.prepare(site, uses, run, after...)
	s.push(o)
	return o
}

// prepare returns an operation that is the last of the stream, and is to be pushed.
func (s *stream) prepare(site driver.Site, uses []use, run func() error, after ...*operation) *operation {
	d := s.device
	d.runtime.makeRoom()
	s.number++
	d.runtime.serial++
	o := s.newOperation()
	o.serial, o.stream, o.number, o.site, o.run = d.runtime.serial, s, s.number, site, run
	o.clock = s.clock.with(s.slot, s.number, o.room[:0]).join(d.runtime.host)
	for other := range s.legacyOrder {
		if other.last != nil {
			o.follow(other.last)
		}
	}
	for _, earlier := range after {
		o.follow(earlier)
	}
	for i := range uses {
		d.order(o, &uses[i])
	}
	s.clock, s.last = o.clock, o
	return o
}

// push performs an operation that is brief and possible, and puts any other into the queue. When the queue stays full
// until the host's context ends, the device is abandoned.
func (s *stream) push(o *operation) {
	rt := s.device.runtime
	if (o.brief || o.run == nil) && o.possible() {
		o.perform(rt.wake)
		s.done.reach(o.number)
		return
	}
	if s.queue == nil { // most cases that only compute sizes never need it
		s.queue = newQueue(&s.done)
		rt.working.Go(s.queue.perform)
	}
	if !s.queue.add(o, rt.wake, rt.ctx.Done()) {
		rt.giveUp()
		o.dropped = true
	}
}

// The capacities of the first and of the largest chunk of operations. Each chunk has twice the capacity of the one
// before.
const (
	firstOperations = 4
	mostOperations  = 64
)

// newOperation returns an operation without values. Operations are allocated many at a time, and are not reused,
// because events and the histories of blocks refer to them.
func (s *stream) newOperation() *operation {
	if len(s.spare) == 0 {
		s.chunk = min(max(2*s.chunk, firstOperations), mostOperations)
		s.spare = make([]operation, s.chunk)
	}
	o := &s.spare[0]
	s.spare = s.spare[1:]
	return o
}

// legacyOrder yields the streams whose earlier work happens before the next work of this one: all blocking streams for
// the null stream, and the null stream for blocking streams.
func (s *stream) legacyOrder(yield func(*stream) bool) {
	null := s.device.null
	switch {
	case !s.blocking:
	case s != null:
		yield(null)
	default:
		for _, other := range s.device.streams {
			if other.blocking && other != null && !yield(other) {
				return
			}
		}
	}
}

// awaited returns the operations that a synchronization with the stream waits for. For the null stream HIP also waits
// for the blocking streams.
func (s *stream) awaited() []*operation {
	var list []*operation
	add := func(other *stream) bool {
		if other.last != nil {
			list = append(list, other.last)
		}
		return true
	}
	add(s)
	if s == s.device.null {
		s.legacyOrder(add)
	}
	return list
}

// ID returns the stream's number: 0 for the null stream.
func (s *stream) ID() int { return s.id }

// Synchronize waits for the stream's work.
func (s *stream) Synchronize() error {
	if s.destroyed {
		return driver.ErrorInvalidHandle
	}
	if err := s.waitForStream(); err != nil {
		return err
	}
	return s.device.wait(s.awaited()...)
}

// Query returns nil when the stream's work is done; the host then counts as having waited for it.
func (s *stream) Query() error {
	if s.destroyed {
		return driver.ErrorInvalidHandle
	}
	if err := s.waitForStream(); err != nil {
		return err
	}
	list := s.awaited()
	s.device.runtime.runReached(list...)
	if slices.ContainsFunc(list, func(o *operation) bool { return !o.ready() }) {
		return driver.ErrorNotReady
	}
	return s.device.wait(list...)
}

// WaitEvent queues a mark that waits for the event as it was last recorded.
func (s *stream) WaitEvent(e driver.Event) error {
	ev, ok := e.(*event)
	if !ok || s.destroyed {
		return driver.ErrorInvalidHandle
	}
	if s.capture != nil || ev.active() != nil {
		return s.waitCaptured(ev)
	}
	if _, err := s.device.stream(s); err != nil {
		return err
	}
	if ev.mark != nil {
		s.enqueue(s.device.runtime.locate(), nil, nil, ev.mark)
	}
	return nil
}

// Destroy ends the stream. Its goroutine finishes the queued work.
func (s *stream) Destroy() error {
	if s.destroyed || s == s.device.null {
		return driver.ErrorInvalidHandle
	}
	s.close()
	return nil
}

func (s *stream) close() {
	s.leave()
	s.destroyed = true
	if s.queue != nil {
		close(s.queue.ended)
	}
}

// reap removes destroyed streams that the host has waited for and frees their slots. Before that, a clock could confuse
// their operations with those of a new stream in the same slot.
func (d *device) reap() {
	d.streams = slices.DeleteFunc(d.streams, func(s *stream) bool {
		if !s.destroyed || s.number > d.runtime.host.at(s.slot) {
			return false
		}
		d.runtime.freeSlots = append(d.runtime.freeSlots, s.slot)
		return true
	})
}
