// Package sequence draws random sequences of operations on a handle, and runs them on the model or on the real
// libraries, which must return the same results. roclua verify and the conformance tests use it.
//
//	model := &sequence.Side{Runtime: rt, Profile: profile}
//	err := model.Prepare()
//	result, err := model.Run(sequence.CreateHandle(nil))
package sequence

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/trace"
	"roclua/workspace"
	"roclua/workspace/hipblas"
	"roclua/workspace/hipsolver"
	"roclua/workspace/status"
)

// Side is the model or the library: a device, and a handle on it.
type Side struct {
	Runtime *hip.Runtime
	Profile *workspace.Profile
	Handle  workspace.Handle
	Log     func() []string // HIP's memory calls since the last call of Log; nil to skip the comparison
	Fail    func(n int)     // makes the n-th allocation from now on fail; nil if unsupported

	Plan *workspace.Plan // of calls; nil for calls without one

	others  handles
	memory  memory
	ones    bool          // scalars are 1, in device memory or after the handle left device pointer mode
	streams []*hip.Stream // the null stream first, the named ones last
	events  []*hip.Event
	asks    bool // the platform captures streams

	taken []driver.Ptr // by fill

	infos        map[string]*hipsolver.Jacobi // of hipSOLVER calls, by method
	solverParams *hipsolver.Params
}

// Prepare allocates the memory for operations, apart from the handle.
func (s *Side) Prepare() error {
	if r := s.Profile.Release; r != nil {
		s.Runtime.SetSuccessClearsError(r.SuccessClearsError)
	}
	dev := s.Runtime.Device()
	if err := s.memory.allocate(dev); err != nil {
		return err
	}
	devices := s.Runtime.Devices()
	s.streams = []*hip.Stream{dev.NullStream()}
	for i := 1; i <= streamCount; i++ {
		stream, err := devices[deviceOf(i-1, len(devices))].NewStream(!blocking(i))
		if err != nil {
			return err
		}
		s.streams = append(s.streams, stream)
	}
	for _, number := range []int{driver.StreamPerThread, driver.StreamLegacy} {
		stream, err := dev.NamedStream(number)
		if err != nil && driver.CodeOf(err) != driver.ErrorNotSupported {
			return err
		}
		s.streams = append(s.streams, stream)
	}
	for i := range eventCount {
		event, err := devices[deviceOf(i, len(devices))].NewEvent()
		if err != nil {
			return err
		}
		s.events = append(s.events, event)
	}
	_, err := s.streams[1].IsCapturing()
	s.asks = driver.CodeOf(err) != driver.ErrorNotSupported
	s.Runtime.LastError()
	s.log()
	return nil
}

func (s *Side) log() []string {
	if s.Log == nil {
		s.Runtime.Trace()
		return nil
	}
	return s.Log()
}

// Arrays returns the device address of the arrays.
func (s *Side) Arrays() driver.Ptr { return s.memory.arrays }

// Result is the outcome of an operation, as text for comparison.
type Result struct {
	Status string   // without its prefix
	Value  string   // bytes, a mode or a boolean; "" for operations without a value, and after an error
	Held   string   // size of the handle's memory afterwards, or why it is unknown
	Calls  []string // HIP's memory calls
	Last   string   // last HIP error afterwards, from lastError; "" if unknown
	States string   // hipStreamCaptureStatus of each stream afterwards; "" if no stream was ever captured

	Absent bool // the library lacks the function; not compared
}

// String returns everything that is compared.
func (a Result) String() string {
	text := strings.TrimSpace(a.Status + " " + a.Value)
	if a.Held != "" {
		text += ", the handle holds " + a.Held
	}
	if len(a.Calls) > 0 {
		text += fmt.Sprintf(" %v", a.Calls)
	}
	if a.Last != "" && a.Last != driver.Success.Error() {
		text += ", the last error is " + a.Last
	}
	if strings.Trim(a.States, "0 ") != "" {
		text += ", captures " + a.States
	}
	return text
}

// LacksMemory reports whether a call of the model succeeded although its stream-ordered allocation failed. rocSOLVER
// does not check this allocation: its workspace then starts at address 0, and routines such as rocsolver_dpotf2_batched
// and rocsolver_ssyevx_strided_batched copy scalars there, which ends the process.
func (a Result) LacksMemory() bool {
	return a.Status == status.Success.Short() && slices.ContainsFunc(a.Calls, func(c string) bool {
		return strings.HasPrefix(c, "hipMallocAsync") && !strings.HasSuffix(c, " 0")
	})
}

// Same reports whether two results are equal. The last errors are compared if both are known.
func (a Result) Same(b Result) bool {
	if a.Last == "" || b.Last == "" {
		a.Last, b.Last = "", ""
	}
	return a.String() == b.String()
}

// ErrNotComparable is the error of operations without a result of the model.
var ErrNotComparable = errors.New("the library would abort here, or the model does not know the result")

// Run runs an operation. It returns ErrNotComparable for operations without a result.
func (s *Side) Run(op *Operation) (Result, error) {
	s.use(op.Handle)
	a, err := s.perform(op)
	var abort *workspace.Abort
	var unknown *workspace.Unknown
	if errors.As(err, &abort) || errors.As(err, &unknown) {
		s.log() // calls before the end are not compared, and not a part of the next operation
		return a, fmt.Errorf("%w: %w", ErrNotComparable, err)
	}
	var refused *workspace.Error
	var layer *workspace.LayerError
	switch {
	case errors.As(err, &layer): // its cause can be a *workspace.Error
		a.Status, _ = layerName(layer.Status.Name())
		a.Value = ""
	case errors.As(err, &refused):
		a.Status, a.Value = refused.Status.Short(), ""
	case op.IsHIP():
		a.Status = driver.CodeOf(err).Error()
	case err != nil:
		return a, err
	}
	a.Absent = !op.IsHIP() && driver.CodeOf(err) == driver.ErrorNotSupported
	if op.Unlogged {
		return a, nil
	}
	a.Calls = op.comparable(s.log())
	if r := s.Profile.Release; r == nil || !r.SuccessClearsError { // otherwise unmodelled successes clear it
		a.Last = lastError(s.Runtime.PeekAtLastError("hipPeekAtLastError").Error())
	}
	if !op.Direct {
		a.States = s.states()
	}
	if s.Handle != nil && !s.Handle.Destroyed() {
		a.Held = s.held()
	}
	return a, nil
}

// lastError returns the last HIP error for comparison. Whether an iterative solver in a capture ends with a wait or a
// kernel launch depends on its data, and the two have different errors.
func lastError(name string) string {
	if name == driver.ErrorCaptureInvalidated.Error() {
		return driver.ErrorCaptureUnsupported.Error()
	}
	return name
}

// states returns the capture status of each stream, or "" on a platform without stream capture.
func (s *Side) states() string {
	if !s.asks {
		return ""
	}
	var list []string
	for _, stream := range s.streams[1 : streamCount+1] {
		state, _ := stream.IsCapturing()
		list = append(list, fmt.Sprint(int(state)))
	}
	s.log()
	return strings.Join(list, " ")
}

// held returns the bytes of the handle, or the status of the failed query.
func (s *Side) held() string {
	bytes, err := s.Handle.DeviceMemorySize()
	var refused *workspace.Error
	switch {
	case errors.As(err, &refused):
		return refused.Status.Short()
	case err != nil:
		return err.Error()
	}
	return fmt.Sprint(bytes)
}

func (s *Side) perform(op *Operation) (a Result, err error) {
	a.Status = status.Success.Short()
	h := s.Handle
	switch op.Name {
	case setStream:
		err = h.SetStream(s.stream(op.Stream))
	case setDevice:
		err = s.Runtime.SetDevice(op.Device)
	case fill:
		err = s.fill(op.Size)
	case drain:
		err = s.drain()
	case beginCapture:
		err = s.stream(op.Stream).BeginCapture(op.Mode)
	case endCapture:
		a.Value, err = s.endCapture(op.Stream)
	case recordEvent:
		err = s.events[op.Event].Record(s.stream(op.Stream))
	case waitEvent:
		err = s.stream(op.Stream).WaitEvent(s.events[op.Event])
	case createHandle:
		s.ones = false
		s.Handle, err = workspace.Create(s.Runtime.Device(),
			workspace.Config{Profile: s.Profile, Environment: op.Env})
		if err != nil {
			s.Handle = nil
		}
	case destroyHandle:
		err = h.Destroy()
	case setMemorySize:
		err = h.SetDeviceMemorySize(op.Size)
	case setWorkspace:
		err = h.SetWorkspace(s.workspace(op), op.Size)
	case setLayerWorkspace:
		err = hipblas.SetWorkspace(h, s.workspace(op), op.Size)
	case setPointerMode:
		err = h.SetPointerMode(int64(op.Size))
		s.ones = op.Size == routine.PointerModeDevice
	case startQuery:
		err = h.StartQuery()
	case stopQuery:
		var bytes uint64
		bytes, err = h.StopQuery(false)
		a.Value = fmt.Sprint(bytes)
	case getAtomicsMode:
		var mode int64
		mode, err = h.AtomicsMode()
		a.Value = fmt.Sprint(mode)
	case getPointerMode:
		var mode int64
		mode, err = h.PointerMode()
		a.Value = fmt.Sprint(mode)
	case "is_managing_device_memory":
		a.Value = fmt.Sprint(h.IsManaging())
	case "is_user_managing_device_memory":
		a.Value = fmt.Sprint(h.IsUserManaging())
	default:
		if op.Method != "" {
			return a, s.option(op)
		}
		if op.Call.Routine.IsLayer() {
			return s.layer(op.Call)
		}
		var out *workspace.Outcome
		out, err = h.Repeat(s.args(op.Call), s.Plan)
		a.Status = out.Status.Short()
		if err == nil && out.Unknown != "" {
			err = &workspace.Unknown{Func: op.CName(), Reason: out.Unknown}
		}
	}
	return a, err
}

// workspace returns the memory that an operation makes the workspace of a handle.
func (s *Side) workspace(op *Operation) driver.Ptr {
	if op.Null {
		return 0
	}
	return s.memory.workspace
}

// args returns a call with the addresses of the side. If a routine left the handle in host pointer mode, scalars are 1,
// as in device memory.
func (s *Side) args(c *Call) *routine.Args {
	a := c.args(s.memory, s.Handle.OnDevice())
	for i := range c.Routine.Params {
		if p := &c.Routine.Params[i]; p.Kind == routine.Scalar && s.ones && !s.Handle.OnDevice() && !c.Null[p.Slot] {
			a.SetScalar(p.Slot, 1)
		}
	}
	return a
}

// endCapture ends the capture of a stream and summarizes its graph: the memory that it allocates and frees, and whether
// it computes or copies.
func (s *Side) endCapture(stream int) (string, error) {
	g, err := s.stream(stream).EndCapture()
	if err != nil {
		return "", err
	}
	nodes, err := g.Nodes()
	if err != nil {
		return "", err
	}
	var list []string
	computes := false
	for _, n := range nodes {
		switch n.Type {
		case driver.NodeMemAlloc:
			list = append(list, fmt.Sprintf("allocates %d", n.Bytes))
		case driver.NodeMemFree:
			list = append(list, "frees")
		default:
			computes = true
		}
	}
	if computes {
		list = append(list, "computes")
	}
	return strings.Join(list, ", "), g.Destroy()
}

// MemoryCalls returns the HIP calls since the runtime's trace was last read, in the form "hipMalloc 64 0": the name,
// the bytes of an allocation, and the result. A call for another device than the first has its number,
// "hipMalloc[1] 64 0". Changes of the device are only listed when a library makes them.
func MemoryCalls(rt *hip.Runtime) []string {
	var list []string
	for _, c := range rt.Trace() {
		if c.Name == "hipSetDevice" && c.Cause == trace.CauseScript {
			continue
		}
		if c.Device > 0 {
			c.Name += fmt.Sprintf("[%d]", c.Device)
		}
		list = append(list, fmt.Sprintf("%s %d %d", c.Name, c.Bytes, c.Result))
	}
	return list
}

// notReady is the result of querying a stream with pending work.
var notReady = fmt.Sprint(int(driver.ErrorNotReady))

// compared lists the compared HIP calls: of memory, copies and fills of it, waits, queries and changes of the device.
var compared = []string{"hipMalloc", "hipMallocAsync", "hipFree", "hipFreeAsync", "hipMemPoolTrimTo",
	"hipMemcpy", "hipMemcpyAsync", "hipMemcpy2D", "hipMemcpy2DAsync", "hipMemcpyWithStream", "hipMemcpyPeerAsync",
	"hipMemcpyToSymbol", "hipMemcpyFromSymbol", "hipMemset", "hipMemsetAsync",
	"hipStreamSynchronize", "hipDeviceSynchronize", "hipStreamQuery", "hipStreamIsCapturing", "hipSetDevice"}

// IsCopy reports whether a call, in the form of MemoryCalls, copies or fills memory.
func IsCopy(call string) bool {
	return strings.HasPrefix(call, "hipMemcpy") || strings.HasPrefix(call, "hipMemset")
}

// comparable returns the HIP calls that must be the same on both sides. How often an iterative solver copies to the
// host and waits depends on the data, so its pairs in a row are one.
func (op *Operation) comparable(calls []string) []string {
	if op.takesRoom() {
		return nil
	}
	iterates := op.Call != nil && op.Call.Routine.Family.Iterates
	var list []string
	for _, call := range calls {
		on, rest, _ := strings.Cut(call, " ")
		name, _, _ := strings.Cut(on, "[")
		if !slices.Contains(compared, name) {
			continue
		}
		switch _, result, _ := strings.Cut(rest, " "); {
		case name == "hipStreamIsCapturing": // its bytes are not an allocation
			call = on + " 0 " + result
		case name == "hipStreamQuery" && result == notReady: // only a device that computes has pending work
			call = on + " 0 0"
		}
		list = append(list, call)
		if n := len(list); iterates && n >= 4 && slices.Equal(list[n-4:n-2], list[n-2:]) && IsCopy(list[n-2]) {
			list = list[:n-2]
		}
	}
	return list
}
