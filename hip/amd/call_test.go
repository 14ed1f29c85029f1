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

// twoDevices is a HIP runtime with two devices, whose hipSetDevice fails with the error set by fail, and functions of
// rocBLAS: dscal returns its n as its status, and others results that depend on the handle.
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
int rocblas_get_device_memory_size(size_t handle, size_t *size) { *size = (handle << 40) + 1; return 7; }
int rocblas_stop_device_memory_size_query(size_t handle, size_t *size) {
  if (!size) return 3;
  *size = handle;
  return 0;
}
int rocblas_get_pointer_mode(size_t handle, int *mode) { *mode = 1; return 0; }
int rocblas_set_workspace(size_t handle, size_t addr, size_t size) { return handle * 100 + addr * 10 + size; }
int rocblas_is_managing_device_memory(size_t handle) { return 0x100 + (handle == 5); }
int rocblas_is_user_managing_device_memory(size_t handle) { return 0x100 + (handle != 5); }
`

// openTwo opens a runtime of twoDevices, and returns its second device.
func openTwo(t *testing.T) (*native.Runtime, *device) {
	t.Helper()
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
	t.Cleanup(func() { rt.Close() })
	libs := &libraries{api: api, rocblas: lib, rocsolver: lib, routines: make([]atomic.Uintptr, routine.Count())}
	return rt, &device{Device: rt.Devices()[1].(*native.Device), libs: libs}
}

// TestFunction calls functions with a result of 8 bytes, of 4 bytes, a null pointer for the result, no result, and a C
// bool.
func TestFunction(t *testing.T) {
	_, d := openTwo(t)
	for _, test := range []struct {
		name   string
		args   []uintptr
		result uint64
		status int
	}{
		{"rocblas_get_device_memory_size", []uintptr{5}, 5<<40 + 1, 7},
		{"rocblas_stop_device_memory_size_query", []uintptr{5}, 5, 0},
		{"rocblas_stop_device_memory_size_query", []uintptr{5, 0}, 0, 3},
		{"rocblas_get_pointer_mode", []uintptr{5}, 1, 0},
		{"rocblas_set_workspace", []uintptr{5, 6, 7}, 0, 567},
		{"rocblas_is_managing_device_memory", []uintptr{5}, 1, 0},
		{"rocblas_is_user_managing_device_memory", []uintptr{5}, 0, 0},
	} {
		result, status, err := d.Function(test.name, test.args...)
		if result != test.result || status != test.status || err != nil {
			t.Errorf("%s %v: %d, status %d, %v; want %d, status %d", test.name, test.args, result, status, err,
				test.result, test.status)
		}
	}
	if _, _, err := d.Function("rocblas_none"); driver.CodeOf(err) != driver.ErrorNotSupported {
		t.Errorf("a function that the library lacks: %v", err)
	}
}

// TestCallWithoutDevice calls a routine when the device cannot be made the current one: the call is an error, and not
// one that succeeded.
func TestCallWithoutDevice(t *testing.T) {
	rt, d := openTwo(t)
	lib := d.libs.rocblas
	h := &handle{device: d, scalars: new([routine.ScalarCount][16]byte)}
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
