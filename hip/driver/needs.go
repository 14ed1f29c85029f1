package driver

import "roclua/hip/routine"

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

// Buffer is one piece of workspace.
type Buffer struct {
	Purpose string
	Bytes   uint64
}
