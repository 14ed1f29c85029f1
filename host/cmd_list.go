package host

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/listing"
	"roclua/host/plan"
	"roclua/host/run"
	"roclua/host/topics"
	"roclua/internal/atomicfile"
	"roclua/luabind/manual"
)

func newList(env Env) *cobra.Command {
	var s plan.Selection
	var functions bool
	var o outOptions
	cmd := &cobra.Command{
		Use:   "list [CONFIG.toml | SCRIPT.lua | FOLDER | NAME]...",
		Short: "List scenarios with their schemes, parameters and tags, or the functions of the libraries",
		Long: `List the scenarios of ./config.toml, or of the arguments, as for roclua run: the subject of each, its
schemes, its parameters with their defaults, and its tags. --filter keeps the scenarios with a
matching case.

  roclua list query                    the scenarios in the folder query of ./config.toml
  roclua list solve.lua                the scenarios of a script
  roclua list --tags slow --json       those with a tag, for a program

With --functions, list the families of functions of rocBLAS and rocSOLVER, or those that an argument
names: getrf, dgetrf, 'sy*'. A row has the purpose of the functions, their types and forms, whether
calls need workspace, whether its size is known for every call (modelled), and which
platforms compute them: yes, no, or the part that is computed.

  roclua list --functions              all families
  roclua list --functions 'ge*' --csv  those with a name that starts with ge, for a spreadsheet`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if functions {
				return listFunctions(cmd, env, args, &o)
			}
			outs, err := o.parse(cmd)
			if err != nil {
				return err
			}
			in := env.planInput(cmd)
			in.NoRun = true
			p, err := s.Plan(cmd.Context(), in, args)
			if err != nil {
				return err
			}
			if err := env.checkPlanned(outs, p.Config, p.Cases); err != nil {
				return err
			}
			list := listing.ScenariosOf(p.Cases)
			if len(list) == 0 {
				return s.NothingSelected(p)
			}
			return cmp.Or(env.write(outs, list), plan.LoadErrors(p.Cases))
		},
	}
	s.AddFilters(cmd.Flags())
	cmd.Flags().BoolVar(&functions, "functions", false, "list the functions of rocBLAS and rocSOLVER by family")
	o.add(cmd, "list")
	o.addJSON(cmd.Flags())
	o.addCSV(cmd.Flags())
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		if functions {
			return manual.FamilyNames(), cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
	return cmd
}

// listFunctions writes a row for each family of functions that one of the names or patterns matches.
func listFunctions(cmd *cobra.Command, env Env, patterns []string, o *outOptions) error {
	outs, err := o.open(cmd, env, atomicfile.NewFiles(env.files()))
	if err != nil {
		return err
	}
	for _, flag := range []string{"filter", "tags", "skip-tags"} {
		if cmd.Flags().Changed(flag) {
			return fmt.Errorf("--%s selects scenarios; --functions takes names of functions, such as '*getrf*'", flag)
		}
	}
	for _, p := range patterns {
		if !manual.HasFunctions(p) {
			return exit.With(exit.Nothing, fmt.Errorf("no function matches %q%s", p, topics.DidYouMean(p)))
		}
	}
	list := listing.Functions(manual.ListFunctions(topics.Program(), patterns...))
	return env.write(outs, list)
}

// newInspect returns the command that shows the cases of a run without running them.
func newInspect(env Env) *cobra.Command {
	var s plan.Selection
	var o outOptions
	cmd := &cobra.Command{
		Use:   "inspect [CONFIG.toml | SCRIPT.lua | FOLDER | NAME | ID]...",
		Short: "Show the cases of a run and the sources of its settings, without running it",
		RunE: func(cmd *cobra.Command, args []string) error {
			outs, err := o.parse(cmd)
			if err != nil {
				return err
			}
			p, err := s.Plan(cmd.Context(), env.planInput(cmd), args)
			if err != nil {
				return err
			}
			if p.All == 0 {
				return s.NothingSelected(p)
			}
			cfg := p.Config
			run.Warn(env.Stderr, cfg.Warnings())
			if err := env.checkPlanned(outs, cfg, p.Cases); err != nil {
				return err
			}
			return cmp.Or(env.write(outs, &plan.Listing{Config: cfg, Cases: p.Cases}), plan.LoadErrors(p.Cases))
		},
	}
	helpWithScripts(cmd, env)
	config.AddFlags(cmd.Flags())
	s.AddFlags(cmd.Flags())
	o.add(cmd, "cases")
	o.addJSON(cmd.Flags())
	return cmd
}
