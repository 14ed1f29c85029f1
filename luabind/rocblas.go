package luabind

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/luabind/vm"
	"roclua/workspace"
	"roclua/workspace/status"
)

// rocblas returns the module rocblas: handles and their memory, constants, and every routine of the library.
func (s *State) rocblas() *module {
	if s.modRocblas == nil {
		m := s.newModule("rocblas", rocblasBindings())
		m.find, m.all = routinesOf(routine.RocBLAS)
		for _, st := range status.All() {
			m.values["status_"+st.Short()] = s.status(st)
		}
		for _, k := range routine.Constants {
			m.values[k.Name] = lua.LNumber(k.Value)
		}
		s.modRocblas = m
	}
	return s.modRocblas
}

// rocsolver returns the module rocsolver: every routine of the library, and its version.
func (s *State) rocsolver() *module {
	if s.modRocsolver == nil {
		m := s.newModule("rocsolver", []*binding{{name: "get_version_string", cName: "rocsolver_get_version_string", outputs: 1,
			run: func(c *call) error {
				c.end()
				c.out(lua.LString(c.s.opts.Profile.RocSOLVER))
				return nil
			}}})
		m.find, m.all = routinesOf(routine.RocSOLVER)
		s.modRocsolver = m
	}
	return s.modRocsolver
}

// rocblasBindings are the functions of rocBLAS about handles, in the order of its header.
func rocblasBindings() []*binding {
	list := []*binding{
		{name: "create_handle", outputs: 1, run: createHandle},
		{name: "destroy_handle", run: destroyHandle},
		{name: "set_stream", run: setStream},
		{name: "get_stream", outputs: 1, run: getStream},
		{name: "set_pointer_mode", run: setMode("pointer_mode", routine.PointerMode, workspace.Handle.SetPointerMode)},
		{name: "get_pointer_mode", outputs: 1, run: getMode(workspace.Handle.PointerMode)},
		{name: "set_atomics_mode", run: setMode("atomics_mode", routine.AtomicsMode, workspace.Handle.SetAtomicsMode)},
		{name: "get_atomics_mode", outputs: 1, run: getMode(workspace.Handle.AtomicsMode)},
		{name: "start_device_memory_size_query", run: startQuery},
		{name: "stop_device_memory_size_query", outputs: 1, run: stopQuery},
		{name: "get_device_memory_size", outputs: 1, run: getDeviceMemorySize},
		{name: "set_device_memory_size", run: setDeviceMemorySize},
		{name: "set_workspace", run: setWorkspace},
		{name: "is_managing_device_memory", bare: true, run: ask(workspace.Handle.IsManaging)},
		{name: "is_user_managing_device_memory", bare: true, run: ask(workspace.Handle.IsUserManaging)},
		{name: "sizeof_datatype", bare: true, run: sizeofDatatype},
		{name: "status_to_string", bare: true, status: true, run: statusToString},
		{name: "get_version_string", outputs: 1, run: versionString},
	}
	for _, b := range list {
		b.cName = "rocblas_" + b.name
	}
	return list
}

func createHandle(c *call) error {
	c.end()
	h, err := workspace.Create(c.s.device(c.l), c.s.config())
	if err != nil {
		return err
	}
	box := &handleBox{handle: h, made: vm.Where(c.l)}
	c.s.handles = append(c.s.handles, box)
	c.out(c.s.vm.Object(handleType, box))
	return nil
}

func destroyHandle(c *call) error {
	box := c.handle("handle")
	c.end()
	if box == nil {
		return workspace.Null.Destroy()
	}
	return c.s.destroy(box, c.s.place(c.l))
}

func setStream(c *call) error {
	h := c.handle("handle").get()
	stream := c.stream("stream")
	c.end()
	return h.SetStream(stream)
}

func getStream(c *call) error {
	h := c.handle("handle").get()
	c.end()
	stream, err := h.Stream()
	if err != nil {
		return err
	}
	c.out(c.s.streamObject(stream))
	return nil
}

func setMode(param string, kind routine.Kind, set func(workspace.Handle, int64) error) func(c *call) error {
	return func(c *call) error {
		h := c.handle("handle").get()
		mode := c.enum(param, kind)
		c.end()
		return set(h, mode)
	}
}

func getMode(get func(workspace.Handle) (int64, error)) func(c *call) error {
	return func(c *call) error {
		h := c.handle("handle").get()
		c.end()
		mode, err := get(h)
		c.out(lua.LNumber(mode))
		return err
	}
}

func startQuery(c *call) error {
	h := c.handle("handle").get()
	c.end()
	return h.StartQuery()
}

func stopQuery(c *call) error {
	h := c.handle("handle").get()
	c.end()
	bytes, err := h.StopQuery(false)
	if err != nil {
		return err
	}
	c.out(lua.LNumber(bytes))
	return nil
}

func getDeviceMemorySize(c *call) error {
	h := c.handle("handle").get()
	c.end()
	bytes, err := h.DeviceMemorySize()
	if err != nil {
		return err
	}
	c.out(lua.LNumber(bytes))
	return nil
}

func setDeviceMemorySize(c *call) error {
	h := c.handle("handle").get()
	bytes := c.size("size")
	c.end()
	return h.SetDeviceMemorySize(bytes)
}

func setWorkspace(c *call) error {
	h := c.handle("handle").get()
	p := c.pointer("addr")
	bytes := c.size("size")
	c.end()
	return h.SetWorkspace(p, bytes)
}

func ask(question func(workspace.Handle) bool) func(c *call) error {
	return func(c *call) error {
		h := c.handle("handle").get()
		c.end()
		c.out(lua.LBool(question(h)))
		return nil
	}
}

func sizeofDatatype(c *call) error {
	datatype := c.enum("type", routine.Datatype)
	c.end()
	bytes, ok := routine.SizeofDatatype(datatype)
	if !ok {
		return fmt.Errorf("rocblas_sizeof_datatype: %d is no rocblas_datatype", datatype)
	}
	c.out(lua.LNumber(bytes))
	return nil
}

func statusToString(c *call) error {
	v := c.take()
	c.end()
	if ud, ok := v.(*lua.LUserData); ok {
		if st, ok := ud.Value.(code); ok {
			c.out(lua.LString(st.name()))
			return nil
		}
	}
	c.out(lua.LString(status.Status(c.whole("status", v, "a status or its number")).String()))
	return nil
}

func versionString(c *call) error {
	c.end()
	c.out(lua.LString(c.s.opts.Profile.RocBLAS))
	return nil
}
