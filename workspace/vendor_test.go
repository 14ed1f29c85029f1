package workspace_test

import (
	"cmp"
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/cpu"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/status"
)

// vendor is a runtime with a library, whose results a test chooses, and its device.
type vendor struct {
	driver.Runtime
	driver.Device

	called      []string        // functions, in order
	statuses    map[string]int  // by function; 0 if it has none
	missing     map[string]bool // functions that the library does not have
	mode        int64           // of the handle; 0 for vendorMode
	held, need  uint64          // bytes: of the handle, and of a call in a size query
	querying    bool
	managing    bool
	userManaged bool
}

// vendorPlatform is the platform "vendor", which opens the vendor of the current test.
type vendorPlatform struct {
	driver.Unsupported
	current *vendor
}

var vendors = &vendorPlatform{}

func init() { hip.Register("vendor", vendors) }

var errMissing = driver.Faultf(driver.ErrorNotSupported, "the library does not have it")

func (p *vendorPlatform) Open(c driver.Config) (driver.Runtime, error) {
	c.Unchecked, c.Kernels = true, driver.KernelsIdle
	rt, err := cpu.Driver{}.Open(c)
	if err != nil {
		return nil, err
	}
	p.current.Runtime, p.current.Device = rt, rt.Devices()[0]
	return p.current, nil
}

func (v *vendor) Capabilities() driver.Capabilities { return driver.Capabilities{Library: true} }

func (v *vendor) Devices() []driver.Device { return []driver.Device{v} }

func (v *vendor) LibraryVersions() (rocblas, rocsolver string) { return "", "" }

// shortened makes the names under which tests know functions: "get_size" for rocblas_get_device_memory_size.
var shortened = strings.NewReplacer("rocblas_", "", "_device_memory_size_query", "", "_device_memory", "",
	"_handle", "")

func (v *vendor) Function(name string, args ...uintptr) (result uint64, st int, err error) {
	name = shortened.Replace(name)
	switch st, err = v.result(name); name {
	case "start":
		v.querying = st == 0 && err == nil
		return 0, st, err
	case "stop":
		v.querying = false
		return v.need, st, err
	case "get_size":
		return v.held, st, err
	case "set_size", "set_workspace":
		v.held = uint64(args[len(args)-1])
		return 0, st, err
	case "is_managing":
		return bit(v.managing), st, err
	case "is_user_managing":
		return bit(v.userManaged), st, err
	}
	return uint64(cmp.Or(v.mode, vendorMode)), st, err
}

func bit(set bool) uint64 {
	if set {
		return 1
	}
	return 0
}

func (v *vendor) NewHandle(map[string]string, uint64) (driver.LibraryHandle, int, error) {
	st, err := v.result("create")
	return vendorHandle{v}, st, err
}

func (v *vendor) result(function string) (int, error) {
	v.called = append(v.called, function)
	if v.missing[function] {
		return 0, errMissing
	}
	return v.statuses[function], nil
}

// vendorMode is the mode of every kind, unless a test chooses another one.
const vendorMode = 7

// vendorHandle is the handle of a vendor.
type vendorHandle struct{ v *vendor }

func (h vendorHandle) Address() uintptr                     { return 1 }
func (h vendorHandle) SetStream(driver.Stream) (int, error) { return h.v.result("set_stream") }
func (h vendorHandle) Call(*routine.Args, bool) ([]byte, int, error) {
	st, err := h.v.result("call")
	if h.v.querying && st == int(status.MemoryError) {
		st = 0
	}
	return []byte{1}, st, err
}

// openVendor opens a runtime with a library and creates a handle that holds 1000 bytes.
func openVendor(t *testing.T) (*vendor, *hip.Runtime, workspace.Handle) {
	t.Helper()
	v := &vendor{statuses: map[string]int{}, missing: map[string]bool{}, held: 1000}
	vendors.current = v
	rt, err := hip.Open("vendor", driver.Config{Arch: "gfx90a", MemoryBytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	h, err := createVendor(t, rt)
	if err != nil {
		t.Fatal(err)
	}
	v.called = nil
	return v, rt, h
}

func createVendor(t *testing.T, rt *hip.Runtime) (workspace.Handle, error) {
	t.Helper()
	return workspace.Create(rt.Device(), workspace.Config{Profile: profile(t, "rocm-7.2")})
}
