package order

// QueueLength is the capacity of a stream's queue. The host waits when it is full, as for the queue of a real device.
const QueueLength = 1024

// queue is a queue of operations from the host to the goroutine of a stream. Operations have consecutive numbers. The
// host may perform some of them itself, which it then does not add.
type queue struct {
	places [QueueLength]*Operation // by number, modulo the length
	added  counter                 // the number of the operation that was added last
	done   *counter                // the number of the operation that was performed last
	ended  chan struct{}           // closed after the last operation was added
	wake   waker                   // of the goroutine
}

// newQueue returns a queue of the operations that are not done yet.
func newQueue(done *counter) *queue {
	q := &queue{done: done, ended: make(chan struct{}), wake: newWaker()}
	q.added.reach(done.number.Load())
	return q
}

// add adds an operation. It waits while the queue is full. If stop is closed meanwhile, it returns false, and the
// operation is not performed.
func (q *queue) add(o *Operation, wake waker, stop <-chan struct{}) bool {
	if o.number > QueueLength && !q.done.wait(o.number-QueueLength, wake, stop) {
		return false
	}
	q.places[o.number%QueueLength] = o
	q.added.reach(o.number)
	return true
}

// perform performs operations until the queue has ended. It skips operations that were not added: their places are
// empty.
func (q *queue) perform() {
	for q.added.wait(q.next(), q.wake, q.ended) {
		n := q.next() // after what the host performed during the wait
		place := &q.places[n%QueueLength]
		if o := *place; o != nil {
			*place = nil
			o.perform(q.wake)
		}
		q.done.reach(n)
	}
}

// next returns the number of the operation that is to be performed next.
func (q *queue) next() uint64 { return q.done.number.Load() + 1 }
