package behavior

import (
	"fmt"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Factorizations of sparse matrices that are made again and again.
func sparse() []family {
	return []family{
		{ID: routine.CsrrfAnalysis, checks: refactorization(nrhs, routine.NnzA, routine.NnzT), size: rocSPARSE,
			steps: noSteps},
		{
			ID: routine.CsrrfSumlu,
			checks: solverChecks{dims: []routine.Slot{n},
				sizes: []condition{fewerThanRows, negative(routine.NnzU)}}.rules,
			size:  noWorkspace,
			steps: noSteps,
		},
		{
			ID: routine.CsrrfSplitlu,
			checks: solverChecks{dims: []routine.Slot{n, routine.NnzT},
				special: []condition{lowerFactor(routine.IndA), lowerFactor(routine.ValA), upperFactor(routine.IndU),
					upperFactor(routine.ValU)}}.rules,
			size:  splitLU,
			steps: splitLUSteps,
		},
		{ID: routine.CsrrfRefactlu, also: ids{routine.CsrrfRefactchol},
			checks: refactorization(routine.NnzA, routine.NnzT), size: rocSPARSE, steps: noSteps},
		{ID: routine.CsrrfSolve, checks: analysed(solverChecks{sizes: []condition{negative(routine.NnzT)}}),
			size: rocSPARSE, steps: noSteps},
	}
}

// refactorization checks a function whose counts must not be negative.
func refactorization(counts ...routine.Slot) builder {
	c := solverChecks{dims: []routine.Slot{n}}
	for _, count := range counts {
		c.sizes = append(c.sizes, negative(count))
	}
	return analysed(c)
}

// analysed checks a function that takes the result of an analysis, and no other pointer of it. A query reads the result
// unchecked, unless there is nothing to compute.
func analysed(c solverChecks) builder {
	return func(o operands) []rule {
		list, missing := c.rules(o), pointers(null(routine.Rfinfo))
		return append(list[:len(list)-2], missing.only(queried).with(Crash), queryReturns, missing)
	}
}

// fewerThanRows holds for a factor with a unit diagonal that has fewer elements than rows.
var fewerThanRows = number(routine.NnzA, func(a *routine.Args) bool { return a.Int(routine.NnzA) < a.Int(n) },
	func(a *routine.Args) string { return fmt.Sprintf(", must be at least n = %d", a.Int(n)) })

// lowerFactor holds for a null array of the lower factor, which has the diagonal and elements of T, and upperFactor for
// one of the upper factor.
func lowerFactor(s routine.Slot) condition {
	return null(s).unless(both(isZero(n), isZero(routine.NnzT)))
}

func upperFactor(s routine.Slot) condition { return null(s).unless(isZero(routine.NnzT)) }

// rocSPARSE is a function whose workspace depends on the analysis of a matrix.
func rocSPARSE(r *request) {
	r.Unknown = "rocSPARSE decides the workspace, and its analysis of the sparse matrix needs the device"
}

// smallSparse is the largest order of csrrf_splitlu that one kernel computes.
const smallSparse = 64

// splitLUSteps is csrrf_splitlu. The offsets of rows are sums: it sets them to zero first, and last copies the sums of
// all elements in device memory. It sums by rocPRIM, which reads the last error of HIP after its kernels, resets it and
// returns it, also an error that an earlier call left.
func splitLUSteps(w *Steps) {
	if w.n <= smallSparse || w.Int(routine.NnzT) == 0 {
		w.launch()
		return
	}
	w.Launch.First, w.Launch.Later = false, false // it first fills arrays, which it checks
	w.do(ClearOffsets)
	w.launch()
	w.do(ReturnLastError)
	w.do(CopyOffsets)
}

// splitLU is csrrf_splitlu: the elements of each row of L and U, and the memory of rocPRIM to sum them, in one buffer:
// a state for each block, and as many as a wavefront has threads.
func splitLU(r *request) {
	if r.Int(routine.NnzT) == 0 {
		return
	}
	if r.Release.ScansUnknown {
		r.Unknown = "the workspace depends on the tuning tables of rocPRIM, which are not known for " + r.Release.Name
		return
	}
	scan := r.RunsOn().ScanOf(r.Release)
	bytes := 8*r.n + 8*(ceilDiv(r.n, scan.Elements)+int64(r.RunsOn().Wavefront))
	if scan.Counter {
		bytes += 4
	}
	r.add(buffer.RowCounts, product(bytes))
}
