package sizing

import "roclua/hip/routine"

// vectorSolves count the solves of rocBLAS with one vector in a call, by family. During each the libraries make the
// device of the handle the current one, and they do so in no other calculation.
var vectorSolves = map[routine.FamilyID]func(a *routine.Args) int64{
	routine.Trsv: solvePieces, routine.Trsm: solveOfOne, routine.TrsmEx: solveOfOne,
	routine.Sygs2: func(a *routine.Args) int64 { return columnSolves(a, a.Int(routine.N)) },
	routine.Sygst: standardSolves, routine.Sygv: standardSolves, routine.Sygvd: standardSolves,
	routine.Sygvdj: standardSolves, routine.Sygvdx: standardSolves, routine.Sygvj: standardSolves,
	routine.SygvdxInPlace: standardSolves,
	routine.Sygvx:         standardSolves,
}

// VectorSolves returns how often rocBLAS solves with one vector in a call.
func VectorSolves(a *routine.Args) int64 {
	if count := vectorSolves[a.Routine.Family.ID]; count != nil {
		return count(a)
	}
	return 0
}

// solvePieces counts the pieces of a batch, which only the 64-bit form divides.
func solvePieces(a *routine.Args) int64 {
	if !a.Routine.Wide {
		return 1
	}
	return (a.Batch() + ChunkBatch - 1) / ChunkBatch
}

func solveOfOne(a *routine.Args) int64 {
	if a.Int(routine.Side) != routine.SideLeft || a.Int(routine.N) != 1 {
		return 0
	}
	return solvePieces(a)
}

// columnSolves counts the solves of the unblocked reduction to standard form, which solves with each column after the
// first in one of the three forms.
func columnSolves(a *routine.Args, block int64) int64 {
	if a.Int(routine.Itype) != routine.EformAx {
		return 0
	}
	n := a.Int(routine.N)
	if n < 2 {
		return 0
	}
	return n - (n+block-1)/block
}

func standardSolves(a *routine.Args) int64 { return columnSolves(a, standardBlock) }
