package sizing

import "roclua/hip/routine"

// choleskyBlock is the order up to which potrf is unblocked (ideal_sizes.hpp).
func choleskyBlock(t routine.Type) int64 {
	switch t {
	case routine.TypeS:
		return 180
	case routine.TypeZ:
		return 90
	}
	return 127
}

// potrf asks for scalars and for the info of its panels; only the plain single-precision form ever reaches the part of
// the solve's table that needs memory (roclapack_potrf.hpp). uplo has no influence.
func potrf(a *routine.Args, d *Demand) {
	n := a.Int(routine.N)
	if n == 0 || a.Batch() == 0 {
		return
	}
	d.Optimal.add("scalars", product(3, a.Routine.Type.Size()))
	d.Optimal.addSolve(choleskySolve(a))
	d.Optimal.add("pivots", nothing)
	d.Optimal.add("work of the unblocked part", nothing)
	d.Optimal.add("info of panels", choleskyInfo(a))
}

// largestFreeSpotrf is the order of a plain spotrf up to which rocSOLVER solves with its own kernel.
const largestFreeSpotrf = 7860

// choleskySolve sizes the panels' solves: x is 4 bytes times the block and the columns beside it.
func choleskySolve(a *routine.Args) solveBuffers {
	n := a.Int(routine.N)
	if a.Routine.Type != routine.TypeS || a.Routine.Variant != routine.Plain || n <= largestFreeSpotrf {
		return solveBuffers{}
	}
	block := choleskyBlock(routine.TypeS)
	return solveBuffers{x: product(4, block, n-block), inverse: product(trsmBlock, block, 4)}
}

func choleskyInfo(a *routine.Args) amount {
	if a.Int(routine.N) <= choleskyBlock(a.Routine.Type) {
		return nothing
	}
	return product(4, a.Batch())
}

// region is a part of the sizes for which potrs asks rocBLAS: orders up to n with at least that many right-hand sides.
type region struct{ n, nrhs int64 }

// never is more right-hand sides than there can be.
const never = 1 << 62

// potrsRegions are rocSOLVER's own kernel tables, where its kernels do not reach (roclapack_trsm_specialized_kernels.hpp).
var (
	potrsReal    = []region{{176, never}, {240, 7681}, {288, 961}, {352, 769}, {480, 449}, {never, 0}}
	potrsComplex = []region{{240, never}, {480, 7681}, {never, 0}}
	potrsBatch   = []region{{20, 23}, {28, 37}, {40, 47}, {352, never}, {480, 1473}, {never, 929}}
)

// asksBLAS reports whether potrs leaves its solves to rocBLAS. Complex batches never do.
func asksBLAS(a *routine.Args) bool {
	table := potrsReal
	switch complexType, batched := a.Routine.Type.IsComplex(), a.Routine.Variant != routine.Plain; {
	case complexType && batched:
		return false
	case complexType:
		table = potrsComplex
	case batched:
		table = potrsBatch
	}
	for _, r := range table {
		if a.Int(routine.N) <= r.n {
			return a.Int(routine.NRHS) >= r.nrhs
		}
	}
	return false
}

// choleskySystem sizes the two solves of potrs, with the factor and with its conjugate transpose (roclapack_potrs.hpp).
func choleskySystem(t *Target, a *routine.Args) solveBuffers {
	n, nrhs := a.Int(routine.N), a.Int(routine.NRHS)
	if n == 0 || nrhs == 0 || a.Batch() == 0 || !asksBLAS(a) {
		return solveBuffers{}
	}
	return larger4(systemOf(a, n, nrhs, true).solve(t), systemOf(a, n, nrhs, false).solve(t))
}

func potrs(t *Target, a *routine.Args, d *Demand) { d.Optimal.addSolve(choleskySystem(t, a)) }

// posv asks for potrf and potrs, one after the other in the same memory, and for a copy of B (roclapack_posv.hpp).
func posv(t *Target, a *routine.Args, d *Demand) {
	n, nrhs, batch := a.Int(routine.N), a.Int(routine.NRHS), a.Batch()
	if n == 0 || nrhs == 0 || batch == 0 {
		return
	}
	d.Optimal.add("scalars", product(3, a.Routine.Type.Size()))
	d.Optimal.addSolve(larger4(choleskySolve(a), choleskySystem(t, a)))
	d.Optimal.add("copy of B", product(a.Routine.Type.Size(), n, nrhs, batch))
	d.Optimal.add("info of panels", choleskyInfo(a))
}
