package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// solve adds the waits of equal triangular solves of rocSOLVER, which leaves some sizes to rocBLAS.
func (w *waiting) solve(times, n, nrhs int64) {
	block := min(n, largestOwnBlock)
	if !w.spread {
		kind := kindOfBlocks(w.Routine.Type.IsComplex(), w.Routine.Variant != routine.Plain)
		block = solveBlock(kind, n, nrhs)
	}
	switch {
	case n <= 0 || times <= 0:
	case block != blockOfBLAS:
		w.inBlocks(times, n, block)
	case nrhs > 0:
		for range times {
			w.blasSolve(systemOf(w.Args, n, nrhs, true))
		}
	}
}

// rightSides adds the waits of equal solves for the right-hand sides of a call, if it has any.
func (w *waiting) rightSides(times, n int64) {
	if nrhs := w.Int(routine.NRHS); nrhs != 0 {
		w.solve(times, n, nrhs)
	}
}

// leastSquares adds the waits of a factorization and of a solve with its triangle.
func (w *waiting) leastSquares() {
	if w.Int(routine.NRHS) != 0 {
		w.squareFactorization(buffer.LeastSquaresSolvePointers)
	}
	w.rightSides(1, w.least())
}

// factorizedSystem adds the waits of a factorization and of the solves with it. Without right-hand sides the library
// makes neither.
func (w *waiting) factorizedSystem(factorization func(w *waiting)) {
	if w.Int(routine.NRHS) != 0 {
		factorization(w)
		w.system()
	}
}

// inBlocks adds the waits of equal solves by the kernels of rocSOLVER. On some architectures it waits after each
// block but the last, before rocBLAS updates the other rows. A wait that fails ends the solve, but not the call.
func (w *waiting) inBlocks(times, n, block int64) {
	if waits := ceilDiv(n, block) - 1; waits != 0 && w.waitsInSolves() {
		w.step(WaitingStep{Times: times, Waits: waits})
	}
}

func (w *waiting) waitsInSolves() bool { return w.Arch.WaitsInSolves(w.Release) }

// pivotedFactorization adds the waits of an LU factorization with pivots, whose solves of rocBLAS never wait.
func (w *waiting) pivotedFactorization() {
	if !w.waitsInSolves() {
		return
	}
	f := factorizationOf(w.Args, true)
	if w.Routine.Family.ID == routine.Gesv {
		f.m = f.n
	}
	w.factorization(f)
}

// factorization adds the waits of an LU factorization. After each panel it solves for the columns next to it, and for
// the rows below a block that is not the whole panel.
func (w *waiting) factorization(f factorization) {
	width, columns := f.panels(), min(f.m, f.n)
	whole := f.pivot || width < 0
	if width = max(width, -width); width == 0 {
		return
	}
	for at := int64(0); at < columns; at += width {
		next := min(at+width, columns)
		if whole {
			w.panel(&f, f.m-at, next-at)
		} else {
			w.panel(&f, next-at, next-at)
			w.solve(1, next-at, f.m-next)
		}
		if next < f.n {
			w.solve(1, next-at, f.n-next)
		}
	}
}

// panel adds the waits of the solves inside a panel. They are too small for waits in rocBLAS.
func (w *waiting) panel(f *factorization, rows, columns int64) {
	if !w.waitsInSolves() {
		return
	}
	width := innerWidths[f.kind()].of(rows, columns)
	if width == wholeBlock {
		width = columns
	}
	for next := width; next < columns; next += width {
		w.solve(1, width, columns-next)
	}
}

// cholesky adds the waits of potrf, which solves with each block on the diagonal but the last.
func (w *waiting) cholesky() {
	if !w.waitsInSolves() {
		return
	}
	block := CholeskyBlock(w.Routine.Type)
	for rest := w.Int(routine.N) - block; rest > 0; rest -= block {
		w.solve(1, block, rest)
	}
}

// standardForm adds the waits of sygst, which solves with each block on the diagonal but the last, and with the rest
// of the triangle after it.
func (w *waiting) standardForm() {
	if !w.waitsInSolves() || w.Int(routine.Itype) != routine.EformAx {
		return
	}
	for rest := w.Int(routine.N) - standardBlock; rest > 0; rest -= standardBlock {
		w.solve(1, standardBlock, rest)
		w.solve(1, rest, standardBlock)
	}
}

// reduction adds the waits of the reduction of a generalized problem to a standard one.
func (w *waiting) reduction() {
	w.cholesky()
	w.standardForm()
}
