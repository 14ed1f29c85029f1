package hip

import (
	"fmt"

	"roclua/hip/driver"
	"roclua/hip/routine"
)

// Probe reports what a registered platform finds on this machine. For a platform that is not a driver.Prober it opens
// the platform and reports its devices or the error.
func Probe(platform string, cfg driver.Config) driver.Report {
	platformsMu.RLock()
	d, ok := platforms[platform]
	platformsMu.RUnlock()
	if !ok {
		return driver.Report{Problem: fmt.Sprintf("there is no platform %q", platform)}
	}
	if p, ok := d.(driver.Prober); ok {
		return p.Probe(cfg)
	}
	rt, err := d.Open(cfg)
	if err != nil {
		return driver.Report{Problem: err.Error()}
	}
	defer rt.Close()
	return driver.Report{Devices: properties(rt)}
}

func properties(rt driver.Runtime) []driver.Properties {
	var list []driver.Properties
	for _, d := range rt.Devices() {
		list = append(list, d.Properties())
	}
	return list
}

// Computes returns the functions that compute a routine on a platform, or why the platform does not compute it. Both
// are "" for a platform that is not a driver.Explainer.
func Computes(platform string, r *routine.Routine) (by, reason string) {
	platformsMu.RLock()
	defer platformsMu.RUnlock()
	if e, ok := platforms[platform].(driver.Explainer); ok {
		return e.Computes(r)
	}
	return "", ""
}
