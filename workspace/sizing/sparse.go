package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var sparseRules = map[routine.FamilyID]rule{
	routine.CsrrfAnalysis:   rocSPARSE,
	routine.CsrrfSplitlu:    splitLU,
	routine.CsrrfRefactlu:   rocSPARSE,
	routine.CsrrfRefactchol: rocSPARSE,
	routine.CsrrfSolve:      rocSPARSE,
}

// rocSPARSE is a function whose workspace depends on the analysis of a matrix.
func rocSPARSE(*Target, *routine.Args) Demand {
	return Demand{Unknown: "the workspace is that of rocSPARSE, whose analysis of the sparse matrix needs the device"}
}

// splitLU is csrrf_splitlu: the elements of each row of L and U, and the memory of rocPRIM to sum them, in one buffer:
// a state for each block, and as many as a wavefront has threads.
func splitLU(t *Target, a *routine.Args) (d Demand) {
	n := a.Int(routine.N)
	if n == 0 || a.Int(routine.NnzT) == 0 {
		return d
	}
	if t.Release.ScansUnknown {
		d.Unknown = "the workspace depends on the tuning tables of rocPRIM, which are not known for " + t.Release.Name
		return d
	}
	scan := t.RunsOn().ScanOf(t.Release)
	bytes := 8*n + 8*(ceilDiv(n, scan.Elements)+int64(t.RunsOn().Wavefront))
	if scan.Counter {
		bytes += 4
	}
	d.Optimal.add(buffer.RowCounts, product(bytes))
	return d
}
