package conformance

import (
	"encoding/binary"
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

// implementation is the model or the library: a device, and a handle on it.
type implementation struct {
	rt        *hip.Runtime
	profile   *workspace.Profile
	handle    workspace.Handle
	arrays    arena
	pointers  driver.Ptr
	workspace driver.Ptr
	log       func() []string // HIP's memory calls since it was last called
	fail      func(n int)     // makes the n-th allocation from now on fail; nil where that is not possible
}

const workspaceBytes = 16 << 20

// prepare allocates what calls need in addition to the handle.
func (s *implementation) prepare() error {
	dev := s.rt.Device()
	base, err := dev.Malloc(arenaBytes)
	if err != nil {
		return err
	}
	s.arrays = arena{base, arenaBytes}
	if s.workspace, err = dev.Malloc(workspaceBytes); err != nil {
		return err
	}
	if s.pointers, err = dev.Malloc(8 * batchSize); err != nil {
		return err
	}
	list := make([]byte, 8*batchSize)
	for i := range batchSize {
		binary.NativeEndian.PutUint64(list[8*i:], uint64(base))
	}
	if err := dev.Write(s.pointers, list); err != nil {
		return err
	}
	s.log()
	return nil
}

// result is the outcome of an operation, as text for comparison.
type result struct {
	status string
	value  string // bytes, or a truth value
	held   string // the size of the handle's memory afterwards
	calls  []string
}

func (a result) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s held %s %v", a.status, a.value, a.held, a.calls))
}

func (a result) same(b result) bool { return a.String() == b.String() }

// operation is one step of a sequence.
type operation struct {
	name  string
	size  uint64
	null  bool
	env   map[string]string
	draft *callTemplate

	unlogged bool // neither the memory calls nor the size of the handle are compared
}

var errNotComparable = errors.New("the library would abort here, or the model does not know the result")

// run runs an operation. It returns errNotComparable for operations without a result.
func (s *implementation) run(op *operation) (result, error) {
	a, err := s.perform(op)
	var abort *workspace.Abort
	var unknown *workspace.Unknown
	if errors.As(err, &abort) || errors.As(err, &unknown) {
		return a, errNotComparable
	}
	var refused *workspace.Error
	switch {
	case errors.As(err, &refused):
		a.status = refused.Status.Short()
	case err != nil:
		return a, err
	}
	if op.unlogged {
		return a, nil
	}
	a.calls = s.log()
	if op.draft != nil && (op.draft.r.Variant == routine.Batched || op.draft.r.Library == routine.RocSOLVER) {
		// Batched products copy the pointers to the host and wait, as often as the chosen kernel needs. Steps
		// of solvers wait too, as often as their numbers need.
		a.calls = slices.DeleteFunc(a.calls, func(c string) bool {
			return strings.HasPrefix(c, "hipStreamSynchronize")
		})
	}
	if s.handle != nil && !s.handle.Destroyed() {
		held, err := s.handle.DeviceMemorySize()
		a.held = fmt.Sprint(held, err)
	}
	return a, nil
}

func (s *implementation) perform(op *operation) (a result, err error) {
	a.status = status.Success.Short()
	switch op.name {
	case "create_handle":
		s.handle, err = workspace.Create(s.rt.Device(), workspace.Config{Profile: s.profile, Environment: op.env})
		if err != nil {
			s.handle = nil
		}
	case "destroy_handle":
		err = s.handle.Destroy()
	case "set_device_memory_size":
		err = s.handle.SetDeviceMemorySize(op.size)
	case "set_workspace":
		p := s.workspace
		if op.null {
			p = 0
		}
		err = s.handle.SetWorkspace(p, op.size)
	case "start_device_memory_size_query":
		err = s.handle.StartQuery()
	case "stop_device_memory_size_query":
		var bytes uint64
		bytes, err = s.handle.StopQuery(false)
		a.value = fmt.Sprint(bytes)
	case "get_atomics_mode":
		var mode int64
		mode, err = s.handle.AtomicsMode()
		a.value = fmt.Sprint(mode)
	case "is_managing_device_memory":
		a.value = fmt.Sprint(s.handle.IsManaging())
	case "is_user_managing_device_memory":
		a.value = fmt.Sprint(s.handle.IsUserManaging())
	default:
		var out workspace.Outcome
		out, err = s.handle.Call(op.draft.args(s.arrays, s.pointers))
		a.status = out.Status.Short()
	}
	return a, err
}

// script returns an operation as a line of Lua.
func (op *operation) script() string {
	switch op.name {
	case "create_handle":
		var lines []string
		for name, value := range op.env {
			lines = append(lines, fmt.Sprintf("os.setenv(%q, %q)", name, value))
		}
		return strings.Join(append(lines, "local handle = rocblas.create_handle()"), "\n")
	case "set_device_memory_size":
		return fmt.Sprintf("print(rocblas.try.set_device_memory_size(handle, %d))", op.size)
	case "set_workspace":
		p := "workspace"
		if op.null {
			p = "nil"
		}
		return fmt.Sprintf("print(rocblas.try.set_workspace(handle, %s, %d))", p, op.size)
	}
	if op.draft == nil {
		return fmt.Sprintf("print(rocblas.try.%s(handle))", op.name)
	}
	return op.draft.script()
}

func (d *callTemplate) script() string {
	args := []string{"handle"}
	for i := range d.r.Params {
		p := &d.r.Params[i]
		switch {
		case p.Kind == routine.Output:
			continue
		case d.null[p.Slot]:
			args = append(args, "nil")
		case p.Kind == routine.Scalar:
			args = append(args, fmt.Sprint(real(d.scalars[p.Slot])))
		case p.Kind == routine.Real:
			args = append(args, fmt.Sprint(d.reals[p.Slot]))
		case p.Kind.IsPointer():
			args = append(args, "arrays")
		default:
			args = append(args, fmt.Sprint(d.ints[p.Slot]))
		}
	}
	return fmt.Sprintf("print(%s.try.%s(%s))", d.r.Library, d.r.Name, strings.Join(args, ", "))
}
