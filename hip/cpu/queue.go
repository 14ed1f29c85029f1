package cpu

// queueLength is the capacity of a stream's queue. The host waits when it is full, as for the queue of a real device.
const queueLength = 1024

// queue is a queue of operations from the host to the goroutine of a stream. Operations have consecutive numbers.
type queue struct {
	places [queueLength]*operation // by number, modulo the length
	added  counter                 // the number of the operation that was added last
	done   counter                 // the number of the operation that was performed last
	ended  chan struct{}           // closed after the last operation was added
	wake   waker                   // of the goroutine
}

// newQueue returns a queue after operation n.
func newQueue(n uint64) *queue {
	q := &queue{ended: make(chan struct{}), wake: newWaker()}
	q.added.reach(n)
	q.done.reach(n)
	return q
}

// add adds an operation. It waits while the queue is full. If stop is closed meanwhile, it returns false, and the
// operation is not performed.
func (q *queue) add(o *operation, wake waker, stop <-chan struct{}) bool {
	if o.number > queueLength && !q.done.wait(o.number-queueLength, wake, stop) {
		return false
	}
	q.places[o.number%queueLength] = o
	q.added.reach(o.number)
	return true
}

// perform performs operations until the queue has ended. It skips those that were not added, whose places are empty.
func (q *queue) perform() {
	for n := q.done.number.Load() + 1; q.added.wait(n, q.wake, q.ended); n++ {
		place := &q.places[n%queueLength]
		if o := *place; o != nil {
			*place = nil
			o.perform(q.wake)
		}
		q.done.reach(n)
	}
}
