package capacity

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/host/output"
	"roclua/host/targets"
	"roclua/internal/units"
)

// Bounds of the text; JSON has everything.
const (
	listedHandles = 40
	listedSteps   = 20
	listedCalls   = 3
	widest        = 76
)

// WriteText writes the handles, the totals, the sharing and the steps of the budget for each target.
func (p *Plan) WriteText(w io.Writer) error {
	var b strings.Builder
	b.WriteString(p.Gate.Text())
	for i, t := range p.Targets {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s on %s/%s\n", p.Input, t.Profile, t.Arch)
		t.writeHandles(&b)
		t.writeTotals(&b)
		t.writeSharing(&b)
		if t.Decision != nil {
			t.writeDecision(&b, *p.Budget)
		}
		writeList(&b, "not known", t.Unknown)
		writeList(&b, "known defects of the libraries", t.Defects)
	}
	writeList(&b, "what the input does not show", p.Notes)
	_, err := io.WriteString(w, b.String())
	return err
}

func writeList(b *strings.Builder, title string, list []string) {
	if len(list) == 0 {
		return
	}
	b.WriteString("\n" + title + "\n")
	for i, line := range list {
		if i == listedSteps {
			fmt.Fprintf(b, "  and %d more\n", len(list)-i)
			return
		}
		b.WriteString(wrapped(line))
	}
}

// wrapped returns a paragraph in lines.
func wrapped(line string) string {
	lines := strings.Split(text.WrapSoft(line, 100), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return "  " + strings.Join(lines, "\n    ") + "\n"
}

func (t *Target) writeHandles(b *strings.Builder) {
	columns := []string{"handle", "stream", "count", "need", "decided by", "held", "recommended call"}
	if t.withDevice {
		columns = append(columns, "device")
	}
	w := targets.NewTable(columns, nil)
	list := slices.Clone(t.Handles)
	slices.SortStableFunc(list, func(a, b *Handle) int { return cmp.Compare(b.Wants, a.Wants) })
	for _, h := range list[:min(len(list), listedHandles)] {
		held := h.Managed
		if h.Held != nil {
			held = *h.Held
		}
		row := []string{h.Name, fmt.Sprint(h.Stream), fmt.Sprint(h.Count), targets.ShortBytes(h.Wants), h.DecidedBy,
			targets.ShortBytes(held), h.Call, fmt.Sprint(h.Device)}
		w.Row(row[:len(columns)], nil)
	}
	if more := len(list) - listedHandles; more > 0 {
		row := make([]string, len(columns))
		row[0], row[3] = "…", fmt.Sprintf("%d more", more)
		w.Row(row, nil)
	}
	w.SetColumnConfigs([]table.ColumnConfig{{Number: 2, Align: text.AlignRight}, {Number: 3, Align: text.AlignRight},
		{Number: 4, Align: text.AlignRight}, {Number: 5, WidthMax: 40, WidthMaxEnforcer: text.WrapSoft},
		{Number: 6, Align: text.AlignRight}, {Number: 7, WidthMax: 44, WidthMaxEnforcer: text.WrapSoft}})
	b.WriteString(w.Render() + "\n")
}

func (t *Target) writeTotals(b *strings.Builder) {
	b.WriteString("\nall handles together\n")
	columns := []string{"scheme", "how", "bytes"}
	if len(t.devices) > 1 {
		for _, d := range t.devices {
			columns = append(columns, fmt.Sprintf("device %d", d))
		}
	}
	w := targets.NewTable(columns, nil)
	for _, total := range t.Totals {
		row := []string{total.Scheme, total.About, targets.ShortBytes(total.Peak)}
		for _, d := range total.Devices {
			row = append(row, targets.ShortBytes(d.Peak))
		}
		w.Row(row, nil)
	}
	configs := []table.ColumnConfig{{Number: 2, WidthMax: widest, WidthMaxEnforcer: text.WrapSoft}}
	for i := 3; i <= len(columns); i++ {
		configs = append(configs, table.ColumnConfig{Number: i, Align: text.AlignRight})
	}
	w.SetColumnConfigs(configs)
	b.WriteString(w.Render() + "\n")
}

func (t *Target) writeSharing(b *strings.Builder) {
	b.WriteString("\none shared workspace\n")
	verdict := map[string]string{"yes": "safe", "no": "not safe", "unknown": "not known to be safe"}
	for _, s := range t.Sharing {
		b.WriteString(wrapped(fmt.Sprintf("%s: %s, %s: %s", s.Name, units.FormatBytes(s.Bytes), verdict[s.Safe],
			s.Reason)))
	}
}

func (t *Target) writeDecision(b *strings.Builder, budget uint64) {
	d := t.Decision
	fmt.Fprintf(b, "\nwith a budget of %s\n", units.FormatBytes(budget))
	if len(d.Steps) == 0 {
		fmt.Fprintf(b, "  a workspace for each handle and stream fits: %s, and %d bytes are left\n",
			units.FormatBytes(d.Needs), budget-d.Needs)
		return
	}
	if d.Fits != "" {
		if t.several {
			b.WriteString("  if the streams of each handle wait for each other, ")
		} else {
			b.WriteString("  without any loss ")
		}
		fmt.Fprintf(b, "these fit: %s\n", d.Fits)
	}
	fmt.Fprintf(b, "  a workspace for each handle and stream needs %s; to save, the cheapest first:\n",
		units.FormatBytes(d.Needs))
	for i, s := range d.Steps {
		if i == listedSteps {
			fmt.Fprintf(b, "  and %d more steps\n", len(d.Steps)-i)
			break
		}
		fmt.Fprintf(b, "  %d. handle %s, stream %d: %d -> %d bytes, saves %s: %s\n", i+1, s.Handle, s.Stream, s.From,
			s.To, targets.ShortBytes(s.Saves), s.Effect)
		for k, c := range s.Calls {
			if k == listedCalls {
				fmt.Fprintf(b, "     and %d more calls\n", len(s.Calls)-k)
				break
			}
			fmt.Fprintf(b, "     %s: %s, %s\n", c.Call, c.Effect, timesText(c.Times))
		}
	}
	fmt.Fprintf(b, "  then the workspaces have %s\n", units.FormatBytes(d.After))
}

func timesText(n int64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// Document returns the plan.
func (p *Plan) Document() (any, error) { return p, nil }

// Table has a row for each handle on each of its streams, and for each target.
func (p *Plan) Table() (output.Table, error) {
	var rows [][]string
	for _, t := range p.Targets {
		for _, h := range t.Handles {
			rows = append(rows, []string{t.Profile, t.Arch, h.Name, fmt.Sprint(h.Device), fmt.Sprint(h.Stream),
				fmt.Sprint(h.Count), fmt.Sprint(h.Needs), fmt.Sprint(h.Wants), fmt.Sprint(h.Managed),
				h.DecidedBy, h.Call})
		}
	}
	return p.Gate.Table(output.TableOf([]string{"profile", "arch", "handle", "device", "stream", "count", "needs_bytes",
		"wants_bytes", "managed_bytes", "decided_by", "call"}, rows)), nil
}

// Failures lists what got worse. A call that fails within a budget is part of the result.
func (p *Plan) Failures() []output.Failure { return p.Gate.Failures() }

// Tests has a test for each comparison of releases.
func (p *Plan) Tests() *output.Tests { return p.Gate.Tests() }
