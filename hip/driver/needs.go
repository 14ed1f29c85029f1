package driver

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Sizer is a Device whose libraries report the workspace that a call needs.
type Sizer interface {
	// Needs queries the libraries. Launch.Work contains the buffers in the same order.
	Needs(*routine.Args) (Needs, error)
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
