package render

import (
	"fmt"
	"path/filepath"

	"roclua/host/answer"
	"roclua/host/replay"
	"roclua/host/targets"
	"roclua/internal/chart"
	"roclua/internal/units"
)

// Input names the logs and recordings.
func (r *Report) Input() string {
	if n := len(r.Files); n > 1 {
		return fmt.Sprintf("%s and %s", r.Files[0].Name, units.Count(n-1, "more log"))
	}
	return r.Files[0].Name
}

// picture draws the need of each distinct call at its first line, and the memory of a managed handle. Lines of several
// files follow one another.
func (r *Report) picture() *chart.Chart {
	c := &chart.Chart{Title: "workspace of each call, and memory of a managed handle", XLabel: "line",
		YLabel: "memory", Linear: true}
	if r.onlyRecordings() {
		c.XLabel = "call"
	}
	if len(r.Files) > 1 {
		c.XLabel += ", counted over all logs"
	}
	for i := range r.Targets {
		name := r.Targets[i].String()
		c.Series = append(c.Series, chart.Series{Name: name + ": calls", Group: name,
			Points: r.needsOver(i), Stems: true})
		if len(r.Targets[i].Managed.Growths) > 0 {
			c.Series = append(c.Series, chart.Series{Name: name + ": a managed handle, growing", Group: name,
				Points: r.heldOver(i)})
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

func (r *Report) needsOver(target int) []chart.Point {
	var points []chart.Point
	last := -1
	for _, c := range r.ByLine {
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
		x := float64(r.lineInAll(g.Number, g.Line))
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

// mostSpans bounds the handles whose lifetimes are drawn.
const mostSpans = 200

// Memory draws the memory of all handles of each recording over its calls, on the releases that made its calls, with
// the lifetimes of the handles, their growths and the peak.
func (r *Report) Memory() (list []answer.Section) {
	for _, rec := range r.Recordings {
		c := &chart.Chart{Title: "memory of all handles of " + filepath.Base(rec.Name), XLabel: "call",
			YLabel: "memory", Linear: true, FromZero: true,
			SpanName: "handles, from the call that creates them to the one that destroys them"}
		runs, names := rec.Runs, r.names()
		if runs == nil {
			runs, names = []*replay.Result{rec.Result}, []string{rec.Profile}
		}
		var peak replay.Holding
		var growths []chart.Series
		for i, run := range runs {
			line, dots := history(names[i], run)
			if c.Series = append(c.Series, line); dots.Points != nil {
				growths = append(growths, dots)
			}
			for _, h := range run.History {
				if h.Bytes > peak.Bytes {
					peak = h
				}
			}
		}
		if peak.Bytes == 0 {
			continue
		}
		c.Marks = []chart.Mark{{Label: "the peak, " + targets.ShortBytes(peak.Bytes), X: float64(peak.Call)}}
		c.Series = append(c.Series, growths...)
		for _, h := range rec.Result.Handles[:min(len(rec.Result.Handles), mostSpans)] {
			end := h.End
			if end == 0 {
				end = rec.Last
			}
			c.Spans = append(c.Spans, chart.Span{Name: fmt.Sprintf("handle %d, call %d to %d", h.Number, h.Begin, end),
				From: float64(h.Begin), To: float64(end)})
		}
		list = append(list, answer.Section{Picture: c, Caption: "The memory that the handles held after each call " +
			"of the recording, on one scale. Points are growths."})
	}
	return list
}

// history returns the memory of all handles over the calls, and the growths at the height of the memory after them.
func history(name string, run *replay.Result) (line, growths chart.Series) {
	line = chart.Series{Name: name, Steps: true, Points: []chart.Point{{}}}
	growths = chart.Series{Name: name + ": growths", Group: name, Dots: true}
	grows := map[int64]bool{}
	for _, h := range run.Handles {
		for _, g := range h.Growths {
			grows[g.Call] = true
		}
	}
	for k, h := range run.History {
		p := chart.Point{X: float64(h.Call), Y: float64(h.Bytes)}
		line.Points = append(line.Points, p)
		last := k+1 == len(run.History) || run.History[k+1].Call > h.Call // of the changes in a call
		if last && grows[h.Call] {
			growths.Points = append(growths.Points, p)
		}
	}
	last := line.Points[len(line.Points)-1]
	line.Points = append(line.Points, chart.Point{X: float64(run.Last), Y: last.Y})
	return line, growths
}
