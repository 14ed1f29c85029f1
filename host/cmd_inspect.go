package host

import (
	"cmp"

	"github.com/spf13/cobra"

	"roclua/host/config"
	"roclua/host/plan"
	"roclua/host/run"
)

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
