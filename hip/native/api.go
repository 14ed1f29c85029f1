// Package native implements device memory, streams and events of hip/driver on a vendor's C runtime. The runtimes of
// CUDA and HIP have the same functions with the same arguments and the same error numbers under two prefixes, so the
// package is used for both. How routines are computed is up to the platform, which embeds the types of this package.
package native

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/driver"
)

// API is a C runtime. Its functions are looked up when they are first used.
type API struct {
	Library *dl.Library
	current sync.Map      // id of the current device by the number of a thread of the operating system
	last    atomic.Uint64 // the thread and the id that were looked up last, see pair

	Platform driver.Unsupported // its name
	Can      driver.Capabilities
	Prefix   string // "cuda" or "hip"

	// Attributes has the runtime's numbers of HIP's attributes; nil means that they are equal.
	Attributes map[driver.Attribute]int
	// NameAndArch returns the name and the architecture of a device.
	NameAndArch func(a *API, device int) (name, arch string, err error)

	symbols Table[string, uintptr] // addresses of functions by their names without the prefix
}

// copyDefault is the kind of a copy whose direction the runtime determines.
const copyDefault = 4

// Call calls a function of the runtime by its name without the prefix.
//
//go:uintptrescapes
func (a *API) Call(name string, args ...uintptr) error {
	address, err := a.address(name)
	if err != nil {
		return driver.Faultf(driver.ErrorNotSupported, "%s", err)
	}
	return a.check(name, dl.Call(address, args...))
}

// address returns the address of a function. It looks the function up at the first use.
func (a *API) address(name string) (uintptr, error) {
	if address, ok := a.symbols.Load(name); ok {
		return address, nil
	}
	address, err := a.Library.Symbol(a.Prefix + name)
	if err == nil {
		a.symbols.Store(name, address)
	}
	return address, err
}

// Table is a map for several goroutines. Unlike sync.Map it allocates no memory to look up a key.
type Table[K comparable, V any] struct {
	mu     sync.RWMutex
	values map[K]V
}

// Load returns the value of a key; ok is false if there is none.
func (t *Table[K, V]) Load(key K) (v V, ok bool) {
	t.mu.RLock()
	v, ok = t.values[key]
	t.mu.RUnlock()
	return v, ok
}

// Store sets the value of a key.
func (t *Table[K, V]) Store(key K, v V) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.values == nil {
		t.values = map[K]V{}
	}
	t.values[key] = v
}

// check converts an error number to an error. The runtime of CUDA returns the error of a kernel again from the next
// call, so check clears it.
func (a *API) check(name string, code uintptr) error {
	e := driver.Error(int32(code))
	switch e {
	case driver.Success:
		return nil
	case driver.ErrorNotReady:
		return e
	}
	if !a.Can.KeepsErrors {
		a.ClearError()
	}
	if e.Known() {
		return &driver.Fault{Code: e, Func: a.Prefix + name}
	}
	return &driver.Fault{Code: driver.ErrorUnknown, Func: a.Prefix + name, Detail: fmt.Sprintf("error %d", int(e))}
}

// LastError returns the last error of the calling thread, and resets it if reset is set. It returns success from a
// runtime that lacks the function.
func (a *API) LastError(reset bool) driver.Error {
	name := "PeekAtLastError"
	if reset {
		name = "GetLastError"
	}
	address, err := a.address(name)
	if err != nil {
		return driver.Success
	}
	return driver.Error(int32(dl.Call(address)))
}

// ClearError clears the error of the thread's latest call that failed, which a library could report for its next call.
func (a *API) ClearError() { a.LastError(true) }

// Version returns the runtime's version number.
func (a *API) Version() (int, error) {
	version := new(int32)
	err := a.Call("RuntimeGetVersion", uintptr(unsafe.Pointer(version)))
	return int(*version), err
}

// DeviceCount returns the number of devices. A machine without devices is not an error.
func (a *API) DeviceCount() (int, error) {
	count := new(int32)
	err := a.Call("GetDeviceCount", uintptr(unsafe.Pointer(count)))
	if driver.CodeOf(err) == driver.ErrorNoDevice {
		return 0, nil
	}
	return int(*count), err
}

// AttributeByNumber returns an attribute of a device by its number in the runtime.
func (a *API) AttributeByNumber(number, device int) (int, error) {
	value := new(int32)
	err := a.Call("DeviceGetAttribute", uintptr(unsafe.Pointer(value)), uintptr(number),
		uintptr(device))
	return int(*value), err
}

// CString returns the text before the first zero byte.
func CString(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}

// Search finds the libraries of a vendor.
type Search struct {
	EnvPath string   // the environment variable with the folders that are searched first
	Below   []string // folders below these that are searched, too
	Usual   []string // patterns of the folders that are searched after the loader's path

	missing []string // why libraries were not found
}

// Candidates lists where a library with one of several names may be. Names without a folder are for the loader.
func (s *Search) Candidates(names ...string) []string {
	var list []string
	for _, folder := range filepath.SplitList(os.Getenv(s.EnvPath)) {
		list = append(list, existing(folder, names)...)
		for _, below := range s.Below {
			list = append(list, existing(filepath.Join(folder, below), names)...)
		}
	}
	list = append(list, names...)
	for _, pattern := range s.Usual {
		folders, _ := filepath.Glob(pattern)
		for _, folder := range folders {
			list = append(list, existing(folder, names)...)
		}
	}
	return list
}

// existing lists the files that a folder contains.
func existing(folder string, names []string) []string {
	var list []string
	for _, name := range names {
		path := filepath.Join(folder, name)
		if _, err := os.Stat(path); err == nil {
			list = append(list, path)
		}
	}
	return list
}

// Open opens the first candidate that is a library. Err reports the libraries without one.
func (s *Search) Open(names ...string) *dl.Library {
	lib, err := dl.Open(s.Candidates(names...)...)
	if err != nil {
		s.missing = append(s.missing, err.Error())
	}
	return lib
}

// Err returns an error that lists the names tried for each missing library; nil if all were found.
func (s *Search) Err() error {
	if s.missing == nil {
		return nil
	}
	return errors.New(strings.Join(s.missing, "; "))
}

// Probe completes the report of a platform by the devices of its runtime, or by the advice if there are none.
func Probe(a *API, cfg driver.Config, r driver.Report, advice string) driver.Report {
	rt, err := Open(a, cfg, Plain)
	if err != nil {
		if driver.CodeOf(err) == driver.ErrorNotSupported { // of a missing function: another device would not help
			advice = "install a complete runtime of a supported version in place of " + a.Library.Path
		}
		r.Problem, r.Advice = err.Error(), advice
		return r
	}
	for _, d := range rt.Devices() {
		r.Devices = append(r.Devices, d.Properties())
	}
	rt.Close()
	return r
}
