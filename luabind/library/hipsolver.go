package library

import (
	"strings"

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
	"XsyevjSetTolerance": setTolerance, "XgesvdjSetTolerance": setTolerance,
	"XsyevjGetResidual": getResidual, "XgesvdjGetResidual": getResidual,
	"XsyevjGetSweeps": getSweeps, "XgesvdjGetSweeps": getSweeps,
	"DnCreateParams":  engine.Takes0(createParams),
	"DnDestroyParams": engine.Takes1(func(_ *engine.Call, p *hipsolver.Params) error { return p.Destroy() }),
	"DnSetAdvOptions": engine.Takes3(func(_ *engine.Call, p *hipsolver.Params, function, mode int64) error {
		return p.SetAdvOptions(function, mode)
	}),
})

var (
	destroyJacobi = engine.Takes1(func(_ *engine.Call, j *hipsolver.Jacobi) error { return j.Destroy() })
	setMaxSweeps  = engine.Takes2(func(_ *engine.Call, j *hipsolver.Jacobi, n int64) error { return j.SetMaxSweeps(n) })
	setSorted     = engine.Takes2(func(_ *engine.Call, j *hipsolver.Jacobi, n int64) error { return j.SetSorted(n) })
)

var (
	setTolerance = engine.Takes2(func(_ *engine.Call, j *hipsolver.Jacobi, tolerance lua.LNumber) error {
		return j.SetTolerance(float64(tolerance))
	})
	getResidual = engine.Takes2(func(c *engine.Call, h workspace.Handle, j *hipsolver.Jacobi) error {
		residual, err := j.GetResidual(h)
		c.Out(lua.LNumber(residual))
		return err
	})
	getSweeps = engine.Takes2(func(c *engine.Call, h workspace.Handle, j *hipsolver.Jacobi) error {
		sweeps, err := j.GetSweeps(h)
		c.Out(lua.LNumber(sweeps))
		return err
	})
)

const paramsType = "roclua.solver_params"

func createParams(c *engine.Call) error {
	p, err := hipsolver.NewParams(c.Device())
	if err != nil {
		return skipped(err)
	}
	c.Out(c.VM.Object(paramsType, p))
	return nil
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
			return skipped(err)
		}
		c.Out(c.VM.Object(jacobiType, j))
		return nil
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
	rc.Status = rc.Statuses.Layer(out.Status)
	if out.Status != status.HipSOLVERSuccess {
		return &workspace.LayerError{Status: out.Status, Func: rc.Fn.C}
	}
	return nil
}
