package order

import (
	"context"
	"slices"

	"roclua/hip/driver"
)

// Thread is a thread of the host. It knows which operations it has waited for, and a context bounds its waits.
type Thread struct {
	clock   clock // what it has waited for, and its own moments
	moments bool  // it has a slot for moments, slot
	slot    int
	running *function // that it runs now; nil for none
	ctx     context.Context
	release func() bool // ends the alert at the end of ctx; nil while there is one thread
	wake    waker
	alerted chan struct{} // gets a value when the thread should look at something else during a wait
}

// Pause runs a wait of the current thread. Other threads use the host meanwhile, and the thread is the current one
// again when Pause returns.
type Pause func(wait func())

func newThread(ctx context.Context) *Thread {
	return &Thread{ctx: ctx, wake: newWaker(), alerted: make(chan struct{}, 1)}
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
func (h *Host) Use(t *Thread) { h.Thread = t }

// End ends a thread. The first thread has then waited for what the thread has waited for. Functions of the thread that
// have not run never run.
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

// Moment returns what the current thread has done so far. Work that it queues from now on comes after the moment. The
// slot of a thread is not used again after the end of the thread.
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

// alert ends the current wait of the thread, or its next one, so that it looks at what happened.
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
