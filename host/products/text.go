package products

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"roclua/host/answer"
	"roclua/host/output"
	"roclua/host/targets"
	"roclua/internal/chart"
	"roclua/internal/units"
)

// best is shown for a workspace that costs a product nothing, none for one that is too small for every kernel.
const (
	best = "best"
	none = "none: the call fails"
)

// listed is the most products that the text shows of a target. Other formats have all of them.
const listed = 40

// Sections has the curves of the targets, and for each target the products that want most, with their kernels and
// losses.
func (r *Report) Sections() (*answer.Answer, error) {
	a := &answer.Answer{Heading: "GEMM kernels and the workspace they want",
		Sections: []answer.Section{{Caption: "No GEMM wants a workspace."}}}
	if c := r.chart(); len(c.Series) > 0 {
		a.Sections[0] = answer.Section{Picture: c,
			Caption: "GEMMs that lose their best kernel, by the bytes of the workspace."}
	}
	for i := range r.Targets {
		t := &r.Targets[i]
		s := answer.Section{Heading: fmt.Sprintf("%s, %d compute units", t.Device, t.Units),
			Table: r.table(t.byNeeds()), Below: r.summary(t)}
		if more := len(t.Products) - listed; more > 0 {
			s.Below = append([]string{fmt.Sprintf("%d more GEMMs, which want no more; --csv lists all", more)},
				s.Below...)
		}
		a.Sections = append(a.Sections, s)
	}
	a.Sections = append(a.Sections, answer.Section{Lines: append([]string{r.limits()}, r.Notes...)})
	return a, nil
}

// byNeeds returns the products, those that want most first.
func (t *Target) byNeeds() []*Product {
	list := slices.Clone(t.Products)
	slices.SortStableFunc(list, func(a, b *Product) int { return cmp.Compare(b.needs, a.needs) })
	return list
}

// limits lists the gaps of the report.
func (r *Report) limits() string {
	other := "hipBLASLt"
	if r.Targets[0].Library == other {
		other = "rocBLAS"
	}
	return fmt.Sprintf("The kernels are those of %s, not of %s. Their times are not known.",
		r.Targets[0].Library, other)
}

// table shows products: the best kernel, and for each workspace the kernel that is used instead.
func (r *Report) table(list []*Product) *answer.Table {
	names := []string{"GEMM", "times", "kernel", "split of k", "bytes", "waves"}
	for _, bytes := range r.Workspaces {
		names = append(names, "with "+shortBytes(bytes))
	}
	last := len(names)
	if tuned(list) {
		names = append(names, "tuned", "its kernel", "its bytes")
	}
	t := answer.NewTable(names...).Numbers(1, 3, 4, 5).Spare(5, 1, 3)
	t.Most, t.Left = listed, true
	t.Tone = func(_ int, cell string) answer.Tone {
		return map[string]answer.Tone{best: answer.Pale, none: answer.Bad}[cell]
	}
	for _, p := range list {
		row := make([]string, len(names))
		copy(row, p.row())
		copy(row[last:], p.tuned())
		t.Row(row...)
	}
	return t
}

// tuned reports whether a tuning recorded the kernels of products.
func tuned(list []*Product) bool {
	return slices.ContainsFunc(list, func(p *Product) bool { return p.Recorded != "" })
}

func (p *Product) row() []string {
	row := []string{p.Text, fmt.Sprint(p.Times)}
	if p.Best == nil {
		row = append(row, p.Reason)
	} else {
		row = append(row, tile(p.Best), split(p.Best), targets.ShortBytes(p.Best.Bytes), shortWaves(p.Best))
		for i, k := range p.At {
			row = append(row, instead(p, k, i))
		}
	}
	return row
}

// tuned returns the cells of the kernel that a tuning chose.
func (p *Product) tuned() []string {
	if p.Tuned == nil {
		return []string{p.Recorded, p.Looked, ""}
	}
	return []string{p.Recorded, fmt.Sprintf("%s, split %s", tile(p.Tuned), split(p.Tuned)),
		targets.ShortBytes(p.Tuned.Bytes)}
}

func tile(k *Kernel) string {
	if k.Tile[0] == 0 {
		return k.Name
	}
	return fmt.Sprintf("%d x %d", k.Tile[0], k.Tile[1])
}

func shortWaves(k *Kernel) string {
	if k.Groups == 0 {
		return "?"
	}
	return fmt.Sprintf("%.2f", k.Waves)
}

// split describes how the sum over k is divided.
func split(k *Kernel) string {
	switch {
	case k.StreamK:
		return "stream-K"
	case k.Split == 0:
		return "?"
	}
	return strconv.Itoa(k.Split)
}

// instead names the kernel that a GEMM uses in workspace i.
func instead(p *Product, k *Kernel, i int) string {
	if !p.loses(i) {
		return best
	}
	if k == nil {
		return none
	}
	return fmt.Sprintf("%s, split %s, %s waves", tile(k), split(k), shortWaves(k))
}

func shortBytes(n uint64) string {
	if n > 0 && n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprint(n)
}

// summary names the smallest workspace that loses no kernel, the losses of others, and the GEMMs that decide.
func (r *Report) summary(t *Target) (lines []string) {
	add := func(format string, values ...any) { lines = append(lines, fmt.Sprintf(format, values...)) }
	known := len(t.Products) - t.Unknown - t.Without
	if t.Without > 0 {
		add("%d of %d GEMMs run no kernel of the tuning files", t.Without, len(t.Products))
	}
	if t.Unknown > 0 {
		add("the kernels of %d of %d GEMMs are not known", t.Unknown, len(t.Products))
	}
	if t.Smallest == 0 {
		add("none of %d GEMMs wants a workspace", known)
		return lines
	}
	add("%d of %d GEMMs want a workspace; the smallest that loses no kernel has %s",
		t.Curve[len(t.Curve)-1].Lost, known, units.FormatBytes(t.Smallest))
	for i, bytes := range r.Workspaces {
		if n := t.lost(i); n > 0 {
			add("  with %s %d of them use another kernel", units.FormatBytes(bytes), n)
		}
		if n := t.lostTuned(bytes); n > 0 {
			add("  with %s %d of them lose the kernel that was tuned", units.FormatBytes(bytes), n)
		}
	}
	add("GEMMs that lose their kernel below a number of bytes:")
	for i, s := range t.Curve {
		if i == 8 {
			add("  ... and %d smaller numbers", len(t.Curve)-i)
			break
		}
		add("  %4d below %s", s.Lost, units.FormatBytes(s.Bytes))
	}
	return lines
}

// lostTuned counts the products whose recorded kernel wants more than some bytes.
func (t *Target) lostTuned(bytes uint64) (n int) {
	for _, p := range t.Products {
		if p.Tuned != nil && p.Tuned.Bytes > bytes {
			n++
		}
	}
	return n
}

// Document returns the whole report.
func (r *Report) Document() (any, error) { return r, nil }

// Table has a row for each product on each target.
func (r *Report) Table() (output.Table, error) {
	columns := []string{"profile", "arch", "call", "times", "kernel", "tile", "split", "bytes", "waves", "reason"}
	first := len(columns) // of the workspaces
	for _, bytes := range r.Workspaces {
		columns = append(columns, fmt.Sprintf("kernel_%d", bytes), fmt.Sprintf("split_%d", bytes))
	}
	last := len(columns)
	if slices.ContainsFunc(r.Targets, func(t Target) bool { return tuned(t.Products) }) {
		columns = append(columns, "recorded", "recorded_kernel", "recorded_bytes")
	}
	var rows [][]string
	for i := range r.Targets {
		t := &r.Targets[i]
		for _, p := range t.Products {
			row := make([]string, len(columns))
			copy(row, []string{t.Profile, t.Arch, p.Text, fmt.Sprint(p.Times)})
			if k := p.Best; k != nil {
				copy(row[4:], []string{k.Name, tile(k), fmt.Sprint(k.Split), fmt.Sprint(k.Bytes), shortWaves(k)})
			}
			row[first-1] = p.Reason
			for i, k := range p.At {
				if k == nil {
					k = &Kernel{}
				}
				copy(row[first+2*i:], []string{k.Name, fmt.Sprint(k.Split)})
			}
			copy(row[last:], []string{p.Recorded})
			if p.Tuned != nil {
				copy(row[last+1:], []string{p.Tuned.Name, fmt.Sprint(p.Tuned.Bytes)})
			}
			rows = append(rows, row)
		}
	}
	return output.TableOf(columns, rows), nil
}

// chart draws the curves of the targets. It has no series if no product wants a workspace.
func (r *Report) chart() *chart.Chart {
	c := &chart.Chart{Title: "GEMMs that lose their best kernel", XLabel: "workspace",
		YLabel: "GEMMs", FromZero: true, Counts: true, Marks: []chart.Mark{{Label: "32 MiB, default", X: 32 << 20}}}
	for i := range r.Targets {
		t := &r.Targets[i]
		if len(t.Curve) == 0 {
			continue
		}
		line := chart.Series{Name: t.String(), Steps: true}
		least, most := t.Curve[len(t.Curve)-1], t.Curve[0].Bytes
		line.Points = []chart.Point{{X: float64(least.Bytes) / 2, Y: float64(least.Lost)}}
		for k := range slices.Backward(t.Curve) { // from few bytes, where most products lose
			lost := 0
			if k > 0 {
				lost = t.Curve[k-1].Lost
			}
			line.Points = append(line.Points, chart.Point{X: float64(t.Curve[k].Bytes), Y: float64(lost)})
		}
		line.Points = append(line.Points, chart.Point{X: 2 * float64(most)})
		c.Series = append(c.Series, line)
	}
	return c
}
