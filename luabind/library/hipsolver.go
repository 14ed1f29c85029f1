package library

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/api"
	"roclua/luabind/engine"
	"roclua/workspace"
	"roclua/workspace/hipsolver"
	"roclua/workspace/status"
)

// hipsolverFunctions are the functions of the module hipsolver that are not routines.
var hipsolverFunctions = layerFunctions(engine.Bodies{
	"CreateSyevjInfo":  engine.Takes0(createJacobi(hipsolver.Syevj)),
	"CreateGesvdjInfo": engine.Takes0(createJacobi(hipsolver.Gesvdj)),
	"DestroySyevjInfo": destroyJacobi, "DestroyGesvdjInfo": destroyJacobi,
	"XsyevjSetMaxSweeps": setMaxSweeps, "XgesvdjSetMaxSweeps": setMaxSweeps,
	"XsyevjSetSortEig": setSorted, "XgesvdjSetSortEig": setSorted,
})

var (
	destroyJacobi = engine.Takes1(func(_ *engine.Call, j *hipsolver.Jacobi) error { return j.Destroy() })
	setMaxSweeps  = engine.Takes2(func(_ *engine.Call, j *hipsolver.Jacobi, n int64) error { return j.SetMaxSweeps(n) })
	setSorted     = engine.Takes2(func(_ *engine.Call, j *hipsolver.Jacobi, n int64) error { return j.SetSorted(n) })
)

const jacobiType = "roclua.jacobi_info"

func createJacobi(method string) func(c *engine.Call) error {
	return func(c *engine.Call) error {
		j, err := hipsolver.NewJacobi(c.Device(), method)
		if err != nil {
			return skipped(err)
		}
		c.Out(c.VM.Object(jacobiType, j))
		return nil
	}
}

func readJacobi(c *engine.Call, p *api.Param, v lua.LValue) *hipsolver.Jacobi {
	if v == lua.LNil && p.Nil != "" {
		return nil
	}
	return engine.Object[*hipsolver.Jacobi](c, p, v)
}

// makeHipSOLVER makes the call of a function of hipSOLVER with the arguments that were read.
func (rc *routineCall) makeHipSOLVER() error {
	out, err := hipsolver.Call(rc.handle.get(), rc.args, rc.jacobi)
	if err != nil {
		return err
	}
	rc.returnNumber(out.Number)
	rc.Status = rc.Statuses.Layer(out.Status)
	if out.Status != status.HipSOLVERSuccess {
		return &workspace.LayerError{Status: out.Status, Func: rc.Fn.C}
	}
	return nil
}
