package host

import (
	"slices"

	"github.com/spf13/cobra"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/host/schema"
	"roclua/luabind"
	"roclua/workspace"
)

// completeFlags lets the shell offer the values of flags, in every command that has them.
func completeFlags(root *cobra.Command) {
	values := map[string][]string{"platform": hip.Platforms(), "profile": profileNames(), "blas": driver.BLASChoices, "isolation": isolations,
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
			complete(cmd, "out", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoSpace))
		}
	}
}

func complete(cmd *cobra.Command, flag string, with cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, with); err != nil {
		panic(err) // a flag of ours that is not there, or has its completion already
	}
}

// profileNames are the releases that are modelled, and what each platform has of its own.
func profileNames() []string {
	var list []string
	for _, p := range workspace.Profiles() {
		list = append(list, p.Name)
	}
	for _, platform := range hip.Platforms() {
		if p := workspace.DefaultProfileOf(platform); !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// bundled are the scenarios of ./config.toml; whatever goes wrong leaves none to offer.
func bundled(cmd *cobra.Command) []*scenario {
	cfg, err := loadConfig(defaultConfigFile)
	if err != nil {
		return nil
	}
	list, err := loadScenarios(cmd.Context(), cfg)
	if err != nil {
		return nil
	}
	return list
}

// completeScenarios offers the scenarios of ./config.toml beside files.
func completeScenarios(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return names(bundled(cmd)), cobra.ShellCompDirectiveDefault
}

// completeParameters offers the parameters of those scenarios, to be followed by their values.
func completeParameters(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	var list []string
	for _, sc := range bundled(cmd) {
		for _, p := range sc.declared.Params {
			list = append(list, p.Name+"=")
		}
	}
	slices.Sort(list)
	return slices.Compact(list), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}
