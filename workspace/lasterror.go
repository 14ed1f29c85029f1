package workspace

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// A library can return an error that it did not cause: HIP keeps the last error of a thread, and a library that reads
// it may find one that an earlier call left, of the script or of a library. With an error before the call, every
// routine of both releases was called in size queries and executed: since HIP 7.0, csrrf_splitlu returns it.
//
// One effect of rocm-6.4 is not modelled. rocBLAS returns the error of a launch only if it was not the last error
// before the launch. In a capture that was invalidated, the second of two calls in a row returns success, unless it
// makes another call of HIP before its kernel or after it. Those calls depend on the kernels that rocBLAS chooses.

// earlierError is the last error of HIP as the error of a call that did not cause it.
type earlierError struct {
	code driver.Error
	left driver.Site // the call that left it
}

func (e *earlierError) Error() string {
	return e.code.Error() + ": left by an earlier call, " + e.left.String() + ", and not read by hipGetLastError"
}

func (e *earlierError) Unwrap() error { return e.code }

// launchRoutine queues a routine and returns the error that the library returns.
func (h *Model) launchRoutine(l *driver.Launch) error {
	err := h.launchError(l, h.dev.Execute(h.stream, l))
	if err != nil || h.profile.Platform != "" || !readsLastError(l) {
		return err
	}
	code, left := h.dev.ReadLastError()
	if code == driver.Success {
		return nil
	}
	h.dev.ResetLastError()
	return &earlierError{code, left}
}

// smallSparse is the largest order of csrrf_splitlu that one kernel computes.
const smallSparse = 64

// readsLastError reports whether a routine reads the last error, resets it and returns it: csrrf_splitlu sums the
// elements of rows by rocPRIM, which does so after its kernels, unless the memory that it is given is a null pointer.
// Before HIP 7.0 the earlier calls of the routine, which succeed, have cleared the error.
func readsLastError(l *driver.Launch) bool {
	return sumsRows(l.Args) && l.Buffer(buffer.RowCounts).Ptr != 0
}

// sumsRows reports whether a routine is csrrf_splitlu of a matrix for which it needs more than one kernel.
func sumsRows(a *routine.Args) bool {
	return a.Routine.Family.ID == routine.CsrrfSplitlu && a.Int(routine.N) > smallSparse && a.Int(routine.NnzT) != 0
}
