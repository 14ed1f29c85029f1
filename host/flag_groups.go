package host

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagGroup is a part of the flags of run in its help.
type flagGroup struct {
	title string
	names []string
}

// flagGroups are the flags that run --help shows.
var flagGroups = []flagGroup{
	{"Cases", []string{"filter", "tags", "skip-tags", "axis", "repeat", "rerun-failed", "shard", "resume"}},
	{"Targets", []string{"platform", "profile", "arch", "devices", "device-memory", "tuning", "blas"}},
	{"Execution", []string{"seed", "shuffle", "jobs", "timeout", "exitfirst", "maxfail", "retries",
		"fail-on-flaky", "watch", "set"}},
	{"Reports", []string{"out", "color", "quiet", "verbose", "durations", "update", "luaprofile"}},
	{"Help", []string{"help", "help-all"}},
}

// rareFlagGroups are the flags that only run --help-all shows.
var rareFlagGroups = []flagGroup{
	{"Limits", []string{"limit-instructions", "limit-heap", "limit-output", "limit-device-memory", "limit-memory"}},
	{"Processes and checks", []string{"isolation", "sandbox", "memory-checks"}},
}

// groupFlags writes the flags of the help in groups. all says whether the rare ones are shown.
func groupFlags(cmd *cobra.Command, all *bool) {
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		out := cmd.OutOrStderr()
		fmt.Fprintf(out, "Usage:\n  %s\n", cmd.UseLine())
		groups := flagGroups
		if *all {
			groups = slices.Concat(groups, rareFlagGroups)
		}
		for _, g := range groups {
			fmt.Fprintf(out, "\n%s:\n%s", g.title, flagsOf(cmd, g).FlagUsages())
		}
		return nil
	})
}

// flagsOf returns the flags of a group, in its order.
func flagsOf(cmd *cobra.Command, g flagGroup) *pflag.FlagSet {
	flags := pflag.NewFlagSet(g.title, pflag.ContinueOnError)
	flags.SortFlags = false
	for _, name := range g.names {
		flags.AddFlag(cmd.Flags().Lookup(name))
	}
	return flags
}
