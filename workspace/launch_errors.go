package workspace

import (
	"math"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Orders of triangular matrices whose kernels rocBLAS launches unchecked.
const (
	smallSolve       = 64  // of trsm, with as few right-hand sides
	uncheckedSolve   = 32  // beyond it
	uncheckedProduct = 512 // of trmm that copies B, in rocm-6.4
)

// launchError returns the error of a launch as the library returns it.
func (p modelled) launchError(l *driver.Launch, err error, before driver.Error) error {
	switch code := driver.CodeOf(err); {
	case !isCaptureError(code):
	case p.ignoresLaunch(l, code), p.Release.RepeatedErrorsIgnored && code == before && ignoresRepeated(l):
		return nil
	}
	return err
}

// productOrders are the orders, by type (s, d, c, z) and variant, up to which a routine computes without a general
// product, whose kernels return every error of a launch.
type productOrders map[routine.Type][3]int64

// symmetric are the orders of products with a symmetric matrix.
var symmetric = productOrders{'s': {32, 32, 32}, 'd': {32, 32, 32}, 'c': {32, 32, 32}, 'z': {32, 32, 32}}

// rank2 are the orders of updates of rank 2k.
var rank2 = productOrders{'s': {32, 32, 32}, 'd': {16, 16, 16}, 'c': {32, 32, 32}, 'z': {16, 16, 16}}

// general are the routines that make general products.
var general = map[routine.FamilyID]productOrders{
	routine.Symm:  symmetric,
	routine.Hemm:  symmetric,
	routine.Syr2k: rank2,
	routine.Her2k: rank2,
	routine.Syrk:  {'s': {32, 16, 32}, 'd': {32, 16, 32}, 'c': {64, 8, 64}, 'z': {32, 8, 32}},
	routine.Herk:  {'c': {64, 8, 64}, 'z': {128, 8, 128}},
	routine.Syrkx: {'s': {16, 16, 16}, 'd': {32, 16, 32}, 'c': {32, 8, 32}, 'z': {32, 8, 32}},
	routine.Herkx: {'c': {32, 8, 32}, 'z': {32, 8, 32}},
	routine.Trmm:  {'s': {32, 32, 32}, 'd': {32, 32, 32}, 'c': {16, 16, 16}, 'z': {16, 16, 16}},
}

// ignoresRepeated reports whether a routine of rocBLAS ignores an error of its launch if it was the last error before
// the call: unless it makes another call of HIP before its kernels, or a general product.
func ignoresRepeated(l *driver.Launch) bool {
	a := l.Args
	if a.Routine.Library != routine.RocBLAS {
		return false
	}
	switch a.Routine.Family.ID {
	case routine.Trsv, routine.Gemm, routine.GemmEx, routine.GemmEx3:
		return false
	case routine.Trsm, routine.TrsmEx: // it queries the device if it solves by substitution
		return len(l.Work) != 0 || max(a.Int(routine.M), a.Int(routine.N)) <= smallSolve || a.Scalar(routine.Alpha) == 0
	case routine.Trmm:
		if a.Scalar(routine.Alpha) == 0 { // C is only cleared
			return true
		}
	}
	orders, ok := general[a.Routine.Family.ID]
	if !ok {
		return true
	}
	order := a.Int(routine.N)
	if _, ok := a.Routine.ParamAt(routine.Side); ok {
		order = orderOf(a)
	}
	return order <= orders[a.Routine.Type][a.Routine.Variant]
}

// ignoresLaunch reports whether the library does not check the launch of a kernel. rocSOLVER checks none.
func (p modelled) ignoresLaunch(l *driver.Launch, code driver.Error) bool {
	a := l.Args
	if sumsRows(a) { // it first fills arrays, which it checks
		return false
	}
	if a.Routine.Library == routine.RocSOLVER {
		return true
	}
	switch order := orderOf(a); a.Routine.Family.ID {
	case routine.Rotg, routine.Rotmg: // in host pointer mode it computes on the host
		return !l.OnDevice
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
		return copiesFactor(a) && (first || p.Release.ProductsUnchecked && order <= uncheckedProduct)
	}
	return false
}

// multipliesInverse reports whether trsm multiplies with inverted blocks that the caller supplies.
func multipliesInverse(l *driver.Launch) bool {
	return l.Args.Routine.Variant != routine.Batched && l.Buffer(buffer.Solution).Bytes > 0 &&
		l.Buffer(buffer.InvertedBlocks).Bytes == 0
}

// copiesFactor reports whether trmm copies B to C first: one product whose result has its own memory.
func copiesFactor(a *routine.Args) bool {
	one := a.Routine.Variant == routine.Plain || a.Routine.Variant == routine.StridedBatched && a.Batch() == 1
	return one && a.Ptr(routine.B) != a.Ptr(routine.C) && a.Scalar(routine.Alpha) != 0
}

// resultError returns the error of the copy of a result, or of the wait for it, as the library returns it.
func (p modelled) resultError(a *routine.Args, err error) error {
	if driver.CodeOf(err) == driver.ErrorCaptureUnsupported && ignoresWait(a) {
		return nil
	}
	return err
}

// ignoresWait reports whether a 64-bit reduction ignores that a captured stream cannot be waited for: a search for an
// extreme element, and a dot product with an increment beyond 32 bits.
func ignoresWait(a *routine.Args) bool {
	if !a.Routine.Wide {
		return false
	}
	switch a.Routine.Family.ID {
	case routine.Iamax, routine.Iamin:
		return true
	case routine.Dot, routine.Dotu, routine.Dotc, routine.DotEx, routine.DotcEx:
		x, y := a.Int(routine.IncX), a.Int(routine.IncY)
		return max(x, -x, y, -y) > math.MaxInt32
	}
	return false
}

// isCaptureError reports whether a call failed because a stream is captured.
func isCaptureError(code driver.Error) bool {
	return code >= driver.ErrorCaptureUnsupported && code <= driver.ErrorCaptureWrongThread
}

// A library can return an error that it did not cause: HIP keeps the last error of a thread, and a library that reads
// it may find one that an earlier call left, of the script or of a library. With an error before the call, every
// routine of both releases was called in size queries and executed: since HIP 7.0, csrrf_splitlu returns it.

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
