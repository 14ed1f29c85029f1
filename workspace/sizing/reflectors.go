package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var reflectorRules = map[routine.FamilyID]rule{
	routine.Larfg: larfg,
	routine.Larf:  larf,
	routine.Larft: larft,
	routine.Larfb: larfb,
}

// Blocks of reflections, and the number from which on a routine uses them (ideal_sizes.hpp).
const (
	reflectionBlock     = 64
	reflectionUnblocked = 128
)

// reflections are the building blocks of routines that make or apply Householder reflections.
type reflections struct {
	element, real, batch int64
	wave64               bool   // wavefronts have 64 lanes
	arrays               amount // one pointer for each problem in the batched form, otherwise nothing
}

func reflectionsOf(t *Target, a *routine.Args) reflections {
	r := reflections{element: a.Routine.Type.Size(), real: a.Routine.Type.RealSize(), batch: a.Batch(),
		wave64: t.RunsOn().Wavefront == 64}
	if a.Routine.Variant == routine.Batched {
		r.arrays = product(8, r.batch)
	}
	return r
}

func (r *reflections) scalars() amount { return product(3, r.element) }

// make is larfg of order n: work and norms. A short column fits a wavefront of 64 lanes (rocauxiliary_larfg.hpp).
func (r *reflections) make(n int64) (work, norms amount) {
	if n == 0 || r.batch == 0 || n <= 2048 && r.wave64 {
		return zero, zero
	}
	return r.partialSums(n), product(r.element, r.batch)
}

// partialSums is the dot product of a column without its first element.
func (r *reflections) partialSums(n int64) amount {
	cells := int64(1)
	if n > 2 {
		cells = (n-2)/512 + 2
	}
	return product(r.element, r.batch, cells)
}

// sides of a matrix to which reflections are applied.
type sides uint8

const (
	leftSide sides = iota
	rightSide
	bothSides
)

func sideOf(a *routine.Args) sides {
	if a.Int(routine.Side) == routine.SideLeft {
		return leftSide
	}
	return rightSide
}

// apply is larf on an m x n matrix: the product of the matrix and the vector, unless one kernel applies the reflection
// (rocauxiliary_larf.hpp).
func (r *reflections) apply(s sides, m, n int64) amount {
	switch {
	case m == 0 || n == 0 || r.batch == 0:
		return zero
	case s == leftSide && m <= 2048 && n <= 64, s == rightSide && m <= 64 && n <= 2048:
		return zero
	case s == leftSide:
		return product(r.element, n, r.batch)
	case s == rightSide:
		return product(r.element, m, r.batch)
	}
	return product(r.element, max(m, n), r.batch)
}

// factor is larft: k numbers for each problem (rocauxiliary_larft.hpp). As in larfb, sizes have 32 bits in the 64-bit
// forms too.
func (r *reflections) factor(n, k int64) amount {
	if int32(n) == 0 {
		return zero
	}
	return signed32(r.batch).times(r.element).times(k)
}

// applyBlock is larfb on an m x n matrix: the product of the matrix and k vectors (rocauxiliary_larfb.hpp).
func (r *reflections) applyBlock(s sides, m, n, k int64) amount {
	if int32(m) == 0 || int32(n) == 0 {
		return zero
	}
	if s == leftSide {
		m = n
	}
	return signed32(m).times(r.element).times(k).times(int64(int32(r.batch)))
}

// triangle is the triangular factor of one block.
func (r *reflections) triangle() amount {
	return product(r.element, reflectionBlock*reflectionBlock, r.batch)
}

// solveWithFactor is the solve with the triangular factor of a block of reflections. Newer releases use it to apply the
// block to an m x n matrix, with 32-bit sizes (rocauxiliary_larfb.hpp).
func (r *reflections) solveWithFactor(t *Target, s sides, m, n int64) solveBuffers {
	m, n = int64(int32(m)), int64(int32(n))
	if m == 0 || n == 0 {
		return solveBuffers{}
	}
	w := triangular{left: s == leftSide, none: true, m: reflectionBlock, n: n, element: r.element,
		batch: int64(int32(r.batch))}
	if s == rightSide {
		w.m, w.n = offMultiple(m), reflectionBlock
	}
	if t.Release.SolveSizedByTrsm {
		return w.sizeOfTrsm(t)
	}
	return w.solveBound()
}

func larfg(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	work, norms := r.make(a.Int(routine.N))
	d.Optimal.add(buffer.ReflectionWork, work)
	d.Optimal.add(buffer.ReflectionNorms, norms)
	return d
}

func larf(t *Target, a *routine.Args) (d Demand) {
	m, n := a.Int(routine.M), a.Int(routine.N)
	if m == 0 || n == 0 {
		return d
	}
	r := reflectionsOf(t, a)
	d.Optimal.add(buffer.Scalars, r.scalars())
	d.Optimal.add(buffer.AppliedReflection, r.apply(sideOf(a), m, n))
	return d
}

func larft(t *Target, a *routine.Args) (d Demand) {
	if a.Int(routine.N) == 0 {
		return d
	}
	r := reflectionsOf(t, a)
	d.Optimal.add(buffer.Scalars, r.scalars())
	d.Optimal.add(buffer.FactorWork, r.factor(a.Int(routine.N), a.Int(routine.K)))
	return d
}

func larfb(t *Target, a *routine.Args) (d Demand) {
	r := reflectionsOf(t, a)
	d.Optimal.add(buffer.BlockReflection, r.applyBlock(sideOf(a), a.Int(routine.M), a.Int(routine.N), a.Int(routine.K)))
	return d
}
