package cpu

import (
	"math"

	"roclua/hip/routine"
)

// The host performs an operation itself if nothing remains to be done before it and it is brief: it is guaranteed to
// finish, and takes less time than waking the goroutine of its stream. Marks, small copies and small kernels are brief.
// The program observes the same as with a fast stream: the order of operations, the hazards among them and their faults
// depend on what the host has waited for, not on time.

// briefCopy is the largest number of bytes of a brief copy.
const briefCopy = 4 << 10

// briefWork is the largest number of multiplications of a brief kernel.
const briefWork = 1 << 12

// workOf returns the approximate number of multiplications of a kernel, at least one. A routine of rocSOLVER counts as
// more than any brief kernel, because some routines iterate until a result converges.
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
