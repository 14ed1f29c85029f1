package library

import (
	"fmt"
	"slices"

	lua "github.com/yuin/gopher-lua"

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
	"SetMathMode":  engine.Takes2(setMathMode),
	"GetMathMode": engine.Takes1(func(c *engine.Call, h workspace.Handle) error {
		return layered(c, get(workspace.Handle.MathMode)(c, h))
	}),
	"StatusToString": engine.Takes1(layerStatusText),
	"SetVector":      copying(vectorShape, toDevice, waiting), "GetVector": copying(vectorShape, toHost, waiting),
	"SetMatrix": copying(matrixShape, toDevice, waiting), "GetMatrix": copying(matrixShape, toHost, waiting),
	"SetVectorAsync": copying(vectorShape, toDevice, inStream),
	"GetVectorAsync": copying(vectorShape, toHost, inStream),
	"SetMatrixAsync": copying(matrixShape, toDevice, inStream),
	"GetMatrixAsync": copying(matrixShape, toHost, inStream),
})

// copying makes the body of a function that copies a vector or a matrix.
func copying(of shape, to direction, when schedule) engine.Body {
	body := transfers(of, to, when)
	return func(ps *engine.Parameters) func(*engine.Call) error {
		run := body(ps)
		return func(c *engine.Call) error { return layered(c, run(c)) }
	}
}

// setMathMode refuses other values in another way than the functions for other modes.
func setMathMode(c *engine.Call, h workspace.Handle, mode int64) error {
	if !slices.Contains(routine.Legal(routine.MathMode), mode) {
		return &workspace.LayerError{Status: status.HipBLASNotSupported, Func: c.Fn.C,
			Reason: fmt.Sprintf("%d is not a value of the enumeration", mode)}
	}
	return layered(c, h.SetMathMode(mode))
}

func layerStatusText(c *engine.Call, number int64) error {
	text := "<undefined hipblasStatus_t value>"
	if slices.Contains(status.LayerStatuses(), int(number)) {
		text = status.HipBLAS(number).Name()
	}
	c.Out(lua.LString(text))
	return nil
}

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
