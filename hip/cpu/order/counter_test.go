package order

import (
	"sync"
	"testing"
	"time"
)

// TestCounter lets goroutines wait for every number that another goroutine counts to.
func TestCounter(t *testing.T) {
	const last = 2000
	var c counter
	var waiting sync.WaitGroup
	for step := uint64(1); step <= 4; step++ {
		waiting.Go(func() {
			wake := newWaker()
			for n := step; n <= last; n += step {
				if !c.wait(n, wake, nil) || c.number.Load() < n {
					t.Errorf("the wait for %d ends at %d", n, c.number.Load())
				}
			}
		})
	}
	for n := uint64(1); n <= last; n++ {
		c.reach(n)
	}
	waiting.Wait()
	if len(c.waiters) != 0 || c.awaited.Load() != 0 {
		t.Errorf("%d goroutines are left, for %d", len(c.waiters), c.awaited.Load())
	}
}

// TestCounterStops ends a wait by its channel, after which the same waker waits for another number.
func TestCounterStops(t *testing.T) {
	var c counter
	wake, stop := newWaker(), make(chan struct{})
	time.AfterFunc(time.Millisecond, func() { close(stop) })
	if c.wait(1, wake, stop) {
		t.Error("the counter has not reached the number")
	}
	c.reach(1)
	if !c.wait(1, wake, stop) {
		t.Error("the counter has reached the number")
	}
	time.AfterFunc(time.Millisecond, func() { c.reach(2) })
	if !c.wait(2, wake, nil) {
		t.Error("the wait ended too early")
	}
}
