package workspace_test

import (
	"cmp"
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

func (v *vendor) Function(name string, _ ...uintptr) (uint64, int, error) {
	st, err := v.result(name)
	return vendorMode, st, err
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
func (h vendorHandle) Destroy() (int, error)                { return h.v.result("destroy") }
func (h vendorHandle) SetStream(driver.Stream) (int, error) { return h.v.result("set_stream") }
func (h vendorHandle) Mode(name string) (int64, int, error) {
	st, err := h.v.result("get_" + name)
	return cmp.Or(h.v.mode, vendorMode), st, err
}
func (h vendorHandle) SetMode(name string, _ int64) (int, error) { return h.v.result("set_" + name) }
func (h vendorHandle) StartQuery() (int, error) {
	st, err := h.v.result("start")
	h.v.querying = st == 0 && err == nil
	return st, err
}
func (h vendorHandle) StopQuery(bool) (uint64, int, error) {
	h.v.querying = false
	st, err := h.v.result("stop")
	return h.v.need, st, err
}
func (h vendorHandle) MemorySize() (uint64, int, error) {
	st, err := h.v.result("get_size")
	return h.v.held, st, err
}
func (h vendorHandle) SetMemorySize(bytes uint64) (int, error) {
	h.v.held = bytes
	return h.v.result("set_size")
}
func (h vendorHandle) SetWorkspace(_ driver.Ptr, bytes uint64) (int, error) {
	h.v.held = bytes
	return h.v.result("set_workspace")
}
func (h vendorHandle) IsManaging() (bool, error) {
	_, err := h.v.result("is_managing")
	return h.v.managing, err
}
func (h vendorHandle) IsUserManaging() (bool, error) {
	_, err := h.v.result("is_user_managing")
	return h.v.userManaged, err
}
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
