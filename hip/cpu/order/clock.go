// Package order runs the operations of simulated devices in the order that HIP defines. Each stream performs its
// operations in the order of queueing, and vector clocks record the happens-before order of all operations of a
// runtime: the work that a stream, an event or the host has waited for. The package is independent of memory and
// captures.
package order

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// clock is a vector clock: for each slot of a stream, how many of its operations happen before a point of the program.
// An operation happens before a point if the clock of the point has reached the number of the operation.
type clock []uint64

// at returns how many operations of a slot happen before the point.
func (c clock) at(slot int) uint64 {
	if slot < len(c) {
		return c[slot]
	}
	return 0
}

// join returns the least clock that includes both clocks. It may overwrite the receiver, but not the argument.
func (c clock) join(o clock) clock {
	for len(c) < len(o) {
		c = append(c, 0)
	}
	for i, n := range o {
		c[i] = max(c[i], n)
	}
	return c
}

// with returns a copy that has reached operation n of a slot. The copy uses room if it is large enough.
func (c clock) with(slot int, n uint64, room clock) clock {
	out := append(room[:0], c...)
	for len(out) <= slot {
		out = append(out, 0)
	}
	out[slot] = n
	return out
}

// counter is a number that only grows; goroutines can wait until it reaches a value. One goroutine changes it. While no
// goroutine waits for the new number, a change takes two atomic operations.
type counter struct {
	number  atomic.Uint64
	awaited atomic.Uint64 // the least number that a goroutine waits for, plus 1; 0 for none
	mu      sync.Mutex
	waiters []waiter
}

// waiter is a goroutine that waits for a number.
type waiter struct {
	number uint64
	wake   waker
}

// waker wakes one goroutine, which uses it for all of its waits. A goroutine that stopped waiting can be woken later,
// so it checks its condition.
type waker chan struct{}

func newWaker() waker { return make(waker, 1) }

func (c *counter) reach(n uint64) {
	c.number.Store(n)
	if awaited := c.awaited.Load(); awaited == 0 || awaited > n+1 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.waiters {
		if w.number <= n {
			select {
			case w.wake <- struct{}{}:
			default: // it was woken before
			}
		}
	}
}

// wait waits until the counter reaches a number or stop is closed, and reports whether it has reached the number.
func (c *counter) wait(n uint64, wake waker, stop <-chan struct{}) bool {
	if c.number.Load() >= n {
		return true
	}
	c.change(func() { c.waiters = append(c.waiters, waiter{n, wake}) })
	defer c.change(func() {
		c.waiters = slices.DeleteFunc(c.waiters, func(w waiter) bool { return w.wake == wake })
	})
	for c.number.Load() < n {
		select {
		case <-wake:
		case <-stop:
			return c.number.Load() >= n
		}
	}
	return true
}

// change changes the list of waiters.
func (c *counter) change(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do()
	least := uint64(math.MaxUint64)
	for _, w := range c.waiters {
		least = min(least, w.number)
	}
	c.awaited.Store(least + 1)
}
