package compare

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/host/baseline"
	"roclua/host/report"
	"roclua/host/report/group"
	"roclua/host/result"
	"roclua/internal/escape"
)

// formats are the formats of a comparison.
var formats = map[string]func(*Comparison, io.Writer) error{
	"json":     (*Comparison).writeJSON,
	"markdown": (*Comparison).writeMarkdown,
	"text":     (*Comparison).writeText,
}

// Formats lists the names of the formats, sorted.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// Write writes the comparison in one of the formats.
func (c *Comparison) Write(w io.Writer, format string) error {
	escaped := escape.Plain(w)
	if format == "json" {
		escaped = escape.JSON(w)
	}
	return cmp.Or(formats[format](c, escaped), escaped.Flush())
}

// counts returns the number of values of each kind: "5 SAME, 1 MORE".
func (c *Comparison) counts() string {
	counts := map[baseline.Kind]int{}
	for _, change := range c.Changes {
		counts[change.Kind]++
	}
	var parts []string
	for _, kind := range []baseline.Kind{baseline.Same, baseline.More, baseline.Less, baseline.Changed, baseline.New,
		baseline.Gone} {
		if counts[kind] > 0 || kind == baseline.Same {
			parts = append(parts, fmt.Sprintf("%d %s", counts[kind], kind))
		}
	}
	return strings.Join(parts, ", ")
}

func (c *Comparison) writeText(w io.Writer) error {
	var b strings.Builder
	if shown := c.shown(); len(shown) > 0 {
		t := table.NewWriter()
		t.SetStyle(table.StyleLight)
		t.Style().Format.Header = text.FormatDefault
		t.AppendHeader(table.Row{"case", "value", c.Names[0], c.Names[1], "difference", ""})
		for _, change := range group.Changes(shown) {
			t.AppendRow(table.Row{caseNames(change.IDs), change.Name, baseline.Text(change.Old),
				baseline.Text(change.New), change.DifferenceText(), change.Kind})
		}
		t.SetColumnConfigs([]table.ColumnConfig{{Number: 1, AutoMerge: true}, {Number: 3, Align: text.AlignRight},
			{Number: 4, Align: text.AlignRight}, {Number: 5, Align: text.AlignRight}})
		b.WriteString(t.Render() + "\n")
	}
	b.WriteString(c.timesText())
	fmt.Fprintf(&b, "%s -> %s: %s\n", c.Names[0], c.Names[1], c.counts())
	_, err := io.WriteString(w, b.String())
	return err
}

// caseNames returns the names of cases, one on each line.
func caseNames(ids []string) string {
	var lines []string
	for _, name := range group.Names(ids) {
		lines = append(lines, name.Text)
	}
	return strings.Join(lines, "\n")
}

// timesText lists the times that changed, and the number of the others.
func (c *Comparison) timesText() string {
	var b strings.Builder
	ambiguous := 0
	for _, t := range c.Times {
		if t.IsAmbiguous() && !c.ShowAll {
			ambiguous++
			continue
		}
		fmt.Fprintf(&b, "%s %s: %s\n", t.Case, t.Name, t)
	}
	if ambiguous > 0 {
		fmt.Fprintf(&b, "times: %d ambiguous (a spread needs at least three repetitions; --all shows them)\n",
			ambiguous)
	}
	return b.String()
}

func (c *Comparison) writeMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### roclua: %s → %s\n\n%s\n", escape.MarkdownCell(c.Names[0]),
		escape.MarkdownCell(c.Names[1]), c.counts())
	if shown := c.shown(); len(shown) > 0 {
		b.WriteString("\n")
		b.WriteString(report.MarkdownChanges(shown, c.Names[0], c.Names[1]))
	}
	rows := ""
	for _, t := range c.Times {
		if !t.IsAmbiguous() || c.ShowAll {
			rows += fmt.Sprintf("| %s | %s | %.3g s | %.3g s | %.2f (%.2f to %.2f) | %s |\n",
				escape.MarkdownCode(t.Case), escape.MarkdownCell(t.Name), t.Old, t.New,
				t.Ratio, t.Low, t.High, t.Verdict())
		}
	}
	if rows != "" {
		fmt.Fprintf(&b, "\n| case | time | %s | %s | ratio | |\n|---|---|---:|---:|---:|---|\n%s",
			escape.MarkdownCell(c.Names[0]), escape.MarkdownCell(c.Names[1]), rows)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// timingEntry is a time of both runs in JSON, in seconds. A value that is not finite is null.
type timingEntry struct {
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

func (c *Comparison) writeJSON(w io.Writer) error {
	doc := struct {
		SchemaVersion int                  `json:"schema_version"`
		Tool          string               `json:"tool"`
		A             string               `json:"a"`
		B             string               `json:"b"`
		Same          int                  `json:"same"`
		Changes       []result.ChangeEntry `json:"changes"`
		Times         []timingEntry        `json:"times"`
	}{result.SchemaVersion, "roclua", c.Names[0], c.Names[1], len(c.Changes) - len(c.Differences()),
		result.ChangeEntries(c.shown()), []timingEntry{}}
	for _, t := range c.Times {
		doc.Times = append(doc.Times, timingEntry{t.Case, t.Name, result.Finite(t.Old), result.Finite(t.New), t.Runs,
			result.Finite(t.Ratio), result.Finite(t.Low), result.Finite(t.High), t.Verdict()})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(doc)
}
