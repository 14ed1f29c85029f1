package trace

// entries is a list that keeps its latest entries: when it has historyLimit of them, it drops the older half. It is in
// chunks, so that adding an entry neither copies the others nor moves them.
type entries[T any] struct {
	chunks [][]T
	n      int
}

// The capacities of the first and of the largest chunk. Each chunk has twice the capacity of the one before.
const (
	firstChunk   = 8
	largestChunk = 1 << 12
)

// add appends an entry and returns its place, where it stays, and how many of the oldest entries it dropped.
func (e *entries[T]) add(entry T) (place *T, dropped int) {
	place, dropped = e.next()
	*place = entry
	return place, dropped
}

// next is add for an entry that is zero.
func (e *entries[T]) next() (place *T, dropped int) {
	if e.n == historyLimit {
		dropped = historyLimit / 2
		e.drop(dropped)
	}
	last := len(e.chunks) - 1
	if last < 0 || len(e.chunks[last]) == cap(e.chunks[last]) {
		e.chunks = append(e.chunks, make([]T, 0, min(firstChunk<<min(len(e.chunks), 16), largestChunk)))
		last++
	}
	n := len(e.chunks[last])
	e.chunks[last] = e.chunks[last][:n+1]
	e.n++
	return &e.chunks[last][n], dropped
}

// drop removes the oldest entries. n is less than the length of the list.
func (e *entries[T]) drop(n int) {
	e.n -= n
	i := 0
	for ; n >= len(e.chunks[i]); i++ {
		n -= len(e.chunks[i])
	}
	e.chunks = append(e.chunks[:0:0], e.chunks[i:]...)
	e.chunks[0] = e.chunks[0][n:]
}

// removeLast removes the entry that was added last.
func (e *entries[T]) removeLast() {
	last := &e.chunks[len(e.chunks)-1]
	n := len(*last) - 1
	clear((*last)[n:])
	*last = (*last)[:n]
	e.n--
}

// from returns a copy of the entries from index i on.
func (e *entries[T]) from(i int) []T {
	if i >= e.n {
		return nil
	}
	list := make([]T, 0, e.n-i)
	for _, chunk := range e.chunks {
		list = append(list, chunk[min(i, len(chunk)):]...)
		i = max(0, i-len(chunk))
	}
	return list
}
