package host

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/host/config"
	"roclua/internal/units"
	"roclua/workspace"
)

func newPlatforms(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "platforms",
		Short: "List the platforms, their libraries, and why any is unavailable",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			var b strings.Builder
			for _, name := range hip.Platforms() {
				describePlatform(&b, name, hip.Probe(name, driver.Config{}))
				if name == config.Simulated {
					for _, p := range workspace.Profiles() {
						fmt.Fprintf(&b, "    profile %s  %s\n", p.Name, p.Release.Versions)
					}
				}
			}
			_, err := fmt.Fprint(env.Stdout, b.String())
			return err
		},
	}
}

// describePlatform writes a platform, with a line for each library that it looked for and each device.
func describePlatform(b *strings.Builder, name string, r driver.Report) {
	state := "ready"
	if r.Problem != "" {
		state = "cannot be used: " + r.Problem
	}
	fmt.Fprintf(b, "%s  %s\n", name, state)
	for _, p := range r.Parts {
		if p.Path == "" {
			fmt.Fprintf(b, "    %s  %s\n", p.Name, p.Missing)
		} else {
			fmt.Fprintf(b, "    %s  %s, %s\n", p.Name, p.Path, p.Version)
		}
	}
	for i, d := range r.Devices {
		fmt.Fprintf(b, "    device %d  %s (%s), %s\n", i, d.Name, d.Arch, units.FormatBytes(d.MemoryBytes))
	}
	if r.Advice != "" {
		fmt.Fprintf(b, "    to do: %s\n", r.Advice)
	}
}
