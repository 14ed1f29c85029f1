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

// scanned is how rocPRIM sums integers in one pass on an architecture.
type scanned struct {
	elements int64 // that a block sums
	counter  bool  // blocks take their numbers from a counter
}

// scans are the tuning tables of rocPRIM by release and architecture; "" is any other architecture. They were found by
// comparing the sizes that the libraries report for numbers of rows up to 2^31-1.
var scans = map[string]map[string]scanned{
	"rocm-6.4": {
		"":        {elements: 3584},
		"gfx803":  {elements: 4096},
		"gfx900":  {elements: 4096},
		"gfx906":  {elements: 3840},
		"gfx90a":  {elements: 1280},
		"gfx942":  {elements: 5376},
		"gfx1030": {elements: 1152},
		"gfx1100": {elements: 1024},
		"gfx1102": {elements: 4096},
		"gfx1200": {elements: 2048},
		"gfx1201": {elements: 1536},
	},
	"rocm-7.2": {
		"":        {elements: 3584},
		"gfx803":  {elements: 4096},
		"gfx900":  {elements: 4096},
		"gfx906":  {elements: 3840},
		"gfx90a":  {elements: 1280},
		"gfx942":  {elements: 5376, counter: true},
		"gfx950":  {elements: 4096, counter: true},
		"gfx1030": {elements: 320},
		"gfx1100": {elements: 1024},
		"gfx1102": {elements: 4096},
		"gfx1200": {elements: 2048},
		"gfx1201": {elements: 1536},
	},
}

// splitLU is csrrf_splitlu: the elements of each row of L and U, and the memory of rocPRIM to sum them, in one buffer:
// a state for each block, and as many as a wavefront has threads.
func splitLU(t *Target, a *routine.Args) (d Demand) {
	n := a.Int(routine.N)
	if n == 0 || a.Int(routine.NnzT) == 0 {
		return d
	}
	table, ok := scans[t.Release.Name]
	if !ok {
		d.Unknown = "the workspace depends on the tuning tables of rocPRIM, which are not known for " + t.Release.Name
		return d
	}
	scan, ok := table[base(t.Arch)]
	if !ok {
		scan = table[""]
	}
	bytes := 8*n + 8*(ceilDiv(n, scan.elements)+wavefront(t.Arch))
	if scan.counter {
		bytes += 4
	}
	d.Optimal.add(buffer.RowCounts, product(bytes))
	return d
}

// wavefront returns the number of threads of a wavefront.
func wavefront(arch string) int64 {
	if hasWave32(arch) {
		return 32
	}
	return 64
}
