package host

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"roclua/host/listing"
	"roclua/host/plan"
	"roclua/host/result"
)

// helpWithScripts adds to the help of a command what the scripts among its arguments declare:
// roclua run solve.lua --help.
func helpWithScripts(cmd *cobra.Command, env Env) {
	usual := cmd.HelpFunc()
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		usual(cmd, args)
		out := env.escaped(false)
		writeScripts(out, cmd, env, cmd.Flags().Args())
		out.Flush()
	})
}

// writeScripts writes what each scenario is about, its schemes and parameters. An argument that cannot be read is
// described by its error.
func writeScripts(w io.Writer, cmd *cobra.Command, env Env, names []string) {
	in := env.planInput(cmd)
	in.NoRun = true
	var s plan.Selection
	for _, name := range names {
		p, err := s.Plan(cmd.Context(), in, []string{name})
		if err != nil {
			fmt.Fprintf(w, "\n%s: %s\n", name, err)
			continue
		}
		for _, sc := range listing.ScenariosOf(p.Cases) {
			writeScript(w, sc)
		}
	}
}

func writeScript(w io.Writer, sc *listing.Scenario) {
	d := sc.Declared
	switch {
	case sc.Broken != nil:
		fmt.Fprintf(w, "\n%s cannot be loaded: %s\n", sc.Name, sc.Broken)
		return
	case d.Plain:
		fmt.Fprintf(w, "\n%s is a plain script: it has no parameters; arguments after -- are in its table arg\n",
			sc.Name)
		return
	case d.About != "":
		fmt.Fprintf(w, "\n%s: %s\n", sc.Name, d.About)
	default:
		fmt.Fprintf(w, "\n%s\n", sc.Name)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if schemes := listing.Schemes(d); schemes != "" {
		fmt.Fprintf(t, "  schemes\t%s\n", schemes)
	}
	if tags := sc.Tags(); tags != nil {
		fmt.Fprintf(t, "  tags\t%s\n", strings.Join(tags, ", "))
	}
	t.Flush()
	if len(d.Params) == 0 {
		return
	}
	fmt.Fprintf(w, "  parameters, for --axis %s=VALUES and --set params.%[1]s=VALUE\n", d.Params[0].Name)
	for _, p := range d.Params {
		fmt.Fprintf(t, "    %s\t%s\t(%s)\n", p.Name, result.FormatValue(p.Value), plan.KindOf(p.Value))
	}
	t.Flush()
}
