package behavior

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

// MayWait reports whether some calls of a routine make steps.
func MayWait(r *routine.Routine) bool { return familyOf(r).waits }

// WaitsOf returns the waits of a call, which is degraded if it has the smaller set of buffers.
func WaitsOf(t *Target, a *routine.Args, onDevice, degraded bool) Waits {
	w := &waiting{Target: t, Args: a, onDevice: onDevice, degraded: degraded}
	familyOf(a.Routine).steps(w)
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

func (w *waiting) vectors() bool { return w.Int(routine.Evect) != routine.EvectNone }

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

// Fill is workspace that the library sets to zero by a call of HIP.
type Fill struct {
	ID      buffer.ID // whose memory begins with the bytes
	Bytes   uint64
	Checked bool // the call returns the error of HIP
	Ignored bool // a solve continues after an error
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
