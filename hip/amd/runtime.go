package amd

import (
	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/native"
)

func init() { hip.Register("amd", Driver{}) }

// Driver opens AMD's devices.
type Driver struct{}

var (
	_ driver.Driver         = Driver{}
	_ driver.Prober         = Driver{}
	_ driver.Runtime        = (*runtime)(nil)
	_ driver.ErrorKeeper    = (*runtime)(nil)
	_ driver.Device         = (*device)(nil)
	_ driver.AsyncAllocator = (*device)(nil)
	_ driver.HandleMaker    = (*device)(nil)
	_ driver.Capturer       = (*device)(nil)
	_ driver.Threader       = (*runtime)(nil)
	_ driver.CallReporter   = (*device)(nil)
	_ driver.DeviceSelector = (*runtime)(nil)
	_ driver.PeerAccessor   = (*device)(nil)
)

// runtime has the devices of one case.
type runtime struct {
	*native.Runtime
	devices []driver.Device
}

// Open starts a runtime. Without libraries or devices the error is ErrorNoDevice and lists what was tried.
func (Driver) Open(cfg driver.Config) (driver.Runtime, error) {
	libs, err := opened()
	if err != nil {
		return nil, driver.Faultf(driver.ErrorNoDevice, "%v", err)
	}
	base, err := native.Open(libs.api, cfg)
	if err != nil {
		return nil, err
	}
	rt := &runtime{Runtime: base}
	for _, d := range base.Devices() {
		rt.devices = append(rt.devices, &device{Device: d, libs: libs})
	}
	return rt, nil
}

// Devices returns the devices.
func (rt *runtime) Devices() []driver.Device { return rt.devices }

// LastError implements driver.ErrorKeeper.
func (rt *runtime) LastError(reset bool) driver.Error { return rt.API.LastError(reset) }

// device is one GPU, with the libraries that make its handles.
type device struct {
	*native.Device
	libs   *libraries
	result uint64 // where the libraries write results of functions without a handle
}

// LibraryVersions returns the versions of rocBLAS and rocSOLVER.
func (d *device) LibraryVersions() (rocblas, rocsolver string) {
	return d.libs.blasVersion, d.libs.solVersion
}

// Probe reports which libraries and devices there are.
func (Driver) Probe(cfg driver.Config) driver.Report {
	libs, err := opened()
	if err != nil {
		return driver.Report{Problem: err.Error(), Advice: installAdvice}
	}
	r := driver.Report{Parts: libs.parts(), Version: shown(libs.blasVersion), Solver: shown(libs.solVersion),
		Calls: libs.reportsCalls()}
	return native.Probe(libs.api, cfg, r, "run on a machine with an AMD GPU that the kernel driver serves")
}
