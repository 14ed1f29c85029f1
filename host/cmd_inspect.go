package host

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"roclua/host/config"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// newInspect is the command that shows what run would do, and runs nothing.
func newInspect(env Env) *cobra.Command {
	var s selection
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect [CONFIG.toml | SCRIPT.lua | NAME | ID]...",
		Short: "Show the cases that run would run, and where its settings come from",
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, cases, err := s.plan(cmd, args, env)
			if err != nil {
				return err
			}
			if asJSON {
				return inspectJSON(env.Stdout, cfg, cases)
			}
			return inspectText(env.Stdout, cfg, cases)
		},
	}
	config.AddFlags(cmd.Flags())
	s.addFlags(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// products says how many cases each scenario has, and by which product.
func products(cases []*plannedCase) []string {
	var order []*scenario
	by := map[*scenario][]*plannedCase{}
	for _, c := range cases {
		if by[c.scenario] == nil {
			order = append(order, c.scenario)
		}
		by[c.scenario] = append(by[c.scenario], c)
	}
	var lines []string
	for _, sc := range order {
		lines = append(lines, fmt.Sprintf("%s: %s", sc.name, product(by[sc])))
	}
	return lines
}

// product counts what varies among the cases of one scenario: "3 targets x 5 schemes x type(4) = 60".
func product(cases []*plannedCase) string {
	targets, schemes, axes := map[config.Target]bool{}, map[string]bool{}, map[string]map[string]bool{}
	skipped := 0
	for _, c := range cases {
		targets[c.target], schemes[c.Scheme] = true, true
		for axis, v := range c.axes {
			if axes[axis] == nil {
				axes[axis] = map[string]bool{}
			}
			axes[axis][formatValue(v)] = true
		}
		if c.skip != "" {
			skipped++
		}
	}
	factors := []string{fmt.Sprintf("%d target%s", len(targets), plural(len(targets)))}
	if len(schemes) > 1 {
		factors = append(factors, fmt.Sprintf("%d schemes", len(schemes)))
	}
	for _, axis := range slices.Sorted(maps.Keys(axes)) {
		if n := len(axes[axis]); n > 1 {
			factors = append(factors, fmt.Sprintf("%s(%d)", axis, n))
		}
	}
	text := fmt.Sprintf("%s = %d case%s", strings.Join(factors, " x "), len(cases), plural(len(cases)))
	if skipped > 0 {
		text += fmt.Sprintf(", %d of them skipped", skipped)
	}
	return text
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func inspectText(w io.Writer, cfg *config.Config, cases []*plannedCase) error {
	var b strings.Builder
	b.WriteString("settings\n")
	for _, s := range cfg.Settings() {
		fmt.Fprintf(&b, "  %-16s %-44s %s\n", s.Key, s.Value, s.Source)
	}
	b.WriteString("\ncases\n")
	for _, line := range products(cases) {
		b.WriteString("  " + line + "\n")
	}
	b.WriteString("\n")
	for _, c := range cases {
		if c.skip != "" {
			fmt.Fprintf(&b, "  %s  skipped: %s\n", c.id, c.skip)
		} else {
			fmt.Fprintf(&b, "  %s\n", c.id)
		}
	}
	fmt.Fprintf(&b, "\n%d cases\n", len(cases))
	_, err := io.WriteString(w, b.String())
	return err
}

func inspectJSON(w io.Writer, cfg *config.Config, cases []*plannedCase) error {
	type planned struct {
		ID       string         `json:"id"`
		Scenario string         `json:"scenario"`
		Script   string         `json:"script"`
		Scheme   string         `json:"scheme,omitempty"`
		Params   map[string]any `json:"params,omitempty"`
		Platform string         `json:"platform"`
		Profile  string         `json:"profile"`
		Arch     string         `json:"arch"`
		Tags     []string       `json:"tags,omitempty"`
		Skip     string         `json:"skip,omitempty"`
	}
	doc := struct {
		Schema   int              `json:"schema_version"`
		Settings []config.Setting `json:"settings"`
		Products []string         `json:"products"`
		Cases    []planned        `json:"cases"`
	}{Schema: schemaVersion, Settings: cfg.Settings(), Products: products(cases), Cases: []planned{}}
	for _, c := range cases {
		doc.Cases = append(doc.Cases, planned{c.id, c.scenario.name, c.scenario.script.Name, c.Scheme, c.axes, c.target.Platform, c.target.Profile,
			c.target.Arch, c.scenario.tags(), c.skip})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(doc)
}
