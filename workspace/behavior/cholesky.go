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
func potrf(r *request) {
	r.add(buffer.Scalars, r.scalars())
	r.addSolve(r.choleskySolve())
	r.addAll([]piece{{buffer.Pivots, zero}, {buffer.UnblockedWork, zero}, {buffer.PanelInfo, r.choleskyInfo()}})
}

// choleskySolve sizes the solve of the first panel, with the columns or rows next to it.
func (r *callSizes) choleskySolve() solveBuffers {
	block := r.Routine.Type.CholeskyBlock()
	rest := r.n - block
	if !callsBLAS(r.Args, block, rest) {
		return solveBuffers{}
	}
	s := r.triangular(leftSide, block, rest)
	if r.Int(routine.Uplo) == routine.FillLower {
		s = r.triangular(rightSide, rest, block)
	}
	s.none = false
	return s.solve(r.Target)
}

func (r *callSizes) choleskyInfo() amount {
	if r.n <= r.Routine.Type.CholeskyBlock() {
		return zero
	}
	return product(r.indexBytes(), r.batch)
}

// potf2 needs a dot product and pivots beyond the order that one kernel factorizes (roclapack_potf2.hpp).
func potf2(r *request) {
	r.add(buffer.Scalars, r.scalars())
	if r.n > r.Routine.Type.CholeskyBlock() {
		r.add(buffer.UnblockedWork, product(r.element, (r.n-1)/512+2, r.batch))
		r.add(buffer.Pivots, product(r.element, r.batch))
	}
}

// choleskySystem sizes the two solves of potrs, with the factor and with its conjugate transpose (roclapack_potrs.hpp).
func (r *callSizes) choleskySystem() solveBuffers {
	if !callsBLAS(r.Args, r.n, r.nrhs) {
		return solveBuffers{}
	}
	s := r.triangular(leftSide, r.n, r.nrhs)
	s.ld = 0 // potrs does not pass it
	plain := s.solve(r.Target)
	s.none = false
	return plain.larger(s.solve(r.Target))
}

func potrs(r *request) {
	r.addSolve(r.choleskySystem())
}

// posv needs the memory of potrf and of potrs, which share it, and a copy of B (roclapack_posv.hpp).
func posv(r *request) {
	r.add(buffer.Scalars, r.scalars())
	r.addSolve(r.choleskySolve().larger(r.choleskySystem()))
	r.add(buffer.RightSideCopy, product(r.element, r.n, r.nrhs, r.batch))
	r.add(buffer.PanelInfo, r.choleskyInfo())
}

// potri inverts the factor, and multiplies the inverse by itself in a copy (roclapack_potri.hpp).
func potri(r *request) { r.invert(product(r.element, r.n, r.n, r.batch)) }

// Columns of a panel of sytrf, and the order from which on it uses panels (ideal_sizes.hpp).
const (
	indefinitePanel     = 64
	indefiniteUnblocked = 128
)

// sytrf needs a panel beyond order 128 (roclapack_sytrf.hpp).
func sytrf(r *request) {
	if r.n > indefiniteUnblocked {
		r.add(buffer.PanelWork, product(r.element, r.n, indefinitePanel, r.batch))
	}
}

func lasyf(r *request) {
	r.add(buffer.PanelWork, product(r.element, r.n, r.Int(routine.NB)))
}

// potrfSteps does not restore the pointer mode when one kernel factorizes the matrix.
func potrfSteps(w *Steps) {
	w.launch()
	if 0 < w.n && w.n <= w.Routine.Type.CholeskyBlock() {
		w.do(LosePointerMode)
	}
	w.cholesky()
}

// posvSteps neither factorizes nor solves without right-hand sides.
func posvSteps(w *Steps) {
	if w.nrhs == 0 {
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
	for rest := w.n - block; rest > 0; rest -= block {
		w.solve(1, block, rest)
	}
}

// pivots fills the pivots of potf2, if it needs any.
func (w *Steps) pivots() {
	if w.n > w.Routine.Type.CholeskyBlock() {
		w.fill(Fill{ID: buffer.Pivots, Bytes: product(w.element, w.batch).n})
	}
}
