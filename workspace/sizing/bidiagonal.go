package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var bidiagonalRules = map[routine.FamilyID]rule{
	routine.Labrd: labrd,
	routine.Gebd2: gebd2,
	routine.Gebrd: gebrd,
}

// bidiagonalPanel is the size of the panels of gebrd, and the size from which on it uses panels (ideal_sizes.hpp).
const bidiagonalPanel = 64

// bidiagonalization is the memory of gebrd.
type bidiagonalization struct{ scalars, work, applied, x, y amount }

// bidiagonalPanels is labrd (rocauxiliary_labrd.hpp).
func (r *reflections) bidiagonalPanels(m, n, k int64) (b bidiagonalization) {
	if m == 0 || n == 0 || k == 0 || r.batch == 0 {
		return b
	}
	b.scalars = r.scalars()
	b.work, b.applied = r.make(max(m, n))
	b.work = larger(b.work, r.arrays.times(2))
	return b
}

// bidiagonalUnblocked is gebd2 (roclapack_gebd2.hpp).
func (r *reflections) bidiagonalUnblocked(m, n int64) (b bidiagonalization) {
	if m == 0 || n == 0 || r.batch == 0 {
		return b
	}
	work, norms := r.make(max(m, n))
	return bidiagonalization{scalars: r.scalars(), work: larger(r.arrays, work),
		applied: larger(r.apply(bothSides, m, n), norms)}
}

// bidiagonal is gebrd (roclapack_gebrd.hpp).
func (r *reflections) bidiagonal(m, n int64) bidiagonalization {
	if m <= bidiagonalPanel || n <= bidiagonalPanel {
		return r.bidiagonalUnblocked(m, n)
	}
	done := min(m/bidiagonalPanel, n/bidiagonalPanel) * bidiagonalPanel
	b, rest := r.bidiagonalPanels(m, n, bidiagonalPanel), r.bidiagonalUnblocked(m-done, n-done)
	b.work, b.applied = larger(b.work, rest.work), larger(b.applied, rest.applied)
	b.x = unsigned32(m * bidiagonalPanel).times(r.element).times(r.batch)
	b.y = unsigned32(n * bidiagonalPanel).times(r.element).times(r.batch)
	return b
}

func labrd(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	b := r.bidiagonalPanels(a.Int(routine.M), a.Int(routine.N), a.Int(routine.K))
	d.Optimal.add(buffer.Scalars, b.scalars)
	d.Optimal.add(buffer.ReflectionWork, b.work)
	d.Optimal.add(buffer.ReflectionNorms, b.applied)
	return d
}

func gebd2(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	b := r.bidiagonalUnblocked(a.Int(routine.M), a.Int(routine.N))
	b.addTo(&d.Optimal)
	return d
}

func gebrd(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	b := r.bidiagonal(a.Int(routine.M), a.Int(routine.N))
	b.addTo(&d.Optimal)
	d.Optimal.add(buffer.BidiagonalX, b.x)
	d.Optimal.add(buffer.BidiagonalY, b.y)
	return d
}

func (b *bidiagonalization) addTo(list *Buffers) {
	list.add(buffer.Scalars, b.scalars)
	list.add(buffer.ReflectionOrPointers, b.work)
	list.add(buffer.AppliedReflectionOrNorms, b.applied)
}
