package workspace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/internal/nearest"
)

// The schemes for a handle's memory that rocBLAS documents, under the names that scenarios use.
const (
	SchemeManaged       = "managed"
	SchemePreallocated  = "preallocated"
	SchemeManual        = "manual"
	SchemeUserOwned     = "user_owned"
	SchemeStreamOrdered = "stream_ordered"
)

// Schemes lists every scheme.
var Schemes = []string{SchemeManaged, SchemePreallocated, SchemeManual, SchemeUserOwned, SchemeStreamOrdered}

// CheckScheme returns an error for an unknown scheme; it contains the nearest name. others are known, too.
func CheckScheme(name string, others ...string) error {
	all := slices.Concat(others, Schemes)
	if slices.Contains(all, name) {
		return nil
	}
	return fmt.Errorf("unknown scheme %q%s (have %s)", name, nearest.DidYouMean(name, all), strings.Join(all, ", "))
}

// SkipScheme returns why a scheme cannot run under the profile, or "" when it can.
func (p *Profile) SkipScheme(scheme string) string {
	if !p.Release.ManagedStreamOrdered {
		return ""
	}
	switch scheme {
	case SchemePreallocated:
		return fmt.Sprintf("rocBLAS %s only warms its memory pool with %s; the handle stays managed",
			p.RocBLAS, EnvDeviceMemorySize)
	case SchemeManual:
		return "rocblas_set_device_memory_size does nothing in rocBLAS " + p.RocBLAS
	}
	return ""
}

// Opened is a handle under a scheme, with the memory that the scheme needs.
type Opened struct {
	Handle
	workspace driver.Ptr // the user-owned scheme's memory
}

// Open creates a handle under a scheme. bytes is the size for schemes where the user chooses it; 0 means the default
// size of the architecture.
func Open(dev *hip.Device, c Config, scheme string, bytes uint64) (*Opened, error) {
	if err := CheckScheme(scheme); err != nil {
		return nil, err
	}
	if bytes == 0 {
		bytes = c.Profile.DefaultBytes(dev.Properties().Arch)
	}
	switch scheme {
	case SchemePreallocated:
		c.Environment = withVariable(c.Environment, EnvDeviceMemorySize, strconv.FormatUint(bytes, 10))
	case SchemeStreamOrdered:
		c.Environment = withVariable(c.Environment, EnvStreamOrderAlloc, "1")
	}
	h, err := Create(dev, c)
	if err != nil {
		return nil, err
	}
	o := &Opened{Handle: h}
	switch scheme {
	case SchemeManual:
		err = h.SetDeviceMemorySize(bytes)
	case SchemeUserOwned:
		if o.workspace, err = dev.Malloc(bytes); err == nil {
			err = h.SetWorkspace(o.workspace, bytes)
		}
	}
	if err != nil {
		o.Close()
		return nil, err
	}
	return o, nil
}

// Close destroys the handle, unless that was done already, and frees the user-owned memory.
func (o *Opened) Close() error {
	var err error
	if !o.Destroyed() {
		err = o.Destroy()
	}
	if o.workspace != 0 {
		if e := o.Device().Free(o.workspace); err == nil {
			err = e
		}
		o.workspace = 0
	}
	return err
}

// withVariable adds a variable to an environment.
func withVariable(environment map[string]string, name, value string) map[string]string {
	all := map[string]string{name: value}
	for n, v := range environment {
		if n != name {
			all[n] = v
		}
	}
	return all
}
