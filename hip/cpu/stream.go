package cpu

import (
	"slices"

	"roclua/hip/driver"
)

// stream is an ordered queue with a goroutine that performs its operations.
type stream struct {
	device    *device
	id        int
	slot      int  // its slot in clocks; reused after the stream is destroyed and the host has waited for it
	blocking  bool // synchronizes with the null stream
	number    uint64
	clock     clock           // of the last operation
	last      *operation      // nil before the first
	queue     chan *operation // nil before the first operation
	destroyed bool

	capture *capture // of which it is a part; nil while it is not captured
	branch  int      // its index in the capture
	tail    []int    // the nodes that its next node depends on
}

// queueLength is the capacity of a stream's queue. The host waits when it is full, as for the queue of a real device.
const queueLength = 1024

func (d *device) newStream(id int, blocking bool) *stream {
	s := &stream{device: d, id: id, blocking: blocking}
	s.slot, s.number = d.runtime.takeSlot()
	d.streams = append(d.streams, s)
	return s
}

// start makes the queue and the goroutine. Most cases that only compute sizes never need them.
func (s *stream) start() {
	s.queue = make(chan *operation, queueLength)
	s.device.runtime.working.Go(func() {
		for o := range s.queue {
			o.perform()
		}
	})
}

// enqueue queues work that uses the given memory. It happens after the stream's earlier work, everything that the host
// has waited for, and, between the null stream and blocking streams, the earlier work of the other.
func (s *stream) enqueue(site driver.Site, uses []use, run func() error, after ...*operation) *operation {
	d := s.device
	d.runtime.makeRoom()
	s.number++
	d.runtime.serial++
	o := &operation{serial: d.runtime.serial, stream: s, number: s.number, site: site, run: run,
		done: make(chan struct{})}
	o.clock = s.clock.with(s.slot, s.number).join(d.runtime.host)
	for _, other := range s.legacyOrder() {
		if other.last != nil {
			after = append(after, other.last)
		}
	}
	for _, earlier := range after {
		o.clock = o.clock.join(earlier.clock)
		if !earlier.ready() {
			o.after = append(o.after, earlier)
		}
	}
	for _, u := range uses {
		d.order(o, u)
	}
	s.clock, s.last = o.clock, o
	s.push(o)
	return o
}

// push puts an operation into the queue. When the queue stays full until the host's context ends, the device is
// abandoned.
func (s *stream) push(o *operation) {
	if s.queue == nil {
		s.start()
	}
	select {
	case s.queue <- o:
		return
	default:
	}
	select {
	case s.queue <- o:
	case <-s.device.runtime.ctx.Done():
		s.device.runtime.giveUp()
		close(o.done)
	}
}

// legacyOrder returns the streams whose earlier work happens before the next work of this one: all blocking streams for
// the null stream, and the null stream for blocking streams.
func (s *stream) legacyOrder() []*stream {
	null := s.device.null
	switch {
	case !s.blocking:
		return nil
	case s != null:
		return []*stream{null}
	}
	var list []*stream
	for _, other := range s.device.streams {
		if other.blocking && other != null {
			list = append(list, other)
		}
	}
	return list
}

// awaited returns the operations that a synchronization with the stream waits for. For the null stream HIP also waits
// for the blocking streams.
func (s *stream) awaited() []*operation {
	streams := []*stream{s}
	if s == s.device.null {
		streams = append(streams, s.legacyOrder()...)
	}
	var list []*operation
	for _, other := range streams {
		if other.last != nil {
			list = append(list, other.last)
		}
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
		close(s.queue)
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
