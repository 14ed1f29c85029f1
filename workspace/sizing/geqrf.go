package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var qrRules = map[routine.FamilyID]rule{
	routine.Geqrf: geqrf,
}

// geqrf is geqr2 while a side is at most 128, and works in panels beyond (roclapack_geqrf.hpp). Newer releases apply
// the inverse of the triangular factor of a panel by a solve.
func geqrf(t *Target, a *routine.Args) (d Demand) {
	r, m, n := reflectionsOf(t, a), a.Int(routine.M), a.Int(routine.N)
	if m <= reflectionUnblocked || n <= reflectionUnblocked {
		return geqr2(t, a)
	}
	f := r.blocked(leftSide, m, n)
	f.diagonal = larger(f.diagonal, r.unblockedQR(m, reflectionBlock).diagonal)
	if t.Release.GeqrfWithoutSolve {
		return f.demand()
	}
	w := r.solveWithFactor(t, leftSide, m, n-reflectionBlock)
	d.Optimal.add(buffer.Scalars, f.scalars)
	d.Optimal.add(buffer.ReflectionOrSolve, larger(f.work, w.x))
	d.Optimal.add(buffer.InvertedBlocks, w.inverse)
	d.Optimal.add(buffer.TriangularFactor, f.applied)
	d.Optimal.add(buffer.BlockReflection, f.diagonal)
	d.Optimal.add(buffer.Pointers, f.pointers)
	return d
}
