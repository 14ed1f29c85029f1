//go:build unix

package worker

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestLargeReplies has several queues with large records. Only one of them has its record at once, until its next
// call.
func TestLargeReplies(t *testing.T) {
	pool, _ := newPool(t)
	const n = 3
	var queues [n]*Queue
	for i := range queues {
		queues[i] = pool.NewQueue(nil)
		for range 2 {
			large := job(64)
			large.Source = []byte(`print(("x"):rep(2^21))`)
			queues[i].Send(large)
		}
	}
	var held, most atomic.Int32
	var all sync.WaitGroup
	for _, q := range queues {
		all.Go(func() {
			defer q.Close()
			for range 2 {
				if r := q.Next(t.Context()); len(r.Log) != 1<<21+1 {
					t.Errorf("a log of %d bytes, %v", len(r.Log), r.End)
				}
				if now := held.Add(1); now > most.Load() {
					most.Store(now)
				}
				time.Sleep(50 * time.Millisecond)
				held.Add(-1)
			}
		})
	}
	all.Wait()
	if most.Load() != 1 {
		t.Errorf("%d records at once", most.Load())
	}
}

// TestLargeRepliesOfInterruptedJobs ends the context while a queue waits for another one with a large record.
func TestLargeRepliesOfInterruptedJobs(t *testing.T) {
	pool, _ := newPool(t)
	first, second := pool.NewQueue(nil), pool.NewQueue(nil)
	large := job(64)
	large.Source = []byte(`print(("x"):rep(2^21))`)
	first.Send(large)
	second.Send(large)
	first.Next(t.Context())
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		second.Next(ctx)
		second.Close()
	}()
	<-ctx.Done()
	first.Close()
	<-done
}
