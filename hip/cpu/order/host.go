package order

import (
	"context"
	"sync"
	"sync/atomic"

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
}

// NewHost returns the host of a new runtime, with one thread.
func NewHost() *Host {
	t := newThread(context.Background())
	return &Host{Thread: t, threads: []*Thread{t}}
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
	wake := h.wake
	return h.suspend(func(stop <-chan struct{}) bool { return o.wait(wake, stop) })
}

// Wait makes the host wait for operations, which then happen before everything that the host does next.
func (h *Host) Wait(list ...*Operation) error {
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
