package sizing

import (
	"slices"

	"roclua/hip/routine"
)

// Orders beyond which the library chooses an algorithm that waits.
const (
	// Divided is the order from which stedc divides a problem.
	Divided = 16

	jacobiWaits  = 58 // of syevj and gesvdj: smaller problems are one kernel
	inverseBlock = 32 // of trtri: a block is one kernel
)

// Waits of parts of algorithms, as both recorded releases make them: see testdata/PROFILE/waits.jsonl.gz in package
// workspace.
const (
	waitsOfScalars = 2 // of a general product in device pointer mode, for alpha and for beta
	waitsOfBlocks  = 3 // of the inverses of all whole diagonal blocks of a triangle
)

// Waits is how often an executed call waits for its stream between its steps, in addition to its waits for scalars and
// results. Of the iterations of a family with Iterates it counts one, because their number depends on the data.
type Waits struct {
	Count   int64
	Failing int64 // waits if each of them fails: a product whose first wait fails makes no other

	// Products are the general products of triangular solves in panels. As ROCBLAS_CHECK_NUMERICS requests, they check
	// their arrays, and the solve ignores the results.
	Products int64
	First    int64 // of Products: made by a solve whose kernels are the first ones of the call

	// Solves are the solves in blocks that wait, see inBlocks. Each makes one wait in an invalidated capture.
	Solves int64
}

// waiting is a call whose waits are counted.
type waiting struct {
	*Target
	*routine.Args
	onDevice bool
	degraded bool  // the call has the smaller set of buffers
	left     int64 // waits that are not made if each of them fails
	checked  int64 // products that check their arrays
	first    int64 // of checked: made by a solve whose kernels are the first ones of the call
	solves   int64 // in blocks that wait
	spread   bool  // solves are of elements with an increment, in which rocBLAS has no part
}

// waitRules count the waits of the families, by their IDs; nil if a family makes none.
var waitRules = [routine.FamilyCount]func(w *waiting) int64{
	routine.Trsm:   (*waiting).inPieces,
	routine.TrsmEx: func(w *waiting) int64 { return w.pieces(1, mixedTriangularOf(w.Args)) },
	routine.Trtri:  (*waiting).inverse,

	routine.Getrs: (*waiting).system,
	routine.Gesv:  func(w *waiting) int64 { return w.factorizedSystem((*waiting).pivotedFactorization) },
	routine.Potrs: (*waiting).system,
	routine.Posv:  func(w *waiting) int64 { return w.factorizedSystem((*waiting).cholesky) },
	routine.Gels:  func(w *waiting) int64 { return w.rightSides(1, w.least()) },

	routine.GesvOutOfPlace: func(w *waiting) int64 { return w.factorizedSystem((*waiting).pivotedFactorization) },
	routine.GelsOutOfPlace: func(w *waiting) int64 { return w.rightSides(1, w.least()) },

	routine.Getrf:               (*waiting).pivotedFactorization,
	routine.GetrfNpvt:           func(w *waiting) int64 { return w.factorization(factorizationOf(w.Args, false)) },
	routine.Potrf:               (*waiting).cholesky,
	routine.GetrfInfo32:         (*waiting).pivotedFactorization,
	routine.GetrfNpvtInfo32:     func(w *waiting) int64 { return w.factorization(factorizationOf(w.Args, false)) },
	routine.PotrfInfo32:         (*waiting).cholesky,
	routine.Getri:               (*waiting).inverseOfFactors,
	routine.GetriNpvt:           (*waiting).inverseOfFactors,
	routine.GetriOutOfPlace:     (*waiting).inverseByIdentity,
	routine.GetriNpvtOutOfPlace: (*waiting).inverseByIdentity,
	routine.SolverTrtri:         (*waiting).inverseOfTriangle,
	routine.Potri:               (*waiting).inverseOfTriangle,

	routine.GeblttrfNpvt:            (*waiting).blockFactorization,
	routine.GeblttrfNpvtInterleaved: (*waiting).blockFactorization,
	routine.GeblttrsNpvt:            (*waiting).blockSolve,
	routine.GeblttrsNpvtInterleaved: (*waiting).blockSolve,

	routine.Bdsqr:               func(w *waiting) int64 { return once(w.Int(routine.N) > 1) },
	routine.Gesvd:               func(w *waiting) int64 { return once(w.least() > 1) },
	routine.Gesvdj:              func(w *waiting) int64 { return once(w.least() > jacobiWaits) },
	routine.GesvdjNotTransposed: func(w *waiting) int64 { return once(w.least() > jacobiWaits) },
	routine.Syevj:               (*waiting).jacobi,
	routine.Sygvj:               func(w *waiting) int64 { return w.reduction() + w.jacobi() + w.backTransformation() },

	routine.Sytrd:         (*waiting).tridiagonal,
	routine.Syev:          (*waiting).tridiagonal,
	routine.Syevd:         (*waiting).tridiagonal,
	routine.Syevx:         (*waiting).tridiagonal,
	routine.Gesdd:         (*waiting).tridiagonal,
	routine.Syevdx:        (*waiting).partialDivision,
	routine.SyevdxInPlace: (*waiting).partialDivision,
	routine.Syevdj: func(w *waiting) int64 {
		if !w.vectors() {
			return w.jacobi()
		}
		return w.tridiagonal() + w.division()
	},
	routine.Sygst:         (*waiting).standardForm,
	routine.Sygv:          (*waiting).generalized,
	routine.Sygvd:         (*waiting).generalized,
	routine.Sygvx:         (*waiting).generalized,
	routine.Sygvdx:        (*waiting).generalized,
	routine.SygvdxInPlace: (*waiting).generalized,
	routine.Sygvdj: func(w *waiting) int64 {
		if !w.vectors() {
			return w.reduction() + w.jacobi()
		}
		return w.generalized()
	},
}

// MayWait reports whether some calls of a routine wait.
func MayWait(r *routine.Routine) bool { return waitRules[r.Family.ID] != nil }

// WaitsOf returns the waits of a call, which is degraded if it has the smaller set of buffers.
func WaitsOf(t *Target, a *routine.Args, onDevice, degraded bool) Waits {
	rule := waitRules[a.Routine.Family.ID]
	if rule == nil {
		return Waits{}
	}
	w := &waiting{Target: t, Args: a, onDevice: onDevice, degraded: degraded}
	count := rule(w)
	return Waits{count, count - w.left, w.checked, w.first, w.solves}
}

func once(waits bool) int64 {
	if waits {
		return 1
	}
	return 0
}

func (w *waiting) batched() bool { return w.Routine.Variant == routine.Batched }

// least returns the smaller size of a general matrix, or the order of a square one.
func (w *waiting) least() int64 {
	n := w.Int(routine.N)
	if _, ok := w.Routine.ParamAt(routine.M); ok {
		n = min(n, w.Int(routine.M))
	}
	return n
}

// partialDivision counts the waits of some eigenvalues by division.
func (w *waiting) partialDivision() int64 { return w.tridiagonal() + w.division() }

func (w *waiting) vectors() bool { return w.Int(routine.Evect) != routine.EvectNone }

// blasSolve counts the waits of a trsm of rocBLAS. The batched form multiplies inverted blocks by a product that copies
// the addresses of its matrices to the host.
func (w *waiting) blasSolve(s triangular) int64 {
	k, other := s.order()
	if s.left && s.n == 1 || s.substitutes() {
		return 0
	}
	if s.special(w.Target) {
		columns := int64(1)
		if w.degraded { // it solves for one column after the other
			columns = other
		}
		w.checked += (k/trsmBlock - 1) * columns
	}
	if !s.pointers || s.inverse().n == 0 {
		return 0
	}
	squares, rest := inverseSteps(k % trsmBlock)
	steps := squares + rest
	if k >= trsmBlock {
		steps += waitsOfBlocks
	}
	return steps
}

// inPieces counts the waits of trsm. The 64-bit form solves pieces of a batch, one after the other, and in device
// pointer mode copies alpha for each; the copy for the first piece is one of a scalar.
func (w *waiting) inPieces() (waits int64) {
	s := triangularOf(w.Args)
	if w.Routine.Wide && s.batch > ChunkBatch {
		whole := (s.batch - 1) / ChunkBatch
		last := s.batch - whole*ChunkBatch
		s.batch = ChunkBatch
		waits = w.pieces(whole, s)
		if w.onDevice && !(s.left && s.n == 1) {
			waits += whole
		}
		s.batch = last
	}
	return waits + w.pieces(1, s)
}

// pieces counts the waits of equal solves of rocBLAS, unless they only clear B or cannot copy addresses.
func (w *waiting) pieces(times int64, s triangular) int64 {
	if w.Scalar(routine.Alpha) == 0 || w.Null(routine.A) {
		return 0
	}
	return w.repeat(times, s)
}

// repeat counts the waits of equal solves.
func (w *waiting) repeat(times int64, s triangular) int64 {
	if times <= 0 {
		return 0
	}
	before := w.checked
	waits := w.blasSolve(s)
	w.checked = before + times*(w.checked-before)
	return times * waits
}

// system counts the waits of the two solves with the factors of a matrix. A kernel that exchanges rows or factorizes
// the matrix can come first.
func (w *waiting) system() int64 {
	waits := w.rightSides(2, w.Int(routine.N))
	switch id := w.Routine.Family.ID; {
	case id == routine.Potrs, id == routine.Getrs && w.Int(routine.TransA) != routine.OperationNone:
		w.first = w.checked / 2
	}
	return waits
}

// inverseByIdentity solves with the factors for the columns of the identity.
func (w *waiting) inverseByIdentity() int64 { return w.solve(2, w.Int(routine.N), w.Int(routine.N)) }

// inverseSteps returns the steps of the inverse of a triangle of order n, which consist of products: for squares, whose
// number of blocks is a power of two, and for the rest.
func inverseSteps(n int64) (squares, rest int64) {
	if n <= inverseBlock {
		return 0, 0
	}
	square := int64(inverseBlock)
	for ; square*2 <= n; square *= 2 {
		squares++
	}
	whole := powerOfTwo(n/inverseBlock*inverseBlock - square)
	odd := n - square - whole
	rest = once(whole > 0) + once(odd > 0)
	for ; odd > inverseBlock; odd -= powerOfTwo(odd) {
		rest++
	}
	return squares, rest
}

// inverse counts the waits of trtri. A step has two products for each problem, or two for a batch of pointers whose
// addresses it copies to the host. In device pointer mode the products copy their scalars.
func (w *waiting) inverse() int64 {
	squares, rest := inverseSteps(w.Int(routine.N))
	each := int64(0)
	if w.onDevice {
		each = 2 * waitsOfScalars
	}
	waits := (squares + rest) * each * w.Batch()
	if w.batched() {
		waits = squares*(1+each*w.Batch()) + rest*(1+each)
	}
	w.left = max(waits-squares-rest, 0)
	return waits
}

// inverseOfTriangle counts the waits of an inverse that rocSOLVER leaves to the trtri of rocBLAS.
func (w *waiting) inverseOfTriangle() int64 {
	n := w.Int(routine.N)
	if !w.batched() || invertsByBlocks(w.Args, n) {
		return 0
	}
	squares, rest := inverseSteps(n)
	return squares + rest
}

// inverseOfFactors inverts a triangle and then solves from the right, panel by panel.
func (w *waiting) inverseOfFactors() int64 {
	n, waits := w.Int(routine.N), w.inverseOfTriangle()
	if n <= 64 {
		return waits
	}
	panel := getriPanel(n, w.Routine.Variant != routine.Plain)
	for at := int64(0); at < n; at += panel {
		s := systemOf(w.Args, n, min(panel, n-at), true)
		s.left = false
		waits += w.blasSolve(s)
	}
	return waits
}

// blockFactorization factorizes each block, multiplies with each but the first, and solves with each but the last.
func (w *waiting) blockFactorization() int64 {
	nb, blocks := w.Int(routine.NB), w.Int(routine.NBlocks)
	f := factorizationOf(w.Args, false)
	f.m, f.n = nb, nb
	w.spread = w.Int(routine.IncB) > 1
	waits := w.equal(blocks, func() int64 { return w.factorization(f) })
	w.spread = w.spread || w.Int(routine.IncC) > 1
	return waits + w.blockProducts(nb, routine.IncA, routine.IncB, routine.IncC) + w.solve(2*(blocks-1), nb, nb)
}

// blockSolve multiplies with each block next to the diagonal, and solves with each on it.
func (w *waiting) blockSolve() int64 {
	nrhs, solves := w.Int(routine.NRHS), 2*w.Int(routine.NBlocks)
	waits := w.blockProducts(nrhs, routine.IncA, routine.IncX) + w.blockProducts(nrhs, routine.IncC, routine.IncX)
	w.spread = w.Int(routine.IncB) > 1 || w.Int(routine.IncX) > 1
	waits += w.rightSides(solves, w.Int(routine.NB))
	w.first = w.checked / max(solves, 1)
	return waits
}

// blockProducts counts the waits of products of all blocks but one with matrices of some columns. Interleaved matrices
// have increments; with other increments than 1, rocSOLVER's own kernels multiply.
func (w *waiting) blockProducts(columns int64, increments ...routine.Slot) int64 {
	spread := func(s routine.Slot) bool { return w.Int(s) > 1 }
	if !w.onDevice || w.Int(routine.NB) == 0 || columns == 0 || slices.ContainsFunc(increments, spread) {
		return 0
	}
	return w.products(max(w.Int(routine.NBlocks)-1, 0))
}

// jacobi waits in each sweep, and the data decide how many sweeps it makes.
func (w *waiting) jacobi() int64 { return once(w.Int(routine.N) > jacobiWaits) }

// tridiagonal counts the waits of sytrd, which computes in device pointer mode.
func (w *waiting) tridiagonal() int64 {
	n := w.least()
	if !w.Release.TridiagonalWaits || n <= tridiagonalUnblocked {
		return 0
	}
	return w.products(2 * ceilDiv(n-tridiagonalUnblocked, tridiagonalPanel)) // two products for each panel
}

// division counts the waits for the vectors of a divided problem in device pointer mode. Complex ones take two
// products.
func (w *waiting) division() int64 {
	switch {
	case !w.onDevice || !w.vectors() || w.Int(routine.N) < Divided:
		return 0
	case w.Routine.Type.IsComplex():
		return w.products(2)
	}
	return w.products(1)
}

// products counts the waits of general products that copy their scalars.
func (w *waiting) products(n int64) int64 {
	w.left += n
	return n * waitsOfScalars
}

func (w *waiting) generalized() int64 {
	return w.reduction() + w.tridiagonal() + w.backTransformation()
}

// backTransformation counts the waits of the solve for the vectors of a generalized problem of type 1 or 2.
func (w *waiting) backTransformation() int64 {
	if !w.vectors() || w.Int(routine.Itype) == routine.EformBax {
		return 0
	}
	n, vectors := w.Int(routine.N), w.Int(routine.N)
	if _, some := w.Routine.ParamAt(routine.Erange); some && w.Int(routine.Erange) == routine.ErangeIndex {
		vectors = w.Int(routine.UpperIndex) - w.Int(routine.LowerIndex) + 1
	}
	return w.solve(1, n, vectors)
}
