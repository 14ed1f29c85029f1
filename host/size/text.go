package size

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/workspace"
	"roclua/workspace/footprint"
)

// differs marks rows in which the targets differ.
const differs = "≠"

// targetTable is a table with a column for each target, and one that marks differences.
type targetTable struct {
	table.Writer
	targets int
}

func newTable(names []string, targets []string) *targetTable {
	t := &targetTable{table.NewWriter(), len(targets)}
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.Style().Format.Footer = text.FormatDefault
	var header table.Row
	var columns []table.ColumnConfig
	for _, name := range names {
		header = append(header, name)
	}
	for i, name := range targets {
		header = append(header, name)
		columns = append(columns, table.ColumnConfig{Number: len(names) + i + 1, Align: text.AlignRight,
			AlignFooter: text.AlignRight})
	}
	if len(targets) > 1 {
		header = append(header, "")
	}
	t.AppendHeader(header)
	t.SetColumnConfigs(columns)
	return t
}

// row appends a row; cells beyond the labels are the targets'.
func (t *targetTable) row(labels []string, cells []string) {
	var row table.Row
	for _, l := range labels {
		row = append(row, l)
	}
	mark := ""
	for _, c := range cells {
		row = append(row, c)
		if c != cells[0] {
			mark = differs
		}
	}
	if t.targets > 1 {
		row = append(row, mark)
	}
	t.AppendRow(row)
}

// writeText writes what each call needs, what the sequence needs, what a handle holds under each scheme, and warnings.
func writeText(w io.Writer, s *footprint.Sequence, list []*footprint.Footprint) error {
	var b strings.Builder
	b.WriteString(callTable(s, list) + "\n\n")
	b.WriteString(decisions(s, list))
	b.WriteString("\nmemory of a handle under each scheme\n" + heldTable(list) + "\n")
	b.WriteString(lines("warnings", list, func(f *footprint.Footprint) []string { return f.Warnings }))
	b.WriteString(buildLines(list))
	b.WriteString(lines("caveats", list, func(f *footprint.Footprint) []string { return f.Caveats }))
	_, err := io.WriteString(w, b.String())
	return err
}

func targetNames(list []*footprint.Footprint) []string {
	var names []string
	for _, f := range list {
		names = append(names, f.Target.String())
	}
	return names
}

func each(list []*footprint.Footprint, cell func(*footprint.Footprint) string) []string {
	var cells []string
	for _, f := range list {
		cells = append(cells, cell(f))
	}
	return cells
}

// callTable lists the buffers of each call, in the order of the library, and their sum.
func callTable(s *footprint.Sequence, list []*footprint.Footprint) string {
	t := newTable([]string{"call", "buffer"}, targetNames(list))
	for i, c := range s.Calls {
		t.AppendSeparator() // before the first row it has no effect
		label := fmt.Sprintf("%d  %s", i+1, c.Text)
		for _, purpose := range purposes(list, i) {
			cells := each(list, func(f *footprint.Footprint) string { return bytesFor(f, i, purpose) })
			t.row([]string{label, purpose}, cells)
			label = ""
		}
		cells := each(list, func(f *footprint.Footprint) string { return shortBytes(f.Calls[i].Bytes) })
		t.row([]string{label, "sum, each rounded up to 64"}, cells)
	}
	return t.Render()
}

// purposes lists the buffers of a call on any of the targets, without those that are empty on all of them.
func purposes(list []*footprint.Footprint, call int) []string {
	var names []string
	for _, f := range list {
		for _, b := range f.Calls[call].Buffers {
			if b.Bytes > 0 && !slices.Contains(names, b.Purpose()) {
				names = append(names, b.Purpose())
			}
		}
	}
	return names
}

func bytesFor(f *footprint.Footprint, call int, purpose string) string {
	for _, b := range f.Calls[call].Buffers {
		if b.Purpose() == purpose {
			return shortBytes(b.Bytes)
		}
	}
	return "-"
}

// decisions says what the sequence needs, once for all targets with the same result.
func decisions(s *footprint.Sequence, list []*footprint.Footprint) string {
	texts, on := grouped(list, func(f *footprint.Footprint) []string { return []string{decision(s, f)} })
	var b strings.Builder
	for _, text := range texts {
		b.WriteString(text + on[text] + "\n")
	}
	return b.String()
}

func decision(s *footprint.Sequence, f *footprint.Footprint) string {
	switch {
	case f.Bytes == 0 && len(s.Calls) == 1:
		return "the call needs no memory"
	case f.Bytes == 0:
		return "the sequence needs no memory"
	case len(s.Calls) == 1:
		return "the call needs " + workspace.FormatBytes(f.Bytes)
	}
	return fmt.Sprintf("the sequence needs %s, decided by call %d, %s", workspace.FormatBytes(f.Bytes), f.Decides+1,
		s.Calls[f.Decides].Text)
}

// grouped collects texts about each target, in the order of their first appearance, and for each text the targets
// that it applies to: " on rocm-7.2/gfx90a", or an empty string when it applies to all of them.
func grouped(list []*footprint.Footprint, texts func(*footprint.Footprint) []string) (order []string,
	where map[string]string) {
	on := map[string][]string{}
	for _, f := range list {
		for _, text := range texts(f) {
			if on[text] == nil {
				order = append(order, text)
			}
			on[text] = append(on[text], f.Target.String())
		}
	}
	where = map[string]string{}
	for _, text := range order {
		if len(on[text]) < len(list) {
			where[text] = " on " + strings.Join(on[text], ", ")
		}
	}
	return order, where
}

// heldTable lists the memory that a handle holds under each scheme.
func heldTable(list []*footprint.Footprint) string {
	labels := []string{"scheme"}
	if len(list) == 1 {
		t := newTable(append(labels, "how"), targetNames(list))
		for _, h := range list[0].Held {
			t.row([]string{h.Scheme, cmp.Or(h.Skip, h.About)}, []string{heldBytes(h)})
		}
		t.SetColumnConfigs([]table.ColumnConfig{{Number: 2, WidthMax: 72, WidthMaxEnforcer: text.WrapSoft},
			{Number: 3, Align: text.AlignRight}})
		return t.Render()
	}
	t := newTable(labels, targetNames(list))
	for i, h := range list[0].Held {
		t.row([]string{h.Scheme}, each(list, func(f *footprint.Footprint) string { return heldBytes(f.Held[i]) }))
	}
	return t.Render()
}

func heldBytes(h workspace.Held) string {
	if h.Skip != "" {
		return "-"
	}
	return shortBytes(h.Bytes)
}

// lines lists texts about the targets under a title, or returns "" if there are none.
func lines(title string, list []*footprint.Footprint, texts func(*footprint.Footprint) []string) string {
	order, on := grouped(list, texts)
	if len(order) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n" + title + "\n")
	for _, text := range order {
		b.WriteString("  " + text + on[text] + "\n")
	}
	return b.String()
}

// buildLines names the packages that each profile reproduces.
func buildLines(list []*footprint.Footprint) string {
	var b strings.Builder
	b.WriteString("\n")
	var seen []*workspace.Profile
	for _, f := range list {
		p := f.Target.Profile
		if build, ok := p.Build(); ok && !slices.Contains(seen, p) {
			seen = append(seen, p)
			fmt.Fprintf(&b, "%s reproduces %s\n", p.Name, build)
		}
	}
	return b.String()
}

// shortBytes formats exact bytes with the nearest binary unit, without the word: "4732160 (4.5 MiB)".
func shortBytes(n uint64) string {
	text := workspace.FormatBytes(n)
	return strings.Replace(strings.Replace(text, " bytes", "", 1), " byte", "", 1)
}
