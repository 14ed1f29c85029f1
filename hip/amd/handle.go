package amd

import (
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
		if defaultBytes != 0 {
			// The library keeps the size for each thread. A handle whose size the environment sets does not use it, so
			// it is removed: the next handle of the thread may belong to another case.
			const setDefault = "rocblas_device_malloc_set_default_memory_size"
			if _, err = d.libs.call(setDefault, uintptr(defaultBytes)); err != nil {
				return err
			}
			defer d.libs.call(setDefault, 0)
		}
		status, err = d.libs.call("rocblas_create_handle", uintptr(unsafe.Pointer(&h.address)))
		return err
	})
	return h, status, err
}

// Function implements driver.Device.
//
//go:uintptrescapes
func (d *device) Function(name string, args ...uintptr) (result uint64, status int, err error) {
	d.result = 0
	f, known := function.Lookup(name)
	if known && f.Result() >= 0 && len(args) < len(f.Params) {
		args = slices.Insert(slices.Clone(args), f.Result(), uintptr(unsafe.Pointer(&d.result)))
	}
	err = d.Current().WithDevice(func() (err error) {
		status, err = d.libs.callTyped(name, args)
		return err
	})
	if known && f.Returns == function.Bool {
		return uint64(status & 0xff), 0, err // the upper bits are undefined
	}
	return d.result, status, err
}

func (h *handle) Address() uintptr { return h.address }

func (h *handle) SetStream(s driver.Stream) (status int, err error) {
	_, status, err = h.device.Function("rocblas_set_stream", h.address, s.(*native.Stream).Handle())
	return status, err
}

// Call calls a routine with its arguments in C order.
func (h *handle) Call(a *routine.Args, onDevice bool) (results []byte, status int, err error) {
	address, err := h.device.libs.function(a.Routine)
	if err != nil {
		return nil, 0, err
	}
	args, results := h.arguments(a, onDevice)
	err = h.device.Current().WithDevice(func() error {
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
