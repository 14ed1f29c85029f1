package capacity

import (
	_ "embed"
	"html/template"
	"io"
	"math"
	"slices"
	"sync"

	"roclua/host/applog/render"
	"roclua/host/targets"
	"roclua/internal/chart"
)

//go:embed bars.svg
var barsText string

var bars = sync.OnceValue(func() *template.Template { return template.Must(template.New("bars").Parse(barsText)) })

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
func (p picture) WriteSVG(w io.Writer) error { return bars().Execute(w, p) }

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
