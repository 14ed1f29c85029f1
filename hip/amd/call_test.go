//go:build linux || darwin || freebsd

package amd

import (
	"sync/atomic"
	"testing"

	"roclua/hip/dl"
	"roclua/hip/dl/dltest"
	"roclua/hip/driver"
	"roclua/hip/native"
	"roclua/hip/routine"
)

// twoDevices is a HIP runtime with two devices, whose hipSetDevice fails with the error set by fail, and the routine
// dscal, which returns its n as its status.
const twoDevices = `
#include <stddef.h>
static int error;
int fail(int e) { error = e; return 0; }
int hipGetDeviceCount(int *n) { *n = 2; return 0; }
int hipSetDevice(int d) { return error; }
int hipMemGetInfo(size_t *free, size_t *total) { *free = *total = 4096; return 0; }
int hipDeviceGetAttribute(int *v, int number, int device) { *v = 0; return 0; }
int hipDeviceSynchronize(void) { return 0; }
int hipGetLastError(void) { return 0; }
int rocblas_dscal(void *handle, int n, const double *alpha, double *x, int incx) { return n; }
`

// TestCallWithoutDevice calls a routine when the device cannot be made the current one: the call is an error, and not
// one that succeeded.
func TestCallWithoutDevice(t *testing.T) {
	lib, err := dl.Open(dltest.Compile(t, twoDevices))
	if err != nil {
		t.Fatal(err)
	}
	describe := func(*native.API, int) (string, string, error) { return "gpu", "gfx90a", nil }
	api := &native.API{Library: lib, Prefix: "hip", NameAndArch: describe}
	rt, err := native.Open(api, driver.Config{}, native.Plain)
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	libs := &libraries{api: api, rocblas: lib, rocsolver: lib, routines: make([]atomic.Uintptr, routine.Count())}
	h := &handle{device: &device{Device: rt.Devices()[1].(*native.Device), libs: libs},
		scalars: new([routine.ScalarCount][16]byte)}
	r, _ := routine.Lookup("rocblas_dscal")
	a := r.New()
	a.SetInt(routine.N, 5)
	if err := rt.SetDevice(0); err != nil {
		t.Fatal(err)
	}
	if _, status, err := h.Call(a, false); status != 5 || err != nil {
		t.Errorf("status %d, %v", status, err)
	}
	fail, err := lib.Symbol("fail")
	if err != nil {
		t.Fatal(err)
	}
	dl.Call(fail, uintptr(driver.ErrorInvalidDevice))
	rt.SetDevice(1)
	if _, _, err := h.Call(a, false); driver.CodeOf(err) != driver.ErrorInvalidDevice {
		t.Errorf("without the device: %v", err)
	}
	dl.Call(fail, 0)
}
