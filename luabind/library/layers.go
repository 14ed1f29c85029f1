package library

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/luabind/api"
	"roclua/luabind/engine"
	"roclua/workspace"
	"roclua/workspace/hipblas"
	"roclua/workspace/hipsolver"
	"roclua/workspace/status"
)

// inLayer adds the functions for handles to the functions of a library above rocBLAS, and makes all of them fail as
// that library does.
func inLayer(own engine.Bodies) engine.Bodies {
	maps.Copy(own, engine.Bodies{
		"Create":    engine.Takes0(createHandle),
		"Destroy":   engine.Takes1(destroyHandle),
		"SetStream": engine.Does2(workspace.Handle.SetStream),
		"GetStream": engine.Takes1(getStream),
	})
	for name, body := range own {
		own[name] = func(ps *engine.Parameters) func(*engine.Call) error {
			run := body(ps)
			return func(c *engine.Call) error { return layered(c, run(c)) }
		}
	}
	return own
}

// layered returns an error as the library above rocBLAS does whose function was called. Without the library, the case
// is skipped.
func layered(c *engine.Call, err error) error {
	var (
		none    *driver.NoLayer
		layer   *workspace.LayerError
		refused *workspace.Error
	)
	switch {
	case errors.As(err, &none):
		return &engine.Skipped{Reason: none.Reason}
	case errors.As(err, &layer) || !errors.As(err, &refused):
		return err
	case c.Fn.Status == api.HipBLASStatus:
		return &workspace.LayerError{Status: refused.Status.InHipBLAS(), Func: c.Fn.C, Cause: err}
	}
	return &workspace.LayerError{Status: refused.Status.InHipSOLVER(), Func: c.Fn.C, Cause: err}
}

// hipblasFunctions are the functions of the module hipblas that are not routines.
func hipblasFunctions() engine.Bodies {
	list := engine.Bodies{
		"SetPointerMode": setMode(routine.PointerMode, workspace.Handle.SetPointerMode),
		"GetPointerMode": engine.Takes1(get(workspace.Handle.PointerMode)),
		"SetAtomicsMode": setMode(routine.AtomicsMode, workspace.Handle.SetAtomicsMode),
		"GetAtomicsMode": engine.Takes1(get(workspace.Handle.AtomicsMode)),
		"SetWorkspace":   engine.Does3(hipblas.SetWorkspace),
		"SetMathMode":    setMode(routine.MathMode, workspace.Handle.SetMathMode),
		"GetMathMode":    engine.Takes1(get(workspace.Handle.MathMode)),
		"StatusToString": engine.Takes1(layerStatusText),
	}
	for _, name := range []string{"SetVector", "GetVector", "SetMatrix", "GetMatrix"} {
		list[name], list[name+"Async"] = transfer, transfer
	}
	return inLayer(list)
}

func layerStatusText(c *engine.Call, number int64) error {
	text := "<undefined hipblasStatus_t value>"
	if slices.Contains(status.LayerStatuses(), int(number)) {
		text = status.HipBLAS(number).Name()
	}
	return c.Return(nil, lua.LString(text))
}

// setMode makes a function of a method of handles that sets a mode. hipBLAS refuses values outside of the enumeration.
func setMode(kind routine.Kind, set func(workspace.Handle, int64) error) engine.Body {
	refusal := status.HipBLASInvalidEnum
	if kind == routine.MathMode {
		refusal = status.HipBLASNotSupported
	}
	return engine.Takes2(func(c *engine.Call, h workspace.Handle, mode int64) error {
		if !slices.Contains(routine.Legal(kind), mode) {
			return &workspace.LayerError{Status: refusal, Func: c.Fn.C,
				Reason: fmt.Sprintf("%d is not a value of the enumeration", mode)}
		}
		return set(h, mode)
	})
}

// makeHipBLAS makes the call of a function of hipBLAS with the arguments that were read.
func (rc *routineCall) makeHipBLAS() error {
	out, err := hipblas.Call(rc.handle.get(), rc.args)
	if err != nil {
		return err
	}
	rc.Status = rc.Statuses.Value(status.HipBLASSuccess)
	rc.returnNumber(out.Info)
	rc.returnResults(out.Results)
	return nil
}

// hipsolverFunctions are the functions of the module hipsolver that are not routines.
func hipsolverFunctions() engine.Bodies {
	list := engine.Bodies{
		"DnCreateParams":  engine.Takes0(createParams),
		"DnDestroyParams": engine.Does1((*hipsolver.Params).Destroy),
		"DnSetAdvOptions": engine.Does3((*hipsolver.Params).SetAdvOptions),
	}
	for _, method := range []string{hipsolver.Syevj, hipsolver.Gesvdj} {
		x := "X" + strings.ToLower(method)
		list["Create"+method+"Info"] = engine.Takes0(createJacobi(method))
		list["Destroy"+method+"Info"] = engine.Does1((*hipsolver.Jacobi).Destroy)
		list[x+"SetMaxSweeps"] = engine.Does2((*hipsolver.Jacobi).SetMaxSweeps)
		list[x+"SetSortEig"] = engine.Does2((*hipsolver.Jacobi).SetSorted)
		list[x+"SetTolerance"] = engine.Takes2(setTolerance)
		list[x+"GetResidual"] = engine.Takes2(getJacobi((*hipsolver.Jacobi).GetResidual))
		list[x+"GetSweeps"] = engine.Takes2(getJacobi((*hipsolver.Jacobi).GetSweeps))
	}
	return inLayer(list)
}

func setTolerance(_ *engine.Call, j *hipsolver.Jacobi, tolerance lua.LNumber) error {
	return j.SetTolerance(float64(tolerance))
}

// getJacobi makes a function of a method that returns a number of the last call.
func getJacobi[T int64 | float64](get func(*hipsolver.Jacobi, workspace.Handle) (T, error),
) func(*engine.Call, workspace.Handle, *hipsolver.Jacobi) error {
	return func(c *engine.Call, h workspace.Handle, j *hipsolver.Jacobi) error {
		value, err := get(j, h)
		return c.Return(err, lua.LNumber(value))
	}
}

const paramsType = "roclua.solver_params"

func createParams(c *engine.Call) error {
	p, err := hipsolver.NewParams(c.Device())
	if err != nil {
		return err
	}
	return c.Return(nil, c.VM.Object(paramsType, p))
}

func readParams(c *engine.Call, p *api.Param, v lua.LValue) *hipsolver.Params {
	if v == lua.LNil {
		return hipsolver.NullParams
	}
	return existing(c, p, engine.Object[*hipsolver.Params](c, p, v))
}

// existing returns an object of hipSOLVER. It raises an error if the object was destroyed.
func existing[T interface{ Destroyed() bool }](c *engine.Call, p *api.Param, object T) T {
	if object.Destroyed() {
		c.Bad(p.Name, "the object was destroyed")
	}
	return object
}

const jacobiType = "roclua.jacobi_info"

func createJacobi(method string) func(c *engine.Call) error {
	return func(c *engine.Call) error {
		j, err := hipsolver.NewJacobi(c.Device(), method)
		if err != nil {
			return err
		}
		return c.Return(nil, c.VM.Object(jacobiType, j))
	}
}

func readJacobi(c *engine.Call, p *api.Param, v lua.LValue) *hipsolver.Jacobi {
	switch {
	case v != lua.LNil:
		return existing(c, p, engine.Object[*hipsolver.Jacobi](c, p, v))
	case strings.Contains(strings.ToLower(c.Fn.C), "gesvdj"):
		return hipsolver.NullJacobi(hipsolver.Gesvdj)
	}
	return hipsolver.NullJacobi(hipsolver.Syevj)
}

// makeHipSOLVER makes the call of a function of hipSOLVER with the arguments that were read.
func (rc *routineCall) makeHipSOLVER() error {
	out, err := hipsolver.Call(rc.handle.get(), rc.args, rc.objects)
	if err != nil {
		return err
	}
	rc.returnNumber(out.Number)
	if rc.entry.Numbers() > 1 {
		rc.Out(lua.LNumber(out.Host))
	}
	rc.Status = rc.Statuses.Value(out.Status)
	if out.Status != status.HipSOLVERSuccess {
		return &workspace.LayerError{Status: out.Status, Func: rc.Fn.C}
	}
	return nil
}
