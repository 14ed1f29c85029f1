package library

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/luabind/api"
	"roclua/luabind/engine"
	"roclua/workspace"
)

// rocsolverFunctions are the functions of the module rocsolver that are not routines.
func rocsolverFunctions() engine.Bodies {
	return engine.Bodies{
		"get_version_string":      engine.Takes0(versionOf(routine.RocSOLVER)),
		"get_version_string_size": engine.Takes0(versionSizeOf(routine.RocSOLVER)),
		"set_alg_mode":            engine.Does3(workspace.Handle.SetAlgMode),
		"get_alg_mode": engine.Takes2(func(c *engine.Call, h workspace.Handle, function int64) error {
			mode, err := h.AlgMode(function)
			return c.Return(err, lua.LNumber(mode))
		}),
		"create_rfinfo": engine.Takes1(createRfinfo),
		"destroy_rfinfo": engine.Takes1(func(c *engine.Call, r *workspace.Rfinfo) error {
			return of(c).functions().DestroyRfinfo(r)
		}),
		"set_rfinfo_mode": engine.Takes2(setRfinfoMode),
		"get_rfinfo_mode": engine.Takes1(getRfinfoMode),
		"log_begin":       engine.Takes0(func(c *engine.Call) error { return of(c).functions().LogBegin() }),
		"log_end":         engine.Takes0(func(c *engine.Call) error { return of(c).functions().LogEnd() }),
		"log_set_layer_mode": engine.Takes1(func(c *engine.Call, flags int64) error {
			return of(c).functions().Log(c.Fn.C, flags)
		}),
		"log_set_max_levels": engine.Takes1(func(c *engine.Call, levels int64) error {
			return of(c).functions().LogSetMaxLevels(levels)
		}),
		"log_restore_defaults": engine.Takes0(writeLog),
		"log_write_profile":    engine.Takes0(writeLog),
		"log_flush_profile":    engine.Takes0(writeLog),
	}
}

// writeLog calls a function without arguments that needs a log: see rocsolver.log_begin.
func writeLog(c *engine.Call) error { return of(c).functions().Log(c.Fn.C) }

const rfinfoType = "roclua.rfinfo"

func createRfinfo(c *engine.Call, h workspace.Handle) error {
	r, err := of(c).functions().CreateRfinfo(h)
	if err != nil {
		return err
	}
	return c.Return(nil, c.VM.Object(rfinfoType, r))
}

func setRfinfoMode(c *engine.Call, r *workspace.Rfinfo, mode int64) error {
	return of(c).functions().SetRfinfoMode(r, mode)
}

func getRfinfoMode(c *engine.Call, r *workspace.Rfinfo) error {
	mode, err := of(c).functions().RfinfoMode(r)
	return c.Return(err, lua.LNumber(mode))
}

func readRfinfo(c *engine.Call, p *api.Param, v lua.LValue) *workspace.Rfinfo {
	if v == lua.LNil {
		return nil
	}
	return engine.Object[*workspace.Rfinfo](c, p, v)
}
