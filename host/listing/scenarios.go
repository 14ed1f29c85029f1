// Package listing lists scenarios, and the functions of the libraries, for roclua list.
package listing

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roclua/host/answer"
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

// Title counts the scenarios.
func (list Scenarios) Title() string { return fmt.Sprintf("roclua list: %d scenarios", len(list)) }

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

// Sections has a table.
func (list Scenarios) Sections() (*answer.Answer, error) {
	columns, hasTags := []string{"scenario", "schemes", "parameters", "about"}, false
	for _, sc := range list {
		hasTags = hasTags || len(sc.Tags()) > 0
	}
	if hasTags {
		columns = slices.Insert(columns, 3, "tags")
	}
	t := answer.NewTable(columns...).Wrap(1, 24).Wrap(2, 24).Wrap(3, 16).Wrap(len(columns)-1, 60)
	for _, sc := range list {
		row := []string{sc.Name, cmp.Or(Schemes(sc.Declared), "-"), paramsText(sc.Declared), sc.Declared.About}
		if sc.LoadError() != nil {
			row[3] = "cannot be loaded: " + sc.ErrorText()
		}
		if hasTags {
			row = slices.Insert(row, 3, strings.Join(sc.Tags(), ", "))
		}
		t.Row(row...)
	}
	return &answer.Answer{Sections: []answer.Section{{Table: t}}}, nil
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
