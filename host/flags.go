package host

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"roclua/internal/nearest"
)

// overrides are the settings that environment variables and flags share: --device-memory and ROCLUA_DEVICE_MEMORY.
var overrides = []override{
	{"platform", "platform to run on (cpu)"},
	{"profile", "library releases, separated by commas (rocm-6.4, rocm-7.1, rocm-7.2)"},
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

// addOverrides adds their flags to a command: all of them, or those that are named.
func addOverrides(flags *pflag.FlagSet, only ...string) {
	for _, o := range overrides {
		if only == nil || slices.Contains(only, o.flag) {
			flags.String(o.flag, "", o.usage)
		}
	}
}

// unknownFlag names the nearest flag in the error about an unknown one.
func unknownFlag(cmd *cobra.Command, err error) error {
	name, found := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !found {
		return fmt.Errorf("%s (see %s --help)", err, cmd.CommandPath())
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return fmt.Errorf("unknown flag --%s%s (see %s --help)", name, nearest.DidYouMean(name, names), cmd.CommandPath())
}

// applyEnvironment applies ROCLUA_* variables, which come after the file and before --set.
func applyEnvironment(cfg *Config, getenv func(string) string) error {
	for _, o := range overrides {
		name := "ROCLUA_" + strings.ToUpper(strings.ReplaceAll(o.flag, "-", "_"))
		if value := getenv(name); value != "" {
			if err := cfg.override(o.flag, value); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			cfg.came(o.key(), name)
		}
	}
	return nil
}

// applyFlags applies the flags that were given, which come last.
func applyFlags(cfg *Config, flags *pflag.FlagSet) error {
	for _, o := range overrides {
		if !flags.Changed(o.flag) {
			continue
		}
		if err := cfg.override(o.flag, flags.Lookup(o.flag).Value.String()); err != nil {
			return fmt.Errorf("--%s: %w", o.flag, err)
		}
		cfg.came(o.key(), "--"+o.flag)
	}
	return nil
}
