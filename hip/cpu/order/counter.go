package order

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

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
// so it checks what it waits for.
type waker chan struct{}

func newWaker() waker { return make(waker, 1) }

// reach sets the number.
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
