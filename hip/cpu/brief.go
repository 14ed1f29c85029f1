package cpu

import (
	"math"
	"slices"

	"roclua/hip/routine"
)

// The host performs an operation itself if nothing is left to be done before it and it is brief: it is sure to end, and
// takes less time than to wake the goroutine of its stream. Marks, small copies and small kernels are brief. What the
// program can observe is the same as if the stream had been fast: the order of operations, the hazards among them and
// their faults depend on what the host has waited for, and not on time.

// briefCopy is the largest number of bytes of a brief copy.
const briefCopy = 4 << 10

// briefWork is the largest number of multiplications of a brief kernel.
const briefWork = 1 << 12

// workOf returns roughly how many multiplications a kernel has, at least one. A routine of rocSOLVER counts as having
// more than any brief kernel, because some repeat a step until a result converges.
func workOf(a *routine.Args) int64 {
	const most = math.MaxInt32
	if a.Routine.Library == routine.RocSOLVER {
		return most
	}
	order := max(1, a.Int(routine.M), a.Int(routine.N), a.Int(routine.K), a.Int(routine.KL), a.Int(routine.KU))
	work := max(1, a.Batch())
	for range a.Routine.Family.Level {
		if order > most || work > most {
			return most
		}
		work *= order
	}
	return work
}

// possible reports whether the operation can be performed now: its predecessor in the stream and what it waits for in
// addition are done.
func (o *operation) possible() bool {
	return o.stream.done.number.Load() == o.number-1 &&
		!slices.ContainsFunc(o.after, func(earlier *operation) bool { return !earlier.ready() })
}
