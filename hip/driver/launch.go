package driver

import (
	"strings"
	"time"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Launch is one routine call to be executed on the device.
type Launch struct {
	Args     *routine.Args
	Work     []Work // workspace of the call, one element for each buffer of the size rule; empty ones are null
	Result   Ptr    // where a reduction in host pointer mode stores its results, contiguously
	OnDevice bool   // device pointer mode: alpha, beta and results are device addresses in Args
	Degraded bool   // Work is the smaller set of buffers of a routine that has one
	Handle   int    // the number of the handle of the call in the runtime; 0 for none
	Repeated bool   // in virtual time: a call before has computed it, and it only takes its time

	// FailedBytes is the size of the stream-ordered allocation of Work if it failed. The library does not notice: its
	// buffers follow from address 0.
	FailedBytes uint64

	// Lent is the whole memory of the handle from which Work was allocated; empty if that is memory of a pool, or Work
	// is empty.
	Lent Span

	Timer Timer // receives the times of the call; nil for none
}

// Timer receives the times at which the device began and ended a call, from any goroutine. A platform that does not
// know the times does not call it.
type Timer interface {
	// Now returns the time on the clock that Ran uses.
	Now() time.Duration
	Ran(start, end time.Duration)
}

// Span is a piece of device memory.
type Span struct {
	Ptr   Ptr
	Bytes uint64
}

// Needs is the workspace that a call needs.
type Needs struct {
	Buffers  []Buffer
	Optional bool // the call also runs without the buffers, more slowly
}

// Buffer is one piece of workspace that a call needs.
type Buffer struct {
	ID    buffer.ID
	Bytes uint64
}

// Work is the memory of one buffer of a call.
type Work struct {
	ID buffer.ID
	Span
}

// Buffer returns the memory of a buffer; it is empty if the call has no such buffer.
func (l *Launch) Buffer(id buffer.ID) Span {
	for i := range l.Work {
		if l.Work[i].ID == id {
			return l.Work[i].Span
		}
	}
	return Span{}
}

// Numbers are the kinds of numbers that an array has.
type Numbers struct{ NaN, Zero, Inf, Denormal bool }

// NumbersBytes are the bytes that a search writes.
const NumbersBytes = 4

// Put adds the kinds to the bytes of a search.
func (n Numbers) Put(b []byte) {
	for i, has := range n.list() {
		if has {
			b[i] = 1
		}
	}
}

// NumbersOf returns the kinds from the bytes of a search.
func NumbersOf(b []byte) Numbers { return Numbers{b[0] != 0, b[1] != 0, b[2] != 0, b[3] != 0} }

func (n Numbers) list() [NumbersBytes]bool { return [...]bool{n.NaN, n.Zero, n.Inf, n.Denormal} }

// String returns the kinds: "NaN, infinity"; "nothing" for none.
func (n Numbers) String() string {
	var names []string
	for i, has := range n.list() {
		if has {
			names = append(names, [...]string{"NaN", "zero", "infinity", "denormal number"}[i])
		}
	}
	if names == nil {
		return "nothing"
	}
	return strings.Join(names, ", ")
}
