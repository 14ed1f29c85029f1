package plan

import (
	"fmt"
	"maps"
	"slices"
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
	var order []*Scenario
	by := map[*Scenario][]*Case{}
	for _, c := range cases {
		if by[c.Definition] == nil {
			order = append(order, c.Definition)
		}
		by[c.Definition] = append(by[c.Definition], c)
	}
	var lines []string
	for _, sc := range order {
		lines = append(lines, fmt.Sprintf("%s: %s", sc.Name, product(sc, by[sc])))
	}
	return lines
}

// product returns the number of cases of one scenario as a product: "3 targets x 5 schemes x type(4) = 60".
func product(sc *Scenario, cases []*Case) string {
	targets, schemes, axes := map[string]bool{}, map[string]bool{}, map[string]map[string]bool{}
	steps := map[string]bool{} // of the axes that step together
	skipped := 0
	for _, c := range cases {
		targets[c.Target.String()], schemes[c.Scheme] = true, true
		if step := stepOf(sc, c); step != "" {
			steps[step] = true
		}
		for axis, v := range c.Params {
			if axes[axis] == nil {
				axes[axis] = map[string]bool{}
			}
			axes[axis][result.FormatValue(v)] = true
		}
		if c.Skip != "" {
			skipped++
		}
	}
	factors := []string{units.Count(len(targets), "target")}
	if len(schemes) > 1 {
		factors = append(factors, fmt.Sprintf("%d schemes", len(schemes)))
	}
	together := slices.Sorted(maps.Keys(sc.Settings.Zip))
	for _, axis := range slices.Sorted(maps.Keys(axes)) {
		if n := len(axes[axis]); n > 1 && !slices.Contains(together, axis) {
			factors = append(factors, fmt.Sprintf("%s(%d)", axis, n))
		}
	}
	if n := len(steps); n > 1 {
		factors = append(factors, fmt.Sprintf("%s(%d)", strings.Join(together, " and "), n))
	}
	if sc.Settings.Repeat > 1 {
		factors = append(factors, fmt.Sprintf("repeat(%d)", sc.Settings.Repeat))
	}
	text := strings.Join(factors, " x ") + " = " + units.Count(len(cases), "case")
	if skipped > 0 {
		text += fmt.Sprintf(", %d of them skipped", skipped)
	}
	return text
}

// stepOf returns the values of the axes that step together in a case; "" when there are none.
func stepOf(sc *Scenario, c *Case) string {
	var values []string
	for _, axis := range slices.Sorted(maps.Keys(sc.Settings.Zip)) {
		values = append(values, result.FormatValue(c.Params[axis]))
	}
	return strings.Join(values, ",")
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
