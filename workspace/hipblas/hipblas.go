// Package hipblas reproduces the functions of hipBLAS that call a routine of rocBLAS or rocSOLVER: their changes to the
// arguments, the status that they return, and the repetition of a call that lacked memory.
package hipblas

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/status"
)

// Outcome is the result of a call that succeeded.
type Outcome struct {
	Info    int64  // number of a wrong argument, less than 0, of a function that returns it
	Results []byte // of a reduction in host pointer mode
}

// Call runs a function of hipBLAS on a modelled handle: it makes the same rocBLAS, rocSOLVER and HIP calls as the
// library, in the same order. Errors are of type *workspace.LayerError, *workspace.Abort or *workspace.Unknown.
func Call(h workspace.Handle, o *routine.Args) (Outcome, error) {
	if out, ok, err := inLibrary(h, o); ok {
		return out, err
	}
	if h.Profile() != nil && !h.Profile().Modelled() {
		return Outcome{}, workspace.NoLayer("hipBLAS")
	}
	c := &call{Handle: h, o: o}
	if unsupported(o) {
		return Outcome{}, c.refuse(status.HipBLASNotSupported, "hipBLAS does not have products of these datatypes", nil)
	}
	if reason := wrongEnum(o); reason != "" {
		return Outcome{}, c.refuse(status.HipBLASInvalidEnum, reason, nil)
	}
	if o.Routine.Has(routine.Flags) && o.Int(routine.Flags) == routine.CheckSolutionIndex {
		return Outcome{}, &workspace.Unknown{Func: o.Routine.CName(),
			Reason: "with gemm_flags_check_solution_index rocBLAS only looks for a kernel, which is not modelled"}
	}
	c.inner = inner(o)
	out, err := c.run()
	if Repeats(o.Routine) && lacksMemory(err) {
		out, err = c.repeat()
	}
	if err != nil {
		return Outcome{}, c.mapped(err)
	}
	if out.Unknown != "" {
		return Outcome{}, &workspace.Unknown{Func: o.Routine.CName(), Reason: out.Unknown}
	}
	if st := out.Status.InHipBLAS(); !st.OK() {
		return Outcome{}, c.refuse(st, o.Routine.CName()+" got "+out.Status.Short(), nil)
	}
	return Outcome{wrongArgument(o), out.Results}, nil
}

// inLibrary calls the library of the platform, if the handle belongs to that library.
func inLibrary(h workspace.Handle, o *routine.Args) (out Outcome, ok bool, err error) {
	numbered := o.Routine.Has(routine.HostInfo)
	if numbered {
		o.SetInt(routine.HostInfo, routine.Host)
	}
	st, results, ok, err := workspace.CallLayer(h, o)
	switch {
	case !ok || err != nil:
		return out, ok, err
	case !status.HipBLAS(st).OK():
		return out, true, &workspace.LayerError{Status: status.HipBLAS(st), Func: o.Routine.CName()}
	case numbered:
		out.Info = int64(int32(binary.NativeEndian.Uint32(results)))
	default:
		out.Results = results
	}
	return out, true, nil
}

// call is one call of a function.
type call struct {
	workspace.Handle
	o, inner *routine.Args
}

func (c *call) run() (workspace.Outcome, error) { return c.Handle.Call(c.inner) }

// repeat makes a call that lacked memory again. Between the two calls, the library requests its need in a size query,
// and on some releases makes that the size of the handle's memory. A query that fails stays open.
func (c *call) repeat() (out workspace.Outcome, err error) {
	if err := c.StartQuery(); err != nil {
		return out, err
	}
	if _, err := c.run(); err != nil {
		return out, err
	}
	bytes, err := c.StopQuery(false)
	if err != nil {
		return out, err
	}
	if c.Profile().Release.LayerSizesMemory {
		if err := c.SetDeviceMemorySize(bytes); err != nil {
			return out, err
		}
	}
	return c.run()
}

func (c *call) refuse(s status.HipBLAS, reason string, cause error) error {
	return &workspace.LayerError{Status: s, Func: c.o.Routine.CName(), Reason: reason, Cause: cause}
}

// mapped returns the error of a rocBLAS or rocSOLVER call as hipBLAS returns it.
func (c *call) mapped(err error) error {
	var refused *workspace.Error
	if errors.As(err, &refused) {
		return c.refuse(refused.Status.InHipBLAS(), "", err)
	}
	return err
}

// wrongEnum says which argument has a value that its enumeration does not have; "" if none has. hipBLAS converts the
// values before it looks at the handle.
func wrongEnum(o *routine.Args) string {
	for i := range o.Routine.Params {
		p := &o.Routine.Params[i]
		if !p.Kind.IsEnum() {
			continue
		}
		is := func(c routine.Constant) bool { return c.Value == o.Int(p.Slot) }
		if !slices.ContainsFunc(routine.ConstantsOf(p.Kind), is) {
			return fmt.Sprintf("%s is %d, which its enumeration does not have", p.Name, o.Int(p.Slot))
		}
	}
	return ""
}

func lacksMemory(err error) bool {
	var refused *workspace.Error
	return errors.As(err, &refused) && refused.Status == status.MemoryError
}

// SetWorkspaceName is the C name of the function that SetWorkspace implements.
const SetWorkspaceName = "hipblasSetWorkspace"

// SetWorkspace implements hipblasSetWorkspace. Errors are of type *workspace.LayerError or *workspace.Abort.
func SetWorkspace(h workspace.Handle, p driver.Ptr, bytes uint64) error {
	st, inLibrary, err := workspace.CallLayerFunction(h, SetWorkspaceName, uintptr(p), uintptr(bytes))
	refuse := func(s status.HipBLAS, reason string, cause error) error {
		return &workspace.LayerError{Status: s, Func: SetWorkspaceName, Reason: reason, Cause: cause}
	}
	switch profile := h.Profile(); {
	case inLibrary && err == nil && st != 0:
		return refuse(status.HipBLAS(st), "", nil)
	case inLibrary:
	case profile != nil && profile.Modelled() && profile.Release.LayerLacksWorkspace:
		return refuse(status.HipBLASNotSupported, profile.Name+" does not have this function", nil)
	default:
		err = h.SetWorkspace(p, bytes)
	}
	var refused *workspace.Error
	if errors.As(err, &refused) {
		return refuse(refused.Status.InHipBLAS(), "", err)
	}
	return err
}
