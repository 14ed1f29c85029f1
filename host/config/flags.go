package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"roclua/workspace"
)

// overrides are the settings that environment variables and flags share: --device-memory and ROCLUA_DEVICE_MEMORY.
var overrides = []override{
	{"platform", "platform to run on (cpu)"},
	{"profile", "library releases, separated by commas (" + strings.Join(workspace.ProfileNames(), ", ") + ")"},
	{"arch", "architectures that the device reports, separated by commas (gfx90a)"},
	{"device-memory", "memory of the device, such as 8GiB"},
	{"seed", "seed of random numbers"},
	{"shuffle", "run cases in an order that the seed decides: true or false"},
	{"timeout", "time that one case may take, such as 30s"},
	{"limit-instructions", "Lua instructions that one case may execute; 0 is no limit"},
	{"limit-heap", "memory that the Lua values of one case may take, such as 512MiB; 0 is no limit"},
	{"limit-output", "text that one case may print and measure, such as 1MiB; 0 is no limit"},
	{"limit-device-memory", "device memory that one case may allocate, such as 8GiB; 0 is no limit"},
	{"sandbox", "what scripts may reach: strict, project, or full for the whole machine"},
	{"blas", "what computes on the cpu platform: auto, openblas or go"},
	{"isolation", "case runs cases in this process, worker in processes of their own; auto does so on real devices"},
	{"jobs", "cases that run at a time; 0 is one for each processor"},
}

type override struct{ flag, usage string }

// key is the key of the configuration that a flag sets.
func (o override) key() string {
	if limit, ok := strings.CutPrefix(o.flag, "limit-"); ok {
		return "limits." + strings.ReplaceAll(limit, "-", "_")
	}
	if o.flag == "timeout" {
		return "limits.timeout"
	}
	return o.flag
}

// AddFlags adds the flags that set keys of the configuration: all of them, or those that are named.
func AddFlags(flags *pflag.FlagSet, only ...string) {
	for _, o := range overrides {
		if only == nil || slices.Contains(only, o.flag) {
			flags.String(o.flag, "", o.usage)
		}
	}
}

// Overrides are the sources of values that come after the file, in the order of the fields.
type Overrides struct {
	Getenv func(name string) string // ROCLUA_* variables
	Set    []string                 // KEY=VALUE
	Flags  *pflag.FlagSet           // flags that AddFlags defined; only those that were given count
}

// Apply takes the values of the overrides, validates the result, and resolves the real devices among its targets.
func (c *Config) Apply(o Overrides) error {
	if err := c.applyEnvironment(o.Getenv); err != nil {
		return err
	}
	for _, s := range o.Set {
		if err := c.set(s); err != nil {
			return err
		}
	}
	if err := c.applyFlags(o.Flags); err != nil {
		return err
	}
	if err := c.Validate(); err != nil {
		return err
	}
	return c.Resolve()
}

func (c *Config) applyEnvironment(getenv func(string) string) error {
	for _, o := range overrides {
		name := "ROCLUA_" + strings.ToUpper(strings.ReplaceAll(o.flag, "-", "_"))
		if value := getenv(name); value != "" {
			if err := c.override(o.flag, value); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			c.setSource(o.key(), name)
		}
	}
	return nil
}

func (c *Config) applyFlags(flags *pflag.FlagSet) error {
	for _, o := range overrides {
		if !flags.Changed(o.flag) {
			continue
		}
		if err := c.override(o.flag, flags.Lookup(o.flag).Value.String()); err != nil {
			return fmt.Errorf("--%s: %w", o.flag, err)
		}
		c.setSource(o.key(), "--"+o.flag)
	}
	return nil
}

// override applies one setting by its flag's name.
func (c *Config) override(flag, value string) error {
	c.complete()
	var err error
	switch flag {
	case "shuffle":
		c.Shuffle, err = strconv.ParseBool(value)
	case "seed":
		c.Seed, err = strconv.ParseUint(value, 0, 64)
	case "jobs":
		c.Jobs, err = strconv.Atoi(value)
	case "blas":
		c.BLAS = value
	case "isolation":
		c.Isolation = value
	case "sandbox":
		c.Sandbox = value
	case "limit-instructions":
		c.Limits.Instructions, err = strconv.ParseUint(value, 0, 64)
	case "limit-heap":
		err = c.Limits.Heap.UnmarshalText([]byte(value))
	case "limit-output":
		err = c.Limits.Output.UnmarshalText([]byte(value))
	case "limit-device-memory":
		err = c.Limits.DeviceMemory.UnmarshalText([]byte(value))
	case "timeout":
		err = c.Limits.Timeout.UnmarshalText([]byte(value))
	case "platform":
		c.eachTarget(func(t *Target) {
			if t.Platform != value {
				t.Platform, t.Profile, t.Arch = value, workspace.DefaultProfileOf(value), ""
			}
		})
	case "device-memory":
		var size Size
		err = size.UnmarshalText([]byte(value))
		c.eachTarget(func(t *Target) { t.DeviceMemory = size })
	case "profile":
		c.vary(strings.Split(value, ","), func(t *Target, v string) { t.Profile = v })
	case "arch":
		c.vary(strings.Split(value, ","), func(t *Target, v string) { t.Arch = v })
	}
	if err != nil {
		return fmt.Errorf("%q: %w", value, err)
	}
	return nil
}
