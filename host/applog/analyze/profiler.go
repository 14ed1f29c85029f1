package analyze

import (
	"bytes"
	"cmp"
	"slices"

	"roclua/hip/routine"
	"roclua/host/applog/lines"
)

// mostRows bounds the ranges, memory calls and allocations kept from a profiler's files.
const mostRows = 1_000_000

// profiled is the content of a profiler's files.
type profiled struct {
	ranges      []span
	calls       []memoryCall
	allocations []lines.Row
	hip         bool // there are calls of HIP
	dropped     bool // there were more rows than mostRows
}

// thread is a thread of a process.
type thread struct{ process, thread int64 }

// span is the range of a call of rocBLAS on a thread.
type span struct {
	thread
	start, end int64
	name       string
	call       *Call // nil if unlisted
	file       int
	line       int64
}

// memoryCall is a call of hipMalloc, hipFree or hipMallocAsync.
type memoryCall struct {
	thread
	start, end, correlation int64
	function                memoryFunction
}

type memoryFunction uint8

const (
	hipFree memoryFunction = iota
	hipMalloc
	hipMallocAsync
)

var memoryFunctions = map[string]memoryFunction{"hipFree": hipFree, "hipMalloc": hipMalloc,
	"hipMallocAsync": hipMallocAsync}

// add keeps a row of HIP calls or allocations that may be part of a growth.
func (p *profiled) add(piece lines.Piece) {
	row, ok := lines.ReadRow(piece)
	if !ok {
		return
	}
	if piece.Kind == lines.Allocation {
		if bytes.HasSuffix(row.Name, []byte("ALLOCATION_ALLOCATE")) && p.room(len(p.allocations)) {
			row.Name = nil
			p.allocations = append(p.allocations, row)
		}
		return
	}
	p.hip = true
	if f, ok := memoryFunctions[string(row.Name)]; ok && p.room(len(p.calls)) {
		p.calls = append(p.calls, memoryCall{thread{row.Process, row.Thread}, row.Start, row.End, row.Correlation, f})
	}
}

func (p *profiled) room(n int) bool {
	p.dropped = p.dropped || n >= mostRows
	return n < mostRows
}

// seen finds the growths in the ranges of calls; nil if there are no ranges or no calls of HIP.
func (p *profiled) seen() *Seen {
	if len(p.ranges) == 0 || !p.hip {
		return nil
	}
	slices.SortFunc(p.allocations, func(a, b lines.Row) int { return cmp.Compare(a.Start, b.Start) })
	slices.SortStableFunc(p.calls, func(a, b memoryCall) int { return cmp.Compare(a.start, b.start) })
	// Of two ranges with the same start, the outer comes first.
	slices.SortStableFunc(p.ranges, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	ranges, calls := map[thread][]span{}, map[thread][]memoryCall{}
	for _, s := range p.ranges {
		ranges[s.thread] = append(ranges[s.thread], s)
	}
	for _, c := range p.calls {
		calls[c.thread] = append(calls[c.thread], c)
	}
	s := &Seen{}
	for t, list := range calls {
		p.onThread(s, ranges[t], list)
	}
	slices.SortFunc(s.Growths, func(a, b SeenGrowth) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Nanoseconds, b.Nanoseconds))
	})
	return s
}

// onThread finds the growths of one thread. Ranges and calls are sorted by start time.
func (p *profiled) onThread(s *Seen, ranges []span, calls []memoryCall) {
	var open []*span // nested ranges, the innermost last
	for i, c := range calls {
		for len(ranges) > 0 && ranges[0].start <= c.start {
			open = append(until(open, ranges[0].start), &ranges[0])
			ranges = ranges[1:]
		}
		if open = until(open, c.start); len(open) == 0 {
			continue
		}
		in := open[len(open)-1]
		switch {
		case c.function == hipMallocAsync:
			s.Async++
		case c.function == hipMalloc && i > 0 && calls[i-1].function == hipFree && calls[i-1].start >= in.start:
			s.Growths = append(s.Growths, SeenGrowth{File: in.file, Line: in.line, Name: in.name, Call: in.call,
				Process: c.process, Thread: c.thread.thread, Bytes: p.allocated(&c),
				Nanoseconds: c.end - calls[i-1].start})
		}
	}
}

// until returns the ranges still open at a time.
func until(open []*span, time int64) []*span {
	for len(open) > 0 && open[len(open)-1].end < time {
		open = open[:len(open)-1]
	}
	return open
}

// allocated returns the bytes that a call of hipMalloc allocated: from the allocation within it that has its number, or
// else from the only allocation within it; 0 if there is none.
func (p *profiled) allocated(c *memoryCall) (size uint64) {
	first, _ := slices.BinarySearchFunc(p.allocations, c.start, func(a lines.Row, start int64) int {
		return cmp.Compare(a.Start, start)
	})
	n := 0
	for _, a := range p.allocations[first:] {
		switch {
		case a.Start > c.end:
			return size
		case a.End > c.end:
			continue
		case a.Correlation == c.correlation:
			return a.Bytes
		}
		if n++; n > 1 {
			size = 0
		} else {
			size = a.Bytes
		}
	}
	return size
}

// compare matches the profiler's growths with predicted ones by call and size. Calls of rocSOLVER have no ranges.
func (s *Seen) compare(predicted []Growth) (c Compared) {
	left := map[*Call][]SeenGrowth{}
	for _, g := range s.Growths {
		left[g.Call] = append(left[g.Call], g)
	}
	for _, g := range predicted {
		i := slices.IndexFunc(left[g.Call], func(s SeenGrowth) bool { return sameSize(s.Bytes, g.To) })
		switch {
		case i >= 0:
			c.Both++
			left[g.Call] = slices.Delete(left[g.Call], i, i+1)
		case g.Call.Routine.Library == routine.RocBLAS:
			c.NotSeen = append(c.NotSeen, g)
		}
	}
	for _, g := range s.Growths {
		if list := left[g.Call]; len(list) > 0 && list[0] == g {
			c.NotPredicted = append(c.NotPredicted, g)
			left[g.Call] = list[1:]
		}
	}
	return c
}

// sameSize reports whether an allocation in the profile can have the given size. Its own size may be unknown, or
// rounded up to a page.
func sameSize(seen, bytes uint64) bool {
	return seen == 0 || seen == bytes || seen == roundUp(bytes, 4<<10) || seen == roundUp(bytes, 2<<20)
}

func roundUp(n, to uint64) uint64 { return (n + to - 1) / to * to }
