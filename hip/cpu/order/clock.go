// Package order runs the operations of simulated devices in the order that HIP defines. Each stream performs its
// operations in the order of queueing, and vector clocks record the happens-before order of all operations of a
// runtime: the work that a stream, an event or the host has waited for. The package is independent of memory and
// captures.
package order

import (
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
	awaited atomic.Uint64 // the least number that a goroutine waits for; 0 for none
	mu      sync.Mutex
	reached chan struct{} // closed when the counter reaches the awaited number; nil for none
}

func (c *counter) reach(n uint64) {
	c.number.Store(n)
	if awaited := c.awaited.Load(); awaited == 0 || awaited > n {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.awaited.Store(0)
	if c.reached != nil {
		close(c.reached)
		c.reached = nil
	}
}

// wait waits until the counter reaches a number or stop is closed, and reports whether it has reached the number.
func (c *counter) wait(n uint64, stop <-chan struct{}) bool {
	for c.number.Load() < n {
		reached := c.await(n)
		if c.number.Load() >= n {
			break
		}
		select {
		case <-reached:
		case <-stop:
			return c.number.Load() >= n
		}
	}
	return true
}

// await returns a channel that is closed when the counter reaches a number, or a smaller one that another goroutine
// awaits.
func (c *counter) await(n uint64) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reached == nil {
		c.reached = make(chan struct{})
	}
	if awaited := c.awaited.Load(); awaited == 0 || awaited > n {
		c.awaited.Store(n)
	}
	return c.reached
}
