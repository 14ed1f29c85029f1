package workspace

import (
	"math"

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
	divided          = 16  // of stedc: smaller problems are not divided
)

// waitOf returns whether a call waits for its stream between its steps.
func (h *Model) waitOf(a *routine.Args, l *driver.Launch) hostWait {
	n, batched := a.Int(routine.N), a.Routine.Variant == routine.Batched
	if _, ok := a.Routine.ParamAt(routine.M); ok {
		n = min(n, a.Int(routine.M))
	}
	switch a.Routine.Family.ID {
	case routine.Trsm, routine.TrsmEx:
		if batched && l.Buffer(buffer.InvertedBlocks).Bytes > 0 {
			return h.inverseWait(orderOf(a))
		}
	case routine.GeblttrfNpvt, routine.GeblttrfNpvtInterleaved, routine.GeblttrsNpvt, routine.GeblttrsNpvtInterleaved:
		if h.OnDevice() { // rocBLAS copies scalars of its products to the host
			return ignoredWait.beyond(a.Int(routine.NBlocks), 1)
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
		if a.Routine.Family.ID == routine.Sygvdj {
			return h.tridiagonalWait(n)
		}
		return max(h.tridiagonalWait(n), h.divisionWait(a))
	case routine.Syevdx:
		return max(h.tridiagonalWait(n), h.divisionWait(a))
	case routine.Sytrd, routine.Syev, routine.Syevd, routine.Syevx, routine.Sygv, routine.Sygvd,
		routine.Sygvx, routine.Sygvdx, routine.Gesdd:
		return h.tridiagonalWait(n)
	}
	return noWait
}

// divisionWait returns the wait of syevdj and syevdx, but not sygvdj, for the vectors of a divided problem: in device
// pointer mode, rocBLAS copies scalars of its products to the host.
func (h *Model) divisionWait(a *routine.Args) hostWait {
	if !h.OnDevice() || a.Int(routine.Evect) == routine.EvectNone {
		return noWait
	}
	return ignoredWait.beyond(a.Int(routine.N), divided-1)
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
	if h.profile.Platform != "" || !solves(a) || !h.OnDevice() || forVector(a) {
		return nil
	}
	return h.copyScalars(a, routine.Alpha)
}

// solves reports whether a routine is trsm.
func solves(a *routine.Args) bool {
	return a.Routine.Family.ID == routine.Trsm || a.Routine.Family.ID == routine.TrsmEx
}

// forVector reports whether trsm has one right-hand side, which is a vector.
func forVector(a *routine.Args) bool {
	return a.Int(routine.Side) == routine.SideLeft && a.Int(routine.N) == 1
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
	case routine.Stedc: // eigenvalues alone need no division of the problem
		return a.Int(routine.Evect) != routine.EvectNone && a.Int(routine.N) >= divided
	case routine.Syevd:
		return true
	}
	return false
}

// launchError returns the error of a launch as the library returns it.
func (h *Model) launchError(l *driver.Launch, err error) error {
	if code := driver.CodeOf(err); h.profile.Platform == "" && isCaptureError(code) && h.ignoresLaunch(l, code) {
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
func (h *Model) ignoresLaunch(l *driver.Launch, code driver.Error) bool {
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
		case forVector(a) && h.OnDevice(): // alpha was not copied
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
			return false // it computes in pieces, of which each checks the launches before it
		}
		first := code != driver.ErrorCaptureInvalidated // later kernels run, because the capture is no longer active
		return a.Routine.Variant == routine.Plain && order <= uncheckedProduct && a.Scalar(routine.Alpha) != 0 &&
			(first || h.profile.Release.ProductsUnchecked)
	}
	return false
}

// multipliesInverse reports whether trsm multiplies with inverted blocks that the caller supplies.
func multipliesInverse(l *driver.Launch) bool {
	return l.Args.Routine.Variant != routine.Batched && l.Buffer(buffer.Solution).Bytes > 0 &&
		l.Buffer(buffer.InvertedBlocks).Bytes == 0
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

// endsWithWait reports whether a wait of a routine is its last call of HIP that can fail: the routine waits in each of
// its iterations.
func endsWithWait(a *routine.Args) bool { return a.Routine.Family.ID == routine.Gesvd }

// waitBetweenSteps makes the wait of a routine that waits between its steps. While no stream is captured only trtri
// waits, always once; how often solvers do depends on their numbers.
func (h *Model) waitBetweenSteps(a *routine.Args, l *driver.Launch) error {
	if h.profile.Platform != "" || !h.dev.Capturing() && a.Routine.Family.ID != routine.Trtri {
		return nil
	}
	wait := h.waitOf(a, l)
	if wait == noWait {
		return nil
	}
	captured := h.stream.IsCaptured()
	defer h.dev.SetCause("steps")()
	err := h.stream.Synchronize()
	switch {
	case wait == checkedWait:
		return err
	case captured && !endsWithWait(a): // the capture is invalid now, so the next kernel cannot be launched
		err = h.dev.Execute(h.stream, l)
		if wait == launchesAfter {
			return err
		}
	}
	return nil
}
