// Package listing lists scenarios, and the functions of the libraries, for roclua list.
package listing

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/host/output"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/luabind/record"
)

// Scenarios are a list of scenarios.
type Scenarios []*Scenario

// Scenario is a scenario with the number of its cases.
type Scenario struct {
	*plan.Scenario
	Cases int
}

// ScenariosOf lists the scenarios of cases in the order of the cases. A script that several [[scenario]] tables name
// is one scenario.
func ScenariosOf(cases []*plan.Case) Scenarios {
	var list Scenarios
	by := map[string]*Scenario{}
	for _, c := range cases {
		sc := by[c.Scenario]
		if sc == nil {
			sc = &Scenario{c.Definition, 0}
			by[c.Scenario] = sc
			list = append(list, sc)
		}
		sc.Cases++
	}
	return list
}

// Kind returns the kind of the data.
func (list Scenarios) Kind() output.Kind { return output.Scenarios }

// Title counts the scenarios.
func (list Scenarios) Title() string { return fmt.Sprintf("roclua list: %d scenarios", len(list)) }

// Failures lists the scripts that cannot be loaded.
func (list Scenarios) Failures() []output.Failure {
	var failures []output.Failure
	for _, sc := range list {
		if sc.LoadError() != nil {
			failures = append(failures, output.Failure{Title: sc.Name, File: sc.File, Line: 1,
				Headline: "cannot be loaded: " + sc.ErrorText()})
		}
	}
	return failures
}

// Table has a row for each scenario.
func (list Scenarios) Table() (output.Table, error) {
	var rows [][]string
	for _, sc := range list {
		d := sc.Declared
		rows = append(rows, []string{sc.Name, sc.File, d.About, d.Source, Schemes(d), paramsText(d),
			strings.Join(sc.Tags(), " "), strings.Join(d.Platforms, " "), strings.Join(d.Profiles, " "),
			strconv.FormatBool(d.Plain), sc.ErrorText(), strconv.Itoa(sc.Cases)})
	}
	return output.TableOf([]string{"name", "script", "about", "source", "schemes", "params", "tags", "platforms",
		"profiles", "plain", "error", "cases"}, rows), nil
}

// WriteText writes a table. Texts wrap between words.
func (list Scenarios) WriteText(w io.Writer) error {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(table.Row{"scenario", "schemes", "parameters", "tags", "about"})
	hasTags := false
	for _, sc := range list {
		tags := strings.Join(sc.Tags(), ", ")
		hasTags = hasTags || tags != ""
		about := sc.Declared.About
		if sc.LoadError() != nil {
			about = "cannot be loaded: " + sc.ErrorText()
		}
		t.AppendRow(table.Row{sc.Name, cmp.Or(Schemes(sc.Declared), "-"), paramsText(sc.Declared), tags, about})
	}
	wrap := func(number, width int) table.ColumnConfig {
		return table.ColumnConfig{Number: number, WidthMax: width, WidthMaxEnforcer: text.WrapSoft}
	}
	t.SetColumnConfigs([]table.ColumnConfig{wrap(2, 24), wrap(3, 24), {Number: 4, WidthMax: 16, Hidden: !hasTags,
		WidthMaxEnforcer: text.WrapSoft}, wrap(5, 60)})
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

// Schemes returns the schemes of a scenario: "managed, manual", or "any".
func Schemes(sc *record.Scenario) string {
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

// Document has an object for each scenario.
func (list Scenarios) Document() (any, error) {
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
			d.Platforms, d.Profiles, d.Plain, sc.ErrorText(), sc.Cases})
	}
	return entries, nil
}
