package host

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"roclua/host/plan"
	"roclua/host/result"
	"roclua/luabind/manual"
	"roclua/luabind/record"
)

func newList(env Env) *cobra.Command {
	var s plan.Selection
	var asJSON, asCSV, functions bool
	cmd := &cobra.Command{
		Use:   "list [CONFIG.toml | SCRIPT.lua | FOLDER | NAME]...",
		Short: "List scenarios with their schemes, parameters and tags, or the functions of the libraries",
		Long: `List the scenarios of ./config.toml, or of the arguments, which are those of roclua run: what each is
about, its schemes, its parameters with their defaults, and its tags. --filter selects scenarios
that have a case whose id matches.

  roclua list query                    the scenarios in the folder query of ./config.toml
  roclua list solve.lua                the scenarios of a script
  roclua list --tags slow --json       those with a tag, for a program

With --functions, list the families of functions of rocBLAS and rocSOLVER, or those that an argument
names: getrf, dgetrf, 'sy*'. A row says what the functions do, in which types and forms they exist,
whether calls need workspace, whether its size is known for every call (modelled), and which
platforms compute them: yes, no, or the part that is computed.

  roclua list --functions              all families
  roclua list --functions 'ge*' --csv  those with a name that begins with ge, for a spreadsheet`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case asJSON && asCSV:
				return fmt.Errorf("--json and --csv both use standard output; choose one")
			case functions:
				return listFunctions(cmd, env, args, asJSON, asCSV)
			case asCSV:
				return fmt.Errorf("--csv lists functions; add --functions")
			}
			in := env.planInput(cmd)
			in.NoRun = true
			p, err := s.Plan(cmd.Context(), in, args)
			if err != nil {
				return err
			}
			cases, err := p.All()
			if err != nil {
				return err
			}
			list := scenariosOf(cases)
			if len(list) == 0 {
				return s.NothingSelected(p)
			}
			write := listText
			if asJSON {
				write = listJSON
			}
			out := env.escaped(asJSON)
			return cmp.Or(write(out, list), out.Flush(), plan.LoadErrors(cases))
		},
	}
	s.AddFilters(cmd.Flags())
	cmd.Flags().BoolVar(&functions, "functions", false, "list the functions of rocBLAS and rocSOLVER by family")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.Flags().BoolVar(&asCSV, "csv", false, "write the functions as CSV")
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		if functions {
			return manual.FamilyNames(), cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
	return cmd
}

// listed is a scenario with the number of its cases.
type listed struct {
	*plan.Scenario
	cases int
}

// scenariosOf lists the scenarios of cases in the order of the cases. A script that several [[scenario]] tables name
// is one scenario.
func scenariosOf(cases []*plan.Case) []*listed {
	var list []*listed
	by := map[string]*listed{}
	for _, c := range cases {
		sc := by[c.Scenario]
		if sc == nil {
			sc = &listed{c.Definition, 0}
			by[c.Scenario] = sc
			list = append(list, sc)
		}
		sc.cases++
	}
	return list
}

// listText writes a table. Texts wrap between words.
func listText(w io.Writer, list []*listed) error {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(table.Row{"scenario", "schemes", "parameters", "tags", "about"})
	hasTags := false
	for _, sc := range list {
		tags := strings.Join(sc.Tags(), ", ")
		hasTags = hasTags || tags != ""
		about := sc.Declared.About
		if sc.Broken != nil {
			about = "cannot be loaded: " + sc.ErrorText()
		}
		t.AppendRow(table.Row{sc.Name, cmp.Or(schemesText(sc.Declared), "-"), paramsText(sc.Declared), tags, about})
	}
	wrap := func(number, width int) table.ColumnConfig {
		return table.ColumnConfig{Number: number, WidthMax: width, WidthMaxEnforcer: text.WrapSoft}
	}
	t.SetColumnConfigs([]table.ColumnConfig{wrap(2, 24), wrap(3, 24), {Number: 4, WidthMax: 16, Hidden: !hasTags,
		WidthMaxEnforcer: text.WrapSoft}, wrap(5, 60)})
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

func schemesText(sc *record.Scenario) string {
	if sc.AnyScheme {
		return "any"
	}
	return strings.Join(sc.Schemes, ", ")
}

// paramsText returns the parameters with their defaults: "n=1024 type=d".
func paramsText(sc *record.Scenario) string {
	var params []string
	for _, p := range sc.Params {
		params = append(params, p.Name+"="+result.FormatValue(p.Value))
	}
	return strings.Join(params, " ")
}

// listJSON writes a JSON array with an object for each scenario.
func listJSON(w io.Writer, list []*listed) error {
	type entry struct {
		Name      string         `json:"name"`
		Script    string         `json:"script"`
		About     string         `json:"about,omitempty"`
		Source    string         `json:"source,omitempty"`
		Schemes   []string       `json:"schemes,omitempty"`
		Params    map[string]any `json:"params,omitempty"`
		Tags      []string       `json:"tags,omitempty"`
		Platforms []string       `json:"platforms,omitempty"`
		Profiles  []string       `json:"profiles,omitempty"`
		Plain     bool           `json:"plain,omitempty"`
		Error     string         `json:"error,omitempty"`
		Cases     int            `json:"cases"`
	}
	entries := []entry{}
	for _, sc := range list {
		d := sc.Declared
		params := map[string]any{}
		for _, p := range d.Params {
			params[p.Name] = p.Value
		}
		entries = append(entries, entry{sc.Name, sc.File, d.About, d.Source, d.Schemes, params, sc.Tags(),
			d.Platforms, d.Profiles, d.Plain, sc.ErrorText(), sc.cases})
	}
	return writeIndented(w, entries)
}

// writeIndented writes a value as JSON.
func writeIndented[T any](w io.Writer, v T) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
