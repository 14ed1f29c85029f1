package order

import (
	"slices"
	"time"

	"roclua/hip/driver"
)

// Stream is an ordered queue with a goroutine that performs its operations. The host performs brief operations that
// need not wait.
type Stream struct {
	id       int
	group    *Streams
	slot     int // in clocks; reused after the stream is closed and the host has waited for it
	number   uint64
	blocking bool
	closed   bool
	last     *Operation
	done     counter         // the number of the operation that was performed last
	queue    chan *Operation // nil before the first operation that the host does not perform
	queued   uint64          // the number of the latest one
	spare    []Operation     // of the latest chunk, whose length is chunk
	chunk    int

	// The operations whose virtual times are not known: how many there are, and the first one.
	unserved int
	oldest   *Operation
}

// ID returns the number of the stream: 0 for the null stream.
func (s *Stream) ID() int { return s.id }

// Device returns the number of the device of the stream.
func (s *Stream) Device() int { return s.group.device }

// Slot returns the slot of the stream in vector clocks.
func (s *Stream) Slot() int { return s.slot }

// Queued returns the number of the latest operation that was left to the goroutine; 0 for none.
func (s *Stream) Queued() uint64 { return s.queued }

// IsNull reports whether this is the null stream of its device.
func (s *Stream) IsNull() bool { return s == s.group.null }

// Blocking reports whether the stream synchronizes with the null stream.
func (s *Stream) Blocking() bool { return s.blocking }

// Last returns the operation that was queued last; nil for none.
func (s *Stream) Last() *Operation { return s.last }

// Enqueue queues work that uses no device memory; without work it queues a mark. It happens after the stream's earlier
// work, everything that the host has waited for, and, between the null stream and blocking streams, the earlier work of
// the other.
func (s *Stream) Enqueue(site driver.Site, run func() error, after ...*Operation) *Operation {
	o := s.Prepare(site, run, after...)
	s.Push(o)
	return o
}

// EnqueueNothing queues an operation without work. Unlike a mark it has no time.
func (s *Stream) EnqueueNothing(site driver.Site) {
	o := s.Prepare(site, func() error { return nil })
	o.Brief = true
	s.Push(o)
}

// Prepare returns the next operation of the stream. The caller must push it.
func (s *Stream) Prepare(site driver.Site, run func() error, after ...*Operation) *Operation {
	host := s.group.host
	host.makeRoom()
	s.makeRoom()
	s.number++
	host.serial++
	o := s.newOperation()
	o.serial, o.stream, o.number, o.Site, o.run = host.serial, s, s.number, site, run
	o.clock = s.clock().with(s.slot, s.number, o.room[:0]).join(host.clock)
	if host.time != nil {
		host.time.prepare(o)
	}
	for other := range s.legacyOrder {
		if other.last != nil {
			o.follow(other.last)
		}
	}
	for _, earlier := range after {
		o.follow(earlier)
	}
	s.last = o
	return o
}

// follow orders the operation after an earlier one that HIP orders before it.
func (o *Operation) follow(earlier *Operation) {
	o.Follow(earlier)
	if o.stream.group.host.time != nil {
		o.followInTime(earlier)
	}
}

// makeRoom waits until the queue has a place for the next operation. One thread waits in Push. Other threads could
// queue operations in the stream before that.
func (s *Stream) makeRoom() {
	host := s.group.host
	for host.pause != nil && s.queue != nil && s.number >= s.done.number.Load()+QueueLength {
		oldest := s.number + 1 - QueueLength
		if host.suspend(func(stop <-chan struct{}) bool { return s.done.wait(oldest, stop) }) != nil {
			return
		}
	}
}

func (s *Stream) clock() clock {
	if s.last == nil {
		return nil
	}
	return s.last.clock
}

// nextClock returns the clock of the next operation, without the operation itself.
func (s *Stream) nextClock() clock {
	next := s.clock().with(s.slot, s.number, nil).join(s.group.host.clock)
	for other := range s.legacyOrder {
		next = next.join(other.clock())
	}
	return next
}

// Push performs an operation that is brief and possible, and queues any other. If the queue stays full until the host's
// context ends, the device is abandoned.
func (s *Stream) Push(o *Operation) {
	host := s.group.host
	if host.time != nil {
		host.time.add(o)
	}
	if (o.Brief || o.run == nil) && o.possible() {
		o.perform()
		s.done.reach(o.number)
		return
	}
	if s.queue == nil { // most cases that only compute sizes never need it
		s.queue = make(chan *Operation, QueueLength)
		host.working.Go(s.perform)
	}
	s.queued = o.number
	select {
	case s.queue <- o:
		return
	default:
	}
	select {
	case s.queue <- o:
	case <-host.ctx.Done():
		host.abandon()
		o.dropped = true
	}
}

// QueueLength is the capacity of a stream's queue. The host waits when it is full, as for the queue of a real device.
const QueueLength = 1024

// perform performs the queued operations until the queue is closed.
func (s *Stream) perform() {
	for o := range s.queue {
		o.perform()
		s.done.reach(o.number)
	}
}

// The capacities of the first and of the largest chunk of operations. Each chunk has twice the capacity of the one
// before.
const (
	firstOperations = 4
	mostOperations  = 64
)

// newOperation returns a zero operation. Operations are allocated many at once, and are not reused, because events
// and the histories of blocks refer to them.
func (s *Stream) newOperation() *Operation {
	if len(s.spare) == 0 {
		s.chunk = min(max(2*s.chunk, firstOperations), mostOperations)
		s.spare = make([]Operation, s.chunk)
	}
	o := &s.spare[0]
	s.spare = s.spare[1:]
	return o
}

// legacyOrder yields the streams whose earlier work happens before the next work of this one: all blocking streams for
// the null stream, and the null stream for blocking streams.
func (s *Stream) legacyOrder(yield func(*Stream) bool) {
	null := s.group.null
	switch {
	case !s.blocking:
	case s != null:
		yield(null)
	default:
		for _, other := range s.group.list {
			if other.blocking && other != null && !yield(other) {
				return
			}
		}
	}
}

// Pending returns the operations that a synchronization with the stream waits for. For the null stream HIP also waits
// for the blocking streams.
func (s *Stream) Pending() []*Operation {
	var list []*Operation
	add := func(other *Stream) bool {
		if other.last != nil {
			list = append(list, other.last)
		}
		return true
	}
	add(s)
	if s.IsNull() {
		s.legacyOrder(add)
	}
	return list
}

// Close ends the stream. Its goroutine finishes the queued work.
func (s *Stream) Close() {
	s.closed = true
	if s.queue != nil {
		close(s.queue)
	}
}

// Closed reports whether the stream has ended.
func (s *Stream) Closed() bool { return s.closed }

// Streams are the streams of a device, including closed streams that the host has not waited for.
type Streams struct {
	Faults Faults
	Launch time.Duration // that queueing an operation takes in virtual time

	host   *Host
	device int // its number
	null   *Stream
	list   []*Stream
}

// NewStreams returns the streams of a device, whose null stream is the first one that is added.
func NewStreams(host *Host, device int) Streams {
	return Streams{host: host, device: device, Faults: Faults{host: host}}
}

// Add adds a new stream.
func (g *Streams) Add(s *Stream, id int, blocking bool) {
	s.id, s.group, s.blocking = id, g, blocking
	s.slot, s.number = g.host.takeSlot()
	s.done.reach(s.number)
	g.list = append(g.list, s)
	if g.null == nil {
		g.null = s
	}
}

// Last returns the last operation of every stream.
func (g *Streams) Last() []*Operation {
	var list []*Operation
	for _, s := range g.list {
		if s.last != nil {
			list = append(list, s.last)
		}
	}
	return list
}

// Reap removes closed streams that the current thread has waited for and frees their slots. Before that, a clock could
// confuse their operations with operations of a new stream in the same slot. The streams then count as waited for by
// all threads, so that an idle one does not keep them.
func (g *Streams) Reap() {
	g.list = slices.DeleteFunc(g.list, func(s *Stream) bool {
		if !s.closed || s.number > g.host.clock.at(s.slot) {
			return false
		}
		g.host.settle(s.slot, s.number)
		g.host.freeSlots = append(g.host.freeSlots, s.slot)
		return true
	})
}

// Close ends all streams.
func (g *Streams) Close() {
	for _, s := range g.list {
		if !s.closed {
			s.Close()
		}
	}
}

// Operation is a piece of work in a stream. The host fills it in before it is queued. Then it belongs to the goroutine
// of the stream until it is done, unless the host performs it.
type Operation struct {
	Site  driver.Site
	Brief bool // performing it takes less time than queueing it, and is guaranteed to finish

	serial uint64 // among all operations of the runtime, in the order of queueing
	stream *Stream
	number uint64 // in the slot of its stream, from 1
	clock  clock  // the operations before it, including itself

	after []*Operation // operations that it waits for in addition to its predecessor in the stream
	run   func() error // nil for a mark

	dropped bool      // it was not queued, because the device was abandoned
	room    [4]uint64 // for the clock

	end     time.Duration // without virtual time only of a mark
	known   bool          // the end, in virtual time
	*timing               // until it is known
}

// Stream returns the stream of the operation.
func (o *Operation) Stream() *Stream { return o.stream }

// Follow orders the operation after an earlier one, and does not delay it in virtual time. It is called before the
// operation is pushed.
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
func (o *Operation) Finished() time.Duration { return o.end }

// wait waits until the operation is done or stop is closed, and reports whether it is done.
func (o *Operation) wait(stop <-chan struct{}) bool {
	return o.dropped || o.stream.done.wait(o.number, stop)
}

// possible reports whether the operation can be performed now, because everything that it waits for is done.
func (o *Operation) possible() bool {
	return o.stream.done.number.Load() == o.number-1 &&
		!slices.ContainsFunc(o.after, func(earlier *Operation) bool { return !earlier.Done() })
}

// perform waits for the operations that it depends on and runs it. It drops references, so that a long queue does not
// keep all earlier operations in memory.
func (o *Operation) perform() {
	for _, earlier := range o.after {
		earlier.wait(nil)
	}
	if o.run != nil {
		if err := o.run(); err != nil {
			o.stream.group.Faults.add(o, err)
		}
	} else if host := o.stream.group.host; host.time == nil {
		o.end = time.Since(host.opened)
	}
	o.after, o.run = nil, nil
}
