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

// Places in the picture.
const (
	barsBegin = 180.0
	barsWidth = 640.0
	barStep   = 20
	legendTop = 30
	inLegend  = 4 // targets on a line
)

// colors distinguish the targets.
var colors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"}

// picture draws a bar for each scheme on each target, on one scale.
type picture struct{ *Plan }

// bars returns the schemes in their order, and the totals of each target.
func (p picture) bars() (schemes []string, totals [][]render.Total) {
	for _, t := range p.Targets {
		shared := render.Total{Scheme: "one shared workspace"}
		for _, s := range t.Sharing {
			shared.Peak += s.Bytes
		}
		list := append(slices.Clip(t.Totals), shared)
		for _, total := range list {
			if !slices.Contains(schemes, total.Scheme) {
				schemes = append(schemes, total.Scheme)
			}
		}
		totals = append(totals, list)
	}
	return schemes, totals
}

// WriteSVG writes the picture.
func (p picture) WriteSVG(w io.Writer) error {
	schemes, totals := p.bars()
	most := uint64(1)
	for _, total := range slices.Concat(totals...) {
		most = max(most, total.Peak)
	}
	if p.Budget != nil {
		most = max(most, *p.Budget)
	}
	scale := barsWidth / float64(most)
	y := legendTop + (len(p.Targets)-1)/inLegend*barStep
	axis := y + len(schemes)*(len(p.Targets)*barStep+8)
	var b strings.Builder
	add := func(format string, values ...any) { fmt.Fprintf(&b, format, values...) }
	add("<svg viewBox=\"0 0 1000 %d\" role=\"img\" "+
		"aria-label=\"Bytes of all handles by scheme, on one scale for all releases\">\n", axis+40)
	for i, t := range p.Targets {
		line := i / inLegend * barStep
		add("<rect x=\"%g\" y=\"%d\" width=\"14\" height=\"14\" fill=\"%s\"/>"+
			"<text x=\"%[1]g\" dx=\"20\" y=\"%[4]d\">%[5]s</text>\n", barsBegin+float64(i%inLegend)*160, 4+line,
			colors[i%len(colors)], 15+line, html.EscapeString(t.name()))
	}
	step := uint64(math.Exp2(math.Ceil(math.Log2(float64(most) / 5))))
	for n := uint64(0); n <= most; n += max(step, 1) {
		add("<line class=\"grid\" x1=\"%g\" x2=\"%[1]g\" y1=\"24\" y2=\"%[2]d\"/>"+
			"<text x=\"%[1]g\" y=\"%[3]d\" text-anchor=\"middle\">%[4]s</text>\n", barsBegin+float64(n)*scale, axis,
			axis+18, chart.Bytes(float64(n)))
	}
	for k, scheme := range schemes {
		at := y + k*(len(p.Targets)*barStep+8)
		add("<text class=\"strong\" x=\"%g\" y=\"%d\" text-anchor=\"end\">%s</text>\n", barsBegin-10, at+14,
			html.EscapeString(scheme))
		for i, list := range totals {
			for _, total := range list {
				if total.Scheme == scheme {
					p.bar(&b, i, total, at+i*barStep, float64(total.Peak)*scale)
				}
			}
		}
	}
	if p.Budget != nil {
		add("<line class=\"mark\" x1=\"%g\" x2=\"%[1]g\" y1=\"24\" y2=\"%[2]d\" stroke=\"#cf222e\" "+
			"stroke-width=\"2\" stroke-dasharray=\"6 4\"><title>the budget</title></line>"+
			"<text x=\"%[1]g\" y=\"%[2]d\" dy=\"34\" text-anchor=\"middle\">the budget</text>\n",
			barsBegin+float64(*p.Budget)*scale, axis)
	}
	add("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// bar writes the bar of a total on target i.
func (p picture) bar(w io.Writer, i int, total render.Total, y int, width float64) {
	fmt.Fprintf(w, "<rect x=\"%g\" y=\"%d\" width=\"%g\" height=\"16\" fill=\"%s\"><title>%s</title></rect>"+
		"<text x=\"%g\" y=\"%d\">%s</text>\n", barsBegin, y+2, max(width, 1), colors[i%len(colors)],
		html.EscapeString(p.Targets[i].name()+", "+total.Scheme+": "+total.About), barsBegin+width+8, y+14,
		targets.ShortBytes(total.Peak))
}
