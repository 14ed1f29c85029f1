package render

import (
	"fmt"

	"roclua/host/applog/analyze"
	"roclua/internal/chart"
	"roclua/internal/units"
)

func (r *Report) title() string {
	if n := len(r.Files); n > 1 {
		return fmt.Sprintf("%s and %s", r.Files[0].Name, units.Count(n-1, "more log"))
	}
	return r.Files[0].Name
}

// picture draws the need of each distinct call at its first line, and the memory of a managed handle. Lines of several
// files follow one another.
func (r *Report) picture() *chart.Chart {
	c := &chart.Chart{Title: "needs of the calls, and the memory of a managed handle", XLabel: "line", YLabel: "bytes",
		Linear: true}
	if len(r.Files) > 1 {
		c.XLabel = "line, counted over all logs"
	}
	calls := r.byLine()
	for i := range r.Targets {
		name := r.Targets[i].String()
		c.Series = append(c.Series, chart.Series{Name: name + ": calls", Points: r.needsOver(calls, i),
			Stems: true})
		if len(r.Targets[i].Managed.Growths) > 0 {
			c.Series = append(c.Series, chart.Series{Name: name + ": a managed handle, growing", Points: r.heldOver(i)})
		}
	}
	if len(r.Targets) > 0 {
		c.Marks = append(c.Marks, chart.Mark{Label: "a new handle", Y: float64(r.Targets[0].Managed.Initial)})
	}
	if r.Workspace != nil {
		c.Marks = append(c.Marks, chart.Mark{Label: "--workspace", Y: float64(*r.Workspace)})
	}
	return c
}

// steps is the number of intervals in the chart; each shows its largest need.
const steps = 400

func (r *Report) needsOver(calls []*analyze.Call, target int) []chart.Point {
	var points []chart.Point
	last := -1
	for _, c := range calls {
		n := c.Needs[target]
		if !n.Known() || n.Status != "" {
			continue
		}
		x := r.lineInAll(c.File, c.Line)
		step := int(x * steps / (r.allLines() + 1))
		p := chart.Point{X: float64(x), Y: float64(n.Bytes)}
		switch {
		case step != last:
			points = append(points, p)
		case p.Y > points[len(points)-1].Y:
			points[len(points)-1] = p
		}
		last = step
	}
	return points
}

func (r *Report) heldOver(target int) []chart.Point {
	m := r.Targets[target].Managed
	points := []chart.Point{{X: 1, Y: float64(m.Initial)}}
	for _, g := range m.Growths {
		x := float64(r.lineInAll(g.File, g.Line))
		points = append(points, chart.Point{X: x, Y: float64(g.From)}, chart.Point{X: x, Y: float64(g.To)})
	}
	return append(points, chart.Point{X: float64(r.allLines()), Y: points[len(points)-1].Y})
}

// lineInAll returns the number of a line among the lines of all files.
func (r *Report) lineInAll(file int, line int64) int64 {
	for _, f := range r.Files[:file] {
		line += f.Lines
	}
	return line
}

func (r *Report) allLines() int64 { return r.lineInAll(len(r.Files), 0) }
