package cpu

import (
	"time"

	"roclua/hip/driver"
)

// operation is one piece of work in a stream. The host fills it before it is queued; the stream's goroutine then owns
// it until done is closed.
type operation struct {
	serial uint64 // operations of the runtime in the order of queueing
	stream *stream
	number uint64 // place in its stream's slot, from 1
	clock  clock  // what comes before it, itself included
	site   driver.Site

	after []*operation // what it waits for besides its predecessor in the stream
	run   func() error // nil for a mark

	done     chan struct{}
	finished time.Time // valid once done is closed
}

// before reports whether the operation comes before everything that has reached the clock.
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

// perform waits for what the operation depends on and does it. References are dropped so that a long queue does not
// keep the whole past alive.
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
