package plan

import (
	"fmt"
	"strings"

	"roclua/host/answer"
	"roclua/host/config"
	"roclua/host/output"
	"roclua/host/result"
	"roclua/internal/escape"
	"roclua/internal/units"
)

// products returns the number of cases of each scenario, as a product.
func products(cases []*Case) []string {
	var order []*Space
	selected, skipped := map[*Space]int{}, map[*Space]int{}
	for _, c := range cases {
		if selected[c.Space]++; selected[c.Space] == 1 {
			order = append(order, c.Space)
		}
		if c.Skip != "" {
			skipped[c.Space]++
		}
	}
	var lines []string
	for _, sp := range order {
		line, of := sp.Scenario+": "+sp.product(), "them"
		if n := selected[sp]; n < sp.size(maxCases) {
			line += fmt.Sprintf(", %d of them selected", n)
			of = "these"
		}
		if n := skipped[sp]; n > 0 {
			line += fmt.Sprintf(", %d of %s skipped", n, of)
		}
		lines = append(lines, line)
	}
	return lines
}

// Listing is a plan as roclua inspect shows it.
type Listing struct {
	Config *config.Config
	Cases  []*Case
}

// Title counts the cases.
func (l *Listing) Title() string {
	return "roclua inspect: " + units.Count(len(l.Cases), "case")
}

// Table has a row for each case.
func (l *Listing) Table() (output.Table, error) {
	var rows [][]string
	for _, c := range l.Cases {
		rows = append(rows, []string{c.ID, c.Scenario, c.Script, c.Scheme, c.Target.Platform, c.Target.Profile,
			c.Target.Label(), strings.Join(c.Definition.Tags(), " "), c.Skip, c.Definition.ErrorText()})
	}
	return output.TableOf([]string{"id", "scenario", "script", "scheme", "platform", "profile", "arch", "tags", "skip",
		"error"}, rows), nil
}

// Sections has the settings of a run and the ids of its cases.
func (l *Listing) Sections() (*answer.Answer, error) {
	settings := l.Config.Settings()
	var keys, values int
	for _, s := range settings {
		keys, values = max(keys, len(s.Key)), max(values, len(s.Value))
	}
	var lines, ids []string
	for _, s := range settings {
		lines = append(lines, fmt.Sprintf("  %-*s  %-*s  %s", keys, s.Key, values, s.Value, s.Source))
	}
	for _, c := range l.Cases {
		id := escape.Word(c.ID)
		switch broken := c.Definition.LoadError(); {
		case c.Skip != "":
			id += "  skipped: " + c.Skip
		case broken != nil:
			id += fmt.Sprintf("  cannot be loaded: %s", broken)
		}
		ids = append(ids, id)
	}
	return &answer.Answer{Sections: []answer.Section{{Heading: "settings", Lines: lines},
		{Heading: "cases", List: products(l.Cases)}, {List: ids},
		{Lines: []string{units.Count(len(l.Cases), "case")}}}}, nil
}

// Document has the settings of a run and its cases.
func (l *Listing) Document() (any, error) {
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
		Error    string         `json:"error,omitempty"`
	}
	doc := struct {
		Schema   int              `json:"schema_version"`
		Settings []config.Setting `json:"settings"`
		Products []string         `json:"products"`
		Cases    []planned        `json:"cases"`
	}{Schema: result.SchemaVersion, Settings: l.Config.Settings(), Products: products(l.Cases), Cases: []planned{}}
	for _, c := range l.Cases {
		doc.Cases = append(doc.Cases, planned{c.ID, c.Scenario, c.Script, c.Scheme, c.Params, c.Target.Platform,
			c.Target.Profile,
			c.Target.Label(), c.Definition.Tags(), c.Skip, c.Definition.ErrorText()})
	}
	return doc, nil
}
