// Package native is a platform's device memory, streams and events on a vendor's C runtime. CUDA's runtime and HIP's have
// the same functions with the same arguments and the same error numbers under two prefixes, so that one package serves
// both; what computes on the device is the platform's own.
package native

import (
	"sync/atomic"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/driver"
)

// API is a C runtime. Its functions are looked up when first used.
type API struct {
	Library *dl.Library
	Prefix  string // "cuda" or "hip"

	// Attribute translates a HIP attribute to the runtime's own number; nil leaves it as it is.
	Attribute func(driver.Attribute) (number int, ok bool)
	// NameAndArch reads name and architecture of a device.
	NameAndArch func(a *API, device int) (name, arch string, err error)

	malloc, free, mallocAsync, freeAsync, memcpyAsync, memsetAsync, memGetInfo,
	memcpy2DAsync, memset2DAsync,
	getDeviceCount, setDevice, deviceGetAttribute, deviceSynchronize, deviceGetDefaultMemPool, memPoolTrimTo,
	streamCreate, streamDestroy, streamSynchronize, streamQuery, streamWaitEvent,
	eventCreate, eventDestroy, eventRecord, eventSynchronize, eventQuery, eventElapsedTime,
	runtimeGetVersion symbol
}

// symbol is a function of the runtime, found when first called.
type symbol struct{ address atomic.Uintptr }

// kinds of copies; the runtime finds the direction out.
const copyDefault = 4

// Call calls a function of the runtime by its name less the prefix.
//
//go:uintptrescapes
func (a *API) Call(name string, args ...uintptr) error {
	address, err := a.Library.Symbol(a.Prefix + name)
	if err != nil {
		return driver.Faultf(driver.ErrorNotSupported, "%s: not in this library", err)
	}
	return a.check(name, dl.Call(address, args...))
}

// call calls one of the functions that are used again and again.
//
//go:uintptrescapes
func (a *API) call(s *symbol, name string, args ...uintptr) error {
	address := s.address.Load()
	if address == 0 {
		var err error
		if address, err = a.Library.Symbol(a.Prefix + name); err != nil {
			return driver.Faultf(driver.ErrorNotSupported, "%s: not in this library", err)
		}
		s.address.Store(address)
	}
	return a.check(name, dl.Call(address, args...))
}

// check turns an error number into an error. An error that a kernel left behind is reported by whatever call comes next,
// so the runtime's memory of it is cleared.
func (a *API) check(name string, code uintptr) error {
	e := driver.Error(int32(code))
	switch e {
	case driver.Success:
		return nil
	case driver.ErrorNotReady:
		return e
	}
	if address, err := a.Library.Symbol(a.Prefix + "GetLastError"); err == nil {
		dl.Call(address)
	}
	if known(e) {
		return driver.Faultf(e, "%s%s", a.Prefix, name)
	}
	return driver.Faultf(driver.ErrorUnknown, "%s%s answered error %d", a.Prefix, name, int(e))
}

func known(e driver.Error) bool {
	for _, k := range driver.Errors() {
		if k == e {
			return true
		}
	}
	return false
}

// Version returns the runtime's version number.
func (a *API) Version() (int, error) {
	version := new(int32)
	err := a.call(&a.runtimeGetVersion, "RuntimeGetVersion", uintptr(unsafe.Pointer(version)))
	return int(*version), err
}

// DeviceCount returns how many devices there are. No device is no error.
func (a *API) DeviceCount() (int, error) {
	count := new(int32)
	err := a.call(&a.getDeviceCount, "GetDeviceCount", uintptr(unsafe.Pointer(count)))
	if driver.CodeOf(err) == driver.ErrorNoDevice {
		return 0, nil
	}
	return int(*count), err
}

// AttributeByNumber returns an attribute of a device by the runtime's own number for it.
func (a *API) AttributeByNumber(number, device int) (int, error) {
	value := new(int32)
	err := a.call(&a.deviceGetAttribute, "DeviceGetAttribute", uintptr(unsafe.Pointer(value)), uintptr(number), uintptr(device))
	return int(*value), err
}

// CString returns the text before the first zero.
func CString(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}
