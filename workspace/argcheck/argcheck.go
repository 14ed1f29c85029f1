// Package argcheck decides which calls end because of their arguments: calls that the libraries refuse, and calls that
// have nothing to compute.
//
// The checks, their order, and the place where a size query stops checking are data: one ordered list of rules for each
// family of routines. The rule that refuses an argument also explains it in words. The lists follow the published
// source of rocBLAS and rocSOLVER and agree with every recorded result of the real libraries of ROCm 6.4 and 7.2. One
// rule depends on the release: see Mode.
package argcheck

import (
	"roclua/hip/routine"
	"roclua/workspace/status"
)

// Mode is the state of the handle of a call, as far as checks depend on it.
type Mode struct {
	NoHandle       bool // the handle is null
	Query          bool // between start and stop of a device-memory size query
	DevicePointers bool // rocblas_pointer_mode_device: alpha, beta and results are in device memory

	// SymmetricOfAnyOrder is the behavior of the release with this name, the only one that a rule depends on.
	SymmetricOfAnyOrder bool

	// Scalars copies scalars to the host in device pointer mode. If it is nil, the arguments have their values.
	Scalars Fetcher

	// CheckNumbers checks the numbers of arrays before a call computes. It is called at its place between the checks
	// if the family does so before it allocates memory. nil checks nothing.
	CheckNumbers func() error
}

// Fetcher copies alpha and beta, or one of them, from device memory to the host, and stores their values in the
// arguments. The library does so before it checks a call of level 3.
type Fetcher interface {
	FetchScalars(a *routine.Args, scalars []routine.Slot) error
}

// Effect is how a call continues or ends.
type Effect uint8

// The effects. Calls with an effect after AfterAllocation end before they allocate memory.
const (
	// Continues means that a size query returns the bytes that the routine needs, and that an executed call allocates
	// them and runs.
	Continues Effect = iota
	// WithoutWorkspace means that the call continues but needs no memory, and that a size query returns the status: a
	// triangular solve with a host alpha of 0 sets B to zero, even inside a query.
	WithoutWorkspace
	// AfterAllocation means that an executed call allocates its memory and then ends with the status: the 64-bit forms
	// accept some dimensions that they have no kernels for.
	AfterAllocation
	// Ends means that the call ends with the status and has no other effect.
	Ends
	// ZeroResult means that the call ends, and that the result of a reduction without elements is stored as zero, one
	// for each problem of the batch.
	ZeroResult
	// Crash means that the library reads a null pointer, and the process crashes. The status is then invalid_pointer,
	// the one for a missing pointer.
	Crash
	// Failed means that the copy of the scalars or the check of numbers failed.
	Failed
)

// Decision is how a call continues or ends.
type Decision struct {
	// Status is the status of a call that ends: an error, success or, in a size query, size_unchanged if there is
	// nothing to compute.
	Status status.Status
	Effect Effect
	Err    error // of Mode.Scalars or Mode.CheckNumbers, with the effect Failed

	Checked bool // Mode.CheckNumbers was called

	by             *condition
	args, received *routine.Args
}

// Ends reports whether the call ends before it allocates memory.
func (d *Decision) Ends() bool { return d.Effect > AfterAllocation }

// Refused reports whether the call ends with an error before it allocates memory.
func (d *Decision) Refused() bool { return d.Ends() && !d.Status.OK() }

// Reason says why the call ends, with the argument, its value and what is expected: "lda is 3, must be at least
// max(1, m) = 8". It is empty for a call that continues.
func (d *Decision) Reason() string {
	switch {
	case d.by == nil || d.Effect == WithoutWorkspace:
		return ""
	case d.received != d.args:
		return d.by.message(d.received) + ", in the lower 32 bits of the arguments, which the library uses alone"
	case d.Effect == Crash:
		return d.by.message(d.args) + ", and the library reads it unchecked: the process crashes"
	}
	return d.by.message(d.args)
}
