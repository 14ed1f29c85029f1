package host

import (
	"slices"

	"github.com/spf13/cobra"

	"roclua/hip/arch"
	"roclua/host/config"
	"roclua/host/output"
	"roclua/host/plan"
	"roclua/host/schema"
	"roclua/luabind/vm/bounds"
	"roclua/workspace"
)

// completionRequests are the hidden commands that shells run for completions. Cobra keeps completions, and
// everything that flags refer to, for the life of the process. Completions are therefore defined only for these
// commands.
var completionRequests = []string{cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}

// completeFlags defines the completions of the values of flags, in every command that has them.
func completeFlags(root *cobra.Command, env Env) {
	values := map[string][]string{"color": colorChoices, "scheme": append(slices.Clone(workspace.Schemes), "none"),
		"schema": schema.Names, "shuffle": {"true", "false"}, "memory-checks": {"true", "false"}}
	for _, k := range config.Keys {
		if k.Flag != "" && k.Values != nil {
			values[k.Flag] = k.Values()
		}
	}
	values["sandbox"], values["arch"] = bounds.Sandboxes, arch.Names()
	for _, cmd := range root.Commands() {
		for flag, list := range values {
			if cmd.Flags().Lookup(flag) != nil {
				complete(cmd, flag, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp))
			}
		}
		if cmd.Flags().Lookup("axis") != nil {
			complete(cmd, "axis", completeParameters(env))
			cmd.ValidArgsFunction = completeScenarios(env)
		}
		if cmd.Name() == "verify" {
			complete(cmd, "kind", cobra.FixedCompletions(kindNames(), cobra.ShellCompDirectiveNoFileComp))
		}
		if formats := output.OfCommand(cmd.Name()); formats != nil {
			complete(cmd, "out", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoSpace))
		}
	}
}

func complete(cmd *cobra.Command, flag string, with cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, with); err != nil {
		panic(err) // an unknown flag, or a second completion of one
	}
}

// bundled returns the scenarios of ./config.toml, none on an error.
func bundled(cmd *cobra.Command, env Env) []*plan.Scenario {
	cfg, err := config.Load(config.DefaultFile)
	if err != nil {
		return nil
	}
	list, err := plan.LoadScenarios(cmd.Context(), cfg, nil, env.Workers)
	if err != nil {
		return nil
	}
	return list
}

// completeScenarios completes the names of scenarios of ./config.toml, and files.
func completeScenarios(env Env) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return plan.Names(bundled(cmd, env)), cobra.ShellCompDirectiveDefault
	}
}

// completeParameters completes the parameters of those scenarios.
func completeParameters(env Env) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		var list []string
		for _, sc := range bundled(cmd, env) {
			for _, p := range sc.Declared.Params {
				list = append(list, p.Name+"=")
			}
		}
		slices.Sort(list)
		return slices.Compact(list), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
}
