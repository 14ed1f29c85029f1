package order

import (
	"slices"
	"time"

	"roclua/hip/driver"
)

// Operation is a piece of work in a stream. The host fills it in before it is queued. Then it belongs to the goroutine
// of the stream until it is done, unless the host performs it.
type Operation struct {
	Site  driver.Site
	Brief bool // performing it takes less time than queueing it, and is guaranteed to finish

	serial uint64 // among all operations of the runtime, in the order of queueing
	stream *Stream
	number uint64 // in the slot of its stream, from 1
	clock  clock  // what happens before it, including itself

	after []*Operation // what it waits for in addition to its predecessor in the stream
	run   func() error // nil for a mark

	dropped  bool      // it was not queued, because the device was abandoned
	finished time.Time // of a mark that is done
	room     [4]uint64 // for the clock
}

// Stream returns the stream of the operation.
func (o *Operation) Stream() *Stream { return o.stream }

// Follow orders the operation after an earlier one. It is called before the operation is pushed.
func (o *Operation) Follow(earlier *Operation) {
	o.clock = o.clock.join(earlier.clock)
	if !earlier.Done() {
		o.after = append(o.after, earlier)
	}
}

// Before reports whether the operation happens before another one.
func (o *Operation) Before(later *Operation) bool { return o.before(later.clock) }

// Awaited reports whether the current thread has waited for the operation, which then happens before everything that
// the thread queues from now on.
func (o *Operation) Awaited() bool { return o.before(o.stream.group.host.clock) }

func (o *Operation) before(c clock) bool { return o.number <= c.at(o.stream.slot) }

// Done reports whether the operation was performed, or never will be.
func (o *Operation) Done() bool { return o.dropped || o.stream.done.number.Load() >= o.number }

// Dropped reports whether the operation was not queued, because the device was abandoned.
func (o *Operation) Dropped() bool { return o.dropped }

// Finished returns when the stream reached a mark that is done.
func (o *Operation) Finished() time.Time { return o.finished }

// wait waits until the operation is done or stop is closed, and reports whether it is done.
func (o *Operation) wait(wake waker, stop <-chan struct{}) bool {
	return o.dropped || o.stream.done.wait(o.number, wake, stop)
}

// possible reports whether the operation can be performed now, because everything that it waits for is done.
func (o *Operation) possible() bool {
	return o.stream.done.number.Load() == o.number-1 &&
		!slices.ContainsFunc(o.after, func(earlier *Operation) bool { return !earlier.Done() })
}

// perform waits for the operations that it depends on and runs it. It drops references, so that a long queue does not
// keep all earlier operations in memory.
func (o *Operation) perform(wake waker) {
	for _, earlier := range o.after {
		earlier.wait(wake, nil)
	}
	if o.run == nil {
		o.finished = time.Now()
	} else if err := o.run(); err != nil {
		o.stream.group.Faults.add(o, err)
	}
	o.after, o.run = nil, nil
}
