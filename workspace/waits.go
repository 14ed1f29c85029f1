package workspace

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// A routine that waits for the device between its steps cannot be captured. What the libraries do was observed on both
// recorded releases: see testdata/PROFILE/captures.jsonl.gz.

// hostWait is whether a routine waits for its stream, in addition to waits for results and scalars.
type hostWait uint8

const (
	noWait        hostWait = iota
	ignoredWait            // it ignores the error of the wait
	checkedWait            // it returns the error
	launchesAfter          // it returns the error of its next kernel, which fails if the stream was captured
)

// Orders beyond which the library chooses an algorithm that waits.
const (
	inverseBlock     = 32  // of trtri: a block is one kernel
	jacobiWaits      = 58  // of syevj and gesvdj: smaller problems are one kernel
	inverseErrors    = 128 // of the inverses of blocks in rocm-6.4: beyond it returns no errors of them
	tridiagonalWaits = 256 // of sytrd in rocm-6.4
)

// waitOf returns whether a call waits for its stream between its steps.
func (h *Model) waitOf(a *routine.Args, l *driver.Launch) hostWait {
	n, batched := a.Int(routine.N), a.Routine.Variant == routine.Batched
	if _, ok := a.Routine.ParamAt(routine.M); ok {
		n = min(n, a.Int(routine.M))
	}
	switch a.Routine.Family.ID {
	case routine.Trsm:
		if batched && l.Buffer(buffer.InvertedBlocks).Bytes > 0 {
			return h.inverseWait(orderOf(a))
		}
	case routine.Trtri:
		switch {
		case !batched && !h.OnDevice(): // otherwise addresses or scalars are copied to the host
		case n >= 2*inverseBlock:
			return h.inverseWait(n)
		default:
			return ignoredWait.beyond(n, inverseBlock)
		}
	case routine.Bdsqr:
		return checkedWait.beyond(n, 1)
	case routine.Gesvd:
		return ignoredWait.beyond(n, 1)
	case routine.Syevj:
		return checkedWait.beyond(n, jacobiWaits)
	case routine.Gesvdj, routine.Sygvj:
		return ignoredWait.beyond(n, jacobiWaits)
	case routine.Syevdj, routine.Sygvdj:
		if a.Int(routine.Evect) == routine.EvectNone { // computed as syevj does
			return ignoredWait.beyond(n, jacobiWaits)
		}
		return h.tridiagonalWait(n)
	case routine.Sytrd, routine.Syev, routine.Syevd, routine.Syevx, routine.Syevdx, routine.Sygv, routine.Sygvd,
		routine.Sygvx, routine.Sygvdx, routine.Gesdd:
		return h.tridiagonalWait(n)
	}
	return noWait
}

// orderOf returns the order of the triangular matrix of a solve.
func orderOf(a *routine.Args) int64 {
	if a.Int(routine.Side) == routine.SideLeft {
		return a.Int(routine.M)
	}
	return a.Int(routine.N)
}

// inverseWait returns the wait of a batched routine that inverts diagonal blocks: it copies the addresses of the blocks
// to the host.
func (h *Model) inverseWait(order int64) hostWait {
	if h.profile.Release.InverseErrorsIgnored && order >= inverseErrors {
		return ignoredWait
	}
	return launchesAfter
}

// copyAlpha copies alpha to the host where the library does so while it computes: trsm in device pointer mode, unless
// it solves for one vector.
func (h *Model) copyAlpha(a *routine.Args) error {
	if h.profile.Platform != "" || a.Routine.Family.ID != routine.Trsm || !h.OnDevice() ||
		a.Int(routine.Side) == routine.SideLeft && a.Int(routine.N) == 1 {
		return nil
	}
	return h.copyScalars(a, routine.Alpha)
}

// beyond returns the wait of a routine that waits if its order is beyond a limit.
func (w hostWait) beyond(n, limit int64) hostWait {
	if n > limit {
		return w
	}
	return noWait
}

// tridiagonalWait returns the wait of a routine that reduces a matrix of order n to tridiagonal form.
func (h *Model) tridiagonalWait(n int64) hostWait {
	if !h.profile.Release.TridiagonalWaits {
		return noWait
	}
	return ignoredWait.beyond(n, tridiagonalWaits)
}

// copiesConstants reports whether a routine copies constants of the host to its workspace and returns the error of
// that: rocSOLVER does not check the launches of its kernels.
func copiesConstants(a *routine.Args) bool {
	switch a.Routine.Family.ID {
	case routine.Stedc, routine.Syevd:
		return a.Int(routine.Evect) != routine.EvectNone // eigenvalues alone need no division of the problem
	case routine.CsrrfSplitlu:
		return true
	}
	return false
}

// launchError returns the error of a launch as the library returns it.
func (h *Model) launchError(a *routine.Args, err error) error {
	if code := driver.CodeOf(err); h.profile.Platform == "" && isCaptureError(code) && h.ignoresLaunch(a, code) {
		return nil
	}
	return err
}

// Orders of triangular matrices whose kernels rocBLAS launches unchecked.
const (
	smallSolve       = 64  // of trsm, with as few right-hand sides
	uncheckedSolve   = 32  // beyond it
	uncheckedProduct = 512 // of trmm in rocm-6.4
)

// ignoresLaunch reports whether the library does not check the launch of a kernel. rocSOLVER checks none, but the
// copies of constants.
func (h *Model) ignoresLaunch(a *routine.Args, code driver.Error) bool {
	if a.Routine.Library == routine.RocSOLVER {
		return !copiesConstants(a) || code != driver.ErrorCaptureInvalidated
	}
	switch order := orderOf(a); a.Routine.Family.ID {
	case routine.Trsm:
		m, n := a.Int(routine.M), a.Int(routine.N)
		switch {
		case a.Scalar(routine.Alpha) == 0: // B is only cleared
			return a.Routine.Variant == routine.Batched
		case a.Int(routine.Side) == routine.SideLeft && n == 1:
			return true
		}
		return order > uncheckedSolve && max(m, n) <= smallSolve && a.Routine.Type.Size() < 16
	case routine.Trmm:
		first := code != driver.ErrorCaptureInvalidated // later kernels run, because the capture is no longer active
		return a.Routine.Variant == routine.Plain && order <= uncheckedProduct && a.Scalar(routine.Alpha) != 0 &&
			(first || h.profile.Release.ProductsUnchecked)
	}
	return false
}

// resultError returns the error of the copy of a result, and of the wait for it, as the library returns it: the 64-bit
// searches for an extreme element ignore it.
func (h *Model) resultError(a *routine.Args, err error) error {
	search := a.Routine.Family.ID == routine.Iamax || a.Routine.Family.ID == routine.Iamin
	if h.profile.Platform == "" && search && a.Routine.Wide && isCaptureError(driver.CodeOf(err)) {
		return nil
	}
	return err
}

// isCaptureError reports whether a call failed because a stream is captured.
func isCaptureError(code driver.Error) bool {
	return code >= driver.ErrorCaptureUnsupported && code <= driver.ErrorCaptureWrongThread
}

// waitBetweenSteps makes the wait of a routine that waits between its steps. It has no effect while no stream is
// captured.
func (h *Model) waitBetweenSteps(a *routine.Args, l *driver.Launch) error {
	if h.profile.Platform != "" || !h.dev.Capturing() {
		return nil
	}
	wait := h.waitOf(a, l)
	if wait == noWait {
		return nil
	}
	captured := h.stream.Captured() != 0
	defer h.dev.SetCause("steps")()
	err := h.stream.Synchronize()
	if wait == checkedWait || wait == launchesAfter && captured {
		return err
	}
	return nil
}
