package amd

import (
	goruntime "runtime"
	"slices"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/function"
	"roclua/hip/native"
	"roclua/hip/number"
	"roclua/hip/routine"
)

// handle is a rocblas_handle.
type handle struct {
	device  *device
	address uintptr
	result  uint64                         // where the library writes results
	scalars *[routine.ScalarCount][16]byte // of a call, while the library reads them
	list    []dl.Arg                       // arguments of a call
}

// NewHandle implements rocblas_create_handle.
func (d *device) NewHandle(environment map[string]string, defaultBytes uint64) (driver.LibraryHandle, int, error) {
	h := &handle{device: d, scalars: new([routine.ScalarCount][16]byte)}
	status := 0
	err := d.WithDevice(func() (err error) {
		if err = d.libs.setEnvironment(environment); err != nil {
			return err
		}
		if defaultBytes == 0 {
			status, err = d.libs.call("rocblas_create_handle", uintptr(unsafe.Pointer(&h.address)))
			return err
		}
		// The library keeps the size for each thread. A handle whose size the environment sets does not use it, so it
		// is removed: the next handle of the thread may belong to another case.
		goruntime.LockOSThread()
		defer goruntime.UnlockOSThread()
		const setDefault = "rocblas_device_malloc_set_default_memory_size"
		if _, err = d.libs.call(setDefault, uintptr(defaultBytes)); err != nil {
			return err
		}
		defer d.libs.call(setDefault, 0)
		status, err = d.libs.call("rocblas_create_handle", uintptr(unsafe.Pointer(&h.address)))
		return err
	})
	return h, status, err
}

// Function calls a function of the libraries.
//
//go:uintptrescapes
func (d *device) Function(name string, args ...uintptr) (result uint64, status int, err error) {
	d.result = 0
	if f, ok := function.Lookup(name); ok && f.Result() >= 0 {
		args = slices.Insert(slices.Clone(args), f.Result(), uintptr(unsafe.Pointer(&d.result)))
	}
	err = d.WithDevice(func() (err error) {
		status, err = d.libs.callTyped(name, args)
		return err
	})
	return d.result, status, err
}

// call calls a function whose first argument is the handle, on the current device, which may be another one than the
// handle's. Of Go memory it receives only addresses in the handle.
func (h *handle) call(name string, args ...uintptr) (status int, err error) {
	var list [4]uintptr
	list[0] = h.address
	n := 1 + copy(list[1:], args)
	err = h.device.WithCurrent(func() (err error) {
		status, err = h.device.libs.callWords(name, list[:n])
		return err
	})
	return status, err
}

// readResult calls a function that writes its result to memory.
func (h *handle) readResult(name string) (value uint64, status int, err error) {
	h.result = 0
	status, err = h.call(name, uintptr(unsafe.Pointer(&h.result)))
	return h.result, status, err
}

func (h *handle) Address() uintptr      { return h.address }
func (h *handle) Destroy() (int, error) { return h.call("rocblas_destroy_handle") }

func (h *handle) SetStream(s driver.Stream) (int, error) {
	return h.call("rocblas_set_stream", s.(*native.Stream).Handle())
}

func (h *handle) Mode(name string) (int64, int, error) {
	mode, status, err := h.readResult("rocblas_get_" + name)
	return int64(int32(mode)), status, err
}

func (h *handle) SetMode(name string, mode int64) (int, error) {
	return h.call("rocblas_set_"+name, uintptr(mode))
}

func (h *handle) StartQuery() (int, error) { return h.call("rocblas_start_device_memory_size_query") }

func (h *handle) StopQuery(nullResult bool) (uint64, int, error) {
	if nullResult {
		status, err := h.call("rocblas_stop_device_memory_size_query", 0)
		return 0, status, err
	}
	return h.readResult("rocblas_stop_device_memory_size_query")
}

func (h *handle) MemorySize() (uint64, int, error) {
	return h.readResult("rocblas_get_device_memory_size")
}

func (h *handle) SetMemorySize(bytes uint64) (int, error) {
	return h.call("rocblas_set_device_memory_size", uintptr(bytes))
}

func (h *handle) SetWorkspace(p driver.Ptr, bytes uint64) (int, error) {
	return h.call("rocblas_set_workspace", uintptr(p), uintptr(bytes))
}

// callBool calls a function that returns a C bool, whose upper bits are undefined.
func (h *handle) callBool(name string) (bool, error) {
	result, err := h.call(name)
	return result&0xff != 0, err
}

func (h *handle) IsManaging() (bool, error) { return h.callBool("rocblas_is_managing_device_memory") }

func (h *handle) IsUserManaging() (bool, error) {
	return h.callBool("rocblas_is_user_managing_device_memory")
}

// Call calls a routine with its arguments in C order.
func (h *handle) Call(a *routine.Args, onDevice bool) (results []byte, status int, err error) {
	address, err := h.device.libs.function(a.Routine)
	if err != nil {
		return nil, 0, err
	}
	args, results := h.arguments(a, onDevice)
	err = h.device.WithCurrent(func() error {
		status = int(int32(dl.CallArgs(address, args)))
		return nil
	})
	return results, status, err
}

// arguments returns the arguments of a call as C passes them, which the next call overwrites, and the memory for the
// results of a reduction in host pointer mode, which the library writes until the call returns.
func (h *handle) arguments(a *routine.Args, onDevice bool) (list []dl.Arg, results []byte) {
	list = append(h.list[:0], dl.Word(h.address))
	numbers := 0
	for i := range a.Routine.Params {
		p := &a.Routine.Params[i]
		arg := dl.Word(uintptr(a.Int(p.Slot)))
		switch {
		case p.Kind == routine.Real:
			arg = dl.Real(a.Routine.Type.RealSize(), a.Real(p.Slot))
		case onDevice && !p.IsNumber() || a.Null(p.Slot):
		case p.Kind == routine.Scalar:
			arg = dl.Word(h.scalar(a, p))
		case p.IsNumber():
			if results == nil {
				results = make([]byte, routine.NumberBytes*a.Routine.Numbers())
			}
			arg = dl.Word(uintptr(unsafe.Pointer(&results[routine.NumberBytes*numbers])))
			numbers++
		case p.Kind == routine.Output:
			results = make([]byte, max(a.ElementBytes(p)*max(a.Batch(), 1), 16))
			arg = dl.Word(uintptr(unsafe.Pointer(&results[0])))
			results = results[:a.ElementBytes(p)*max(a.Batch(), 0)]
		}
		list = append(list, arg)
	}
	h.list = list
	return list, results
}

// scalar stores alpha or beta where the library can read it, and returns the address.
func (h *handle) scalar(a *routine.Args, p *routine.Param) uintptr {
	i := routine.ScalarIndex(p.Slot)
	number.Store(a.Datatype(p), h.scalars[i][:], a.Scalar(p.Slot))
	return uintptr(unsafe.Pointer(&h.scalars[i]))
}
