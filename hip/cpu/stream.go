package cpu

import (
	"slices"

	"roclua/hip/driver"
)

// stream is an ordered queue with a goroutine that works it off.
type stream struct {
	device    *device
	id        int
	slot      int  // its place in clocks; handed on once the stream is destroyed and waited for
	blocking  bool // takes part in the null stream's order
	number    uint64
	clock     clock      // of the last operation
	last      *operation // nil before the first
	queue     chan *operation
	destroyed bool
}

// queueLength bounds the operations that wait in a stream; the host then waits as it does for the queue of a device.
const queueLength = 1024

func (d *device) newStream(id int, blocking bool) *stream {
	s := &stream{device: d, id: id, blocking: blocking, queue: make(chan *operation, queueLength)}
	s.slot, s.number = d.runtime.takeSlot()
	d.streams = append(d.streams, s)
	d.runtime.working.Go(func() {
		for o := range s.queue {
			o.perform()
		}
	})
	return s
}

// enqueue queues work that touches the given memory. What comes before it: the stream's earlier work, everything the
// host has waited for, and for the null stream and the blocking ones each other's work so far.
func (s *stream) enqueue(site driver.Site, uses []use, run func() error, after ...*operation) *operation {
	d := s.device
	s.number++
	d.runtime.serial++
	o := &operation{serial: d.runtime.serial, stream: s, number: s.number, site: site, run: run, done: make(chan struct{})}
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

// push puts an operation into the queue. When that is full for longer than the host may wait, the device is given up.
func (s *stream) push(o *operation) {
	select {
	case s.queue <- o:
		return
	default:
	}
	select {
	case s.queue <- o:
	case <-s.device.runtime.ctx.Done():
		s.device.runtime.givenUp.Store(true)
		close(o.done)
	}
}

// legacyOrder returns the streams whose work so far comes before the stream's next: all blocking ones for the null
// stream, the null stream for those.
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

// awaited returns the operations that a synchronization with the stream waits for. For the null stream HIP waits for
// the blocking streams too.
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
	return s.device.wait(s.awaited()...)
}

// Query looks whether the stream's work is done. When it is, the host counts as having waited for it.
func (s *stream) Query() error {
	if s.destroyed {
		return driver.ErrorInvalidHandle
	}
	list := s.awaited()
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
	if err := s.device.usable(); err != nil {
		return err
	}
	if ev.mark != nil {
		s.enqueue(s.device.runtime.locate(), nil, nil, ev.mark)
	}
	return nil
}

// Destroy ends the stream. Its goroutine finishes what is queued.
func (s *stream) Destroy() error {
	if s.destroyed || s == s.device.null {
		return driver.ErrorInvalidHandle
	}
	s.close()
	return nil
}

func (s *stream) close() {
	s.destroyed = true
	close(s.queue)
}

// reap forgets destroyed streams that the host has waited for and hands their slots on. Only then can no clock still
// have to tell their operations from those of a successor.
func (d *device) reap() {
	d.streams = slices.DeleteFunc(d.streams, func(s *stream) bool {
		if !s.destroyed || s.number > d.runtime.host.at(s.slot) {
			return false
		}
		d.runtime.freeSlots = append(d.runtime.freeSlots, s.slot)
		return true
	})
}
