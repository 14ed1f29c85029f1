package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Functions that rocSOLVER exports for hipSOLVER, and that its headers do not declare.
var unlistedRules = map[routine.FamilyID]rule{
	routine.GesvOutOfPlace:      gesvOutOfPlace,
	routine.GelsOutOfPlace:      gelsOutOfPlace,
	routine.GesvdjNotTransposed: gesvdjNotTransposed,
	routine.SyevdxInPlace:       func(t *Target, a *routine.Args) Demand { return eigenInPlace(t, a, standardPartial) },
	routine.SygvdxInPlace:       func(t *Target, a *routine.Args) Demand { return eigenInPlace(t, a, generalPartial) },
	routine.GesvdxNotTransposed: gesvdx,
	routine.GetrfInfo32:         getrf,
	routine.GetrfNpvtInfo32:     getrfNpvt,
	routine.PotrfInfo32:         potrf,
	routine.GeqrfPointers:       geqrfPointers,
}

// geqrfPointers has the scalars of the reflections without gaps, before it stores them in the arrays of the problems.
func geqrfPointers(t *Target, a *routine.Args) Demand {
	d := geqrf(t, a)
	if d.Optimal.n > 0 {
		d.Optimal.add(buffer.EigenScalars, product(a.Routine.Type.Size(), min(a.Int(routine.M), a.Int(routine.N)),
			a.Batch()))
	}
	return d
}

// gesvOutOfPlace does not keep a copy of B (roclapack_gesv_outofplace.hpp).
func gesvOutOfPlace(t *Target, a *routine.Args) Demand {
	d := gesv(t, a)
	d.Optimal.set(buffer.RightSideCopy, zero)
	return d
}

// gelsOutOfPlace keeps the scalars of the reflections and, if B is overwritten, a copy of B
// (roclapack_gels_outofplace.hpp).
func gelsOutOfPlace(t *Target, a *routine.Args) Demand {
	d := gels(t, a)
	if d.Optimal.n == 0 {
		return d
	}
	m, n, element := a.Int(routine.M), a.Int(routine.N), a.Routine.Type.Size()
	d.Optimal.set(buffer.RightSideCopy, zero)
	d.Optimal.add(buffer.EigenScalars, product(element, min(m, n)))
	if m >= n {
		d.Optimal.add(buffer.SavedRightSide, product(element, m, a.Int(routine.NRHS)))
	}
	return d
}

// gesvdjNotTransposed stores V, not its adjoint, and factorizes the adjoint of a wide matrix
// (roclapack_gesvdj_notransv.hpp).
func gesvdjNotTransposed(t *Target, a *routine.Args) Demand {
	long := *a
	if m, n := a.Int(routine.M), a.Int(routine.N); m < n {
		long.SetInt(routine.M, n)
		long.SetInt(routine.N, m)
		long.SetInt(routine.LeftSvect, a.Int(routine.RightSvect))
		long.SetInt(routine.RightSvect, a.Int(routine.LeftSvect))
	}
	d := gesvdj(t, &long)
	if long.Int(routine.RightSvect) != routine.SvectNone {
		d.Optimal.set(buffer.MatrixCopy, zero)
	}
	return d
}

// eigenInPlace is syevdx_inplace and sygvdx_inplace, which store vectors in A. They keep a copy of it, and the number
// of eigenvalues (roclapack_syevdx_heevdx_inplace.hpp).
func eigenInPlace(t *Target, a *routine.Args, partial rule) Demand {
	d := partial(t, a)
	if d.Optimal.n == 0 {
		return d
	}
	n := a.Int(routine.N)
	square, place := product(a.Routine.Type.Size(), n, n), buffer.EigenWork4
	if n >= smallestDivided {
		place = buffer.BlockMap
	}
	if a.Int(routine.Evect) == routine.EvectOriginal {
		d.Optimal.set(place, larger(d.Optimal.of(place), square))
	}
	d.Optimal.add(buffer.EigenvalueCount, product(4))
	return d
}

// of returns the bytes of a buffer, and set replaces them; a buffer that is not in the list has none.
func (b *Buffers) of(id buffer.ID) amount {
	for i, other := range b.ids[:b.n] {
		if other == id {
			return amount{n: b.bytes[i]}
		}
	}
	return zero
}

func (b *Buffers) set(id buffer.ID, bytes amount) {
	for i, other := range b.ids[:b.n] {
		if other == id {
			b.bytes[i], b.overflow = bytes.n, b.overflow || bytes.overflow
		}
	}
}
