package recording

import (
	"io"
	"iter"
	"slices"
	"time"
)

// Calls returns the calls of all threads that were made outside of other calls, in the order of their starts. The calls
// made inside of a call are in Inside. Only the calls that are returned next are in memory.
func (f *File) Calls() iter.Seq[*Call] {
	return func(yield func(*Call) bool) {
		var slots []*slot
		for _, chunks := range f.slots {
			s := &slot{file: f, chunks: chunks}
			if s.advance() {
				slots = append(slots, s)
			}
		}
		for len(slots) > 0 {
			first := 0
			for i, s := range slots {
				if s.next.Start < slots[first].next.Start {
					first = i
				}
			}
			call := slots[first].next
			if !slots[first].advance() {
				slots = slices.Delete(slots, first, first+1)
			}
			if !yield(call) {
				return
			}
		}
	}
}

// slot reads the calls of threads that ran in turn.
type slot struct {
	file   *File
	thread int     // the thread of the latest call
	chunks []chunk // that are not read yet
	reader decoder // of the current chunk
	inside [][]*Call
	ready  []*Call // outermost calls that were read
	next   *Call
}

// advance reads the next outermost call. It reports whether there is one.
func (s *slot) advance() bool {
	for len(s.ready) == 0 {
		call, depth, ok := s.read()
		if !ok || call.Thread != s.thread {
			s.unfinished()
		}
		if !ok {
			break
		}
		s.thread = call.Thread
		s.add(call, depth)
	}
	if len(s.ready) == 0 {
		s.next = nil
		return false
	}
	s.next, s.ready = s.ready[0], s.ready[1:]
	return true
}

// mostDepth is the depth of calls inside calls that is kept apart. The recorder makes less.
const mostDepth = 8

// add places a call that ended: the calls that are deeper and not placed yet were made inside it.
func (s *slot) add(call *Call, depth int) {
	depth = min(depth, mostDepth)
	for len(s.inside) <= depth+1 {
		s.inside = append(s.inside, nil)
	}
	for d := len(s.inside) - 1; d > depth; d-- {
		call.Inside = append(call.Inside, s.inside[d]...)
		s.inside[d] = nil
	}
	if depth == 0 {
		s.ready = append(s.ready, call)
	} else {
		s.inside[depth] = append(s.inside[depth], call)
	}
}

// unfinished returns the calls that were made inside of one that did not end.
func (s *slot) unfinished() {
	for d, calls := range s.inside {
		for _, call := range calls {
			call.Unfinished = true
		}
		s.ready, s.inside[d] = append(s.ready, calls...), nil
	}
}

func (s *slot) read() (call *Call, depth int, ok bool) {
	for {
		if call, depth, ok = s.reader.call(); ok {
			call.Start = s.file.since(s.reader.clock - s.reader.took)
			call.End = s.file.since(s.reader.clock)
			return call, depth, true
		}
		if s.reader.damaged {
			s.file.problem(s.reader.offset+int64(s.reader.begin), "the rest of a part of 64 KiB is damaged")
		}
		if len(s.chunks) == 0 {
			return nil, 0, false
		}
		c := s.chunks[0]
		s.chunks = s.chunks[1:]
		s.reader = s.file.decoder(c)
	}
}

func (f *File) decoder(c chunk) decoder {
	body := make([]byte, c.used)
	if n, err := f.data.ReadAt(body, c.offset); err != nil && err != io.EOF {
		f.problem(c.offset, err.Error())
		body = body[:n]
	}
	return decoder{version: f.version, offset: c.offset, thread: c.thread, data: body,
		at: min(f.chunkHeader(), len(body)), clock: c.clock, functions: map[uint64]*Function{},
		shapes: map[uint64]*shape{}}
}

// since converts a time of the recorder's clock.
func (f *File) since(clock uint64) time.Duration { return time.Duration(clock - f.Process.clock) }
