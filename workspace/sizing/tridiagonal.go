package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var tridiagonalRules = map[routine.FamilyID]rule{
	routine.Labrd: labrd,
	routine.Gebd2: gebd2,
	routine.Gebrd: gebrd,
	routine.Latrd: latrd,
	routine.Sytd2: sytd2,
	routine.Sytrd: sytrd,
	routine.Sytrf: sytrf,
	routine.Lasyf: lasyf,
}

// Sizes of the panels of gebrd and sytrd, and the size from which on they use panels (ideal_sizes.hpp).
const (
	bidiagonalPanel      = 64
	tridiagonalPanel     = 64
	tridiagonalUnblocked = 256
	indefinitePanel      = 64
	indefiniteUnblocked  = 128
)

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

// tridiagonalization is the memory of sytrd.
type tridiagonalization struct{ scalars, work, norms, tau, pointers amount }

// tridiagonalColumns is latrd, and most of sytd2 (rocauxiliary_latrd.hpp, roclapack_sytd2_hetd2.hpp).
func (r *reflections) tridiagonalColumns(n int64) (b tridiagonalization) {
	if n == 0 || r.batch == 0 {
		return b
	}
	b.scalars = r.scalars()
	work, _ := r.make(n)
	b.work = larger(larger(work, r.partialSums(n)), product(r.element, ceilDiv(n, 64), n, r.batch))
	b.norms = product(r.element, r.batch)
	return b
}

// tridiagonalUnblocked is sytd2 (roclapack_sytd2_hetd2.hpp).
func (r *reflections) tridiagonalUnblocked(n int64) tridiagonalization {
	b := r.tridiagonalColumns(n)
	if n > 0 {
		b.tau, b.pointers = product(r.element, r.batch), r.arrays
	}
	return b
}

// tridiagonal is sytrd. It keeps a copy of the triangle that it must not change, and beyond order 256 works in panels,
// for which it sums up products of blocks of four rows (roclapack_sytrd_hetrd.hpp).
func (r *reflections) tridiagonal(n int64) tridiagonalization {
	b := r.tridiagonalInPlace(n)
	b.work = b.work.plus(product(r.element, n, n, r.batch))
	return b
}

// tridiagonalInPlace is sytrd without the copy.
func (r *reflections) tridiagonalInPlace(n int64) tridiagonalization {
	b := r.tridiagonalUnblocked(n)
	if n > tridiagonalUnblocked {
		b.norms = product(r.element, n+tridiagonalPanel, ceilDiv(n, 4), r.batch)
		b.tau = larger(b.tau, unsigned32(n*tridiagonalPanel).times(r.element).times(r.batch))
		b.pointers = r.arrays.times(2)
	}
	return b
}

func latrd(t *Target, a *routine.Args) (d Demand) {
	if a.Int(routine.K) == 0 {
		return d
	}
	r := reflectionsOf(t, a)
	b := r.tridiagonalColumns(a.Int(routine.N))
	b.addTo(&d.Optimal)
	return d
}

func sytd2(t *Target, a *routine.Args) Demand {
	r := reflectionsOf(t, a)
	b := r.tridiagonalUnblocked(a.Int(routine.N))
	return b.demand()
}

func sytrd(t *Target, a *routine.Args) Demand {
	r := reflectionsOf(t, a)
	b := r.tridiagonal(a.Int(routine.N))
	return b.demand()
}

func (b *tridiagonalization) demand() (d Demand) {
	b.addTo(&d.Optimal)
	d.Optimal.add(buffer.ScalarReflection, b.tau)
	d.Optimal.add(buffer.ReflectionPointers, b.pointers)
	return d
}

func (b *tridiagonalization) addTo(list *Buffers) {
	list.add(buffer.Scalars, b.scalars)
	list.add(buffer.ReflectionOrProduct, b.work)
	list.add(buffer.ReflectionNorms, b.norms)
}

// sytrf needs a panel beyond order 128 (roclapack_sytrf.hpp).
func sytrf(_ *Target, a *routine.Args) (d Demand) {
	if n := a.Int(routine.N); n > indefiniteUnblocked {
		d.Optimal.add(buffer.PanelWork, product(a.Routine.Type.Size(), n, indefinitePanel, a.Batch()))
	}
	return d
}

func lasyf(_ *Target, a *routine.Args) (d Demand) {
	d.Optimal.add(buffer.PanelWork, product(a.Routine.Type.Size(), a.Int(routine.N), a.Int(routine.NB)))
	return d
}
