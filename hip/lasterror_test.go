package hip_test

import (
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
)

// keeping is a platform whose runtime keeps the last error, and whose library sets it or reads it.
type keeping struct {
	bare
	last driver.Error
}

var theKeeping = &keeping{}

func init() { hip.Register("keeping", theKeeping) }

func (k *keeping) Open(driver.Config) (driver.Runtime, error) { return k, nil }
func (k *keeping) Devices() []driver.Device                   { return []driver.Device{k} }
func (k *keeping) Capabilities() driver.Capabilities          { return driver.Capabilities{KeepsErrors: true} }
func (k *keeping) LastError(reset bool) driver.Error {
	code := k.last
	if reset {
		k.last = driver.Success
	}
	return code
}

// Malloc fails for more than 1 MiB.
func (k *keeping) Malloc(n uint64) (driver.Ptr, error) {
	if n > 1<<20 {
		k.last = driver.ErrorOutOfMemory
		return 0, k.last
	}
	return k.bare.Malloc(n)
}

// TestLastErrorOfVendor checks that hipGetLastError returns the errors that a vendor's library leaves or reads, and
// that errors which only this package detects stay until they are read.
func TestLastErrorOfVendor(t *testing.T) {
	k := theKeeping
	*k = keeping{last: driver.ErrorUnknown} // of another case
	rt, err := hip.Open("keeping", driver.Config{})
	if err != nil {
		t.Fatal(err)
	}
	k.last = driver.Success
	library := func(leaves driver.Error) {
		rt.Device().InLibrary(func() (int, error) {
			k.last = leaves
			return 0, nil
		})
	}
	want := func(when string, code driver.Error) {
		t.Helper()
		if have := rt.PeekAtLastError("hipPeekAtLastError"); have != code {
			t.Errorf("%s: %v, want %v", when, have, code)
		}
		if have := rt.LastError(); have != code || k.last != driver.Success || rt.LastError() != driver.Success {
			t.Errorf("%s: %v, want %v; the vendor keeps %v", when, have, code, k.last)
		}
	}
	want("at first", driver.Success)
	rt.Device().Malloc(2 << 20)
	want("of the script", driver.ErrorOutOfMemory)
	library(driver.ErrorCaptureInvalidated)
	want("of the library", driver.ErrorCaptureInvalidated)
	rt.Device().Malloc(2 << 20)
	library(driver.Success)
	want("read by the library", driver.Success)
	rt.Device().Malloc(2 << 20)
	library(driver.ErrorOutOfMemory)
	want("not read by the library", driver.ErrorOutOfMemory)
	rt.SetDevice(7) // the vendor's runtime is not called
	library(driver.Success)
	want("of this package", driver.ErrorInvalidDevice)

	rt.SetSuccessClearsError(true)
	rt.Device().Malloc(2 << 20)
	library(driver.Success)
	want("before HIP 7.0", driver.Success)
	rt.SetDevice(7)
	library(driver.Success)
	want("of this package, before HIP 7.0", driver.Success)
	library(driver.ErrorOutOfMemory)
	if err := rt.Close(); err != nil || k.last != driver.Success {
		t.Errorf("after the case the vendor keeps %v (%v)", k.last, err)
	}
}

// TestLastErrorOfHostFunction checks that a call of a function that a stream calls leaves no error for the script, from
// whose thread it is not made.
func TestLastErrorOfHostFunction(t *testing.T) {
	rt, err := hip.Open("cpu", driver.Config{MemoryBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	called := driver.Success
	err = rt.Device().LaunchHostFunc(nil, func(hip.HostRun) {
		_, err := rt.Device().Malloc(64)
		called = driver.CodeOf(err)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := rt.Device().Synchronize(); err != nil || called != driver.ErrorNotPermitted {
		t.Errorf("the call in the function: %v (%v)", called, err)
	}
	if code := rt.LastError(); code != driver.Success {
		t.Errorf("the last error is %v", code)
	}
}
