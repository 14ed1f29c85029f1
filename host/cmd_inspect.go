package host

import (
	"cmp"

	"github.com/spf13/cobra"

	"roclua/host/config"
	"roclua/host/plan"
)

// newInspect returns the command that shows the cases of a run without running them.
func newInspect(env Env) *cobra.Command {
	var s plan.Selection
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect [CONFIG.toml | SCRIPT.lua | FOLDER | NAME | ID]...",
		Short: "Show the cases of a run and the sources of its settings, without running it",
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := s.Plan(cmd.Context(), env.planInput(cmd), args)
			if err != nil {
				return err
			}
			cases, err := p.All()
			if err != nil {
				return err
			}
			cfg := p.Config
			warn(env, cfg.Warnings())
			write := plan.WriteText
			if asJSON {
				write = plan.WriteJSON
			}
			out := env.escaped(asJSON)
			return cmp.Or(write(out, cfg, cases), out.Flush(), plan.LoadErrors(cases))
		},
	}
	helpWithScripts(cmd, env)
	config.AddFlags(cmd.Flags())
	s.AddFlags(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}
