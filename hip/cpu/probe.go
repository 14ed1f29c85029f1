package cpu

import (
	"roclua/hip/cpu/kernel"
	"roclua/hip/cpu/vector"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// Probe reports which devices a configuration simulates. The platform is always available.
func (d Driver) Probe(cfg driver.Config) driver.Report {
	r := driver.Report{Numbers: "Go with " + vector.Name()}
	rt, err := d.Open(cfg)
	if err != nil {
		r.Problem = err.Error()
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
