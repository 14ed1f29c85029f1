package hip

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/internal/nearest"
)

var (
	platformsMu sync.RWMutex
	platforms   = map[string]driver.Driver{}
)

// Register makes a platform available under a name. The platform's package calls it from init. It panics when the
// driver is nil or the name is taken, because both are programming errors.
func Register(name string, d driver.Driver) {
	platformsMu.Lock()
	defer platformsMu.Unlock()
	if d == nil {
		panic("hip: Register of a nil driver for platform " + name)
	}
	if _, taken := platforms[name]; taken {
		panic("hip: Register called twice for platform " + name)
	}
	platforms[name] = d
}

// Platforms returns the names of the registered platforms, sorted.
func Platforms() []string {
	platformsMu.RLock()
	defer platformsMu.RUnlock()
	return slices.Sorted(maps.Keys(platforms))
}

// Open starts a runtime of a platform, with its own devices. The error for an unknown platform contains the nearest
// name and the registered ones.
func Open(platform string, cfg driver.Config) (*Runtime, error) {
	platformsMu.RLock()
	d, ok := platforms[platform]
	platformsMu.RUnlock()
	if !ok {
		known := Platforms()
		return nil, fmt.Errorf("hip: unknown platform %q%s (registered: %s; forgotten import?)",
			platform, nearest.DidYouMean(platform, known), list(known))
	}
	return OpenDriver(platform, d, cfg)
}

// OpenDriver starts a runtime of a driver that need not be registered. name is the name of its platform.
func OpenDriver(name string, d driver.Driver, cfg driver.Config) (*Runtime, error) {
	opened, err := d.Open(cfg)
	if err != nil {
		return nil, fmt.Errorf("platform %s: %w", name, err)
	}
	return newRuntime(name, opened), nil
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// Probe reports the libraries and devices that a registered platform finds. It opens a platform whose report has
// neither devices nor a problem, and reports its devices or the error.
func Probe(platform string, cfg driver.Config) driver.Report {
	platformsMu.RLock()
	d, ok := platforms[platform]
	platformsMu.RUnlock()
	if !ok {
		return driver.Report{Problem: fmt.Sprintf("there is no platform %q", platform)}
	}
	r := d.Probe(cfg)
	if r.Problem != "" || r.Devices != nil {
		return r
	}
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

// Computes returns the functions that compute a routine on a platform, or why the platform does not compute it. Both
// are "" for a platform that does not say.
func Computes(platform string, r *routine.Routine) (by, reason string) {
	platformsMu.RLock()
	defer platformsMu.RUnlock()
	if d, ok := platforms[platform]; ok {
		return d.Computes(r)
	}
	return "", ""
}
