package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var blockTridiagonalRules = map[routine.FamilyID]rule{
	routine.GeblttrfNpvt:            geblttrf,
	routine.GeblttrfNpvtInterleaved: geblttrf,
	routine.GeblttrsNpvt:            geblttrs,
	routine.GeblttrsNpvtInterleaved: geblttrs,
}

// geblttrf factorizes the blocks on the diagonal by getrf, and solves with them by getrs. The two share memory, except
// that the blocks have an info (roclapack_geblttrf_npvt.hpp).
func geblttrf(t *Target, a *routine.Args) (d Demand) {
	nb := a.Int(routine.NB)
	f := factorizationOf(a, false)
	if f.m, f.n = nb, nb; f.empty() || a.Int(routine.NBlocks) == 0 {
		return d
	}
	f.spread = a.Int(routine.IncB) > 1
	b := f.buffers(t)
	if a.Int(routine.IncC) <= 1 {
		b.solve = b.solve.larger(systemOf(a, offMultiple(nb), nb, true).solve(t))
	}
	d.Optimal.add(buffer.Scalars, b.scalars)
	d.Optimal.addSolve(b.solve)
	b.addPivots(&d.Optimal)
	d.Optimal.add(buffer.BlockInfo, product(4, f.batch))
	return d
}

// geblttrs solves with the blocks on the diagonal by getrs (roclapack_geblttrs_npvt.hpp).
func geblttrs(t *Target, a *routine.Args) (d Demand) {
	nb, nrhs := a.Int(routine.NB), a.Int(routine.NRHS)
	if nb == 0 || a.Int(routine.NBlocks) == 0 || nrhs == 0 || a.Batch() == 0 || a.Int(routine.IncX) > 1 {
		return d
	}
	d.Optimal.addSolve(systemOf(a, offMultiple(nb), nrhs, true).solve(t))
	return d
}
