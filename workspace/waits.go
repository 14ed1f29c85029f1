package workspace

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// A routine that waits for the device between its steps cannot be captured. What the libraries do was observed on both
// recorded releases: see testdata/PROFILE/captures.jsonl.gz.

// Orders beyond which the library chooses an algorithm that waits.
const (
	inverseBlock     = 32  // of trtri: a block is one kernel
	jacobiWaits      = 58  // of syevj and gesvdj: smaller problems are one kernel
	inverseErrors    = 128 // of the inverses of blocks in rocm-6.4: beyond it returns no errors of them
	tridiagonalWaits = 256 // of sytrd in rocm-6.4
	divided          = 16  // of stedc: smaller problems are not divided
)

// waits returns the wait of a call for its stream between its steps.
func (p modelled) waits(l *driver.Launch) hostWait {
	a := l.Args
	n, batched := a.Int(routine.N), a.Routine.Variant == routine.Batched
	if _, ok := a.Routine.ParamAt(routine.M); ok {
		n = min(n, a.Int(routine.M))
	}
	switch a.Routine.Family.ID {
	case routine.Trsm, routine.TrsmEx:
		if batched && l.Buffer(buffer.InvertedBlocks).Bytes > 0 {
			return p.inverseWait(orderOf(a))
		}
	case routine.GeblttrfNpvt, routine.GeblttrfNpvtInterleaved, routine.GeblttrsNpvt, routine.GeblttrsNpvtInterleaved:
		if l.OnDevice { // rocBLAS copies scalars of its products to the host
			return ignoredWait.beyond(a.Int(routine.NBlocks), 1)
		}
	case routine.Trtri:
		switch {
		case !batched && !l.OnDevice: // otherwise addresses or scalars are copied to the host
		case n >= 2*inverseBlock:
			return p.inverseWait(n)
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
			return p.tridiagonalWait(n)
		}
		return max(p.tridiagonalWait(n), divisionWait(l))
	case routine.Syevdx:
		return max(p.tridiagonalWait(n), divisionWait(l))
	case routine.Sytrd, routine.Syev, routine.Syevd, routine.Syevx, routine.Sygv, routine.Sygvd,
		routine.Sygvx, routine.Sygvdx, routine.Gesdd:
		return p.tridiagonalWait(n)
	}
	return noWait
}

// divisionWait returns the wait of syevdj and syevdx, but not sygvdj, for the vectors of a divided problem: in device
// pointer mode, rocBLAS copies scalars of its products to the host.
func divisionWait(l *driver.Launch) hostWait {
	a := l.Args
	if !l.OnDevice || a.Int(routine.Evect) == routine.EvectNone {
		return noWait
	}
	return ignoredWait.beyond(a.Int(routine.N), divided-1)
}

// inverseWait returns the wait of a batched routine that inverts diagonal blocks: it copies the addresses of the blocks
// to the host.
func (p modelled) inverseWait(order int64) hostWait {
	if p.Release.InverseErrorsIgnored && order >= inverseErrors {
		return ignoredWait
	}
	return launchesAfter
}

// beyond returns the wait of a routine that waits if its order is beyond a limit.
func (w hostWait) beyond(n, limit int64) hostWait {
	if n > limit {
		return w
	}
	return noWait
}

// tridiagonalWait returns the wait of a routine that reduces a matrix of order n to tridiagonal form.
func (p modelled) tridiagonalWait(n int64) hostWait {
	if !p.Release.TridiagonalWaits {
		return noWait
	}
	return ignoredWait.beyond(n, tridiagonalWaits)
}

// endsWithWait reports whether a wait of a routine is its last call of HIP that can fail: the routine waits in each of
// its iterations.
func endsWithWait(a *routine.Args) bool { return a.Routine.Family.ID == routine.Gesvd }
