package cpu

import (
	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/kernel"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// Probe reports whether OpenBLAS computes, and which devices a configuration simulates. The platform is always
// available, unless the configuration requires a library that is missing.
func (d Driver) Probe(cfg driver.Config) driver.Report {
	r := driver.Report{Parts: []driver.Part{probeBLAS(cfg.BLAS)}}
	rt, err := d.Open(cfg)
	if err != nil {
		r.Problem = err.Error()
		if cfg.BLAS == "openblas" && r.Parts[0].Path == "" {
			r.Advice = `install OpenBLAS, or set blas = "auto"`
		}
		return r
	}
	for _, device := range rt.Devices() {
		r.Devices = append(r.Devices, device.Properties())
	}
	if r.Parts[0].Path == "" && cfg.BLAS != "go" {
		r.Advice = "install OpenBLAS (libopenblas0-pthread on Debian) for faster products of large matrices"
	}
	rt.Close()
	return r
}

// Computes says why the simulated device does not compute a routine. Both results are empty for the routines that it
// computes.
func (Driver) Computes(r *routine.Routine) (by, reason string) {
	if kernel.Has(r) {
		return "", ""
	}
	return "", "the simulated device has no kernel for " + r.Name
}

func probeBLAS(choice string) driver.Part {
	if choice == "go" {
		return driver.Part{Name: "OpenBLAS", Missing: "not used: Go computes"}
	}
	library, err := blas.Open("openblas")
	if err != nil {
		return driver.Part{Name: "OpenBLAS", Missing: "Go computes instead; " + err.Error()}
	}
	return driver.Part{Name: "OpenBLAS", Path: library.Path, Version: library.Version}
}
