package library

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/luabind/device"
	"roclua/luabind/engine"
	"roclua/workspace"
	"roclua/workspace/status"
)

// rocblasFunctions are the functions of the module rocblas that are not routines, in the order of its header.
func rocblasFunctions() engine.Bodies {
	list := engine.Bodies{
		"create_handle":                  engine.Takes0(createHandle),
		"destroy_handle":                 engine.Takes1(destroyHandle),
		"set_stream":                     engine.Does2(workspace.Handle.SetStream),
		"get_stream":                     engine.Takes1(getStream),
		"set_pointer_mode":               engine.Does2(workspace.Handle.SetPointerMode),
		"get_pointer_mode":               engine.Takes1(get(workspace.Handle.PointerMode)),
		"set_atomics_mode":               engine.Does2(workspace.Handle.SetAtomicsMode),
		"get_atomics_mode":               engine.Takes1(get(workspace.Handle.AtomicsMode)),
		"set_math_mode":                  engine.Does2(workspace.Handle.SetMathMode),
		"get_math_mode":                  engine.Takes1(get(workspace.Handle.MathMode)),
		"set_performance_metric":         engine.Does2(workspace.Handle.SetPerformanceMetric),
		"get_performance_metric":         engine.Takes1(get(workspace.Handle.PerformanceMetric)),
		"is_device_memory_size_query":    engine.Takes1(ask(workspace.Handle.IsQuery)),
		"start_device_memory_size_query": engine.Does1(workspace.Handle.StartQuery),
		"stop_device_memory_size_query":  engine.Takes1(stopQuery),
		"get_device_memory_size":         engine.Takes1(get(workspace.Handle.DeviceMemorySize)),
		"set_device_memory_size":         engine.Does2(workspace.Handle.SetDeviceMemorySize),
		"set_workspace":                  engine.Does3(workspace.Handle.SetWorkspace),
		"device_malloc_set_default_memory_size": engine.Takes1(func(c *engine.Call, bytes uint64) error {
			of(c).defaultBytes = bytes
			return nil
		}),
		"is_managing_device_memory":      engine.Takes1(ask(workspace.Handle.IsManaging)),
		"is_user_managing_device_memory": engine.Takes1(ask(workspace.Handle.IsUserManaging)),
		"sizeof_datatype":                engine.Takes1(sizeofDatatype),
		"status_to_string":               engine.Takes1(statusToString),
		"get_version_string":             engine.Takes0(versionOf(routine.RocBLAS)),
		"get_version_string_size":        engine.Takes0(versionSizeOf(routine.RocBLAS)),
		"pointer_to_mode":                engine.Takes1(pointerToMode),
		"initialize":                     engine.Takes0(initialize),
	}
	for _, name := range []string{"set_vector", "get_vector", "set_matrix", "get_matrix"} {
		for _, form := range []string{"", "_async", "_64", "_async_64"} {
			list[name+form] = transfer
		}
	}
	return list
}

// get makes a function of a method of handles that returns a number.
func get[T int64 | uint64](do func(workspace.Handle) (T, error)) func(*engine.Call, workspace.Handle) error {
	return func(c *engine.Call, h workspace.Handle) error {
		value, err := do(h)
		return c.Return(err, lua.LNumber(value))
	}
}

// ask makes a function of a method of handles that returns a boolean.
func ask(do func(workspace.Handle) bool) func(*engine.Call, workspace.Handle) error {
	return func(c *engine.Call, h workspace.Handle) error {
		return c.Return(nil, lua.LBool(do(h)))
	}
}

func createHandle(c *engine.Call) error {
	h, err := workspace.Create(c.Device(), of(c).config())
	if err != nil {
		return err
	}
	box := &handleBox{handle: h, made: c.VM.Where(c.L)}
	of(c).created = append(of(c).created, box)
	return c.Return(nil, c.VM.Object(handleType, box))
}

func destroyHandle(c *engine.Call, box *handleBox) error {
	if box == nil {
		return workspace.Null.Destroy()
	}
	return box.destroy(c.Where(c.L))
}

func getStream(c *engine.Call, h workspace.Handle) error {
	stream, err := h.Stream()
	if err != nil {
		return err
	}
	return c.Return(nil, device.StreamValue(c, stream))
}

func stopQuery(c *engine.Call, h workspace.Handle) error {
	bytes, err := h.StopQuery(false)
	_, err = need(c, bytes, err)
	return err
}

func sizeofDatatype(c *engine.Call, datatype int64) error {
	bytes, ok := routine.SizeofDatatype(datatype)
	if !ok {
		return fmt.Errorf("rocblas_sizeof_datatype: %d is not a rocblas_datatype", datatype)
	}
	return c.Return(nil, lua.LNumber(bytes))
}

func statusToString(c *engine.Call, st engine.StatusCode) error {
	text := st.Name // of a hipError_t
	if code, ok := st.Status.(status.Status); ok {
		text = code.ToString()
	}
	return c.Return(nil, lua.LString(text))
}

func initialize(c *engine.Call) error { return of(c).functions().Initialize() }

func pointerToMode(c *engine.Call, where device.HostOrDevice) error {
	mode, err := int64(routine.PointerModeHost), error(nil)
	if where.Array == nil {
		mode, err = of(c).functions().PointerToMode(where.Ptr)
	}
	return c.Return(err, lua.LNumber(mode))
}

// versionOf makes a function that returns the version of a library, versionSizeOf a function that returns the size of
// the version as a C string.
func versionOf(of routine.Library) func(*engine.Call) error {
	return func(c *engine.Call) error {
		return c.Return(nil, lua.LString(version(c, of)))
	}
}

func versionSizeOf(of routine.Library) func(*engine.Call) error {
	return func(c *engine.Call) error {
		return c.Return(nil, lua.LNumber(len(version(c, of))+1))
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
