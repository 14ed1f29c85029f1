package order

import "testing"

// TestQueueLength fills a queue. It has room for another operation when the first one is done.
func TestQueueLength(t *testing.T) {
	var done counter
	q, ended := newQueue(&done), make(chan struct{})
	close(ended)
	for n := range uint64(QueueLength) {
		if !q.add(&Operation{number: n + 1}, ended) {
			t.Fatalf("no room for operation %d", n+1)
		}
	}
	next := &Operation{number: QueueLength + 1}
	if q.add(next, ended) || q.places[1].number != 1 {
		t.Error("an operation replaces one that is not done")
	}
	done.reach(1)
	if !q.add(next, ended) || q.places[1] != next {
		t.Error("no room after the first operation")
	}
}
