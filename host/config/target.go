package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"roclua/hip"
	"roclua/hip/arch"
	"roclua/hip/driver"
	"roclua/hip/release"
	"roclua/host/exit"
	"roclua/internal/nearest"
	"roclua/workspace"
)

// Simulated is the platform whose devices are simulated. The devices of all others are real.
const Simulated = "cpu"

// Target is a device to run on and a library release to reproduce.
type Target struct {
	Platform     string `toml:"platform" json:"platform"`
	Profile      string `toml:"profile" json:"profile"`
	Arch         string `toml:"arch" json:"arch"`
	DeviceMemory Size   `toml:"device_memory" json:"device_memory"`
	Tuning       string `toml:"tuning" json:"tuning,omitempty"`
	NoPools      bool   `toml:"no_memory_pools" json:"no_memory_pools,omitempty"`

	Devices     Count    `toml:"devices" json:"devices,omitempty"`
	DeviceIDs   []int    `toml:"device_ids" json:"device_ids,omitempty"`
	DeviceArchs []string `toml:"device_archs" json:"device_archs,omitempty"`
}

// complete fills in unset fields from the default target d.
func (t *Target) complete(d Target) {
	t.Platform = cmp.Or(t.Platform, d.Platform)
	t.Profile = cmp.Or(t.Profile, workspace.DefaultProfileOf(t.Platform))
	if !t.IsReal() && len(t.DeviceArchs) > 0 {
		t.Arch = cmp.Or(t.Arch, t.DeviceArchs[0])
	} else if !t.IsReal() {
		t.Arch = cmp.Or(t.Arch, d.Arch)
	}
	t.DeviceMemory = cmp.Or(t.DeviceMemory, d.DeviceMemory)
	t.Tuning = cmp.Or(t.Tuning, d.Tuning)
	t.NoPools = t.NoPools || d.NoPools
}

// IsReal reports whether the target is a device of the machine, not a simulated one.
func (t Target) IsReal() bool { return t.Platform != Simulated }

// setPlatform moves every target to a platform. A target that changes gets the default profile of its new platform, and
// keeps the number of its devices.
func (c *Config) setPlatform(value string) error {
	c.eachTarget(func(t *Target) {
		if t.Platform != value {
			if n := t.DeviceCount(); n > 1 {
				t.Devices = Count(n)
			}
			t.Platform, t.Profile, t.Arch = value, workspace.DefaultProfileOf(value), ""
			t.DeviceIDs, t.DeviceArchs = nil, nil
		}
	})
	return nil
}

func (c *Config) setDeviceMemory(value string) error {
	var size Size
	err := size.UnmarshalText([]byte(value))
	c.eachTarget(func(t *Target) { t.DeviceMemory = size })
	return err
}

func (c *Config) setTuning(value string) error {
	c.eachTarget(func(t *Target) { t.Tuning = value })
	return nil
}

func (c *Config) setProfiles(value string) error {
	c.vary(strings.Split(value, ","), func(t *Target, v string) { t.Profile = v })
	return nil
}

func (c *Config) setArchs(value string) error {
	c.vary(strings.Split(value, ","), func(t *Target, v string) { t.Arch = v })
	return nil
}

func (c *Config) eachTarget(set func(*Target)) {
	for i := range c.Targets {
		set(&c.Targets[i])
	}
	c.Targets = unique(c.Targets)
}

// vary expands every target to each of the values, and removes duplicates.
func (c *Config) vary(values []string, set func(*Target, string)) {
	var list []Target
	for _, v := range values {
		for _, t := range c.Targets {
			set(&t, strings.TrimSpace(v))
			list = append(list, t)
		}
	}
	c.Targets = unique(list)
}

func unique(list []Target) []Target {
	var out []Target
	for _, t := range list {
		if !slices.ContainsFunc(out, func(o Target) bool { return reflect.DeepEqual(o, t) }) {
			out = append(out, t)
		}
	}
	return out
}

// Resolve looks up the real devices that targets name. An unavailable device is an error. The architecture and, if the
// library reports its version, the profile are taken from the device.
func (c *Config) Resolve() error { return c.resolve(hip.Probe) }

// resolve looks up real devices by probe.
func (c *Config) resolve(probe func(platform string, cfg driver.Config) driver.Report) error {
	for i := range c.Targets {
		t := &c.Targets[i]
		if !t.IsReal() {
			continue
		}
		r := probe(t.Platform, t.DriverConfig())
		if r.Problem != "" {
			return exit.With(exit.Unavailable, fmt.Errorf("platform %s cannot be used: %s\nto do: %s", t.Platform,
				r.Problem, r.Advice))
		}
		t.setArchs(r.Devices)
		if r.Version != "" {
			t.Profile, _ = workspace.ProfileOfLibrary(r.Version, r.Solver) // Warnings has the error
		}
	}
	c.Targets = unique(c.Targets)
	return nil
}

// TargetsOverridden reports whether flags or variables changed the set of targets.
func (c *Config) TargetsOverridden() bool {
	return c.sources["platform"] != "" || c.sources["profile"] != "" || c.sources["arch"] != ""
}

// Profiles lists the names of the modelled releases and of platform-specific profiles.
func Profiles() []string {
	var list []string
	list = append(list, release.Known()...)
	for _, platform := range hip.Platforms() {
		if p := workspace.DefaultProfileOf(platform); !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// CheckArch returns an error unless the name is a valid architecture name.
func CheckArch(name string) error {
	if !arch.Valid(name) {
		return fmt.Errorf("arch %q must be a name such as gfx90a, gfx942 or gfx1100%s", name,
			nearest.DidYouMean(name, arch.Names()))
	}
	return nil
}

// UnknownArch describes an architecture missing from the table, which is probably misspelled; "" for a known one.
func UnknownArch(name string) string {
	if _, ok := arch.Find(name); ok {
		return ""
	}
	names := arch.Names()
	known := cmp.Or(nearest.DidYouMean(arch.Of(name).Name, names), " (known: "+strings.Join(names, ", ")+").")
	return fmt.Sprintf("arch %q is not known%s The model uses the sizes that most architectures have", name, known)
}

// AboutProfile returns a caveat about the numbers of a profile: that it is inferred, or that the libraries are not
// modelled; "" for others.
func AboutProfile(name string) string {
	p, err := workspace.FindProfile(name)
	if err == nil && p.Unmodelled() != nil {
		return p.Unmodelled().Error()
	}
	if err == nil && p.Modelled() && p.Release.Inferred != "" {
		return fmt.Sprintf("profile %s is inferred: %s", name, p.Release.Inferred)
	}
	return ""
}

// Warnings describes probable mistakes in the configuration that are not errors.
func (c *Config) Warnings() []string {
	var list []string
	for i, t := range c.Targets {
		if text := AboutProfile(t.Profile); text != "" {
			list = append(list, fmt.Sprintf("target %d: %s", i+1, text))
		}
		for _, name := range slices.Compact(t.Archs()) {
			if text := UnknownArch(name); text != "" && !t.IsReal() {
				list = append(list, fmt.Sprintf("target %d: %s", i+1, text))
			}
		}
	}
	return list
}

// CheckPlatform returns an error unless the program has the platform.
func CheckPlatform(name string) error {
	if have := hip.Platforms(); !slices.Contains(have, name) {
		return fmt.Errorf("unknown platform %q%s (have %s)", name, nearest.DidYouMean(name, have),
			strings.Join(have, ", "))
	}
	return nil
}

// check returns the invalid key in the target, and the reason.
func (t Target) check() (key string, err error) {
	if err := CheckPlatform(t.Platform); err != nil {
		return "platform", exit.With(exit.Unavailable, err)
	}
	p, err := workspace.FindProfile(t.Profile)
	if err == nil {
		err = p.CheckPlatform(t.Platform)
	}
	if err != nil {
		return "profile", err
	}
	if key, err := t.checkDevices(); err != nil || t.IsReal() {
		return key, err
	}
	if err := CheckArch(t.Arch); err != nil {
		return "arch", err
	}
	_, err = t.OpenTuning()
	return "tuning", err
}

func (t Target) String() string {
	return fmt.Sprintf("%s, %s, %s, %d bytes", t.Platform, t.Profile, t.Label(), t.DeviceMemory)
}
