package cpu

import (
	"time"

	"roclua/hip/driver"
)

// operation is one piece of work in a stream. The host fills it in before it is queued; then the stream's goroutine
// owns it until it is ready, or the host performs it.
type operation struct {
	serial uint64 // operations of the runtime in the order of queueing
	stream *stream
	number uint64 // number in its stream's slot, from 1
	clock  clock  // what happens before it, including itself
	site   driver.Site

	after []*operation // what it waits for in addition to its predecessor in the stream
	run   func() error // nil for a mark
	brief bool         // it takes less time than to queue it, and is sure to end

	dropped  bool      // it was not queued, because the device was abandoned
	finished time.Time // of a mark that is ready
	room     [4]uint64 // for the clock
}

// follow orders the operation after an earlier one, before it is queued.
func (o *operation) follow(earlier *operation) {
	o.clock = o.clock.join(earlier.clock)
	if !earlier.ready() {
		o.after = append(o.after, earlier)
	}
}

// before reports whether the operation happens before a point with the clock.
func (o *operation) before(c clock) bool { return o.number <= c.at(o.stream.slot) }

// ready reports whether the operation is done.
func (o *operation) ready() bool { return o.dropped || o.stream.done.number.Load() >= o.number }

// wait waits until the operation is done or stop is closed, and reports whether it is done.
func (o *operation) wait(wake waker, stop <-chan struct{}) bool {
	return o.dropped || o.stream.done.wait(o.number, wake, stop)
}

// perform waits for the operations that it depends on and runs it. It drops references, so that a long queue does not
// keep all earlier operations in memory.
func (o *operation) perform(wake waker) {
	for _, earlier := range o.after {
		earlier.wait(wake, nil)
	}
	if o.run == nil {
		o.finished = time.Now()
	} else if err := o.run(); err != nil {
		o.stream.device.faults.add(o, err)
	}
	o.after, o.run = nil, nil
}
