package size

import (
	"fmt"
	"path/filepath"
	"strings"

	"roclua/hip/arch"
	"roclua/hip/release"
	"roclua/internal/atomicfile"
	"roclua/internal/chart"
	"roclua/workspace/footprint"
)

// maxSeries bounds the lines of one plot, to keep them distinguishable.
const maxSeries = 12

// Plot draws the bytes of a sweep over the numeric axis with the most values into a file FILE.svg. Each combination of
// the other axes is a line for each target.
func (q *Query) Plot(s atomicfile.System, path string) error {
	if !q.isSweep() {
		return fmt.Errorf("there is no sweep to draw; add one, such as --sweep n=64:8192:x2")
	}
	if ext := filepath.Ext(path); ext != ".svg" {
		return fmt.Errorf("the file must be a .svg")
	}
	c, err := q.chart()
	if err != nil {
		return err
	}
	return atomicfile.Replace(s, path, c.WriteSVG)
}

func (q *Query) chart() (*chart.Chart, error) {
	s := q.sequence
	x := plotAxis(s)
	if x < 0 {
		return nil, fmt.Errorf("no axis of numbers has more than one value")
	}
	if n := s.Points() / len(s.Axes[x].Values) * len(q.targets); n > maxSeries {
		return nil, fmt.Errorf("%d lines are more than the limit of %d; use fewer values for the axes other than %s", n,
			maxSeries, s.Axes[x].Name)
	}
	large := strings.Join(arch.LargeNames(release.Default()), ", ")
	c := &chart.Chart{Title: s.String(), XLabel: s.Axes[x].Name, YLabel: "workspace",
		Marks: []chart.Mark{{Label: "32 MiB, default", Y: 32 << 20},
			{Label: "128 MiB, default of " + large, Y: 128 << 20}}}
	lines := map[string]*chart.Series{}
	var order []string
	for point, needs := range q.points() {
		for k, n := range needs {
			name := seriesName(s, x, point, q.targets[k], len(q.targets) > 1)
			if lines[name] == nil {
				lines[name] = &chart.Series{Name: name}
				order = append(order, name)
			}
			if n.err == nil {
				lines[name].Points = append(lines[name].Points,
					chart.Point{X: float64(s.Axes[x].Values[point[x]]), Y: float64(n.bytes)})
			}
		}
	}
	for _, name := range order {
		c.Series = append(c.Series, *lines[name])
	}
	return c, nil
}

// plotAxis returns the numeric axis with the most values, -1 if none has two.
func plotAxis(s *footprint.Sequence) int {
	best, most := -1, 1
	for i, a := range s.Axes {
		if a.Labels == nil && len(a.Values) > most {
			best, most = i, len(a.Values)
		}
	}
	return best
}

func seriesName(s *footprint.Sequence, x int, point []int, t footprint.Target, several bool) string {
	var parts []string
	for k, a := range s.Axes {
		if k != x {
			parts = append(parts, a.Name+" = "+a.Label(point[k]))
		}
	}
	if several || len(parts) == 0 {
		parts = append(parts, t.String())
	}
	return strings.Join(parts, ", ")
}
