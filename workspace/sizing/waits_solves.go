package sizing

import "roclua/hip/routine"

// solve counts the waits of equal triangular solves of rocSOLVER, which leaves some sizes to rocBLAS.
func (w *waiting) solve(times, n, nrhs int64) int64 {
	block := min(n, largestOwnBlock)
	if !w.spread {
		kind := blockKind{complex: w.Routine.Type.IsComplex(), batched: w.Routine.Variant != routine.Plain}
		block = solveBlock(kind, n, nrhs)
	}
	switch {
	case n <= 0 || times <= 0:
		return 0
	case block != blockOfBLAS:
		return w.inBlocks(times, n, block)
	case nrhs <= 0:
		return 0
	}
	return w.repeat(times, systemOf(w.Args, n, nrhs, true))
}

// rightSides counts the waits of equal solves for the right-hand sides of a call, if it has any.
func (w *waiting) rightSides(times, n int64) int64 {
	nrhs := w.Int(routine.NRHS)
	if nrhs == 0 {
		return 0
	}
	return w.solve(times, n, nrhs)
}

// factorizedSystem counts the waits of a factorization and of the solves with it. Without right-hand sides the library
// makes neither.
func (w *waiting) factorizedSystem(factorization func(w *waiting) int64) int64 {
	if w.Int(routine.NRHS) == 0 {
		return 0
	}
	return factorization(w) + w.system()
}

// inBlocks counts the waits of equal solves by the kernels of rocSOLVER. On some architectures it waits after each
// block but the last, before rocBLAS updates the other rows. A wait that fails ends the solve, but not the call.
func (w *waiting) inBlocks(times, n, block int64) int64 {
	waits := ceilDiv(n, block) - 1
	if waits == 0 || !w.waitsInSolves() {
		return 0
	}
	w.solves += times
	w.left += times * (waits - 1)
	return times * waits
}

func (w *waiting) waitsInSolves() bool { return w.Arch.WaitsInSolves(w.Release) }

// equal counts the waits of equal parts of a call.
func (w *waiting) equal(times int64, part func() int64) int64 {
	left, checked, solves := w.left, w.checked, w.solves
	waits := part()
	w.left, w.checked, w.solves = left+times*(w.left-left), checked+times*(w.checked-checked),
		solves+times*(w.solves-solves)
	return times * waits
}

// pivotedFactorization counts the waits of an LU factorization with pivots, whose solves of rocBLAS never wait.
func (w *waiting) pivotedFactorization() int64 {
	if !w.waitsInSolves() {
		return 0
	}
	f := factorizationOf(w.Args, true)
	if w.Routine.Family.ID == routine.Gesv {
		f.m = f.n
	}
	return w.factorization(f)
}

// factorization counts the waits of an LU factorization. After each panel it solves for the columns next to it, and for
// the rows below a block that is not the whole panel.
func (w *waiting) factorization(f factorization) (waits int64) {
	width, columns := f.panels(), min(f.m, f.n)
	whole := f.pivot || width < 0
	if width = max(width, -width); width == 0 {
		return 0
	}
	for at := int64(0); at < columns; at += width {
		next := min(at+width, columns)
		if whole {
			waits += w.panel(&f, f.m-at, next-at)
		} else {
			waits += w.panel(&f, next-at, next-at) + w.solve(1, next-at, f.m-next)
		}
		if next < f.n {
			waits += w.solve(1, next-at, f.n-next)
		}
	}
	return waits
}

// panel counts the waits of the solves inside a panel. They are too small for waits in rocBLAS.
func (w *waiting) panel(f *factorization, rows, columns int64) (waits int64) {
	if !w.waitsInSolves() {
		return 0
	}
	width := innerWidths[f.kind()].of(rows, columns)
	if width == wholeBlock {
		width = columns
	}
	for next := width; next < columns; next += width {
		waits += w.solve(1, width, columns-next)
	}
	return waits
}

// cholesky counts the waits of potrf, which solves with each block on the diagonal but the last.
func (w *waiting) cholesky() (waits int64) {
	if !w.waitsInSolves() {
		return 0
	}
	block := CholeskyBlock(w.Routine.Type)
	for rest := w.Int(routine.N) - block; rest > 0; rest -= block {
		waits += w.solve(1, block, rest)
	}
	return waits
}

// standardForm counts the waits of sygst, which solves with each block on the diagonal but the last, and with the rest
// of the triangle after it.
func (w *waiting) standardForm() (waits int64) {
	if !w.waitsInSolves() || w.Int(routine.Itype) != routine.EformAx {
		return 0
	}
	for rest := w.Int(routine.N) - standardBlock; rest > 0; rest -= standardBlock {
		waits += w.solve(1, standardBlock, rest) + w.solve(1, rest, standardBlock)
	}
	return waits
}

// reduction counts the waits of the reduction of a generalized problem to a standard one.
func (w *waiting) reduction() int64 { return w.cholesky() + w.standardForm() }
