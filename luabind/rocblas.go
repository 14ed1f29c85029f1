package luabind

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
)

// rocblasFunctions are the functions of the module rocblas that are not routines, in the order of its header.
var rocblasFunctions = bodies{
	"create_handle":                  takes0(createHandle),
	"destroy_handle":                 takes1(destroyHandle),
	"set_stream":                     takes2(setStream),
	"get_stream":                     takes1(getStream),
	"set_pointer_mode":               takes2(set(workspace.Handle.SetPointerMode)),
	"get_pointer_mode":               takes1(get(workspace.Handle.PointerMode)),
	"set_atomics_mode":               takes2(set(workspace.Handle.SetAtomicsMode)),
	"get_atomics_mode":               takes1(get(workspace.Handle.AtomicsMode)),
	"set_math_mode":                  takes2(set(workspace.Handle.SetMathMode)),
	"get_math_mode":                  takes1(get(workspace.Handle.MathMode)),
	"set_performance_metric":         takes2(set(workspace.Handle.SetPerformanceMetric)),
	"get_performance_metric":         takes1(get(workspace.Handle.PerformanceMetric)),
	"is_device_memory_size_query":    takes1(ask(workspace.Handle.IsQuery)),
	"start_device_memory_size_query": takes1(startQuery),
	"stop_device_memory_size_query":  takes1(stopQuery),
	"get_device_memory_size":         takes1(get(workspace.Handle.DeviceMemorySize)),
	"set_device_memory_size":         takes2(set(workspace.Handle.SetDeviceMemorySize)),
	"set_workspace":                  takes3(setWorkspace),
	"device_malloc_set_default_memory_size": takes1(func(c *call, bytes uint64) error {
		c.s.defaultBytes = bytes
		return nil
	}),
	"is_managing_device_memory":      takes1(ask(workspace.Handle.IsManaging)),
	"is_user_managing_device_memory": takes1(ask(workspace.Handle.IsUserManaging)),
	"set_vector":                     transfers(vectorShape, toDevice, waiting),
	"get_vector":                     transfers(vectorShape, toHost, waiting),
	"set_matrix":                     transfers(matrixShape, toDevice, waiting),
	"get_matrix":                     transfers(matrixShape, toHost, waiting),
	"set_vector_async":               transfers(vectorShape, toDevice, inStream),
	"get_vector_async":               transfers(vectorShape, toHost, inStream),
	"set_matrix_async":               transfers(matrixShape, toDevice, inStream),
	"get_matrix_async":               transfers(matrixShape, toHost, inStream),
	"set_vector_64":                  transfers(vectorShape, toDevice, waiting),
	"get_vector_64":                  transfers(vectorShape, toHost, waiting),
	"set_matrix_64":                  transfers(matrixShape, toDevice, waiting),
	"get_matrix_64":                  transfers(matrixShape, toHost, waiting),
	"set_vector_async_64":            transfers(vectorShape, toDevice, inStream),
	"get_vector_async_64":            transfers(vectorShape, toHost, inStream),
	"set_matrix_async_64":            transfers(matrixShape, toDevice, inStream),
	"get_matrix_async_64":            transfers(matrixShape, toHost, inStream),
	"sizeof_datatype":                takes1(sizeofDatatype),
	"status_to_string":               takes1(statusToString),
	"get_version_string":             takes0(versionOf(routine.RocBLAS)),
	"get_version_string_size":        takes0(versionSizeOf(routine.RocBLAS)),
	"pointer_to_mode":                takes1(pointerToMode),
	"initialize":                     takes0(func(c *call) error { return c.s.libraries(c.l).Initialize() }),
}

// set makes a function of a method of handles that sets a number.
func set[T int64 | uint64](do func(workspace.Handle, T) error) func(*call, workspace.Handle, T) error {
	return func(_ *call, h workspace.Handle, value T) error { return do(h, value) }
}

// get makes a function of a method of handles that returns a number.
func get[T int64 | uint64](do func(workspace.Handle) (T, error)) func(*call, workspace.Handle) error {
	return func(c *call, h workspace.Handle) error {
		value, err := do(h)
		c.out(lua.LNumber(value))
		return err
	}
}

// ask makes a function of a method of handles that returns a boolean.
func ask(do func(workspace.Handle) bool) func(*call, workspace.Handle) error {
	return func(c *call, h workspace.Handle) error {
		c.out(lua.LBool(do(h)))
		return nil
	}
}

func createHandle(c *call) error {
	h, err := workspace.Create(c.s.device(c.l), c.s.config())
	if err != nil {
		return err
	}
	box := &handleBox{handle: h, made: c.s.vm.Where(c.l)}
	c.s.handles.created = append(c.s.handles.created, box)
	c.out(c.s.vm.Object(handleType, box))
	return nil
}

func destroyHandle(c *call, box *handleBox) error {
	if box == nil {
		return workspace.Null.Destroy()
	}
	return box.destroy(c.s.where(c.l))
}

func setStream(_ *call, h workspace.Handle, stream *hip.Stream) error { return h.SetStream(stream) }

func getStream(c *call, h workspace.Handle) error {
	stream, err := h.Stream()
	if err != nil {
		return err
	}
	c.out(c.s.streams.value(stream))
	return nil
}

func startQuery(_ *call, h workspace.Handle) error { return h.StartQuery() }

func stopQuery(c *call, h workspace.Handle) error {
	bytes, err := h.StopQuery(false)
	_, err = c.need(bytes, err)
	return err
}

func setWorkspace(_ *call, h workspace.Handle, addr driver.Ptr, size uint64) error {
	return h.SetWorkspace(addr, size)
}

func sizeofDatatype(c *call, datatype int64) error {
	bytes, ok := routine.SizeofDatatype(datatype)
	if !ok {
		return fmt.Errorf("rocblas_sizeof_datatype: %d is not a rocblas_datatype", datatype)
	}
	c.out(lua.LNumber(bytes))
	return nil
}

func statusToString(c *call, st code) error {
	c.out(lua.LString(st.name()))
	return nil
}
