package difftest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/status"
)

// Side is the model or the library: a device, and a handle on it.
type Side struct {
	Runtime *hip.Runtime
	Profile *workspace.Profile
	Handle  workspace.Handle
	Log     func() []string // HIP's memory calls since it was last called; nil to compare none
	Fail    func(n int)     // makes the n-th allocation from now on fail; nil where that is not possible

	memory memory
}

// Prepare allocates the memory that operations need in addition to the handle.
func (s *Side) Prepare() error {
	if err := s.memory.allocate(s.Runtime.Device()); err != nil {
		return err
	}
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

// Arrays returns an address of device memory.
func (s *Side) Arrays() driver.Ptr { return s.memory.arrays }

// Result is the outcome of an operation, as text for comparison.
type Result struct {
	Status string   // without its prefix
	Value  string   // bytes, a mode or a truth value; "" for operations that return none, and after an error
	Held   string   // the size of the handle's memory afterwards, or why it is not known
	Calls  []string // HIP's memory calls

	Absent bool // the library does not have the function; it is not compared
}

// String returns all that is compared.
func (a Result) String() string {
	text := strings.TrimSpace(a.Status + " " + a.Value)
	if a.Held != "" {
		text += ", the handle holds " + a.Held
	}
	if len(a.Calls) > 0 {
		text += fmt.Sprintf(" %v", a.Calls)
	}
	return text
}

// Same reports whether two results are equal.
func (a Result) Same(b Result) bool { return a.String() == b.String() }

// ErrNotComparable is the error of operations for which the model has no result.
var ErrNotComparable = errors.New("the library would abort here, or the model does not know the result")

// Run runs an operation. It returns ErrNotComparable for operations without a result.
func (s *Side) Run(op *Operation) (Result, error) {
	a, err := s.perform(op)
	var abort *workspace.Abort
	var unknown *workspace.Unknown
	if errors.As(err, &abort) || errors.As(err, &unknown) {
		return a, fmt.Errorf("%w: %w", ErrNotComparable, err)
	}
	var refused *workspace.Error
	switch {
	case errors.As(err, &refused):
		a.Status, a.Value = refused.Status.Short(), ""
	case err != nil:
		return a, err
	}
	if op.Unlogged {
		return a, nil
	}
	a.Calls = s.log()
	if c := op.Call; c != nil && (c.Routine.Variant == routine.Batched || c.Routine.Library == routine.RocSOLVER) {
		// Batched products copy the pointers to the host and wait, as often as the chosen kernel needs. Steps
		// of solvers wait too, as often as their numbers need.
		a.Calls = slices.DeleteFunc(a.Calls, func(c string) bool {
			return strings.HasPrefix(c, "hipStreamSynchronize")
		})
	}
	if s.Handle != nil && !s.Handle.Destroyed() {
		a.Held = s.held()
	}
	return a, nil
}

// held returns the bytes of the handle, or the status of the call that should return them.
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
	case createHandle:
		s.Handle, err = workspace.Create(s.Runtime.Device(),
			workspace.Config{Profile: s.Profile, Environment: op.Env})
		if err != nil {
			s.Handle = nil
		}
	case destroyHandle:
		err = h.Destroy()
	case "set_device_memory_size":
		err = h.SetDeviceMemorySize(op.Size)
	case "set_workspace":
		p := s.memory.workspace
		if op.Null {
			p = 0
		}
		err = h.SetWorkspace(p, op.Size)
	case setPointerMode:
		err = h.SetPointerMode(int64(op.Size))
	case startQuery:
		err = h.StartQuery()
	case stopQuery:
		var bytes uint64
		bytes, err = h.StopQuery(false)
		a.Value = fmt.Sprint(bytes)
	case "get_atomics_mode":
		var mode int64
		mode, err = h.AtomicsMode()
		a.Value = fmt.Sprint(mode)
	case "is_managing_device_memory":
		a.Value = fmt.Sprint(h.IsManaging())
	case "is_user_managing_device_memory":
		a.Value = fmt.Sprint(h.IsUserManaging())
	default:
		var out workspace.Outcome
		out, err = h.Call(op.Call.args(s.memory))
		a.Status = out.Status.Short()
		if err == nil && out.Unknown != "" {
			err = &workspace.Unknown{Func: op.CName(), Reason: out.Unknown}
		}
	}
	return a, err
}
