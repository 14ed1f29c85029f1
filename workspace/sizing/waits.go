package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
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
	scalarsOfProduct = 2 // that a general product copies in device pointer mode: alpha and beta
	waitsOfBlocks    = 3 // of the inverses of all whole diagonal blocks of a triangle

	addressBytes = 8
	countBytes   = 4 // of the number of problems that Jacobi's methods have completed
	shiftBytes   = 8 // of what bdsqr copies in each iteration
)

// Waits is what an executed call copies to the host or sets to zero, and how often it waits for its stream, between its
// steps, in addition to scalars and results. Of the iterations of a family with Iterates it has one, because their
// number depends on the data.
type Waits struct {
	Steps []WaitingStep

	// Products are the general products of triangular solves in panels. As ROCBLAS_CHECK_NUMERICS requests, they check
	// their arrays, and the solve ignores the results.
	Products int64
	First    int64 // of Products: made by a solve whose kernels are the first ones of the call

	NullFactor bool // a solve multiplies by a null array of matrices, which ends the call with an error
}

// WaitingStep is equal steps in a row. Each copies lists of addresses together and waits, copies scalars and waits
// after each, and waits without a copy, or sets memory to zero. If a call of HIP fails, the step ends, and the next one
// begins.
type WaitingStep struct {
	Times int64

	// Group is the number of the solve that the step belongs to, or 0. If a fill or a kernel of a solve fails, it ends.
	Group  int
	Starts bool // the solve launches a kernel before the step
	Kernel bool // and after it

	Fill  Fill
	Fills bool

	ListBytes   int64 // of each of CopiedLists lists; 0 for none
	Scalars     int64
	ScalarBytes int64 // of each scalar
	Waits       int64 // without a copy
}

// CopiedLists is how many lists of addresses a product of a batch of pointers copies to the host: of A, of C, and of
// three parts of the inverse and of the workspace.
const CopiedLists = 5

// waiting is a call whose waits are counted.
type waiting struct {
	*Target
	*routine.Args
	onDevice bool
	degraded bool // the call has the smaller set of buffers
	steps    []WaitingStep
	groups   int   // solves
	group    int   // of steps that are added
	checked  int64 // products that check their arrays
	first    int64 // of checked: made by a solve whose kernels are the first ones of the call
	spread   bool  // solves are of elements with an increment, which rocBLAS does not compute

	nullFactor bool // see Waits
}

// waitRules list the waits of the families, by their IDs; nil if a family makes none.
var waitRules = [routine.FamilyCount]func(w *waiting){
	routine.Trsm:   (*waiting).inPieces,
	routine.TrsmEx: (*waiting).mixedSolve,
	routine.Trtri:  (*waiting).inverse,

	routine.Getrs: (*waiting).system,
	routine.Gesv:  func(w *waiting) { w.factorizedSystem((*waiting).pivotedFactorization) },
	routine.Potrs: (*waiting).system,
	routine.Posv:  func(w *waiting) { w.factorizedSystem((*waiting).cholesky) },
	routine.Gels:  (*waiting).leastSquares,

	routine.GesvOutOfPlace: func(w *waiting) { w.factorizedSystem((*waiting).pivotedFactorization) },
	routine.GelsOutOfPlace: (*waiting).leastSquares,

	routine.Getrf:               (*waiting).pivotedFactorization,
	routine.GetrfNpvt:           func(w *waiting) { w.factorization(factorizationOf(w.Args, false)) },
	routine.Potrf:               (*waiting).cholesky,
	routine.GetrfInfo32:         (*waiting).pivotedFactorization,
	routine.GetrfNpvtInfo32:     func(w *waiting) { w.factorization(factorizationOf(w.Args, false)) },
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

	routine.Bdsqr:               func(w *waiting) { w.iteration(w.Int(routine.N) > 1, shiftBytes) },
	routine.Gesvdj:              (*waiting).singularValuesByJacobi,
	routine.GesvdjNotTransposed: (*waiting).singularValuesByJacobi,
	routine.Gesvd: func(w *waiting) {
		w.singularValues()
		w.iteration(w.least() > 1, shiftBytes)
	},
	routine.Syevj: (*waiting).jacobi,
	routine.Sygvj: func(w *waiting) {
		w.reduction()
		w.jacobi()
		w.backTransformation()
	},

	routine.Sytrd: func(w *waiting) { w.tridiagonalWith(buffer.ReflectionNorms) },
	routine.Syev:  (*waiting).tridiagonal,
	routine.Syevd: (*waiting).eigenvaluesByDivision,
	routine.Syevx: (*waiting).tridiagonal,
	routine.Gesdd: func(w *waiting) {
		w.eigenvaluesByDivision()
		w.squareFactorization(buffer.EigenWork3)
	},
	routine.Stedc:         (*waiting).stedc,
	routine.Potf2:         (*waiting).pivots,
	routine.Syevdx:        (*waiting).partialDivision,
	routine.SyevdxInPlace: (*waiting).partialDivision,
	routine.Syevdj: func(w *waiting) {
		if !dividesByJacobi(w.vectors(), w.Int(routine.N)) {
			w.jacobi()
			return
		}
		w.partialDivision()
	},
	routine.Sygst: (*waiting).standardForm,
	routine.Sygv:  (*waiting).generalized,
	routine.Sygvd: func(w *waiting) {
		w.reduction()
		w.eigenvaluesByDivision()
		w.backTransformation()
	},
	routine.Sygvx:         (*waiting).generalized,
	routine.Sygvdx:        (*waiting).generalized,
	routine.SygvdxInPlace: (*waiting).generalized,
	routine.Sygvdj: func(w *waiting) {
		if !dividesByJacobi(w.vectors(), w.Int(routine.N)) {
			w.reduction()
			w.jacobi()
			return
		}
		w.generalized()
	},
}

// MayWait reports whether some calls of a routine wait, or set memory to zero by a call of HIP.
func MayWait(r *routine.Routine) bool { return waitsOf(r) != nil }

// waitsOf returns the rule of a routine, or nil.
func waitsOf(r *routine.Routine) func(w *waiting) {
	if rule := waitRules[r.Family.ID]; rule != nil || !r.Type.IsComplex() {
		return rule
	}
	return reflectionRules[r.Family.ID]
}

// WaitsOf returns the waits of a call, which is degraded if it has the smaller set of buffers.
func WaitsOf(t *Target, a *routine.Args, onDevice, degraded bool) Waits {
	rule := waitsOf(a.Routine)
	if rule == nil {
		return Waits{}
	}
	w := &waiting{Target: t, Args: a, onDevice: onDevice, degraded: degraded}
	rule(w)
	return Waits{w.steps, w.checked, w.first, w.nullFactor}
}

// step adds equal steps.
func (w *waiting) step(s WaitingStep) {
	if s.Times <= 0 {
		return
	}
	s.Group = w.group
	if n := len(w.steps) - 1; n >= 0 {
		same := s
		same.Times = w.steps[n].Times
		if same == w.steps[n] {
			w.steps[n].Times += s.Times
			return
		}
	}
	w.steps = append(w.steps, s)
}

// begin begins a solve, to whose group the steps belong until end is called.
func (w *waiting) begin() (end func()) {
	w.groups++
	w.group = w.groups
	return func() { w.group = 0 }
}

// lists adds steps of a solve that copy lists of addresses, after kernels and with kernels after them.
func (w *waiting) lists(times, batch int64) {
	first := len(w.steps) == 0 || w.steps[len(w.steps)-1].Group != w.group
	w.step(WaitingStep{Times: times, ListBytes: addressBytes * batch, Starts: first, Kernel: true})
}

// iteration adds the step of an iteration, which copies a number of bytes to the host to see whether it was the last.
func (w *waiting) iteration(waits bool, bytes int64) {
	if waits {
		w.step(WaitingStep{Times: 1, Scalars: 1, ScalarBytes: bytes})
	}
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

// partialDivision adds the waits of some eigenvalues by division.
func (w *waiting) partialDivision() {
	w.tridiagonal()
	w.division()
}

func (w *waiting) vectors() bool { return w.Int(routine.Evect) != routine.EvectNone }

// blasSolve adds the waits of a trsm of rocBLAS. The batched form multiplies inverted blocks by a product that copies
// the addresses of its matrices to the host.
func (w *waiting) blasSolve(s triangular) {
	k, other := s.order()
	if s.left && s.n == 1 || s.substitutes() {
		return
	}
	if s.special(w.Target) {
		columns := int64(1)
		if w.degraded { // it solves for one column after the other
			columns = other
		}
		w.checked += (k/trsmBlock - 1) * columns
	}
	if !s.pointers || s.inverse().n == 0 {
		return
	}
	defer w.begin()()
	if k >= trsmBlock {
		w.lists(waitsOfBlocks, s.batch)
	}
	squares, rest := inverseSteps(k % trsmBlock)
	w.lists(squares, s.batch)
	w.lists(rest, s.batch)
}

// inPieces adds the waits of trsm. The 64-bit form solves pieces of a batch, one after the other, and in device pointer
// mode copies alpha for each; the copy for the first piece is one of a scalar.
func (w *waiting) inPieces() {
	s := triangularOf(w.Args)
	pieces := int64(1)
	if w.Routine.Wide {
		pieces = max(1, ceilDiv(s.batch, ChunkBatch))
	}
	last := s.batch - (pieces-1)*ChunkBatch
	for i := range pieces {
		if i > 0 && w.onDevice && !(s.left && s.n == 1) {
			w.scalars(1, 1)
		}
		if s.batch = ChunkBatch; i == pieces-1 {
			s.batch = last
		}
		w.piece(s)
	}
}

// mixedSolve adds the waits of trsm_ex, which uses no inverted blocks at a null pointer, whatever their number.
func (w *waiting) mixedSolve() {
	s := mixedTriangularOf(w.Args)
	if w.Null(routine.InvA) {
		s.supplied = 0
	}
	w.piece(s)
}

// piece adds the waits of a solve of rocBLAS, unless it only clears B. In device pointer mode A can be null.
func (w *waiting) piece(s triangular) {
	switch null := w.Null(routine.A); {
	case w.Scalar(routine.Alpha) == 0, null && !s.pointers:
	case null && s.substitutes():
		w.nullFactor = s.multiplies()
	default:
		w.blasSolve(s)
	}
}

// system adds the waits of the two solves with the factors of a matrix. A kernel that exchanges rows or factorizes the
// matrix can come first.
func (w *waiting) system() {
	w.rightSides(2, w.Int(routine.N))
	switch id := w.Routine.Family.ID; {
	case id == routine.Potrs, id == routine.Getrs && w.Int(routine.TransA) != routine.OperationNone:
		w.first = w.checked / 2
	}
}

// jacobi waits in each sweep, and the data decide how many sweeps it makes.
func (w *waiting) jacobi() { w.iteration(w.Int(routine.N) > jacobiWaits, countBytes) }

// singularValuesByJacobi finds the eigenvalues of a product with the adjoint, and then factorizes the matrix.
func (w *waiting) singularValuesByJacobi() {
	w.iteration(w.least() > jacobiWaits, countBytes)
	w.squareFactorization(buffer.EigenWork3)
}

// tridiagonal adds the waits of sytrd inside a routine for eigenvalues.
func (w *waiting) tridiagonal() { w.tridiagonalWith(buffer.EigenWork2) }

// tridiagonalWith adds the waits of sytrd, which computes in device pointer mode: two products for each panel.
func (w *waiting) tridiagonalWith(norms buffer.ID) {
	if n := w.least(); w.Release.TridiagonalWaits && n > tridiagonalUnblocked {
		w.products(2 * ceilDiv(n-tridiagonalUnblocked, tridiagonalPanel))
	}
	w.lastOfTridiagonal(norms)
}

// division adds the waits for the vectors of a divided problem in device pointer mode. Complex ones take two products,
// of real matrices.
func (w *waiting) division() {
	if !w.onDevice || !w.vectors() || w.Int(routine.N) < Divided {
		return
	}
	s := WaitingStep{Times: 1, Scalars: scalarsOfProduct, ScalarBytes: w.Routine.Type.Size()}
	if w.Routine.Type.IsComplex() {
		s.Times, s.ScalarBytes = 2, s.ScalarBytes/2
	}
	w.step(s)
}

// products adds the waits of general products that copy their scalars.
func (w *waiting) products(n int64) { w.scalars(n, scalarsOfProduct) }

// scalars adds steps that copy scalars, one after the other.
func (w *waiting) scalars(times, each int64) {
	w.step(WaitingStep{Times: times, Scalars: each, ScalarBytes: w.scalarBytes()})
}

// scalarBytes returns the bytes of a scalar.
func (w *waiting) scalarBytes() int64 {
	if p, ok := w.Routine.ParamAt(routine.Alpha); ok {
		return w.ElementBytes(p)
	}
	return w.Routine.Type.Size()
}

func (w *waiting) generalized() {
	w.reduction()
	w.tridiagonal()
	w.backTransformation()
}

// backTransformation adds the waits of the solve for the vectors of a generalized problem of type 1 or 2.
func (w *waiting) backTransformation() {
	if !w.vectors() || w.Int(routine.Itype) == routine.EformBax {
		return
	}
	n, vectors := w.Int(routine.N), w.Int(routine.N)
	if _, some := w.Routine.ParamAt(routine.Erange); some && w.Int(routine.Erange) == routine.ErangeIndex {
		vectors = w.Int(routine.UpperIndex) - w.Int(routine.LowerIndex) + 1
	}
	w.solve(1, n, vectors)
}
