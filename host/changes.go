package host

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/host/baseline"
	"roclua/host/report"
	"roclua/host/result"
)

// comparisonFormats are the ways to write a comparison.
var comparisonFormats = map[string]func(io.Writer, *comparison) error{"text": compareText, "markdown": compareMarkdown, "json": compareJSON}

// count is how many values are of a kind, in words for the last line.
func (c *comparison) count() string {
	counts := map[baseline.Kind]int{}
	for _, change := range c.list {
		counts[change.Kind]++
	}
	var parts []string
	for _, kind := range []baseline.Kind{baseline.Same, baseline.More, baseline.Less, baseline.Changed, baseline.New, baseline.Gone} {
		if counts[kind] > 0 || kind == baseline.Same {
			parts = append(parts, fmt.Sprintf("%d %s", counts[kind], kind))
		}
	}
	return strings.Join(parts, ", ")
}

func compareText(w io.Writer, c *comparison) error {
	var b strings.Builder
	if shown := c.shown(); len(shown) > 0 {
		t := table.NewWriter()
		t.SetStyle(table.StyleLight)
		t.Style().Format.Header = text.FormatDefault
		t.AppendHeader(table.Row{"case", "value", c.names[0], c.names[1], "difference", ""})
		for _, change := range shown {
			t.AppendRow(table.Row{change.Case, change.Name, baseline.Text(change.Old), baseline.Text(change.New), change.DifferenceText(), change.Kind})
		}
		t.SetColumnConfigs([]table.ColumnConfig{{Number: 1, AutoMerge: true}, {Number: 3, Align: text.AlignRight}, {Number: 4, Align: text.AlignRight}, {Number: 5, Align: text.AlignRight}})
		b.WriteString(t.Render() + "\n")
	}
	c.timesText(&b)
	fmt.Fprintf(&b, "%s -> %s: %s\n", c.names[0], c.names[1], c.count())
	_, err := io.WriteString(w, b.String())
	return err
}

// timesText lists the times that moved; of the others it says how many there are.
func (c *comparison) timesText(b *strings.Builder) {
	ambiguous := 0
	for _, t := range c.times {
		if t.Verdict() == "AMBIGUOUS" && !c.all {
			ambiguous++
			continue
		}
		fmt.Fprintf(b, "%s %s: %s\n", t.Case, t.Name, t)
	}
	if ambiguous > 0 {
		fmt.Fprintf(b, "times: %d ambiguous (three repetitions and more tell their spread; --all shows them)\n", ambiguous)
	}
}

func compareMarkdown(w io.Writer, c *comparison) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### roclua: %s → %s\n\n%s\n", c.names[0], c.names[1], c.count())
	if shown := c.shown(); len(shown) > 0 {
		b.WriteString("\n")
		b.WriteString(report.MarkdownChanges(shown, c.names[0], c.names[1]))
	}
	rows := ""
	for _, t := range c.times {
		if t.Verdict() != "AMBIGUOUS" || c.all {
			rows += fmt.Sprintf("| `%s` | %s | %.3g s | %.3g s | %.2f (%.2f to %.2f) | %s |\n", t.Case, t.Name, t.Old, t.New, t.Ratio, t.Low, t.High, t.Verdict())
		}
	}
	if rows != "" {
		fmt.Fprintf(&b, "\n| case | time | %s | %s | ratio | |\n|---|---|---:|---:|---:|---|\n%s", c.names[0], c.names[1], rows)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// jsonTiming is a time on both sides; seconds. What cannot be divided is null.
type jsonTiming struct {
	Case    string `json:"case"`
	Name    string `json:"name"`
	Old     any    `json:"old"`
	New     any    `json:"new"`
	Runs    [2]int `json:"runs"`
	Ratio   any    `json:"ratio"`
	Low     any    `json:"low"`
	High    any    `json:"high"`
	Verdict string `json:"verdict"`
}

func compareJSON(w io.Writer, c *comparison) error {
	doc := struct {
		SchemaVersion int                  `json:"schema_version"`
		Tool          string               `json:"tool"`
		A             string               `json:"a"`
		B             string               `json:"b"`
		Same          int                  `json:"same"`
		Changes       []result.ChangeEntry `json:"changes"`
		Times         []jsonTiming         `json:"times"`
	}{result.SchemaVersion, "roclua", c.names[0], c.names[1], len(c.list) - len(c.differences()), result.ChangeEntries(c.shown()), []jsonTiming{}}
	for _, t := range c.times {
		doc.Times = append(doc.Times, jsonTiming{t.Case, t.Name, result.Finite(t.Old), result.Finite(t.New), t.Runs, result.Finite(t.Ratio), result.Finite(t.Low), result.Finite(t.High), t.Verdict()})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(doc)
}
