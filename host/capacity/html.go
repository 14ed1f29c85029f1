package capacity

import (
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"

	"roclua/host/applog/render"
	"roclua/host/targets"
	"roclua/internal/chart"
)

// The parts of the picture.
type (
	picture struct {
		Height, Axis int
		Bars         []bar
		Groups       []label // schemes
		Ticks        []label
		Legend       []bar   // targets
		Budget       float64 // 0 for none
	}
	bar struct {
		Y           int
		X, Width    float64
		Color, Text string
		End         float64
		Base        int // of the text
		Title       string
	}
	label struct {
		Text string
		Y    int
		X    float64
	}
)

// Places in the picture.
const (
	barsBegin = 180.0
	barsWidth = 640.0
	barStep   = 20
	legendTop = 30
)

// colors distinguish the targets.
var colors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"}

// WriteSVG writes the picture.
func (p picture) WriteSVG(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "<svg viewBox=\"0 0 1000 %d\" role=\"img\" "+
		"aria-label=\"Bytes of all handles by scheme, on one scale for all releases\">\n", p.Height)
	for _, l := range p.Legend {
		fmt.Fprintf(&b, "<rect x=\"%g\" y=\"%d\" width=\"14\" height=\"14\" fill=\"%s\"/>"+
			"<text x=\"%[1]g\" dx=\"20\" y=\"%[4]d\">%[5]s</text>\n", l.X, l.Y, l.Color, l.Base,
			html.EscapeString(l.Text))
	}
	for _, t := range p.Ticks {
		fmt.Fprintf(&b, "<line class=\"grid\" x1=\"%g\" x2=\"%[1]g\" y1=\"24\" y2=\"%[2]d\"/>"+
			"<text x=\"%[1]g\" y=\"%[3]d\" text-anchor=\"middle\">%[4]s</text>\n", t.X, p.Axis, t.Y, t.Text)
	}
	for _, g := range p.Groups {
		fmt.Fprintf(&b, "<text class=\"strong\" x=\"%g\" y=\"%d\" text-anchor=\"end\">%s</text>\n", g.X, g.Y,
			html.EscapeString(g.Text))
	}
	for _, bar := range p.Bars {
		fmt.Fprintf(&b, "<rect x=\"%g\" y=\"%d\" width=\"%g\" height=\"16\" fill=\"%s\"><title>%s</title></rect>"+
			"<text x=\"%g\" y=\"%d\">%s</text>\n", bar.X, bar.Y, bar.Width, bar.Color, html.EscapeString(bar.Title),
			bar.End, bar.Base, bar.Text)
	}
	if p.Budget > 0 {
		fmt.Fprintf(&b, "<line class=\"mark\" x1=\"%g\" x2=\"%[1]g\" y1=\"24\" y2=\"%[2]d\" stroke=\"#cf222e\" "+
			"stroke-width=\"2\" stroke-dasharray=\"6 4\"><title>the budget</title></line>"+
			"<text x=\"%[1]g\" y=\"%[2]d\" dy=\"34\" text-anchor=\"middle\">the budget</text>\n", p.Budget, p.Axis)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// picture draws a bar for each scheme on each target, on one scale.
func (p *Plan) picture() (pic picture) {
	most := uint64(1)
	var schemes []string
	totals := make([][]render.Total, len(p.Targets))
	for i, t := range p.Targets {
		shared := render.Total{Scheme: "one shared workspace"}
		for _, s := range t.Sharing {
			shared.Peak += s.Bytes
		}
		totals[i] = append(slices.Clip(t.Totals), shared)
		for _, total := range totals[i] {
			most = max(most, total.Peak)
			if !slices.Contains(schemes, total.Scheme) {
				schemes = append(schemes, total.Scheme)
			}
		}
		pic.Legend = append(pic.Legend, bar{X: barsBegin + float64(i%4)*160, Y: 4 + i/4*barStep, Base: 15 + i/4*barStep,
			Color: colors[i%len(colors)], Text: t.Profile + "/" + t.Arch})
	}
	if p.Budget != nil {
		most = max(most, *p.Budget)
	}
	scale := barsWidth / float64(most)
	y := legendTop + (len(p.Targets)-1)/4*barStep
	for _, scheme := range schemes {
		pic.Groups = append(pic.Groups, label{scheme, y + 14, barsBegin - 10})
		for i := range totals {
			k := slices.IndexFunc(totals[i], func(t render.Total) bool { return t.Scheme == scheme })
			if k >= 0 {
				total := totals[i][k]
				width := float64(total.Peak) * scale
				pic.Bars = append(pic.Bars, bar{Y: y + 2, X: barsBegin, Width: max(width, 1),
					Color: colors[i%len(colors)], Text: targets.ShortBytes(total.Peak), End: barsBegin + width + 8,
					Base: y + 14, Title: pic.Legend[i].Text + ", " + scheme + ": " + total.About})
			}
			y += barStep
		}
		y += 8
	}
	pic.Axis, pic.Height = y, y+40 // for labels and the budget
	step := uint64(math.Exp2(math.Ceil(math.Log2(float64(most) / 5))))
	for n := uint64(0); n <= most; n += max(step, 1) {
		text := chart.Bytes(float64(n))
		pic.Ticks = append(pic.Ticks, label{text, y + 18, barsBegin + float64(n)*scale})
	}
	if p.Budget != nil {
		pic.Budget = barsBegin + float64(*p.Budget)*scale
	}
	return pic
}
