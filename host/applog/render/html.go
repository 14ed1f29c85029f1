package render

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"roclua/host/answer"
	"roclua/host/applog/analyze"
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
	calls := r.byLine()
	for i := range r.Targets {
		name := r.Targets[i].String()
		c.Series = append(c.Series, chart.Series{Name: name + ": calls", Group: name,
			Points: r.needsOver(calls, i), Stems: true})
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
		x := float64(r.lineInAll(g.File.Number, g.Line))
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
		for i, run := range runs {
			line := chart.Series{Name: names[i], Steps: true, Points: []chart.Point{{}}}
			for _, h := range run.History {
				line.Points = append(line.Points, chart.Point{X: float64(h.Call), Y: float64(h.Bytes)})
				if h.Bytes > peak.Bytes {
					peak = h
				}
			}
			last := line.Points[len(line.Points)-1]
			line.Points = append(line.Points, chart.Point{X: float64(run.Last), Y: last.Y})
			c.Series = append(c.Series, line)
		}
		if peak.Bytes == 0 {
			continue
		}
		c.Marks = []chart.Mark{{Label: "the peak, " + targets.ShortBytes(peak.Bytes), X: float64(peak.Call)}}
		c.Series = append(c.Series, growthDots(names, runs)...)
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

// growthDots draws the growths of handles at the height of the memory after them.
func growthDots(names []string, runs []*replay.Result) (list []chart.Series) {
	for i, run := range runs {
		dots := chart.Series{Name: names[i] + ": growths", Group: names[i], Dots: true}
		for _, h := range run.Handles {
			for _, g := range h.Growths {
				k, found := slices.BinarySearchFunc(run.History, g.Call, func(h replay.Holding, call int64) int {
					return cmp.Compare(h.Call, call)
				})
				if found {
					for k+1 < len(run.History) && run.History[k+1].Call == g.Call {
						k++
					}
					dots.Points = append(dots.Points, chart.Point{X: float64(g.Call), Y: float64(run.History[k].Bytes)})
				}
			}
		}
		if dots.Points != nil {
			list = append(list, dots)
		}
	}
	return list
}
