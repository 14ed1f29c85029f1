package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/arch"
	"roclua/hip/driver"
	"roclua/hip/release"
)

// Count is the number of devices of a target: at least 1.
type Count int

// UnmarshalTOML reads a count.
func (n *Count) UnmarshalTOML(v any) error {
	number, ok := v.(int64)
	if !ok {
		return fmt.Errorf("%s is not an integer", shown(v))
	}
	return n.set(number)
}

func (n *Count) set(number int64) error {
	if number < 1 || number > driver.MaxDevices {
		return fmt.Errorf("%d, must be 1 to %d", number, driver.MaxDevices)
	}
	*n = Count(number)
	return nil
}

func (c *Config) setDevices(value string) error {
	var count Count
	number, err := strconv.ParseInt(value, 10, 64)
	if err == nil {
		err = count.set(number)
	} else {
		err = fmt.Errorf("%q is not an integer, want 1 to %d", value, driver.MaxDevices)
	}
	c.eachTarget(func(t *Target) { t.Devices = count })
	return err
}

// DeviceCount returns the number of devices.
func (t *Target) DeviceCount() int {
	return max(1, int(t.Devices), len(t.DeviceIDs), len(t.DeviceArchs))
}

// Archs returns the architecture of each device.
func (t *Target) Archs() []string {
	if t.DeviceArchs != nil {
		return t.DeviceArchs
	}
	return slices.Repeat([]string{t.Arch}, t.DeviceCount())
}

// Label describes the devices in ids and reports: see [arch.Label].
func (t *Target) Label() string { return arch.Label(t.Archs()) }

// ID returns the end of the ids of the target's cases: "cpu/rocm-7.2/gfx90a".
func (t *Target) ID() string { return t.Platform + "/" + t.Profile + "/" + t.Label() }

// DriverConfig describes the devices to the platform.
func (t *Target) DriverConfig() driver.Config {
	r, ok := release.Find(t.Profile)
	return driver.Config{Devices: t.DeviceCount(), IDs: t.DeviceIDs, Archs: t.DeviceArchs, Arch: t.Arch,
		MemoryBytes: uint64(t.DeviceMemory), NoPools: t.NoPools, WaitsFindGlobal: ok && r.WaitsFindGlobal}
}

// setArchs records the architectures that the devices of a real target report.
func (t *Target) setArchs(devices []driver.Properties) {
	var archs []string
	for _, d := range devices {
		name, _, _ := strings.Cut(d.Arch, ":")
		archs = append(archs, name)
	}
	t.Arch, t.DeviceArchs = archs[0], nil
	if len(slices.Compact(slices.Clone(archs))) > 1 {
		t.DeviceArchs = archs
	}
}

// checkDevices returns the invalid key among those that choose devices, and the reason.
func (t *Target) checkDevices() (key string, err error) {
	switch {
	case t.Devices > 0 && t.DeviceIDs != nil:
		return "devices", bothSet("devices", "device_ids")
	case t.Devices > 0 && t.DeviceArchs != nil:
		return "devices", bothSet("devices", "device_archs")
	case t.DeviceIDs != nil && t.DeviceArchs != nil:
		return "device_ids", bothSet("device_ids", "device_archs")
	case t.DeviceIDs != nil:
		return "device_ids", t.checkIDs()
	case t.DeviceArchs != nil:
		return "device_archs", t.checkArchs()
	}
	return "", nil
}

func bothSet(a, b string) error {
	return fmt.Errorf("%s and %s are both set, and each says how many devices there are: set one of them", a, b)
}

func (t *Target) checkIDs() error {
	if !t.IsReal() {
		return fmt.Errorf("device_ids chooses devices of the machine, and the devices of platform %s are simulated: "+
			"write devices = %d", t.Platform, max(1, len(t.DeviceIDs)))
	}
	for i, id := range t.DeviceIDs {
		if id < 0 {
			return fmt.Errorf("device_ids: %d, devices are numbered from 0", id)
		}
		if slices.Contains(t.DeviceIDs[:i], id) {
			return fmt.Errorf("device_ids: device %d is named twice", id)
		}
	}
	return checkListed("device_ids", len(t.DeviceIDs))
}

func (t *Target) checkArchs() error {
	if t.IsReal() {
		return fmt.Errorf("device_archs makes simulated devices, and the devices of platform %s report their own "+
			"architectures: write devices or device_ids", t.Platform)
	}
	for _, name := range t.DeviceArchs {
		if err := CheckArch(name); err != nil {
			return fmt.Errorf("device_archs: %w", err)
		}
	}
	if err := checkListed("device_archs", len(t.DeviceArchs)); err != nil {
		return err
	}
	if t.Arch != t.DeviceArchs[0] {
		return fmt.Errorf("arch is %s, but device_archs starts with %s: set one of them", t.Arch, t.DeviceArchs[0])
	}
	return nil
}

func checkListed(key string, n int) error {
	switch {
	case n == 0:
		return fmt.Errorf("%s: the list is empty; omit the key for one device", key)
	case n > driver.MaxDevices:
		return fmt.Errorf("%s: %d devices, at most %d are possible", key, n, driver.MaxDevices)
	}
	return nil
}
