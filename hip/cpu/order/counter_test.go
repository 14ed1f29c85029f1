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
			for n := step; n <= last; n += step {
				if !c.wait(n, nil) || c.number.Load() < n {
					t.Errorf("the wait for %d ends at %d", n, c.number.Load())
				}
			}
		})
	}
	for n := uint64(1); n <= last; n++ {
		c.reach(n)
	}
	waiting.Wait()
	if c.reached != nil || c.awaited.Load() != 0 {
		t.Errorf("a goroutine waits for %d", c.awaited.Load())
	}
}

// TestCounterStops ends a wait by its channel, after which the same goroutine waits for another number.
func TestCounterStops(t *testing.T) {
	var c counter
	stop := make(chan struct{})
	time.AfterFunc(time.Millisecond, func() { close(stop) })
	if c.wait(1, stop) {
		t.Error("the counter has not reached the number")
	}
	c.reach(1)
	if !c.wait(1, stop) {
		t.Error("the counter has reached the number")
	}
	time.AfterFunc(time.Millisecond, func() { c.reach(2) })
	if !c.wait(2, nil) {
		t.Error("the wait ended too early")
	}
}
