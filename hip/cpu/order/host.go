package order

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"roclua/hip/driver"
)

// ErrAbandoned is the error of a device after the host abandoned a wait for it.
var ErrAbandoned = driver.Faultf(driver.ErrorLaunchTimeOut,
	"the device was abandoned: the time limit of the case ended while a kernel was running")

// Host is the host of a runtime. Its threads use it, one at a time.
type Host struct {
	*Thread           // the one that uses it now
	threads []*Thread // the first one, and those that NewThread made and Close did not end
	pause   Pause     // nil while there is one thread

	serial    uint64         // operations queued
	nextSlot  int            // slots of the clocks that were ever used
	freeSlots []int          // slots of closed streams
	working   sync.WaitGroup // goroutines of streams
	functions []*function    // that have not run, in the order of queueing
	abandoned atomic.Bool
	opened    time.Time
	time      *Time // nil for the time of the machine
}

// NewHost returns the host of a new runtime, with one thread.
func NewHost() *Host {
	t := newThread(context.Background())
	return &Host{Thread: t, threads: []*Thread{t}, opened: time.Now()}
}

// Abandoned reports whether the host has abandoned a wait. Queued work then no longer starts.
func (h *Host) Abandoned() bool { return h.abandoned.Load() }

// abandon lets the streams continue without the host.
func (h *Host) abandon() {
	h.abandoned.Store(true)
	h.DropFunctions()
	for _, t := range h.threads {
		t.alert()
	}
}

// UnlessAbandoned returns work that is skipped after the device was abandoned.
func (h *Host) UnlessAbandoned(run func() error) func() error {
	return func() error {
		if h.Abandoned() {
			return nil
		}
		return run()
	}
}

// Await makes the host wait until done is closed, or abandons the device when the context ends.
func (h *Host) Await(done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	default:
	}
	if h.Abandoned() {
		return ErrAbandoned
	}
	return h.suspend(func(stop <-chan struct{}) bool {
		select {
		case <-done:
			return true
		case <-stop:
			return false
		}
	})
}

// await makes the host wait for an operation, or abandons the device when the context ends. A running kernel cannot be
// stopped, so it continues with its memory, which no later case uses. Work that is queued after it does not start.
func (h *Host) await(o *Operation) error {
	switch {
	case o.Done():
		return nil
	case h.Abandoned():
		return ErrAbandoned
	}
	return h.suspend(o.wait)
}

// Wait makes the host wait for operations, which then happen before everything that the host does next.
func (h *Host) Wait(list ...*Operation) error {
	if h.time != nil {
		h.time.await(list)
	}
	if err := h.AwaitOperations(list...); err != nil {
		return err
	}
	for _, o := range list {
		h.clock = h.clock.join(o.clock)
	}
	return nil
}

// Conflicts reports whether the host, or the next operation of a stream if one is given, is not ordered after an
// operation, and waits for the operation if so. The clock of the host does not change, so that other hazards are still
// found.
func (h *Host) Conflicts(o *Operation, s *Stream) bool {
	point := h.clock
	if s != nil {
		point = s.nextClock()
	}
	if f := h.running; o.before(point) || f != nil && f.Before(o) {
		return false // the operation is done, or waits for the function that uses the memory now
	}
	h.AwaitOperations(o) // an error means that the case has ended
	return true
}

// Finished returns a channel that is closed when the goroutines of all streams have ended.
func (h *Host) Finished(then func()) <-chan struct{} {
	finished := make(chan struct{})
	go func() {
		h.working.Wait()
		then()
		close(finished)
	}()
	return finished
}

// takeSlot returns a slot of the clocks, and the number of operations that it has already counted.
func (h *Host) takeSlot() (slot int, number uint64) {
	if n := len(h.freeSlots); n > 0 {
		slot = h.freeSlots[n-1]
		h.freeSlots = h.freeSlots[:n-1]
		return slot, h.clock.at(slot)
	}
	h.nextSlot++
	return h.nextSlot - 1, 0
}

// Thread is a thread of the host. It knows which operations it has waited for, and a context bounds its waits.
type Thread struct {
	clock   clock // the work that it has waited for, and its own moments
	moments bool  // it has a slot for moments, slot
	slot    int
	running *function // that it runs now; nil for none
	turn    *turn     // of the goroutine that used it last
	ctx     context.Context
	release func() bool   // ends the alert at the end of ctx; nil while there is one thread
	alerted chan struct{} // gets a value when the thread should look at something else during a wait
}

// Pause runs a wait of the current thread. Other threads use the host meanwhile, and the thread is the current one
// again when Pause returns.
type Pause func(wait func())

func newThread(ctx context.Context) *Thread {
	return &Thread{ctx: ctx, alerted: make(chan struct{}, 1)}
}

// NewThread returns a thread that has waited for the same work as the current thread.
func (h *Host) NewThread(pause Pause) *Thread {
	if h.pause == nil {
		h.pause = pause
		h.SetContext(h.ctx)
	}
	t := newThread(h.ctx)
	t.clock = slices.Clone(h.clock)
	t.release = context.AfterFunc(t.ctx, t.alert)
	h.threads = append(h.threads, t)
	return t
}

// Use makes a thread the current one.
func (h *Host) Use(t *Thread) {
	h.Thread = t
	if h.time != nil {
		t.turn = h.time.current
	}
}

// End ends a thread. The first thread has then waited for the same work. Functions of the thread that have not run
// never run.
func (h *Host) End(t *Thread) {
	t.release()
	h.drop(func(f *function) bool { return f.thread == t })
	h.threads = slices.DeleteFunc(h.threads, func(other *Thread) bool { return other == t })
	first := h.threads[0]
	first.clock = first.clock.join(t.clock)
	if len(h.threads) == 1 {
		h.pause = nil
	}
}

// SetContext bounds the waits of the current thread.
func (h *Host) SetContext(ctx context.Context) {
	h.ctx = ctx
	if h.release != nil {
		h.release()
	}
	if h.pause != nil {
		h.release = context.AfterFunc(ctx, h.alert)
	}
}

// Moment returns the current point of the thread. Work that it queues from now on comes after it. The slot of a thread
// is not used again after the end of the thread.
func (h *Host) Moment() driver.Moment {
	t := h.Thread
	if !t.moments {
		t.slot, _ = h.takeSlot()
		t.moments = true
	}
	n := t.clock.at(t.slot) + 1
	t.clock = t.clock.with(t.slot, n, nil)
	return driver.Moment{Slot: t.slot, Number: n}
}

// Follows reports whether the current thread has waited for work that was queued after a moment.
func (h *Host) Follows(m driver.Moment) bool { return m.Number <= h.clock.at(m.Slot) }

// alert ends the current wait of the thread, or its next one, so that it looks at other events.
func (t *Thread) alert() {
	select {
	case t.alerted <- struct{}{}:
	default:
	}
}

// suspend waits until wait returns true, or abandons the device when the context ends. wait returns false when stop
// yields. Other threads use the host meanwhile, and the thread runs its functions that they wait for.
func (h *Host) suspend(wait func(stop <-chan struct{}) bool) error {
	done := false
	for h.pause != nil && !h.Abandoned() {
		stop := h.alerted
		h.pause(func() { done = wait(stop) })
		switch {
		case done:
			return nil
		case h.ctx.Err() != nil:
			h.abandon()
			return ErrAbandoned
		}
		h.runWanted()
	}
	switch {
	case h.Abandoned():
		return ErrAbandoned
	case wait(h.ctx.Done()):
		return nil
	}
	h.abandon()
	return ErrAbandoned
}

// Settled reports whether all threads have waited for an operation, which then happens before everything that is queued
// from now on.
func (h *Host) Settled(o *Operation) bool {
	for _, t := range h.threads {
		if !o.before(t.clock) {
			return false
		}
	}
	return true
}

// Shared reports whether the host has several threads.
func (h *Host) Shared() bool { return h.pause != nil }

// settle makes operations of a slot up to a number happen before everything that any thread does next.
func (h *Host) settle(slot int, number uint64) {
	for _, t := range h.threads {
		if t.clock.at(slot) < number {
			t.clock = t.clock.with(slot, number, nil)
		}
	}
}

// Faults are the errors of a device's kernels. The first one that is reported stays: from then on the device returns it
// for everything except freeing memory, as HIP does.
type Faults struct {
	host     *Host
	mu       sync.Mutex // streams add while the host reads
	all      []fault
	reported error
}

type fault struct {
	by  *Operation
	err error
}

// add records the error of an operation. An error without a HIP code becomes a launch failure.
func (f *Faults) add(o *Operation, err error) {
	var code driver.Error
	if !errors.As(err, &code) {
		err = driver.Faultf(driver.ErrorLaunchFailure, "%s: %v", o.Site, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, fault{o, err})
}

// Report returns the fault of the device: the earliest one among the operations that the host has waited for. Other
// faults are not reported yet, so that the result does not depend on timing.
func (f *Faults) Report() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.reported != nil {
		return f.reported
	}
	var first *Operation
	for _, m := range f.all {
		if m.by.before(f.host.clock) && (first == nil || m.by.serial < first.serial) {
			first, f.reported = m.by, m.err
		}
	}
	return f.reported
}

// any reports whether an operation before a point has a fault.
func (f *Faults) any(before clock) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.all, func(m fault) bool { return m.by.before(before) })
}

// Known returns the fault that was reported before, if any.
func (f *Faults) Known() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.reported
}
