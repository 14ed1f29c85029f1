package sequence

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
)

// A CaptureCase is a sequence with one operation during a stream capture.
type CaptureCase struct {
	Subject *Operation // the operation
	Ops     []*Operation
}

// subjectCalls are the routines that CaptureCases calls in every situation: with and without workspace, with host
// results, with batch pointers, and solvers whose steps depend on the data.
var subjectCalls = []string{
	"rocblas_dgemm", "rocblas_dgemv", "rocblas_dtrmv", "rocblas_dtrsm", "rocblas_dasum", "rocblas_ddot",
	"rocblas_idamax", "rocblas_dgemm_batched", "rocblas_dtrsm_batched", "rocblas_dtrsm_strided_batched",
	"rocsolver_dgetrf", "rocsolver_dgetrf_npvt", "rocsolver_dgetrf_batched", "rocsolver_dgetrs", "rocsolver_dgetri",
	"rocsolver_dpotrf", "rocsolver_dpotrs", "rocsolver_dgeqrf", "rocsolver_dormqr", "rocsolver_dgels",
	"rocsolver_dsyev", "rocsolver_dsyevd", "rocsolver_dsyevj", "rocsolver_dgesvd", "rocsolver_dgesvdj",
	"rocsolver_dbdsqr", "rocsolver_dstedc", "rocsolver_dsytrf", "rocsolver_dsytrd",
	"rocblas_dtrtri", "rocblas_trsm_batched_ex", "rocsolver_dsyevdj", "rocsolver_dcsrrf_splitlu",
}

// subjectOrder is the matrix order of the problems in subjectCalls.
const subjectOrder = 200

// CaptureCases returns a case for each operation, memory scheme, situation of the handle's stream and, where it
// matters, capture mode.
func CaptureCases() []CaptureCase {
	var list []CaptureCase
	for _, memory := range memories() {
		for _, where := range situations {
			for mode := driver.CaptureGlobal; mode <= driver.CaptureRelaxed; mode++ {
				if mode != driver.CaptureGlobal && !where.modes {
					continue
				}
				for _, s := range subjects() {
					list = append(list, caseOf(memory, where, mode, s))
				}
				list = append(list, createCase(memory, where, mode))
			}
		}
	}
	return list
}

// DrawCaptureCase draws a case with a routine call. The call can be wide on a device that does not run kernels.
func DrawCaptureCase(r *rand.Rand, rt *routine.Routine, noKernels bool) CaptureCase {
	all := memories()
	memory, where := all[r.IntN(len(all))], situations[r.IntN(len(situations))]
	if r.IntN(2) == 0 {
		where = situations[0]
	}
	drawn := DrawExecuted(r, rt, noKernels)
	if r.IntN(2) == 0 {
		drawn = drawSquareCall(r, rt)
	}
	call := Execute(drawn)
	if r.IntN(2) == 0 {
		call = append([]*Operation{{Name: setPointerMode, Size: routine.PointerModeDevice}}, call...)
		call = append(call, &Operation{Name: getPointerMode}) // some routines leave device pointer mode
	}
	if r.IntN(4) == 0 {
		memory.env = maps.Clone(memory.env)
		memory.env[workspace.EnvCheckNumerics] = "4"
	}
	at := slices.IndexFunc(call, func(op *Operation) bool { return op.Call != nil })
	if r.IntN(4) == 0 {
		first := *call[at]
		first.Direct = true
		call = slices.Insert(call, at, &first)
	}
	s := subject{call, at, true}
	return caseOf(memory, where, driver.CaptureMode(r.IntN(3)), s)
}

// memoryScheme sets up a handle's memory: the environment at its creation and further operations.
type memoryScheme struct {
	env map[string]string
	ops []*Operation
}

// Sizes of memory sufficient for all calls of the cases, or for none.
const (
	roomyBytes = WorkspaceBytes
	smallBytes = 64
)

// memories are the schemes. A managed handle without memory grows. The other schemes have large or small memory.
func memories() []memoryScheme {
	list := []memoryScheme{{env: map[string]string{}}, {env: map[string]string{workspace.EnvDeviceMemorySize: "0"}},
		{env: map[string]string{workspace.EnvStreamOrderAlloc: "1"}}}
	for _, bytes := range []uint64{roomyBytes, smallBytes} {
		env := map[string]string{workspace.EnvDeviceMemorySize: strconv.FormatUint(bytes, 10)}
		list = append(list, memoryScheme{env: env},
			memoryScheme{map[string]string{}, []*Operation{{Name: setMemorySize, Size: bytes}}},
			memoryScheme{map[string]string{}, []*Operation{{Name: setWorkspace, Size: bytes}}})
	}
	return list
}

// situation determines which stream is captured and which one the handle has.
type situation struct {
	before func(mode driver.CaptureMode) []*Operation
	after  []*Operation
	modes  bool // the mode matters
}

// The streams of the cases.
const (
	blockingStream = 1
	capturedStream = 2
	otherStream    = 3
)

var situations = []situation{
	{modes: true, before: func(m driver.CaptureMode) []*Operation {
		return []*Operation{SetStream(capturedStream), BeginCapture(capturedStream, m)}
	}},
	{modes: true, before: func(m driver.CaptureMode) []*Operation { // the handle has a stream that is not captured
		return []*Operation{SetStream(otherStream), BeginCapture(capturedStream, m)}
	}},
	{before: func(m driver.CaptureMode) []*Operation {
		return []*Operation{BeginCapture(capturedStream, m), SetStream(capturedStream)}
	}},
	{before: func(m driver.CaptureMode) []*Operation {
		return []*Operation{SetStream(blockingStream), BeginCapture(blockingStream, m)}
	}},
	{before: func(m driver.CaptureMode) []*Operation { // the handle has the null stream
		return []*Operation{BeginCapture(capturedStream, m)}
	}},
	{before: func(m driver.CaptureMode) []*Operation { // null stream synchronizes with the captured one
		return []*Operation{BeginCapture(blockingStream, m)}
	}},
	{before: func(m driver.CaptureMode) []*Operation { // the handle's stream is forked from the captured one
		return append([]*Operation{SetStream(otherStream), BeginCapture(capturedStream, m)},
			Order(capturedStream, otherStream, 0)...)
	}, after: Order(otherStream, capturedStream, 1)},
	{before: func(m driver.CaptureMode) []*Operation { // forked and not joined
		return append([]*Operation{SetStream(otherStream), BeginCapture(capturedStream, m)},
			Order(capturedStream, otherStream, 0)...)
	}},
	{before: func(m driver.CaptureMode) []*Operation { // a wait for work that is not captured invalidates the capture
		return append([]*Operation{SetStream(capturedStream), BeginCapture(capturedStream, m)},
			Order(otherStream, capturedStream, 0)...)
	}},
	{before: func(m driver.CaptureMode) []*Operation { // two captures
		return []*Operation{SetStream(capturedStream), BeginCapture(otherStream, m), BeginCapture(capturedStream, m)}
	}},
}

// subject is the operations of a case; one of them is its subject.
type subject struct {
	ops   []*Operation
	at    int
	again bool // repeat the operation after the capture
}

// subjects are the functions of the handle and the calls of CaptureCases.
func subjects() []subject {
	list := []subject{{ops: []*Operation{DestroyHandle()}}}
	for stream := range streamCount + 1 {
		list = append(list, subject{ops: []*Operation{SetStream(stream)}})
	}
	for _, op := range []Operation{{Name: setWorkspace, Size: 1 << 20}, {Name: setWorkspace, Null: true},
		{Name: setMemorySize, Size: 1 << 20}, {Name: setMemorySize}, {Name: getAtomicsMode},
		{Name: setPointerMode, Size: routine.PointerModeDevice}, {Name: "is_managing_device_memory"},
		{Name: "is_user_managing_device_memory"}} {
		list = append(list, subject{ops: []*Operation{&op}})
	}
	for _, name := range subjectCalls {
		rt, ok := routine.Lookup(name)
		if !ok {
			continue
		}
		c := SquareCall(rt, subjectOrder)
		list = append(list, subject{ops: []*Operation{{Call: c}}, again: true})
		switch name {
		case "rocblas_dgemm", "rocblas_dtrsm", "rocblas_dasum", "rocblas_dgemm_batched", "rocblas_dtrtri",
			"rocblas_trsm_batched_ex", "rocsolver_dsyevdj":
			mode := &Operation{Name: setPointerMode, Size: routine.PointerModeDevice}
			list = append(list, subject{[]*Operation{mode, {Call: c}}, 1, true})
		case "rocsolver_dgetrf":
			list = append(list, subject{Query(c), 2, false})
		}
	}
	return list
}

// squareOrders are matrix orders near the thresholds where the libraries switch algorithms.
var squareOrders = []int64{1, 2, 3, 8, 15, 16, 17, 32, 33, 58, 59, 64, 65, 96, 128, 129, 200, 257}

// drawSquareCall draws a call like SquareCall, with any constants.
func drawSquareCall(r *rand.Rand, rt *routine.Routine) *Call {
	c := SquareCall(rt, squareOrders[r.IntN(len(squareOrders))])
	for i := range rt.Params {
		if p := &rt.Params[i]; p.Kind.IsEnum() && p.Kind != routine.Datatype {
			legal := p.Legal()
			c.Ints[p.Slot] = legal[r.IntN(len(legal))]
		}
	}
	return c
}

// SquareCall returns a valid routine call with all sizes n and two problems in a batch.
func SquareCall(rt *routine.Routine, n int64) *Call {
	c, a := NewCall(rt, map[routine.Slot]int64{}), rt.New()
	for pass := range 2 {
		for i := range rt.Params {
			p := &rt.Params[i]
			switch {
			case pass == 0 && p.Kind == routine.Scalar:
				c.Scalars[p.Slot] = 1
			case p.Kind.IsPointer() || p.Kind == routine.Real || (p.Of != 0) != (pass == 1):
				continue
			case p.Of != 0:
				c.Ints[p.Slot] = routine.Smallest(a, p)
			case p.Slot == routine.BatchCount:
				c.Ints[p.Slot] = 2
			case p.Slot == routine.SolutionIndex || p.Slot == routine.Flags:
				c.Ints[p.Slot] = 0
			case p.Kind == routine.Datatype:
				c.Ints[p.Slot] = routine.DatatypeF32
			case p.Kind.IsEnum():
				c.Ints[p.Slot] = firstConstant(p.Kind)
			default:
				c.Ints[p.Slot] = n
			}
			a.SetInt(p.Slot, c.Ints[p.Slot])
		}
	}
	return c
}

func firstConstant(kind routine.Kind) int64 {
	i := slices.IndexFunc(routine.Constants, func(c routine.Constant) bool { return c.Enum == kind && !c.Reserved })
	return routine.Constants[i].Value
}

func caseOf(m memoryScheme, where situation, mode driver.CaptureMode, s subject) CaptureCase {
	ops := append([]*Operation{CreateHandle(m.env)}, m.ops...)
	ops = slices.Concat(ops, where.before(mode), s.ops, where.after, endCaptures())
	if s.again {
		repeated := *s.ops[s.at]
		ops = append(ops, &repeated)
	}
	if s.ops[s.at].Name != destroyHandle {
		ops = append(ops, DestroyHandle())
	}
	return CaptureCase{s.ops[s.at], ops}
}

func createCase(m memoryScheme, where situation, mode driver.CaptureMode) CaptureCase {
	create := CreateHandle(m.env)
	ops := slices.Concat(withoutSetStream(where.before(mode)), []*Operation{create}, m.ops, endCaptures(),
		[]*Operation{DestroyHandle()})
	return CaptureCase{create, ops}
}

// withoutSetStream removes operations that need a handle.
func withoutSetStream(ops []*Operation) []*Operation {
	return slices.DeleteFunc(ops, func(op *Operation) bool { return op.Name == setStream })
}

// Names of operations that are HIP functions, and of the function that uses a stream.
const (
	setStream    = "set_stream"
	beginCapture = "stream_begin_capture"
	endCapture   = "stream_end_capture"
	recordEvent  = "event_record"
	waitEvent    = "stream_wait_event"
)

// hipNames are the C names of the functions of HIP.
var hipNames = map[string]string{setDevice: "hipSetDevice", beginCapture: "hipStreamBeginCapture",
	endCapture: "hipStreamEndCapture", recordEvent: "hipEventRecord", waitEvent: "hipStreamWaitEvent",
	fill: "hipMalloc", drain: "hipFree"}

// The streams of sequences in addition to the null stream, and their events. The first stream synchronizes with the
// null stream, the others do not.
const (
	streamCount = 3
	eventCount  = 2

	perThreadStream = streamCount + 1 // hipStreamPerThread
	legacyStream    = streamCount + 2 // hipStreamLegacy, another name of the null stream
)

// blocking reports whether a stream synchronizes with the null stream.
func blocking(stream int) bool { return stream == 1 }

// IsHIP reports whether the operation is a HIP function.
func (op *Operation) IsHIP() bool { return hipNames[op.Name] != "" }

// UsesStreams reports whether the operation needs the streams of sequences.
func (op *Operation) UsesStreams() bool {
	return op.IsHIP() && op.Name != setDevice && !op.takesRoom() || op.Name == setStream
}

// SetStream sets the stream of the handle.
func SetStream(stream int) *Operation { return &Operation{Name: setStream, Stream: stream} }

// BeginCapture begins the capture of a stream.
func BeginCapture(stream int, mode driver.CaptureMode) *Operation {
	return &Operation{Name: beginCapture, Stream: stream, Mode: mode}
}

// EndCapture ends the capture of a stream.
func EndCapture(stream int) *Operation { return &Operation{Name: endCapture, Stream: stream} }

// Order makes later work in one stream wait for earlier work in another.
func Order(before, after, event int) []*Operation {
	return []*Operation{{Name: recordEvent, Stream: before, Event: event},
		{Name: waitEvent, Stream: after, Event: event}}
}

func endCaptures() []*Operation {
	var ops []*Operation
	for stream := 1; stream <= perThreadStream; stream++ {
		ops = append(ops, EndCapture(stream))
	}
	return ops
}

// drawDirect lets other operations follow calls directly, and repeats some of the calls: the result of a library call
// can depend on the HIP call before it.
func drawDirect(r *rand.Rand, ops []*Operation) []*Operation {
	var list []*Operation
	for _, op := range ops {
		list = append(list, op)
		if op.Call == nil || r.IntN(4) != 0 {
			continue
		}
		op.Direct = true
		if r.IntN(2) == 0 {
			again := *op
			again.Direct = r.IntN(2) == 0
			list = append(list, &again)
		}
	}
	return list
}

// drawCapture draws operations related to captures: on streams, on events, and on handles created or destroyed during a
// capture. A capture often begins in the handle's stream.
func drawCapture(r *rand.Rand, env map[string]string) []*Operation {
	stream := 1 + r.IntN(streamCount)
	if r.IntN(8) == 0 {
		stream = []int{0, perThreadStream, legacyStream}[r.IntN(3)]
	}
	mode := driver.CaptureMode(r.IntN(3))
	switch r.IntN(16) {
	case 0, 1:
		return []*Operation{BeginCapture(stream, mode)}
	case 2, 3:
		return []*Operation{SetStream(stream), BeginCapture(stream, mode)}
	case 4, 5, 6:
		return []*Operation{EndCapture(stream)}
	case 7, 8:
		return []*Operation{SetStream(stream)}
	case 9, 10:
		return []*Operation{{Name: recordEvent, Stream: stream, Event: r.IntN(eventCount)}}
	case 11, 12:
		return []*Operation{{Name: waitEvent, Stream: stream, Event: r.IntN(eventCount)}}
	case 13:
		return Order(stream, r.IntN(streamCount+1), r.IntN(eventCount))
	case 14:
		return []*Operation{{Name: setPointerMode, Size: uint64(r.IntN(2))}}
	}
	return []*Operation{DestroyHandle(), CreateHandle(env)}
}
