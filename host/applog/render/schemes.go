package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/host/applog/analyze"
	"roclua/host/targets"
	"roclua/internal/units"
	"roclua/workspace"
)

// Widths of the column of settings, and of notes.
const (
	widestHow  = 72
	widestNote = 108
)

// writeSchemes lists a handle's memory under each scheme, and how to configure it.
func (r *Report) writeSchemes(b *strings.Builder) {
	var held [][]workspace.Held
	for i := range r.Targets {
		held = append(held, r.held(&r.Targets[i]))
	}
	if len(held) > 1 {
		t := targets.NewTable([]string{"scheme"}, r.names())
		for k := range held[0] {
			var cells []string
			for i := range held {
				cells = append(cells, heldText(&held[i][k]))
			}
			t.Row([]string{held[0][k].Scheme}, cells)
		}
		b.WriteString(t.Render() + "\n")
		return
	}
	t := targets.NewTable([]string{"scheme", "how"}, r.names())
	for k := range held[0] {
		h := &held[0][k]
		t.Row([]string{h.Scheme, cmp.Or(h.Skip, h.About)}, []string{heldText(h)})
	}
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 2, WidthMax: widestHow, WidthMaxEnforcer: text.WrapSoft},
		{Number: 3, Align: text.AlignRight}})
	b.WriteString(t.Render() + "\n")
}

// held returns a handle's memory under each scheme on a target.
func (r *Report) held(t *analyze.Target) []workspace.Held {
	list := workspace.HeldAfter(t.Profile, t.Arch, []uint64{t.Bytes})
	m := &t.Managed
	for i := range list {
		if h := &list[i]; h.Scheme == workspace.SchemeManaged && !t.Profile.Release.ManagedStreamOrdered {
			h.Bytes, h.About = m.Final, growthText(m)+lacks(t)
		}
	}
	return list
}

// growthText says how often a managed handle grows.
func growthText(m *analyze.Managed) string {
	n := m.Count()
	switch {
	case m.Most > n:
		return fmt.Sprintf("grows %d times if one handle makes all calls, and at most %s if several do; each growth "+
			"waits for the device", n, units.Count(m.Most, "time"))
	case n == 0:
		return "the default size is enough"
	case n == 1:
		return "grows once, and waits for the device"
	}
	return fmt.Sprintf("grows %d times; each growth waits for the device", n)
}

func heldText(h *workspace.Held) string {
	if h.Skip != "" {
		return "-"
	}
	return targets.ShortBytes(h.Bytes)
}

// writeGrowths lists the growths of a managed handle.
func (r *Report) writeGrowths(b *strings.Builder) {
	var text strings.Builder
	r.grouped(&text, "  ", func(t *analyze.Target) (list []string) {
		for i, g := range t.Managed.Growths {
			if i == listedLines {
				list = append(list, fmt.Sprintf("and %d more", t.Managed.Count()-listedLines))
				break
			}
			list = append(list, fmt.Sprintf("%s  %s: %d -> %d bytes", r.at(g.File, g.Line), g.Call.Routine.UniqueName(),
				g.From, g.To))
		}
		return list
	})
	r.grouped(&text, "  ", func(t *analyze.Target) []string {
		if len(t.Managed.Growths) > 0 && !t.Managed.Exact {
			return []string{"these growths are not certain, see below"}
		}
		return nil
	})
	if text.Len() > 0 {
		b.WriteString("\ngrowths of a managed handle\n" + text.String())
	}
}

// writeWorkspace lists the calls for which the user's workspace is too small.
func (r *Report) writeWorkspace(b *strings.Builder) {
	if r.Workspace == nil {
		return
	}
	fmt.Fprintf(b, "\nin a user-owned workspace of %s\n", units.FormatBytes(*r.Workspace))
	calls := r.byLine()
	r.groupedByTarget(b, func(i int) []string {
		var texts []string
		for _, c := range calls {
			if status := c.Needs[i].In(r.Workspace); status != "" {
				texts = append(texts, fmt.Sprintf("%s  %s: %s, needs %d", r.at(c.File, c.Line), Label(c),
					status, c.Needs[i].Bytes))
			}
		}
		if texts == nil {
			return []string{"every call has enough memory"}
		}
		if more := len(texts) - listedLines; more > 0 {
			texts = append(texts[:listedLines], fmt.Sprintf("and %d more", more))
		}
		return texts
	})
}

func (r *Report) groupedByTarget(b *strings.Builder, of func(i int) []string) {
	r.grouped(b, "  ", func(t *analyze.Target) []string {
		for i := range r.Targets {
			if &r.Targets[i] == t {
				return of(i)
			}
		}
		return nil
	})
}

// writeFunctions lists functions with their numbers of calls.
func (r *Report) writeFunctions(b *strings.Builder, title string, list []analyze.Function) {
	if len(list) == 0 {
		return
	}
	b.WriteString("\n" + title + "\n")
	var texts []string
	for _, f := range list {
		text := fmt.Sprintf("  %s, first in %s: %s", f.Name, r.at(f.File, f.Line), units.Count(f.Count, "call"))
		if why := reason(f.Name); why != "" {
			text += " (" + why + ")"
		}
		texts = append(texts, text)
	}
	writeSome(b, texts)
}

// writeNotes lists the gaps in the logs.
func (r *Report) writeNotes(b *strings.Builder) {
	if len(r.Notes) == 0 {
		return
	}
	b.WriteString("\nwhat a log does not say\n")
	for _, n := range r.Notes {
		b.WriteString("  " + wrapped(n.Text) + "\n")
	}
}

// wrapped returns s in lines, the further ones indented.
func wrapped(s string) string {
	lines := strings.Split(text.WrapSoft(s, widestNote), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ") // WrapSoft leaves spaces behind words
	}
	return strings.Join(lines, "\n    ")
}
