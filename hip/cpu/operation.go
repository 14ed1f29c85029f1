package cpu

import (
	"time"

	"roclua/hip/driver"
)

// operation is one piece of work in a stream. The host fills it in before it is queued; then the stream's goroutine
// owns it until done is closed.
type operation struct {
	serial uint64 // operations of the runtime in the order of queueing
	stream *stream
	number uint64 // number in its stream's slot, from 1
	clock  clock  // what happens before it, including itself
	site   driver.Site

	after []*operation // what it waits for in addition to its predecessor in the stream
	run   func() error // nil for a mark

	done     chan struct{}
	finished time.Time // valid once done is closed
}

// before reports whether the operation happens before a point with the clock.
func (o *operation) before(c clock) bool { return o.number <= c.at(o.stream.slot) }

// ready reports whether the operation is done.
func (o *operation) ready() bool {
	select {
	case <-o.done:
		return true
	default:
		return false
	}
}

// perform waits for the operations that it depends on and runs it. It drops references, so that a long queue does not
// keep all earlier operations in memory.
func (o *operation) perform() {
	for _, earlier := range o.after {
		<-earlier.done
	}
	if o.run != nil {
		if err := o.run(); err != nil {
			o.stream.device.faults.add(o, err)
		}
	}
	o.after, o.run = nil, nil
	o.finished = time.Now()
	close(o.done)
}
