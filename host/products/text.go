package products

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"roclua/host/output"
	"roclua/host/targets"
	"roclua/internal/atomicfile"
	"roclua/internal/chart"
	"roclua/internal/units"
)

// best is shown for a workspace that costs a product nothing.
const best = "best"

// listed is the most products that the text shows of a target. Other formats have all of them.
const listed = 40

// WriteText writes a table for each target: the products that want most, their kernels and what they lose.
func (r *Report) WriteText(w io.Writer) error {
	for i := range r.Targets {
		t := &r.Targets[i]
		fmt.Fprintf(w, "%s, %d compute units\n", t.Device, t.Units)
		shown := t.byNeeds()
		if len(shown) > listed {
			shown = shown[:listed]
		}
		fmt.Fprintln(w, r.table(shown))
		if more := len(t.Products) - len(shown); more > 0 {
			fmt.Fprintf(w, "%d more products, which want no more; --csv lists all\n", more)
		}
		r.writeSummary(w, t)
	}
	_, err := fmt.Fprintln(w, r.limits())
	return err
}

// byNeeds returns the products, those that want most first.
func (t *Target) byNeeds() []*Product {
	list := slices.Clone(t.Products)
	slices.SortStableFunc(list, func(a, b *Product) int { return cmp.Compare(b.needs, a.needs) })
	return list
}

// limits says what the report does not know.
func (r *Report) limits() string {
	other := "hipBLASLt"
	if r.Targets[0].Library == other {
		other = "rocBLAS"
	}
	return fmt.Sprintf("The kernels are those of %s, not of %s. Their times are not known.",
		r.Targets[0].Library, other)
}

// table shows products: the best kernel, and for each workspace the kernel that is used instead.
func (r *Report) table(list []*Product) string {
	names := r.columns()
	t := targets.NewTable(names, nil)
	for _, p := range list {
		t.Row(p.row(len(names)), nil)
	}
	return t.Render()
}

func (r *Report) columns() []string {
	names := []string{"product", "times", "kernel", "split of k", "bytes", "waves"}
	for _, bytes := range r.Workspaces {
		names = append(names, "with "+shortBytes(bytes))
	}
	return names
}

// row returns the cells of a product.
func (p *Product) row(columns int) []string {
	row := []string{p.Text, fmt.Sprint(p.Times)}
	if p.Best == nil {
		row = append(row, p.Reason)
	} else {
		row = append(row, tile(p.Best), split(p.Best), targets.ShortBytes(p.Best.Bytes), shortWaves(p.Best))
		for i, k := range p.At {
			row = append(row, instead(p, k, i))
		}
	}
	return append(row, make([]string, columns-len(row))...)
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

// split says how the sum over k is divided.
func split(k *Kernel) string {
	switch {
	case k.StreamK:
		return "stream-K"
	case k.Split == 0:
		return "?"
	}
	return strconv.Itoa(k.Split)
}

// instead says what a product uses in workspace i.
func instead(p *Product, k *Kernel, i int) string {
	if !p.loses(i) {
		return best
	}
	if k == nil {
		return "none: the call fails"
	}
	return fmt.Sprintf("%s, split %s, %s waves", tile(k), split(k), shortWaves(k))
}

func shortBytes(n uint64) string {
	if n > 0 && n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprint(n)
}

// writeSummary writes the smallest workspace that loses no kernel, what others lose, and which products decide.
func (r *Report) writeSummary(w io.Writer, t *Target) {
	known := len(t.Products) - t.Unknown - t.Without
	if t.Without > 0 {
		fmt.Fprintf(w, "%d of %d products run no kernel of the tuning files\n", t.Without, len(t.Products))
	}
	if t.Unknown > 0 {
		fmt.Fprintf(w, "the kernels of %d of %d products are not known\n", t.Unknown, len(t.Products))
	}
	if t.Smallest == 0 {
		fmt.Fprintf(w, "none of %d products wants a workspace\n\n", known)
		return
	}
	fmt.Fprintf(w, "%d of %d products want a workspace; the smallest that loses no kernel has %s\n",
		t.Curve[len(t.Curve)-1].Lost, known, units.FormatBytes(t.Smallest))
	for i, bytes := range r.Workspaces {
		if n := t.lost(i); n > 0 {
			fmt.Fprintf(w, "  with %s %d of them use another kernel\n", units.FormatBytes(bytes), n)
		}
	}
	fmt.Fprintln(w, "products that lose their kernel below a number of bytes:")
	for i, s := range t.Curve {
		if i == 8 {
			fmt.Fprintf(w, "  ... and %d smaller numbers\n", len(t.Curve)-i)
			break
		}
		fmt.Fprintf(w, "  %4d below %s\n", s.Lost, units.FormatBytes(s.Bytes))
	}
	fmt.Fprintln(w)
}

// Document returns the whole report.
func (r *Report) Document() (any, error) { return r, nil }

// Table has a row for each product on each target.
func (r *Report) Table() (output.Table, error) {
	columns := []string{"profile", "arch", "call", "times", "kernel", "tile", "split", "bytes", "waves", "reason"}
	for _, bytes := range r.Workspaces {
		columns = append(columns, fmt.Sprintf("kernel_%d", bytes), fmt.Sprintf("split_%d", bytes))
	}
	var rows [][]string
	for i := range r.Targets {
		t := &r.Targets[i]
		for _, p := range t.Products {
			row := []string{t.Profile, t.Arch, p.Text, strconv.FormatInt(p.Times, 10)}
			if k := p.Best; k != nil {
				row = append(row, k.Name, tile(k), strconv.Itoa(k.Split), strconv.FormatUint(k.Bytes, 10),
					shortWaves(k))
			} else {
				row = append(row, "", "", "", "", "")
			}
			row = append(row, p.Reason)
			for _, k := range p.At {
				if k == nil {
					k = &Kernel{}
				}
				row = append(row, k.Name, strconv.Itoa(k.Split))
			}
			for len(row) < len(columns) {
				row = append(row, "")
			}
			rows = append(rows, row)
		}
	}
	return output.TableOf(columns, rows), nil
}

// Plot draws the workspace over the products that lose their kernel below it, into a file FILE.svg.
func (r *Report) Plot(s atomicfile.System, path string) error {
	if !strings.HasSuffix(path, ".svg") {
		return fmt.Errorf("the file must be a .svg")
	}
	c := r.chart()
	if len(c.Series) == 0 {
		return fmt.Errorf("no product wants a workspace, so there is nothing to draw")
	}
	return atomicfile.Replace(s, path, c.WriteSVG)
}

// chart draws the curves of the targets. It has no series if no product wants a workspace.
func (r *Report) chart() *chart.Chart {
	c := &chart.Chart{Title: "products that lose their kernel below a workspace", XLabel: "products",
		YLabel: "workspace", Linear: true, Marks: []chart.Mark{{Label: "32 MiB, default", Y: 32 << 20}}}
	for i := range r.Targets {
		t := &r.Targets[i]
		line := chart.Series{Name: t.String()}
		for _, step := range t.Curve {
			line.Points = append(line.Points, chart.Point{X: float64(step.Lost), Y: float64(step.Bytes)})
		}
		if len(line.Points) > 0 {
			c.Series = append(c.Series, line)
		}
	}
	return c
}
