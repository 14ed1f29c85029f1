package library

import (
	"errors"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/luabind/api"
	"roclua/luabind/engine"
	"roclua/workspace"
	"roclua/workspace/hipsolver"
	"roclua/workspace/status"
)

// hipsolverFunctions are the functions of the module hipsolver that are not routines.
var hipsolverFunctions = engine.Bodies{
	"Create": engine.Takes0(func(c *engine.Call) error { return layered(c, createHandle(c)) }),
	"Destroy": engine.Takes1(func(c *engine.Call, box *handleBox) error {
		return layered(c, destroyHandle(c, box))
	}),
	"SetStream": engine.Takes2(func(c *engine.Call, h workspace.Handle, stream *hip.Stream) error {
		return layered(c, setStream(c, h, stream))
	}),
	"GetStream": engine.Takes1(func(c *engine.Call, h workspace.Handle) error {
		return layered(c, getStream(c, h))
	}),
	"CreateSyevjInfo": engine.Takes0(createJacobi),
	"DestroySyevjInfo": engine.Takes1(func(_ *engine.Call, j *hipsolver.Jacobi) error {
		return j.Destroy()
	}),
	"XsyevjSetMaxSweeps": engine.Takes2(func(_ *engine.Call, j *hipsolver.Jacobi, n int64) error {
		return j.SetMaxSweeps(n)
	}),
	"XsyevjSetSortEig": engine.Takes2(func(_ *engine.Call, j *hipsolver.Jacobi, sorted int64) error {
		return j.SetSorted(sorted)
	}),
}

// layered returns the error of a function of rocBLAS as hipSOLVER does.
func layered(c *engine.Call, err error) error {
	var refused *workspace.Error
	if !errors.As(err, &refused) {
		return err
	}
	return &workspace.LayerError{Status: refused.Status.InHipSOLVER(), Func: c.Fn.C, Cause: err}
}

const jacobiType = "roclua.syevj_info"

func createJacobi(c *engine.Call) error {
	j, err := hipsolver.NewJacobi(c.Device())
	if err != nil {
		return err
	}
	c.Out(c.VM.Object(jacobiType, j))
	return nil
}

func readJacobi(c *engine.Call, p *api.Param, v lua.LValue) *hipsolver.Jacobi {
	if v == lua.LNil && p.Nil != "" {
		return nil
	}
	return engine.Object[*hipsolver.Jacobi](c, p, v)
}

// makeLayer makes the call of a function of hipSOLVER with the arguments that were read.
func (rc *routineCall) makeLayer() error {
	out, err := hipsolver.Call(rc.handle.get(), rc.args, rc.jacobi)
	switch {
	case errors.Is(err, hipsolver.ErrNoLayer):
		return &engine.Skipped{Reason: err.Error()}
	case err != nil:
		return err
	}
	if rc.entry.IsSize() {
		rc.Out(lua.LNumber(out.Lwork))
	}
	rc.Status = rc.Statuses.Layer(out.Status)
	if out.Status != status.HipSOLVERSuccess {
		return &workspace.LayerError{Status: out.Status, Func: rc.Fn.C}
	}
	return nil
}
