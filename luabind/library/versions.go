package library

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/luabind/engine"
)

// versionOf makes a function that returns the version of a library, versionSizeOf a function that returns the size of
// the version as a C string.
func versionOf(of routine.Library) func(*engine.Call) error {
	return func(c *engine.Call) error {
		c.Out(lua.LString(version(c, of)))
		return nil
	}
}

func versionSizeOf(of routine.Library) func(*engine.Call) error {
	return func(c *engine.Call) error {
		c.Out(lua.LNumber(len(version(c, of)) + 1))
		return nil
	}
}

// version returns the version of the platform's library, or if it has none the version of the profile's. It does not
// wait for a device.
func version(c *engine.Call, of routine.Library) string {
	blas, solver := c.Profile.Versions()
	if rt := c.Runtime; rt != nil {
		if b, s, ok := rt.Device().LibraryVersions(); ok {
			blas, solver = b, s
		}
	}
	if of == routine.RocSOLVER {
		return solver
	}
	return blas
}
