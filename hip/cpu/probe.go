package cpu

import (
	"fmt"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/kernel"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// Probe reports whether OpenBLAS computes, and which devices a configuration simulates. The platform is always
// available, unless the configuration requires a library that is missing.
func (d Driver) Probe(cfg driver.Config) driver.Report {
	part, advice := probeBLAS(cfg.BLAS)
	r := driver.Report{Parts: []driver.Part{part}, Advice: advice, Numbers: blas.Numbers(cfg.BLAS)}
	rt, err := d.Open(cfg)
	if err != nil {
		r.Problem = err.Error()
		if cfg.BLAS != "openblas" {
			r.Advice = ""
		}
		return r
	}
	for _, device := range rt.Devices() {
		r.Devices = append(r.Devices, device.Properties())
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
	return "", "the simulated device has no kernel for this routine"
}

// probeBLAS describes the library that computes, and says what to do for faster products.
func probeBLAS(choice string) (part driver.Part, advice string) {
	part.Name = "OpenBLAS"
	if choice == "go" {
		part.Missing = "not used: Go computes"
		return part, ""
	}
	library, err := blas.Open("openblas")
	switch {
	case err == nil && (choice == "openblas" || !library.IsSlow()):
		part.Path, part.Version = library.Path, library.Version
		return part, ""
	case err == nil:
		part.Missing = fmt.Sprintf("Go computes instead; %s has chosen its kernels for %s, which are slower than "+
			"those in Go", library.Version, library.Core)
		return part, "set OPENBLAS_CORETYPE to the nearest processor that this OpenBLAS knows, for example Haswell, " +
			"or install a newer one"
	}
	part.Missing = "Go computes instead; " + err.Error()
	if choice == "openblas" {
		return part, `install OpenBLAS, or set blas = "auto"`
	}
	return part, "install OpenBLAS (libopenblas0-pthread on Debian) for faster products of large matrices"
}
