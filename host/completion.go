package host

import (
	"slices"

	"github.com/spf13/cobra"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/host/config"
	"roclua/host/plan"
	"roclua/host/report"
	"roclua/host/schema"
	"roclua/luabind"
)

// completionRequests are the hidden commands by which a shell asks. Cobra keeps completions for the life of the process, and with
// them everything that flags point to, so that they are made for these commands alone.
var completionRequests = []string{cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}

// completeFlags lets the shell offer the values of flags, in every command that has them.
func completeFlags(root *cobra.Command) {
	values := map[string][]string{"platform": hip.Platforms(), "profile": config.Profiles(), "blas": driver.BLASChoices, "isolation": config.Isolations,
		"color": colorChoices, "scheme": append(slices.Clone(luabind.Schemes), "none"), "schema": schema.Names, "shuffle": {"true", "false"}}
	for _, cmd := range root.Commands() {
		for flag, list := range values {
			if cmd.Flags().Lookup(flag) != nil {
				complete(cmd, flag, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp))
			}
		}
		if cmd.Flags().Lookup("axis") != nil {
			complete(cmd, "axis", completeParameters)
			cmd.ValidArgsFunction = completeScenarios
		}
		if cmd.Name() == "run" {
			complete(cmd, "out", cobra.FixedCompletions(report.Formats(), cobra.ShellCompDirectiveNoSpace))
		}
	}
}

func complete(cmd *cobra.Command, flag string, with cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, with); err != nil {
		panic(err) // a flag of ours that is not there, or has its completion already
	}
}

// bundled are the scenarios of ./config.toml; whatever goes wrong leaves none to offer.
func bundled(cmd *cobra.Command) []*plan.Scenario {
	cfg, err := config.Load(config.DefaultFile)
	if err != nil {
		return nil
	}
	list, err := plan.LoadScenarios(cmd.Context(), cfg)
	if err != nil {
		return nil
	}
	return list
}

// completeScenarios offers the scenarios of ./config.toml beside files.
func completeScenarios(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return plan.Names(bundled(cmd)), cobra.ShellCompDirectiveDefault
}

// completeParameters offers the parameters of those scenarios, to be followed by their values.
func completeParameters(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	var list []string
	for _, sc := range bundled(cmd) {
		for _, p := range sc.Declared.Params {
			list = append(list, p.Name+"=")
		}
	}
	slices.Sort(list)
	return slices.Compact(list), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}
