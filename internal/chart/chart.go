// Package chart plots bytes over a number, or a number over bytes, and draws bars of bytes, as SVG: one file without
// scripts or fonts, readable on light and dark backgrounds and in print.
//
//	c := chart.Chart{Title: "dgetrf", XLabel: "n", YLabel: "bytes", Series: series}
//	err := c.WriteSVG(w)
package chart

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"
)

// Chart is a set of lines of bytes over a number.
type Chart struct {
	Title          string
	XLabel, YLabel string
	Series         []Series
	Marks          []Mark   // horizontal reference lines
	Names          []string // of x = 1, 2, ...: the points are bars, and the series stand side by side
	Linear         bool     // the horizontal axis is never logarithmic, and has labels at round numbers
	FromZero       bool     // the vertical axis starts with 0 and is not logarithmic
	Counts         bool     // the vertical axis has numbers in place of bytes, and the horizontal one bytes
	Spans          []Span   // drawn as bars below the plot, next to each other where they do not overlap
	SpanName       string   // of the bars
}

// Span is a part of the horizontal axis.
type Span struct {
	Name     string
	From, To float64
}

// Series is one line. Its points are joined in order.
type Series struct {
	Name   string
	Group  string // series of a group have one color; by default a series has its own
	Points []Point
	Stems  bool // draw each point as a vertical line, a few pixels to the right of the previous series
	Steps  bool // the line keeps its height until the next point
	Dots   bool // no line joins the points
}

// Point is a number of bytes at x.
type Point struct{ X, Y float64 }

// Mark is a named horizontal line, or an upright one if it has an X.
type Mark struct {
	Label string
	Y, X  float64
}

// The layout in pixels: the plot area lies within the margins, the legend below it.
const (
	width, height             = 860.0, 520.0
	left, right, top, bottom  = 84.0, 24.0, 48.0, 56.0
	legendLine, legendGap     = 20.0, 10.0
	tooManyForMarkers         = 120
	stemGap                   = 3.0 // pixels between the stems of two series
	logRatio                  = 16  // an axis with a larger ratio is logarithmic
	plotWidth, plotHeight     = width - left - right, height - top - bottom
	end, lower                = width - right, height - bottom
	labelsAcross, labelsUp    = 12, 10
	digitWidth                = 8.0 // maximum, in labels
	legendColumns, legendStep = 2, plotWidth / 2
	lane, mostLanes           = 9.0, 24
	widestBar                 = 36.0
)

// colors are distinguishable by color-blind readers, on both backgrounds.
var colors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"}

// dashes let a line show through another drawn over it.
var dashes = []string{"", "7 4", "2 3"}

const style = `
text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#24292f}
.title{font-size:15px;font-weight:600}.tick{font-size:12px;fill:#57606a}
.grid{stroke:#d0d7de;stroke-width:1}.axis{stroke:#57606a;stroke-width:1}
.mark{stroke:#cf222e;stroke-width:1;stroke-dasharray:6 4}.marktext{font-size:12px;fill:#cf222e}
.marktext{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round} /* readable over lines */
.ground{fill:#fff}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.tick{fill:#9ea7b3}.grid{stroke:#30363d}.axis{stroke:#9ea7b3}
.mark{stroke:#ff7b72}.marktext{fill:#ff7b72;stroke:#0d1117}.ground{fill:#0d1117}}
@media print{text{fill:#000}.marktext{stroke:#fff}.ground{fill:#fff}}
`

// WriteSVG writes the chart.
func (c *Chart) WriteSVG(w io.Writer) error {
	var b strings.Builder
	rows := (len(c.Series) + legendColumns - 1) / legendColumns
	lanes := c.lanes()
	below := height + legendGap + float64(rows)*legendLine
	total := below
	if len(lanes) > 0 {
		total += 2*legendLine + float64(len(lanes))*lane
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" role="img" aria-label="%s">`,
		width, total, width, total, html.EscapeString(c.Title))
	fmt.Fprintf(&b, "\n<style>%s</style>\n<rect class=\"ground\" width=\"%g\" height=\"%g\"/>\n", style, width, total)
	fmt.Fprintf(&b, "<text class=\"title\" x=\"%g\" y=\"24\">%s</text>\n", left, html.EscapeString(clip(c.Title, 100)))
	x, y := c.xScale(), c.yScale()
	c.drawAxes(&b, x, y)
	for i := range c.Series {
		c.drawSeries(&b, i, x, y)
	}
	c.drawMarks(&b, x, y)
	c.drawSpans(&b, lanes, x, below+legendLine)
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func clip(text string, letters int) string {
	if r := []rune(text); len(r) > letters {
		return string(r[:letters-1]) + "…"
	}
	return text
}

func (c *Chart) drawAxes(b *strings.Builder, x, y scale) {
	for _, t := range y.ticks(labelsUp, c.yText) {
		fmt.Fprintf(b, "<line class=\"grid\" x1=\"%g\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\"/>", left, end, t.at, t.at)
		fmt.Fprintf(b, "<text class=\"tick\" x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", left-8, t.at+4,
			t.text)
	}
	for _, t := range x.ticks(labelsAcross, c.xText) {
		fmt.Fprintf(b, "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%g\" y2=\"%g\"/>", t.at, t.at, lower, lower+5)
		fmt.Fprintf(b, "<text class=\"tick\" x=\"%.1f\" y=\"%g\" text-anchor=\"%s\">%s</text>\n", t.at, lower+20,
			anchor(t), t.text)
	}
	fmt.Fprintf(b, "<line class=\"axis\" x1=\"%g\" x2=\"%g\" y1=\"%g\" y2=\"%g\"/>\n", left, end, lower, lower)
	fmt.Fprintf(b, "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">%s</text>\n", left+plotWidth/2, lower+42,
		html.EscapeString(c.XLabel))
	fmt.Fprintf(b, "<text x=\"18\" y=\"%g\" text-anchor=\"middle\" transform=\"rotate(-90 18 %g)\">%s</text>\n",
		top+plotHeight/2, top+plotHeight/2, html.EscapeString(c.YLabel))
}

// anchor returns the text anchor of a label on the horizontal axis. A wide label near the right edge is right-aligned,
// so that it is not clipped.
func anchor(t tick) string {
	if t.at+float64(len(t.text))*digitWidth/2 > width {
		return "end"
	}
	return "middle"
}

// xText writes a label of the horizontal axis.
func (c *Chart) xText(v float64) string {
	switch {
	case c.Names != nil:
		return html.EscapeString(c.Names[int(v)-1])
	case c.Counts:
		return bytesText(v)
	}
	return numberText(v)
}

// yText writes a label of the vertical axis.
func (c *Chart) yText(v float64) string {
	if c.Counts {
		return numberText(v)
	}
	return bytesText(v)
}

// lanes puts each span into the first lane that is free.
func (c *Chart) lanes() (lanes [][]Span) {
	for _, s := range c.Spans {
		i := slices.IndexFunc(lanes, func(l []Span) bool { return l[len(l)-1].To <= s.From })
		switch {
		case i >= 0:
			lanes[i] = append(lanes[i], s)
		case len(lanes) < mostLanes:
			lanes = append(lanes, []Span{s})
		}
	}
	return lanes
}

// drawSpans draws the bars of the spans from a height down.
func (c *Chart) drawSpans(b *strings.Builder, lanes [][]Span, x scale, at float64) {
	if len(lanes) > 0 {
		fmt.Fprintf(b, "<text x=\"%g\" y=\"%g\">%s</text>\n", left, at, html.EscapeString(c.SpanName))
	}
	for i, list := range lanes {
		for k, s := range list {
			from, to := x.at(s.From), x.at(s.To)
			fmt.Fprintf(b, "<rect x=\"%.1f\" y=\"%g\" width=\"%.1f\" height=\"%g\" fill=\"%s\">", from,
				at+6+float64(i)*lane, max(2, to-from-1), lane-2, colors[(i+k)%len(colors)])
			fmt.Fprintf(b, "<title>%s</title></rect>\n", html.EscapeString(s.Name))
		}
	}
}

// drawMarks draws the reference lines within the plot.
func (c *Chart) drawMarks(b *strings.Builder, x, y scale) {
	for _, m := range c.Marks {
		if m.X != 0 {
			if m.X < x.low || m.X > x.high {
				continue
			}
			at := x.at(m.X)
			fmt.Fprintf(b, "<line class=\"mark\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%g\" y2=\"%g\"/>", at, at, top,
				lower)
			side, anchor := 6.0, "start"
			if at > left+plotWidth/2 {
				side, anchor = -6, "end"
			}
			fmt.Fprintf(b, "<text class=\"marktext\" x=\"%.1f\" y=\"%g\" text-anchor=\"%s\">%s</text>\n", at+side,
				top+12, anchor, html.EscapeString(m.Label))
			continue
		}
		at := y.at(m.Y)
		if at < top || at > lower || m.Y > y.high {
			continue
		}
		fmt.Fprintf(b, "<line class=\"mark\" x1=\"%g\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\"/>", left, end, at, at)
		x, anchor := left+6.0, "start"
		if c.Names != nil { // the first bars may be as high
			x, anchor = end-6, "end"
		}
		fmt.Fprintf(b, "<text class=\"marktext\" x=\"%g\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, at-5, anchor,
			html.EscapeString(m.Label))
	}
}

func (c *Chart) drawSeries(b *strings.Builder, i int, x, y scale) {
	s := c.Series[i]
	color, dash := colors[c.group(i)%len(colors)], dashes[(i+i/len(colors))%len(dashes)]
	if s.Stems || c.Names != nil {
		dash = ""
	}
	var line []string
	for i, p := range s.Points {
		if s.Steps && i > 0 {
			line = append(line, fmt.Sprintf("%.1f,%.1f", x.at(p.X), y.at(s.Points[i-1].Y)))
		}
		line = append(line, fmt.Sprintf("%.1f,%.1f", x.at(p.X), y.at(p.Y)))
	}
	stroke := fmt.Sprintf("fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"", color, dash)
	switch {
	case c.Names != nil:
		c.drawBars(b, i, x, y)
	case s.Stems:
		x.from, x.to = x.from+float64(i)*stemGap, x.to+float64(i)*stemGap
		fmt.Fprintf(b, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" d=\"%s\"/>\n", color, s.stems(x, y))
	case !s.Dots:
		fmt.Fprintf(b, "<polyline %s points=\"%s\"/>\n", stroke, strings.Join(line, " "))
	}
	if len(s.Points) <= tooManyForMarkers && c.Names == nil {
		for _, p := range s.Points {
			fill := color
			if s.Steps {
				fill = "transparent" // only for its text
			}
			fmt.Fprintf(b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\" fill=\"%s\">", x.at(p.X), y.at(p.Y), fill)
			fmt.Fprintf(b, "<title>%s\n%s = %s: %s</title></circle>\n", html.EscapeString(s.Name),
				html.EscapeString(c.XLabel), numberText(p.X), c.exact(p.Y))
		}
	}
	column, row := i%legendColumns, i/legendColumns
	lx, ly := left+float64(column)*legendStep, height+legendGap+float64(row)*legendLine
	if s.Dots {
		fmt.Fprintf(b, "<circle cx=\"%g\" cy=\"%g\" r=\"3.2\" fill=\"%s\"/>", lx+14, ly-4, color)
	} else {
		fmt.Fprintf(b, "<line %s x1=\"%g\" x2=\"%g\" y1=\"%g\" y2=\"%g\"/>", stroke, lx, lx+28, ly-4, ly-4)
	}
	fmt.Fprintf(b, "<text x=\"%g\" y=\"%g\">%s</text>\n", lx+36, ly, html.EscapeString(clip(s.Name, 52)))
}

// drawBars draws the points of a series as bars.
func (c *Chart) drawBars(b *strings.Builder, series int, x, y scale) {
	s, count, color := c.Series[series], float64(len(c.Series)), colors[c.group(series)%len(colors)]
	wide := min(widestBar, 0.8*plotWidth/float64(len(c.Names))/count)
	for _, p := range s.Points {
		fmt.Fprintf(b, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\">",
			x.at(p.X)+(float64(series)-count/2)*wide, y.at(p.Y), wide-1, lower-y.at(p.Y), color)
		fmt.Fprintf(b, "<title>%s, %s: %s</title></rect>\n", html.EscapeString(s.Name), c.xText(p.X), c.exact(p.Y))
	}
}

// group returns the number of the group of a series, from 0.
func (c *Chart) group(series int) int {
	var groups []string
	for _, s := range c.Series[:series+1] {
		if name := cmp.Or(s.Group, s.Name); !slices.Contains(groups, name) {
			groups = append(groups, name)
		}
	}
	last := c.Series[series]
	return slices.Index(groups, cmp.Or(last.Group, last.Name))
}

// exact returns a value with its unit.
func (c *Chart) exact(y float64) string {
	if c.Counts {
		return numberText(y)
	}
	return fmt.Sprintf("%.0f bytes", y)
}

// stems returns the path of the vertical lines to the points of a series.
func (s *Series) stems(x, y scale) string {
	var b strings.Builder
	for _, p := range s.Points {
		fmt.Fprintf(&b, "M%.1f,%gV%.1f", x.at(p.X), lower, y.at(p.Y))
	}
	return b.String()
}

// values collects one coordinate of every point.
func (c *Chart) values(of func(Point) float64) []float64 {
	var list []float64
	for _, s := range c.Series {
		for _, p := range s.Points {
			list = append(list, of(p))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// xScale spans the names or the numbers. It is logarithmic if the ratio of the numbers is large and none is zero; a few
// numbers are labelled directly.
func (c *Chart) xScale() scale {
	if c.Names != nil {
		s := scale{from: left, to: end, low: 0.5, high: float64(len(c.Names)) + 0.5}
		for i := range c.Names {
			s.fixed = append(s.fixed, float64(i+1))
		}
		return s
	}
	values := c.values(func(p Point) float64 { return p.X })
	s := scale{from: left, to: end}
	if len(values) == 0 {
		return s
	}
	s.low, s.high = values[0], values[len(values)-1]
	s.log = !c.Linear && s.low > 0 && s.high/s.low >= logRatio
	if len(values) <= labelsAcross && !c.Linear && !c.Counts {
		s.fixed = values
	}
	return s
}

// yScale spans the bytes between two powers of two, with room for zero below, or from zero to a round number.
func (c *Chart) yScale() scale {
	values := c.values(func(p Point) float64 { return p.Y })
	if c.FromZero {
		s := scale{from: lower, to: top, high: 1, fixed: []float64{0}}
		if len(values) > 0 {
			s.high = max(1, values[len(values)-1])
		}
		for _, m := range c.Marks {
			s.high = max(s.high, m.Y)
		}
		step := niceStep(s.high / 5)
		if !c.Counts {
			step = math.Exp2(math.Ceil(math.Log2(s.high / 5)))
		}
		for v := step; v < s.high+step; v += step {
			s.fixed = append(s.fixed, v)
		}
		s.high = s.fixed[len(s.fixed)-1]
		return s
	}
	s := scale{from: lower, to: top, log: true, low: 1, high: 2}
	zero := len(values) > 0 && values[0] == 0
	values = slices.DeleteFunc(values, func(v float64) bool { return v == 0 })
	if len(values) > 0 {
		s.low, s.high = math.Exp2(math.Floor(math.Log2(values[0]))),
			math.Exp2(math.Ceil(math.Log2(values[len(values)-1])+0.01))
	}
	if zero {
		s.zero, s.from = lower, lower-plotHeight*0.06
		if len(values) == 0 {
			s.fixed = []float64{} // the axis has no other number
		}
	}
	return s
}
