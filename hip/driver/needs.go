package driver

import "roclua/hip/routine"

// Sizer is a Device whose libraries themselves tell what workspace a call needs.
type Sizer interface {
	// Needs asks the libraries. The buffers come back in Launch.Work in the same order.
	Needs(*routine.Args) (Needs, error)
}

// Needs is what a call asks for.
type Needs struct {
	Buffers  []Buffer
	Optional bool // the call can do without any of them, more slowly
}

// Buffer is one piece of workspace.
type Buffer struct {
	Purpose string
	Bytes   uint64
}
