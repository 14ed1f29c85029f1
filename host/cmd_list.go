package host

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"roclua/hip"
	"roclua/host/config"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/workspace"
)

func newList(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "list [CONFIG.toml]",
		Short: "List the scenarios of a configuration",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := config.DefaultFile
			if len(args) == 1 {
				path = args[0]
			}
			cfg, err := config.Load(path)
			if err != nil {
				return err
			}
			if err := cfg.Validate(); err != nil {
				return err
			}
			scenarios, err := plan.LoadScenarios(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			return listScenarios(env, scenarios)
		},
	}
}

func listScenarios(env Env, scenarios []*plan.Scenario) error {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(table.Row{"scenario", "schemes", "parameters", "about"})
	for _, sc := range scenarios {
		schemes := strings.Join(sc.Declared.Schemes, ", ")
		if sc.Declared.AnyScheme {
			schemes = "any"
		}
		var params []string
		for _, p := range sc.Declared.Params {
			params = append(params, p.Name+"="+result.FormatValue(p.Value))
		}
		t.AppendRow(table.Row{sc.Name, cmp.Or(schemes, "-"), strings.Join(params, " "), sc.Declared.About})
	}
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 2, WidthMax: 24}, {Number: 3, WidthMax: 24},
		{Number: 4, WidthMax: 60}})
	_, err := fmt.Fprintln(env.Stdout, t.Render())
	return err
}

func newVersion(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the platforms and the profiles",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(env.Stdout, "roclua %s\nplatforms  %s\n", version(), strings.Join(hip.Platforms(), ", "))
			for _, p := range workspace.Profiles() {
				fmt.Fprintf(env.Stdout, "%-10s rocBLAS %s, rocSOLVER %s: %s\n", p.Name, p.RocBLAS, p.RocSOLVER, p.About)
			}
			return nil
		},
	}
}

// version returns the version of the module in the build information, or the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return "(devel)"
}
