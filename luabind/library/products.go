package library

import (
	"cmp"
	"errors"
	"maps"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/luabind/api"
	"roclua/luabind/engine"
	"roclua/workspace"
)

// handleGemmKernel returns the name of the kernel that a product would use now, its parts of the sum over k, and the
// bytes that it wants; nil and the reason if no kernel of the tuning files computes the product, or it is not known.
func handleGemmKernel(c *engine.Call, box *handleBox, arguments *lua.LTable, name engine.Option[string]) error {
	r := RoutineNamed(c, cmp.Or(name.Value, "gemm_ex"), arguments)
	if id := r.Family.ID; id != routine.Gemm && id != routine.GemmEx {
		c.Bad("routine", "%s is not a form of gemm or gemm_ex", r.Name)
	}
	p := &Prepared{entry: entryOf(r), handle: box, object: c.L.Get(1), given: c.L.NewTable()}
	p.bound = c.Bind(&engine.Binding{Function: p.entry.binding.Function, Run: p.call}, false)
	p.change(c, arguments)
	reason := "the library of the platform does not report its kernels"
	if model, ok := box.handle.(*workspace.Model); ok {
		choice, err := model.ChooseKernel(p.Args())
		if err != nil {
			return err
		}
		if k := choice.Kernel; k != nil && choice.Unknown == "" {
			c.Out(lua.LString(k.Name))
			c.Out(lua.LNumber(k.Split))
			c.Out(lua.LNumber(k.Workspace(&choice.Problem)))
			return nil
		}
		reason = cmp.Or(choice.Unknown, choice.None)
	}
	for range 3 {
		c.Out(lua.LNil)
	}
	c.Out(lua.LString(reason))
	return nil
}

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

// layerFunctions returns the functions of a library above rocBLAS: its own, and those for handles.
func layerFunctions(own engine.Bodies) engine.Bodies {
	maps.Copy(own, engine.Bodies{
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
	})
	return own
}

// layered returns the error of a function of rocBLAS as the library of the function does.
func layered(c *engine.Call, err error) error {
	var refused *workspace.Error
	if !errors.As(err, &refused) {
		return err
	}
	layer := &workspace.LayerError{Status: refused.Status.InHipSOLVER(), Func: c.Fn.C, Cause: err}
	if c.Fn.Status == api.HipBLASStatus {
		layer.Status = refused.Status.InHipBLAS()
	}
	return layer
}

// skipped returns the error that skips the case if a library above rocBLAS is missing, and otherwise err.
func skipped(err error) error {
	var none *driver.NoLayer
	if errors.As(err, &none) {
		return &engine.Skipped{Reason: none.Reason}
	}
	return err
}
