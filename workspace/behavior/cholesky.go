package behavior

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Cholesky factorization, and solutions and inverses by it; factorization of indefinite matrices.
func cholesky() []family {
	return []family{
		{ID: routine.Potrf, checks: standard, size: potrf, steps: potrfSteps},
		{ID: routine.PotrfInfo32, checks: standard, size: potrf, steps: launchThen((*Steps).cholesky)},
		{ID: routine.Potf2, checks: standard, size: potf2, steps: launchThen((*Steps).pivots)},
		{ID: routine.Potrs, checks: standard, size: potrs, steps: launchThen((*Steps).system, (*Steps).solvesFirst)},
		{ID: routine.Posv, checks: standard, size: posv, steps: posvSteps},
		{ID: routine.Potri, checks: standard, size: potri, steps: launchThen((*Steps).inverseOfTriangle)},

		{ID: routine.Sytrf, checks: standard, size: sytrf, steps: noSteps},
		{ID: routine.Sytf2, checks: standard, size: noWorkspace, steps: noSteps},
		{
			ID:     routine.Lasyf,
			checks: solverChecks{sizes: []condition{negative(routine.NB), exceeds(routine.NB, n)}}.rules,
			size:   lasyf,
			steps:  noSteps,
		},
	}
}

// potrf needs scalars, the info of its panels, and the memory of its largest solve if rocSOLVER leaves that to rocBLAS:
// only the plain single-precision form reaches this part of the table of blocks (roclapack_potrf.hpp).
func potrf(t *Target, a *routine.Args) (d Demand) {
	d.Optimal.add(buffer.Scalars, product(3, a.Routine.Type.Size()))
	d.Optimal.addSolve(choleskySolve(t, a))
	d.Optimal.addAll([]piece{{buffer.Pivots, zero}, {buffer.UnblockedWork, zero}, {buffer.PanelInfo, choleskyInfo(a)}})
	return d
}

// choleskySolve sizes the solve of the first panel, with the columns or rows next to it.
func choleskySolve(t *Target, a *routine.Args) solveBuffers {
	block := a.Routine.Type.CholeskyBlock()
	rest := a.Int(routine.N) - block
	if !callsBLAS(a, block, rest) {
		return solveBuffers{}
	}
	s := systemOf(a, block, rest, false)
	if a.Int(routine.Uplo) == routine.FillLower {
		s.left, s.m, s.n = false, s.n, s.m
	}
	return s.solve(t)
}

func choleskyInfo(a *routine.Args) amount {
	if a.Int(routine.N) <= a.Routine.Type.CholeskyBlock() {
		return zero
	}
	return product(indexSize(a.Routine), a.Batch())
}

// potf2 needs a dot product and pivots beyond the order that one kernel factorizes (roclapack_potf2.hpp).
func potf2(_ *Target, a *routine.Args) (d Demand) {
	n, batch, element := a.Int(routine.N), a.Batch(), a.Routine.Type.Size()
	d.Optimal.add(buffer.Scalars, product(3, element))
	if n > a.Routine.Type.CholeskyBlock() {
		d.Optimal.add(buffer.UnblockedWork, product(element, (n-1)/512+2, batch))
		d.Optimal.add(buffer.Pivots, product(element, batch))
	}
	return d
}

// choleskySystem sizes the two solves of potrs, with the factor and with its conjugate transpose (roclapack_potrs.hpp).
func choleskySystem(t *Target, a *routine.Args) solveBuffers {
	n, nrhs := a.Int(routine.N), a.Int(routine.NRHS)
	if !callsBLAS(a, n, nrhs) {
		return solveBuffers{}
	}
	plain, transposed := systemOf(a, n, nrhs, true), systemOf(a, n, nrhs, false)
	plain.ld, transposed.ld = 0, 0 // potrs does not pass them
	return plain.solve(t).larger(transposed.solve(t))
}

func potrs(t *Target, a *routine.Args) (d Demand) {
	d.Optimal.addSolve(choleskySystem(t, a))
	return d
}

// posv needs the memory of potrf and of potrs, which share it, and a copy of B (roclapack_posv.hpp).
func posv(t *Target, a *routine.Args) (d Demand) {
	n, nrhs, batch := a.Int(routine.N), a.Int(routine.NRHS), a.Batch()
	d.Optimal.add(buffer.Scalars, product(3, a.Routine.Type.Size()))
	d.Optimal.addSolve(choleskySolve(t, a).larger(choleskySystem(t, a)))
	d.Optimal.add(buffer.RightSideCopy, product(a.Routine.Type.Size(), n, nrhs, batch))
	d.Optimal.add(buffer.PanelInfo, choleskyInfo(a))
	return d
}

// potri inverts the factor, and multiplies the inverse by itself in a copy (roclapack_potri.hpp).
func potri(t *Target, a *routine.Args) (d Demand) {
	n, batch, element := a.Int(routine.N), a.Batch(), a.Routine.Type.Size()
	if d.Endless = n >= trtriEndless; d.Endless {
		return d
	}
	d.invert(t, a, product(element, n, n, batch))
	return d
}

// Columns of a panel of sytrf, and the order from which on it uses panels (ideal_sizes.hpp).
const (
	indefinitePanel     = 64
	indefiniteUnblocked = 128
)

// sytrf needs a panel beyond order 128 (roclapack_sytrf.hpp).
func sytrf(_ *Target, a *routine.Args) (d Demand) {
	if n := a.Int(routine.N); n > indefiniteUnblocked {
		d.Optimal.add(buffer.PanelWork, product(a.Routine.Type.Size(), n, indefinitePanel, a.Batch()))
	}
	return d
}

func lasyf(_ *Target, a *routine.Args) (d Demand) {
	d.Optimal.add(buffer.PanelWork, product(a.Routine.Type.Size(), a.Int(routine.N), a.Int(routine.NB)))
	return d
}

// potrfSteps does not restore the pointer mode when one kernel factorizes the matrix.
func potrfSteps(w *Steps) {
	w.launch()
	if 0 < w.Int(n) && w.Int(n) <= w.Routine.Type.CholeskyBlock() {
		w.do(LosePointerMode)
	}
	w.cholesky()
}

// posvSteps neither factorizes nor solves without right-hand sides.
func posvSteps(w *Steps) {
	if w.Int(nrhs) == 0 {
		w.launch()
		return
	}
	potrfSteps(w)
	w.system()
}

// cholesky adds the waits of potrf, which solves with each block on the diagonal but the last.
func (w *Steps) cholesky() {
	if !w.waitsInSolves() {
		return
	}
	block := w.Routine.Type.CholeskyBlock()
	for rest := w.Int(routine.N) - block; rest > 0; rest -= block {
		w.solve(1, block, rest)
	}
}

// pivots fills the pivots of potf2, if it needs any.
func (w *Steps) pivots() {
	if w.Int(routine.N) > w.Routine.Type.CholeskyBlock() {
		w.fill(Fill{ID: buffer.Pivots, Bytes: product(w.Routine.Type.Size(), w.Batch()).n})
	}
}
