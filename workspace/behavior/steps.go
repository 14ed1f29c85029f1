package behavior

import (
	"slices"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Orders beyond which the library chooses an algorithm that waits.
const (
	divided      = 16 // from here on divide and conquer replaces QR iterations, Jacobi's method and bisection
	jacobiWaits  = 58 // of syevj and gesvdj: smaller problems are one kernel
	inverseBlock = 32 // of trtri: a block is one kernel
)

// Steps of parts of algorithms, as both recorded releases make them: see testdata/PROFILE/waits.jsonl.gz and
// captures.jsonl.gz in package workspace.
const (
	scalarsOfProduct = 2 // that a general product copies in device pointer mode: alpha and beta
	waitsOfBlocks    = 3 // of the inverses of all whole diagonal blocks of a triangle

	addressBytes = 8
	countBytes   = 4 // of the number of problems that Jacobi's methods have completed
	shiftBytes   = 8 // that bdsqr copies in each iteration
)

// Steps are the steps of an executed call on the host after it has its workspace, in the library's order. The steps of
// a family follow from its entry.
type Steps struct {
	List []Step

	// Launch is the errors of launches that the library ignores.
	Launch LaunchErrors
	// Vectors is how often rocBLAS solves with one vector. During each solve, and in no other calculation, the
	// libraries make the device of the handle the current one.
	Vectors int64
	// WaitsChecked means that the call returns the first error of its waits, WaitsLast that its wait is its last call
	// of HIP that can fail: it waits in each of its iterations.
	WaitsChecked, WaitsLast bool

	// Products are the general products of triangular solves in panels. As ROCBLAS_CHECK_NUMERICS requests, they check
	// their arrays, and the solve ignores the results.
	Products int64
	First    int64 // of Products: made by a solve whose kernels are the first ones of the call

	Reduces bool // the call is a reduction

	Call // and the sizes, while the steps are made
	callSizes
	groups int  // solves
	group  int  // of steps that are added
	spread bool // solves are of elements with an increment, which rocBLAS does not compute
	nullA  bool // a solve copies the addresses of a null array of matrices
}

// Call is the state that decides the steps of a call, in addition to its arguments.
type Call struct {
	On       *Target
	OnDevice bool     // device pointer mode
	Degraded bool     // the call has the smaller set of buffers
	Searches bool     // ROCBLAS_CHECK_NUMERICS requests searches
	Memory   *Buffers // of the call; nil for none
}

// Action is the kind of a step.
type Action uint8

// The actions.
const (
	// Launch launches the kernels of the call. There is one launch with all buffers; the later kernels of a call exist
	// for their errors only.
	Launch Action = iota
	// CopyAlpha copies alpha from the device and waits. The steps after it depend on its value, so they are known then.
	CopyAlpha
	// WriteFactor writes the factor 1 to the workspace.
	WriteFactor
	// ClearOffsets sets the offsets of the rows of both factors of a sparse matrix to zero, and CopyOffsets copies the
	// last ones.
	ClearOffsets
	CopyOffsets
	// ReturnLastError returns the last error of HIP, whose cause may be an earlier call, and resets it.
	ReturnLastError
	// LosePointerMode leaves the handle in host pointer mode.
	LosePointerMode
	// RefuseNull ends the call with an error: a solve multiplies by a null array of matrices.
	RefuseNull
	// Wait copies to the host, fills, and waits: see Step.
	Wait
	// SearchFactors searches both factors of a product and its result for unusual numbers, SearchProduct the result,
	// and SearchProducts the arrays of Steps.Products.
	SearchFactors
	SearchProduct
	SearchProducts
	// CopyResult copies the results of a reduction, or a number of eigenvalues, to the host and waits.
	CopyResult
)

// Step is equal actions in a row. Those that wait copy lists of addresses together and wait, copy scalars and wait
// after each, and wait without a copy, or set memory to zero. If a HIP call fails, the step ends, and the next one
// begins.
type Step struct {
	Do    Action
	Times int64

	// Group is the number of the solve that the step belongs to, or 0. If a fill or a kernel of a solve fails, it ends.
	Group  int
	Starts bool // the solve launches a kernel before the step
	Kernel bool // and after it

	Fill  Fill
	Fills bool

	ListBytes   int64 // of each of CopiedLists lists; 0 for none
	NullList    bool  // the first list is at a null pointer
	Scalars     int64
	ScalarBytes int64 // of each scalar, or of the result of one problem
	Waits       int64 // without a copy

	WaitIgnored bool // an error of the wait for a result is ignored while a stream is captured
}

// Fill is workspace that the library sets to zero by a HIP call.
type Fill struct {
	ID      buffer.ID // whose memory starts with the bytes
	Bytes   uint64
	Checked bool // the call returns the error of HIP
	Ignored bool // a solve continues after an error
}

// CopiedLists is how many lists of addresses a product of a batch of pointers copies to the host: of A, of C, and of
// three parts of the inverse and of the workspace.
const CopiedLists = 5

// LaunchErrors are the errors of launches, because a stream is captured, that the library ignores. rocSOLVER checks no
// launch. A release of rocBLAS ignores an error that was the last error before the call, unless the routine makes
// another HIP call before its kernels, or a general product.
type LaunchErrors struct {
	First    bool // the first error of a capture
	Later    bool // that the capture is no longer valid: the kernels of a call after a failed one run
	Repeated bool // an error that was the last error before the call
}

// Make makes w the steps of a call. The memory of its list is used again.
func (w *Steps) Make(c Call, a *routine.Args) {
	solver := a.Routine.Library == routine.RocSOLVER
	*w = Steps{List: w.List[:0], Call: c,
		Launch: LaunchErrors{solver, solver, !solver && c.On.Release.RepeatedErrorsIgnored}}
	w.read(c.On, a)
	if a.LaunchesNothing() {
		return
	}
	familyOf(a.Routine).steps(w)
	if c.Searches && w.Products > 0 {
		end := len(w.List)
		if w.Has(CopyResult) {
			end--
		}
		w.List = slices.Insert(w.List, end, Step{Do: SearchProducts})
	}
	w.Call, w.callSizes = Call{}, callSizes{}
}

// MakeLaunch makes w the steps of a call of a library whose other steps are not known. It copies the results of a
// reduction.
func (w *Steps) MakeLaunch(c Call, a *routine.Args) {
	*w = Steps{List: w.List[:0], Call: c}
	w.read(c.On, a)
	if a.LaunchesNothing() {
		return
	}
	if a.Routine.Has(routine.Result) {
		reduces(w)
	} else {
		w.launch()
	}
	w.Call, w.callSizes = Call{}, callSizes{}
}

// Has reports whether an action is one of the steps.
func (w *Steps) Has(action Action) bool {
	return slices.ContainsFunc(w.List, func(s Step) bool { return s.Do == action })
}

// noSteps are the steps of a family whose calls only launch kernels.
func noSteps(w *Steps) { w.launch() }

// launchThen is for a family whose calls launch kernels, and then make the steps of parts of its algorithm.
func launchThen(parts ...func(w *Steps)) func(w *Steps) {
	return func(w *Steps) {
		w.launch()
		for _, part := range parts {
			part(w)
		}
	}
}

func (w *Steps) do(action Action) { w.List = append(w.List, Step{Do: action}) }
func (w *Steps) launch()          { w.do(Launch) }

// step adds equal steps that wait.
func (w *Steps) step(s Step) {
	if s.Times <= 0 {
		return
	}
	s.Do, s.Group = Wait, w.group
	if n := len(w.List) - 1; n >= 0 {
		same := s
		same.Times = w.List[n].Times
		if same == w.List[n] {
			w.List[n].Times += s.Times
			return
		}
	}
	w.List = append(w.List, s)
}

// begin begins a solve, to whose group the steps belong until end is called.
func (w *Steps) begin() (end func()) {
	w.groups++
	w.group = w.groups
	return func() { w.group = 0 }
}

// iteration adds the step of an iteration, which copies a number of bytes to the host to see whether it was the last.
// Of the iterations of a family with Iterates there is one, because their number depends on the data.
func (w *Steps) iteration(waits bool, bytes int64) {
	if waits {
		w.step(Step{Times: 1, Scalars: 1, ScalarBytes: bytes})
	}
}

// checksWaits makes a call return the first error of its waits, waitsLast one whose wait is its last HIP call.
func (w *Steps) checksWaits()  { w.WaitsChecked = true }
func (w *Steps) waitsLast()    { w.WaitsLast = true }
func (w *Steps) batched() bool { return w.Routine.Variant == routine.Batched }

// products adds the waits of general products that copy their scalars.
func (w *Steps) products(n int64) { w.scalars(n, scalarsOfProduct) }

// scalars adds steps that copy scalars, one after the other.
func (w *Steps) scalars(times, each int64) {
	w.step(Step{Times: times, Scalars: each, ScalarBytes: w.scalarBytes()})
}

func (w *Steps) scalarBytes() int64 {
	if p, ok := w.Routine.ParamAt(routine.Alpha); ok {
		return w.ElementBytes(p)
	}
	return w.element
}

func (w *Steps) fill(f Fill) { w.step(Step{Times: 1, Fill: f, Fills: true}) }

// Numbers are the arrays that the library searches for unusual numbers, before and after it computes, in its order, as
// ROCBLAS_CHECK_NUMERICS requests. It searches neither matrices in band or packed storage nor arrays of rocSOLVER.
type Numbers struct {
	Before, After []routine.Slot

	AfterErrors bool // a call of a batch that failed searches its result too
	Degraded    bool // a batched call that returns perf_degraded searches its result in some releases

	not    func(a *routine.Args, onDevice bool) bool // calls that search nothing
	narrow routine.Layout                            // of arrays whose length is computed with 32 bits; 0 for none
}

// before searches arrays before a call computes.
func before(arrays ...routine.Slot) *Numbers { return &Numbers{Before: arrays} }

// after searches arrays after a call computed.
func (s *Numbers) after(arrays ...routine.Slot) *Numbers {
	s.After = arrays
	return s
}

func (s *Numbers) unless(not func(a *routine.Args, onDevice bool) bool) *Numbers {
	s.not = not
	return s
}

func (s *Numbers) afterErrors() *Numbers {
	s.AfterErrors = true
	return s
}

func (s *Numbers) afterSlowSolve() *Numbers {
	s.Degraded = true
	return s
}

func (s *Numbers) narrowed(layout routine.Layout) *Numbers {
	s.narrow = layout
	return s
}

// onHost holds for rotations that are computed on the host, and whose numbers are in its memory.
func onHost(_ *routine.Args, onDevice bool) bool { return !onDevice }

// NumbersOf returns the searches of a call.
func NumbersOf(a *routine.Args, onDevice bool) Numbers {
	s := familyOf(a.Routine).numbers
	if s == nil || s.not != nil && s.not(a, onDevice) {
		return Numbers{}
	}
	of := *s
	of.AfterErrors = s.AfterErrors && a.Routine.Variant != routine.Plain
	of.Degraded = s.Degraded && a.Routine.Variant == routine.Batched
	return of
}

// Searched reports whether an array of a call is searched: it has elements. Some routines compute its length with 32
// bits.
func Searched(a *routine.Args, p *routine.Param) bool {
	rows, cols := p.Rows.Of(a), int64(1)
	if !p.Cols.IsZero() {
		cols = p.Cols.Of(a)
	}
	if s := familyOf(a.Routine).numbers; s != nil && p.Layout == s.narrow {
		switch p.Layout {
		case routine.Vector:
			rows = int64(int32(rows))
		case routine.Upper:
			rows = int64(uint32(rows))
		}
	}
	return rows > 0 && cols > 0 && a.Batch() > 0 && !a.Null(p.Slot)
}
