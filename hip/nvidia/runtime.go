package nvidia

import (
	"fmt"
	"unsafe"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/native"
	"roclua/hip/routine"
)

func init() { hip.Register("nvidia", Driver{}) }

// Driver opens NVIDIA's devices.
type Driver struct{}

var (
	_ driver.Driver         = Driver{}
	_ driver.Prober         = Driver{}
	_ driver.Runtime        = (*runtime)(nil)
	_ driver.Device         = (*device)(nil)
	_ driver.AsyncAllocator = (*device)(nil)
	_ driver.Executor       = (*device)(nil)
	_ driver.Sizer          = (*device)(nil)
	_ driver.Capturer       = (*device)(nil)
	_ driver.Threader       = (*runtime)(nil)
	_ driver.PeerAccessor   = (*device)(nil)
)

// runtime is the devices of one case.
type runtime struct {
	*native.Runtime
	devices []driver.Device
}

// Open starts a runtime. Without libraries or devices the error is ErrorNoDevice and says what was tried.
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
		rt.devices = append(rt.devices, newDevice(d, libs))
	}
	return rt, nil
}

// Devices returns the devices.
func (rt *runtime) Devices() []driver.Device { return rt.devices }

// Close frees all memory, streams and events; the libraries' handles are kept for the next case.
func (rt *runtime) Close() error {
	err := rt.Runtime.Close()
	for _, d := range rt.devices {
		d.(*device).release(err == nil)
	}
	return err
}

// Computes names the functions that compute a routine, or says why there are none.
func (Driver) Computes(r *routine.Routine) (by, reason string) {
	how, reason := methodOf(r)
	if reason != "" {
		return "", reason
	}
	return how.by(r), ""
}

// Probe reports the libraries and devices of this machine.
func (Driver) Probe(cfg driver.Config) driver.Report {
	libs, err := opened()
	if err != nil {
		return driver.Report{Problem: err.Error(),
			Advice: "install the CUDA runtime with cuBLAS and cuSOLVER, version 12 or 13, or name their folder in " +
				EnvPath}
	}
	return native.Probe(libs.api, cfg, driver.Report{Parts: libs.parts()},
		"run on a machine with an NVIDIA GPU and its driver")
}

func (l *libraries) parts() []driver.Part {
	parts := []driver.Part{{Name: "CUDA runtime", Path: l.api.Library.Path, Version: "version unknown"}}
	if v, err := l.api.Version(); err == nil {
		parts[0].Version = fmt.Sprintf("%d.%d", v/1000, v%1000/10)
	}
	return append(parts, l.cublas.part("cuBLAS", "cublasGetProperty"),
		l.cusolver.part("cuSOLVER", "cusolverGetProperty"))
}

// part reports a library with its version.
func (l *library) part(name, function string) driver.Part {
	version := new([3]int32)
	for i := range version {
		if err := l.call(function, uintptr(i), uintptr(unsafe.Pointer(&version[i]))); err != nil {
			return driver.Part{Name: name, Path: l.lib.Path, Version: "version unknown"}
		}
	}
	text := fmt.Sprintf("%d.%d.%d", version[0], version[1], version[2])
	return driver.Part{Name: name, Path: l.lib.Path, Version: text}
}
