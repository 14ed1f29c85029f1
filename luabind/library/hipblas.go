package library

import (
	"fmt"
	"slices"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/luabind/engine"
	"roclua/workspace"
	"roclua/workspace/hipblas"
	"roclua/workspace/status"
)

// hipblasFunctions are the functions of the module hipblas that are not routines.
var hipblasFunctions = layerFunctions(engine.Bodies{
	"SetPointerMode": engine.Takes2(setMode(routine.PointerMode, workspace.Handle.SetPointerMode)),
	"GetPointerMode": engine.Takes1(func(c *engine.Call, h workspace.Handle) error {
		return layered(c, get(workspace.Handle.PointerMode)(c, h))
	}),
	"SetAtomicsMode": engine.Takes2(setMode(routine.AtomicsMode, workspace.Handle.SetAtomicsMode)),
	"GetAtomicsMode": engine.Takes1(func(c *engine.Call, h workspace.Handle) error {
		return layered(c, get(workspace.Handle.AtomicsMode)(c, h))
	}),
	"SetWorkspace": engine.Takes3(setLayerWorkspace),
})

// setMode makes a function of a method of handles that sets a mode. hipBLAS refuses values outside of the
// enumeration.
func setMode(kind routine.Kind, set func(workspace.Handle, int64) error,
) func(*engine.Call, workspace.Handle, int64) error {
	return func(c *engine.Call, h workspace.Handle, mode int64) error {
		if !slices.Contains(routine.Legal(kind), mode) {
			return &workspace.LayerError{Status: status.HipBLASInvalidEnum, Func: c.Fn.C,
				Reason: fmt.Sprintf("%d is not a value of the enumeration", mode)}
		}
		return layered(c, set(h, mode))
	}
}

func setLayerWorkspace(_ *engine.Call, h workspace.Handle, p driver.Ptr, bytes uint64) error {
	return hipblas.SetWorkspace(h, p, bytes)
}

// makeHipBLAS makes the call of a function of hipBLAS with the arguments that were read.
func (rc *routineCall) makeHipBLAS() error {
	out, err := hipblas.Call(rc.handle.get(), rc.args)
	if err != nil {
		return err
	}
	rc.Status = rc.Statuses.Layer(status.HipBLASSuccess)
	rc.returnNumber(out.Info)
	rc.returnResults(out.Results)
	return nil
}
