package workspace

import (
	"math"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/workspace/sizing"
)

// Orders of triangular matrices whose kernels rocBLAS launches unchecked.
const (
	smallSolve       = 64  // of trsm, with as few right-hand sides
	uncheckedSolve   = 32  // beyond it
	uncheckedProduct = 512 // of trmm in rocm-6.4
)

// launchError returns the error of a launch as the library returns it.
func (p modelled) launchError(l *driver.Launch, err error) error {
	if code := driver.CodeOf(err); isCaptureError(code) && p.ignoresLaunch(l, code) {
		return nil
	}
	return err
}

// ignoresLaunch reports whether the library does not check the launch of a kernel. rocSOLVER checks none, but the
// copies of constants.
func (p modelled) ignoresLaunch(l *driver.Launch, code driver.Error) bool {
	a := l.Args
	if sumsRows(a) { // it first fills arrays, which it checks
		return false
	}
	if a.Routine.Library == routine.RocSOLVER {
		return !copiesConstants(a) || code != driver.ErrorCaptureInvalidated
	}
	switch order := orderOf(a); a.Routine.Family.ID {
	case routine.Trsm, routine.TrsmEx:
		b, _ := a.Routine.ParamAt(routine.B)
		switch {
		case forVector(a) && l.OnDevice: // alpha was not copied
			return true
		case a.Scalar(routine.Alpha) == 0: // B is only cleared
			return a.Routine.Variant == routine.Batched
		case forVector(a), multipliesInverse(l):
			return true
		}
		small := max(a.Int(routine.M), a.Int(routine.N)) <= smallSolve
		return order > uncheckedSolve && small && a.ElementBytes(b) < 16
	case routine.Trmm:
		if a.Routine.Wide && max(a.Int(routine.M), a.Int(routine.N)) >= math.MaxInt32 {
			return false // it computes in pieces, and each piece checks the launches before it
		}
		first := code != driver.ErrorCaptureInvalidated // later kernels run, because the capture is no longer active
		return a.Routine.Variant == routine.Plain && order <= uncheckedProduct && a.Scalar(routine.Alpha) != 0 &&
			(first || p.Release.ProductsUnchecked)
	}
	return false
}

// multipliesInverse reports whether trsm multiplies with inverted blocks that the caller supplies.
func multipliesInverse(l *driver.Launch) bool {
	return l.Args.Routine.Variant != routine.Batched && l.Buffer(buffer.Solution).Bytes > 0 &&
		l.Buffer(buffer.InvertedBlocks).Bytes == 0
}

// copiesConstants reports whether a routine copies constants of the host to its workspace and returns the error of
// that: rocSOLVER does not check the launches of its kernels.
func copiesConstants(a *routine.Args) bool {
	switch a.Routine.Family.ID {
	case routine.Stedc: // eigenvalues alone need no division of the problem
		return a.Int(routine.Evect) != routine.EvectNone && a.Int(routine.N) >= sizing.Divided
	case routine.Syevd:
		return true
	}
	return false
}

// resultError returns the error of the copy of a result, and of the wait for it, as the library returns it: the 64-bit
// searches for an extreme element ignore it.
func (p modelled) resultError(a *routine.Args, err error) error {
	search := a.Routine.Family.ID == routine.Iamax || a.Routine.Family.ID == routine.Iamin
	if search && a.Routine.Wide && isCaptureError(driver.CodeOf(err)) {
		return nil
	}
	return err
}

// isCaptureError reports whether a call failed because a stream is captured.
func isCaptureError(code driver.Error) bool {
	return code >= driver.ErrorCaptureUnsupported && code <= driver.ErrorCaptureWrongThread
}

// A library can return an error that it did not cause: HIP keeps the last error of a thread, and a library that reads
// it may find one that an earlier call left, of the script or of a library. With an error before the call, every
// routine of both releases was called in size queries and executed: since HIP 7.0, csrrf_splitlu returns it.
//
// One effect of rocm-6.4 is not modelled. rocBLAS returns the error of a launch only if it was not the last error
// before the launch. In a capture that was invalidated, the second of two calls in a row returns success, unless it
// makes another call of HIP before its kernel or after it. Those calls depend on the kernels that rocBLAS chooses.

// smallSparse is the largest order of csrrf_splitlu that one kernel computes.
const smallSparse = 64

// readsLastError reports whether a routine reads the last error, resets it and returns it: csrrf_splitlu sums the
// elements of rows by rocPRIM, which does so after its kernels, unless the memory that it is given is a null pointer.
// Before HIP 7.0 the earlier calls of the routine, which succeed, have cleared the error.
func (modelled) readsLastError(l *driver.Launch) bool {
	return sumsRows(l.Args) && l.Buffer(buffer.RowCounts).Ptr != 0
}

// sumsRows reports whether a routine is csrrf_splitlu of a matrix that needs more than one kernel.
func sumsRows(a *routine.Args) bool {
	return a.Routine.Family.ID == routine.CsrrfSplitlu && a.Int(routine.N) > smallSparse && a.Int(routine.NnzT) != 0
}
