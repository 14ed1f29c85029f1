package recording

import (
	"container/heap"
	"io"
	"iter"
	"time"
)

// Calls returns the calls of all threads that were made outside of other calls, in the order of their starts. The calls
// made inside of a call are in Inside. Only the calls that are returned next are in memory.
func (f *File) Calls() iter.Seq[*Call] {
	return func(yield func(*Call) bool) {
		var threads threadHeap
		for i, chunks := range f.threads {
			t := &thread{file: f, number: i + 1, chunks: chunks}
			if t.advance() {
				threads = append(threads, t)
			}
		}
		heap.Init(&threads)
		for len(threads) > 0 {
			t := threads[0]
			call := t.next
			if t.advance() {
				heap.Fix(&threads, 0)
			} else {
				heap.Pop(&threads)
			}
			if !yield(call) {
				return
			}
		}
	}
}

// thread reads the calls of one thread.
type thread struct {
	file   *File
	number int
	chunks []chunk // that are not read yet
	reader decoder // of the current chunk
	inside [][]*Call
	ready  []*Call // outermost calls that were read
	next   *Call
}

// advance reads the next outermost call. It reports whether there is one.
func (t *thread) advance() bool {
	for len(t.ready) == 0 {
		call, depth, ok := t.read()
		if !ok {
			t.unfinished()
			break
		}
		t.add(call, depth)
	}
	if len(t.ready) == 0 {
		t.next = nil
		return false
	}
	t.next, t.ready = t.ready[0], t.ready[1:]
	return true
}

// mostDepth is the depth of calls inside calls that is kept apart. The recorder makes less.
const mostDepth = 8

// add places a call that ended: the calls that are deeper and not placed yet were made inside it.
func (t *thread) add(call *Call, depth int) {
	depth = min(depth, mostDepth)
	for len(t.inside) <= depth+1 {
		t.inside = append(t.inside, nil)
	}
	for d := len(t.inside) - 1; d > depth; d-- {
		call.Inside = append(call.Inside, t.inside[d]...)
		t.inside[d] = nil
	}
	if depth == 0 {
		t.ready = append(t.ready, call)
	} else {
		t.inside[depth] = append(t.inside[depth], call)
	}
}

// unfinished returns the calls that were made inside of one that did not end.
func (t *thread) unfinished() {
	for d, calls := range t.inside {
		for _, call := range calls {
			call.Unfinished = true
		}
		t.ready, t.inside[d] = append(t.ready, calls...), nil
	}
}

// read reads the next call of the thread.
func (t *thread) read() (call *Call, depth int, ok bool) {
	for {
		if call, depth, ok = t.reader.call(); ok {
			call.Thread = t.number
			call.Start = t.since(t.reader.clock - t.reader.took)
			call.End = t.since(t.reader.clock)
			return call, depth, true
		}
		if t.reader.damaged {
			t.file.problem(t.reader.offset+int64(t.reader.begin), "the rest of a part of 64 KiB is damaged")
		}
		if len(t.chunks) == 0 {
			return nil, 0, false
		}
		c := t.chunks[0]
		t.chunks = t.chunks[1:]
		body := make([]byte, c.used)
		if n, err := t.file.data.ReadAt(body, c.offset); err != nil && err != io.EOF {
			t.file.problem(c.offset, err.Error())
			body = body[:n]
		}
		t.reader = decoder{offset: c.offset, data: body, at: min(ChunkHeader, len(body)), clock: c.clock,
			functions: map[uint64]*Function{}, shapes: map[uint64]*shape{}}
	}
}

// since converts a time of the recorder's clock.
func (t *thread) since(clock uint64) time.Duration {
	return time.Duration(clock - t.file.Process.clock)
}

// threadHeap orders threads by their next calls.
type threadHeap []*thread

func (h threadHeap) Len() int           { return len(h) }
func (h threadHeap) Less(i, j int) bool { return h[i].next.Start < h[j].next.Start }
func (h threadHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *threadHeap) Push(x any)        { *h = append(*h, x.(*thread)) }
func (h *threadHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
