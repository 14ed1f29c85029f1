package sizing

import (
	"slices"

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

// blockFactorization factorizes each block, multiplies with each but the first, and solves with each but the last.
func (w *waiting) blockFactorization() {
	nb, blocks := w.Int(routine.NB), w.Int(routine.NBlocks)
	f := factorizationOf(w.Args, false)
	f.m, f.n = nb, nb
	for i := range blocks {
		w.spread = w.Int(routine.IncB) > 1
		w.factorization(f)
		if i == blocks-1 {
			break
		}
		w.spread = w.spread || w.Int(routine.IncC) > 1
		w.solve(2, nb, nb)
		w.blockProduct(nb, routine.IncA, routine.IncB, routine.IncC)
	}
}

// blockSolve multiplies with each block next to the diagonal, and solves with each on it.
func (w *waiting) blockSolve() {
	nrhs, blocks := w.Int(routine.NRHS), w.Int(routine.NBlocks)
	w.spread = w.Int(routine.IncB) > 1 || w.Int(routine.IncX) > 1
	for i := range blocks {
		if i > 0 {
			w.blockProduct(nrhs, routine.IncA, routine.IncX)
		}
		w.rightSides(2, w.Int(routine.NB))
	}
	w.first = w.checked / max(2*blocks, 1)
	for range blocks - 1 {
		w.blockProduct(nrhs, routine.IncC, routine.IncX)
	}
}

// blockProduct adds the waits of a product of a block with a matrix of some columns. Interleaved matrices have
// increments; with other increments than 1, rocSOLVER's own kernels multiply.
func (w *waiting) blockProduct(columns int64, increments ...routine.Slot) {
	spread := func(s routine.Slot) bool { return w.Int(s) > 1 }
	if !w.onDevice || w.Int(routine.NB) == 0 || columns == 0 || slices.ContainsFunc(increments, spread) {
		return
	}
	w.products(1)
}

// inverseByIdentity solves with the factors for the columns of the identity.
func (w *waiting) inverseByIdentity() { w.solve(2, w.Int(routine.N), w.Int(routine.N)) }

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
	for _, part := range []int64{whole, odd} {
		if part > 0 {
			rest++
		}
	}
	for ; odd > inverseBlock; odd -= powerOfTwo(odd) {
		rest++
	}
	return squares, rest
}

// inverse adds the waits of trtri. A step has two products for each problem, or two for a batch of pointers whose
// addresses it copies to the host. In device pointer mode the products copy their scalars.
func (w *waiting) inverse() {
	squares, rest := inverseSteps(w.Int(routine.N))
	s := WaitingStep{ScalarBytes: w.scalarBytes()}
	each := int64(0)
	if w.onDevice {
		each = 2 * scalarsOfProduct
	}
	s.Times, s.Scalars = squares, each*w.Batch()
	if w.batched() {
		s.ListBytes = addressBytes * w.Batch()
	} else if !w.onDevice {
		return
	}
	s.Kernel = true
	w.step(s)
	if s.Times, s.Kernel = rest, false; w.batched() {
		s.Scalars = each
	}
	w.step(s)
}

// inverseOfTriangle adds the waits of an inverse that rocSOLVER leaves to the trtri of rocBLAS.
func (w *waiting) inverseOfTriangle() {
	n := w.Int(routine.N)
	if !w.batched() || invertsByBlocks(w.Args, n) {
		return
	}
	defer w.begin()()
	squares, rest := inverseSteps(n)
	w.lists(squares, w.Batch())
	w.lists(rest, w.Batch())
}

// inverseOfFactors inverts a triangle and then solves from the right, panel by panel.
func (w *waiting) inverseOfFactors() {
	n := w.Int(routine.N)
	w.inverseOfTriangle()
	if n <= 64 {
		return
	}
	panel := getriPanel(n, w.Routine.Variant != routine.Plain)
	for at := int64(0); at < n; at += panel {
		s := systemOf(w.Args, n, min(panel, n-at), true)
		s.left = false
		w.blasSolve(s)
	}
}

// reflectionRules list the fills of complex routines that make reflections and have no other waits. A reflection of
// one element divides by the norm of no elements, which rocBLAS sets to zero by a call of HIP. Devices whose wavefronts
// have 64 lanes compute short reflections in one kernel instead (rocauxiliary_larfg.hpp).
var reflectionRules = [routine.FamilyCount]func(w *waiting){
	routine.Larfg: func(w *waiting) { w.reflectIf(w.Int(routine.N) == 1, buffer.ReflectionNorms) },
	routine.Labrd: (*waiting).bidiagonalPanel,
	routine.Latrd: (*waiting).tridiagonalPanel,
	routine.Sytd2: func(w *waiting) { w.lastOfTridiagonal(buffer.ReflectionNorms) },

	routine.Geqr2:         (*waiting).qr,
	routine.Geqrf:         (*waiting).qr,
	routine.GeqrfPointers: (*waiting).qr,
	routine.Geql2:         (*waiting).byColumns,
	routine.Geqlf:         (*waiting).byColumns,
	routine.Gelq2:         (*waiting).byRows,
	routine.Gelqf:         (*waiting).byRows,
	routine.Gerq2:         (*waiting).byRows,
	routine.Gerqf:         (*waiting).byRows,

	routine.Gebd2:               (*waiting).bidiagonal,
	routine.Gebrd:               (*waiting).bidiagonal,
	routine.Gesvdx:              (*waiting).singularValues,
	routine.GesvdxNotTransposed: (*waiting).singularValues,
}

// reflectIf adds the fill of a reflection of one element, if a call makes one.
func (w *waiting) reflectIf(oneElement bool, norms buffer.ID) {
	runsOn := w.Arch
	if w.Release.ReflectsByCurrent {
		runsOn = w.RunsOn()
	}
	if !oneElement || !w.Routine.Type.IsComplex() || runsOn.Wavefront == 64 {
		return
	}
	w.fill(Fill{ID: norms, Bytes: product(w.Routine.Type.Size(), w.Batch()).n, Ignored: true})
}

// qr is byColumns, but newer releases leave out the last element of a square matrix.
func (w *waiting) qr() {
	if w.Release.ReflectsLast || w.Int(routine.M) != w.Int(routine.N) {
		w.byColumns()
	}
}

// byColumns is a factorization with a reflection for each column, whose shortest one has one element if there are as
// many columns as rows. byRows is one with a reflection for each row.
func (w *waiting) byColumns() { w.factorize(w.Int(routine.M), w.Int(routine.N)) }
func (w *waiting) byRows()    { w.factorize(w.Int(routine.N), w.Int(routine.M)) }

func (w *waiting) factorize(length, reflected int64) {
	norms := buffer.AppliedReflectionOrNorms
	inPanels := slices.Contains(w.Routine.Family.Buffers, buffer.TriangularFactor)
	if inPanels && min(length, reflected) > reflectionUnblocked {
		norms = buffer.TriangularFactor
	}
	w.reflectIf(length != 0 && length <= reflected, norms)
}

// squareFactorization is geqrf or gelqf of a matrix by its longer side.
func (w *waiting) squareFactorization(norms buffer.ID) {
	m := w.Int(routine.M)
	w.reflectIf(w.Release.ReflectsLast && m > 0 && m == w.Int(routine.N), norms)
}

// bidiagonal is the whole reduction to bidiagonal form.
func (w *waiting) bidiagonal() {
	m, n := w.Int(routine.M), w.Int(routine.N)
	w.bidiagonalOf(m, n, min(m, n), buffer.AppliedReflectionOrNorms)
}

// singularValues reduces a matrix, or the triangle of one that is much longer than wide, to bidiagonal form.
func (w *waiting) singularValues() {
	m, n := w.Int(routine.M), w.Int(routine.N)
	k := min(m, n)
	if isNarrow(m, n) {
		m, n = k, k
	}
	w.bidiagonalOf(m, n, k, buffer.EigenWork2)
}

// bidiagonalPanel is labrd, which reduces the first k rows and columns.
func (w *waiting) bidiagonalPanel() {
	w.bidiagonalOf(w.Int(routine.M), w.Int(routine.N), w.Int(routine.K), buffer.ReflectionNorms)
}

// bidiagonalOf reflects columns below the diagonal and rows right of the superdiagonal, or, of a wide matrix, rows
// right of the diagonal and columns below the subdiagonal.
func (w *waiting) bidiagonalOf(m, n, k int64, norms buffer.ID) {
	least := min(m, n)
	w.reflectIf(least > 1 && k >= least-1, norms)
	w.reflectIf(least > 0 && m == n && k == n, norms)
}

// tridiagonalPanel is latrd.
func (w *waiting) tridiagonalPanel() {
	n := w.Int(routine.N)
	w.reflectIf(n > 1 && w.Int(routine.K) >= n-1, buffer.ReflectionNorms)
}

// lastOfTridiagonal is the last reflection of sytd2.
func (w *waiting) lastOfTridiagonal(norms buffer.ID) {
	w.reflectIf(w.Release.ReflectsLast && w.least() > 1, norms)
}

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

// Fill is workspace that the library sets to zero by a call of HIP.
type Fill struct {
	ID      buffer.ID // whose memory begins with the bytes
	Bytes   uint64
	Checked bool // the call returns the error of HIP
	Ignored bool // a solve continues after an error
}

// places are the buffers of a routine that have the memory of the solver of symmetric eigenvalues by division.
var places = map[routine.FamilyID][8]buffer.ID{
	routine.Syevd: {buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3, buffer.RankOneUpdate, buffer.SplitMap,
		buffer.EigenWork4, buffer.EigenScalars, buffer.Pointers},
	routine.Sygvd: {buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3, buffer.RankOneUpdate, buffer.SplitMap,
		buffer.EigenWork4, buffer.EigenScalars, buffer.EigenWork5},
	routine.Gesdd: {buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3, buffer.SecondCopy, buffer.SplitMap,
		buffer.EigenWork5, buffer.EigenScalars, buffer.Pointers},
}

// eigenvaluesByDivision fills its memory and then computes eigenvalues and vectors. If a fill fails, it ends.
func (w *waiting) eigenvaluesByDivision() {
	id, n := w.Routine.Family.ID, w.least()
	if n == 0 && id != routine.Syevd { // syevd fills its empty memory first
		return
	}
	at := places[id]
	r := reflectionsOf(w.Target, w.Args)
	if id == routine.Gesdd { // it solves for its own copy of the matrices, without their addresses
		r.arrays = zero
	}
	s := r.spectrum(w.Target, w.Args, n)
	defer w.begin()()
	for i, bytes := range [...]amount{s.work1, s.work2, s.work3, s.rankOne, s.splits, s.triangle, s.tau, s.pointers} {
		w.fill(Fill{ID: at[i], Bytes: bytes.n, Checked: id == routine.Syevd})
		if id == routine.Syevd && i == 2 && !w.Release.StedcKeepsFewArrays {
			w.fill(Fill{Checked: true}) // memory that no call of the routine needs
		}
	}
	w.tridiagonal()
	if _, jobs := w.Routine.ParamAt(routine.Evect); !jobs || w.vectors() || !w.HostSterf {
		w.divide(buffer.EigenWork1, false)
	}
}

// stedc divides problems for vectors.
func (w *waiting) stedc() {
	if w.vectors() {
		w.divide(buffer.DividedProducts, true)
	}
}

// divide fills the memory for the products of a divided problem.
func (w *waiting) divide(at buffer.ID, isChecked bool) {
	if n := w.least(); n >= Divided {
		w.fill(Fill{ID: at, Bytes: product(2, n, n, w.Routine.Type.RealSize(), w.Batch()).n, Checked: isChecked})
	}
}

// pivots fills the pivots of potf2, if it needs any.
func (w *waiting) pivots() {
	if w.Int(routine.N) > CholeskyBlock(w.Routine.Type) {
		w.fill(Fill{ID: buffer.Pivots, Bytes: product(w.Routine.Type.Size(), w.Batch()).n})
	}
}

func (w *waiting) fill(f Fill) { w.step(WaitingStep{Times: 1, Fill: f, Fills: true}) }

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
