package capacity

import (
	"cmp"
	"fmt"
	"slices"

	"roclua/host/answer"
	"roclua/host/applog/render"
	"roclua/host/output"
	"roclua/host/targets"
	"roclua/internal/chart"
	"roclua/internal/units"
)

// Bounds of the text; JSON has everything.
const (
	listedHandles = 40
	listedSteps   = 20
	listedCalls   = 3
	widest        = 76
	widestItem    = 100
)

// Sections has a bar for each scheme on each target, the memory of recordings, and for each target the handles, the
// totals, the sharing and the steps of the budget.
func (p *Plan) Sections() (*answer.Answer, error) {
	bars := answer.Section{Picture: p.picture(),
		Caption: "The bytes that all handles hold together under each scheme, at their peak."}
	a := &answer.Answer{Heading: "Memory of all handles: " + p.Input,
		Sections: append([]answer.Section{p.Gate.Section(), bars}, p.memory...)}
	for _, t := range p.Targets {
		a.Sections = append(a.Sections,
			answer.Section{Heading: p.Input + " on " + t.name(), Table: t.handles()},
			answer.Section{Heading: "all handles together", Table: t.totals()},
			answer.Section{Heading: "one shared workspace", List: t.sharing(), Width: widestItem})
		if t.Decision != nil {
			a.Sections = append(a.Sections, answer.Section{
				Heading: "with a budget of " + units.FormatBytes(*p.Budget), Lines: t.decision(*p.Budget)})
		}
		a.Sections = append(a.Sections, list("not known", t.Unknown), list("known defects of the libraries", t.Defects))
	}
	a.Sections = append(a.Sections, list("limits of the input", p.Notes))
	return a, nil
}

// picture draws a bar for each scheme on each target, on one scale.
func (p *Plan) picture() *chart.Chart {
	c := &chart.Chart{Title: "memory of all handles by scheme", YLabel: "memory", FromZero: true}
	if p.Budget != nil {
		c.Marks = []chart.Mark{{Label: "the budget", Y: float64(*p.Budget)}}
	}
	for _, t := range p.Targets {
		shared := render.Total{Scheme: "one shared workspace"}
		for _, s := range t.Sharing {
			shared.Peak += s.Bytes
		}
		bars := chart.Series{Name: t.name()}
		for _, total := range append(slices.Clip(t.Totals), shared) {
			at := slices.Index(c.Names, total.Scheme)
			if at < 0 {
				at, c.Names = len(c.Names), append(c.Names, total.Scheme)
			}
			bars.Points = append(bars.Points, chart.Point{X: float64(at + 1), Y: float64(total.Peak)})
		}
		c.Series = append(c.Series, bars)
	}
	return c
}

func list(title string, items []string) answer.Section {
	return answer.Section{Heading: title, List: items, Most: listedSteps, Width: widestItem}
}

func (t *Target) handles() *answer.Table {
	columns := []string{"handle", "stream", "count", "need", "decided by", "held", "recommended call"}
	if t.withDevice {
		columns = append(columns, "device")
	}
	w := answer.NewTable(columns...).Numbers(1, 2, 3, 5).Wrap(4, 40).Wrap(6, 44).Spare(5, 2)
	list := slices.Clone(t.Handles)
	slices.SortStableFunc(list, func(a, b *Handle) int { return cmp.Compare(b.Wants, a.Wants) })
	for _, h := range list {
		held := h.Managed
		if h.Held != nil {
			held = *h.Held
		}
		row := []string{h.Name, fmt.Sprint(h.Stream), fmt.Sprint(h.Count), targets.ShortBytes(h.Wants), h.DecidedBy,
			targets.ShortBytes(held), h.Call, fmt.Sprint(h.Device)}
		w.Row(row[:len(columns)]...)
	}
	if w.Most = listedHandles; len(list) > w.Most {
		w.Rest = []string{"…", "", "", fmt.Sprintf("%d more", len(list)-w.Most)}
	}
	return w
}

func (t *Target) totals() *answer.Table {
	columns := []string{"scheme", "how", "bytes"}
	if len(t.devices) > 1 {
		for _, d := range t.devices {
			columns = append(columns, fmt.Sprintf("device %d", d))
		}
	}
	w := answer.NewTable(columns...).Wrap(1, widest)
	for i := range columns[2:] {
		w.Numbers(i + 2)
	}
	for _, total := range t.Totals {
		row := []string{total.Scheme, total.About, targets.ShortBytes(total.Peak)}
		for _, d := range total.Devices {
			row = append(row, targets.ShortBytes(d.Peak))
		}
		w.Row(row...)
	}
	return w
}

func (t *Target) sharing() (list []string) {
	verdict := map[string]string{"yes": "safe", "no": "not safe", "unknown": "not known to be safe"}
	for _, s := range t.Sharing {
		list = append(list, fmt.Sprintf("%s: %s, %s: %s", s.Name, units.FormatBytes(s.Bytes), verdict[s.Safe],
			s.Reason))
	}
	return list
}

// decision describes the effect of the budget.
func (t *Target) decision(budget uint64) (lines []string) {
	add := func(format string, values ...any) { lines = append(lines, fmt.Sprintf(format, values...)) }
	d := t.Decision
	if len(d.Steps) == 0 {
		add("  a workspace for each handle and stream fits: %s, and %d bytes are left", units.FormatBytes(d.Needs),
			budget-d.Needs)
		return lines
	}
	if d.Fits != "" {
		when := "without any loss"
		if t.several {
			when = "if the streams of each handle wait for each other,"
		}
		add("  %s these fit: %s", when, d.Fits)
	}
	add("  a workspace for each handle and stream needs %s; to save, the cheapest first:", units.FormatBytes(d.Needs))
	for i, s := range d.Steps {
		if i == listedSteps {
			add("  and %d more steps", len(d.Steps)-i)
			break
		}
		add("  %d. handle %s, stream %d: %d -> %d bytes, saves %s: %s", i+1, s.Handle, s.Stream, s.From, s.To,
			targets.ShortBytes(s.Saves), s.Effect)
		for k, c := range s.Calls {
			if k == listedCalls {
				add("     and %d more calls", len(s.Calls)-k)
				break
			}
			add("     %s: %s, %s", c.Call, c.Effect, timesText(c.Times))
		}
	}
	add("  then the workspaces have %s", units.FormatBytes(d.After))
	return lines
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
