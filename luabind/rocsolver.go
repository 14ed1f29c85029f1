package luabind

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/luabind/api"
	"roclua/workspace"
)

// rocsolverFunctions are the functions of the module rocsolver that are not routines.
var rocsolverFunctions = bodies{
	"get_version_string":      takes0(versionOf(routine.RocSOLVER)),
	"get_version_string_size": takes0(versionSizeOf(routine.RocSOLVER)),
	"set_alg_mode": takes3(func(_ *call, h workspace.Handle, function, mode int64) error {
		return h.SetAlgMode(function, mode)
	}),
	"get_alg_mode": takes2(func(c *call, h workspace.Handle, function int64) error {
		mode, err := h.AlgMode(function)
		c.out(lua.LNumber(mode))
		return err
	}),
	"create_rfinfo":   takes1(createRfinfo),
	"destroy_rfinfo":  takes1(func(c *call, r *workspace.Rfinfo) error { return c.s.libraries(c.l).DestroyRfinfo(r) }),
	"set_rfinfo_mode": takes2(setRfinfoMode),
	"get_rfinfo_mode": takes1(getRfinfoMode),
	"log_begin":       takes0(func(c *call) error { return c.s.libraries(c.l).LogBegin() }),
	"log_end":         takes0(func(c *call) error { return c.s.libraries(c.l).LogEnd() }),
	"log_set_layer_mode": takes1(func(c *call, flags int64) error {
		return c.s.libraries(c.l).Log(c.fn.C, flags)
	}),
	"log_set_max_levels": takes1(func(c *call, levels int64) error {
		return c.s.libraries(c.l).LogSetMaxLevels(levels)
	}),
	"log_restore_defaults": takes0(writeLog),
	"log_write_profile":    takes0(writeLog),
	"log_flush_profile":    takes0(writeLog),
}

// versionOf makes a function that returns the version of a library, and versionSizeOf one that returns its bytes in C.
func versionOf(of routine.Library) func(*call) error {
	return func(c *call) error {
		c.out(lua.LString(c.version(of)))
		return nil
	}
}

func versionSizeOf(of routine.Library) func(*call) error {
	return func(c *call) error {
		c.out(lua.LNumber(len(c.version(of)) + 1))
		return nil
	}
}

// version returns the version of a library of the platform, or that of the profile. It does not wait for a device.
func (c *call) version(of routine.Library) string {
	blas, solver := c.s.opts.Profile.Versions()
	if rt := c.s.opts.Runtime; rt != nil {
		if b, s, ok := rt.Device().LibraryVersions(); ok {
			blas, solver = b, s
		}
	}
	if of == routine.RocSOLVER {
		return solver
	}
	return blas
}

// libraries returns the functions of the libraries that belong to no handle. The state closes them.
func (s *state) libraries(l *lua.LState) *workspace.Libraries {
	if s.library == nil {
		s.library = workspace.NewLibraries(s.device(l), s.opts.Profile)
	}
	return s.library
}

// writeLog is a function that takes no arguments and needs a log that has begun.
func writeLog(c *call) error { return c.s.libraries(c.l).Log(c.fn.C) }

const rfinfoType = "roclua.rfinfo"

func createRfinfo(c *call, h workspace.Handle) error {
	r, err := c.s.libraries(c.l).CreateRfinfo(h)
	if err != nil {
		return err
	}
	c.out(c.s.vm.Object(rfinfoType, r))
	return nil
}

func setRfinfoMode(c *call, r *workspace.Rfinfo, mode int64) error {
	return c.s.libraries(c.l).SetRfinfoMode(r, mode)
}

func getRfinfoMode(c *call, r *workspace.Rfinfo) error {
	mode, err := c.s.libraries(c.l).RfinfoMode(r)
	c.out(lua.LNumber(mode))
	return err
}

func readRfinfo(c *call, p *api.Param, v lua.LValue) *workspace.Rfinfo {
	if v == lua.LNil {
		return nil
	}
	return object[*workspace.Rfinfo](c, p, v)
}

func pointerToMode(c *call, where hostOrDevice) error {
	mode, err := int64(routine.PointerModeHost), error(nil)
	if where.array == nil {
		mode, err = c.s.libraries(c.l).PointerToMode(where.ptr)
	}
	c.out(lua.LNumber(mode))
	return err
}
