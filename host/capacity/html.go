package capacity

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"sync"

	"roclua/host/applog/render"
	"roclua/host/targets"
	"roclua/workspace"
)

//go:embed bars.svg
var barsText string

var bars = sync.OnceValue(func() *template.Template { return template.Must(template.New("bars").Parse(barsText)) })

// The parts of the picture.
type (
	picture struct {
		Height int
		Bars   []bar
		Budget float64 // 0 for none
	}
	bar struct {
		Label, Bytes string
		Text         int
		End          float64
		Parts        []part
	}
	part struct {
		X, Width     float64
		Y            int
		Color, Title string
	}
)

// Places in the picture.
const (
	barsBegin = 200.0
	barsWidth = 600.0
	barStep   = 30
	mostParts = 200 // of a bar
)

// colors distinguish neighbours.
var colors = []string{"#0969da", "#bf8700", "#1a7f37", "#8250df"}

// WriteSVG writes the picture.
func (p picture) WriteSVG(w io.Writer) error { return bars().Execute(w, p) }

func (t *Target) picture(budget *uint64) picture {
	totals := t.Totals
	shared := render.Total{Scheme: "one shared workspace"}
	for _, s := range t.Sharing {
		shared.Peak += s.Bytes
	}
	totals = append(totals[:len(totals):len(totals)], shared)
	most := uint64(1)
	for _, total := range totals {
		most = max(most, total.Peak)
	}
	if budget != nil {
		most = max(most, *budget)
	}
	scale := barsWidth / float64(most)
	pic := picture{Height: len(totals)*barStep + 10}
	for i, total := range totals {
		y := i*barStep + 5
		b := bar{Label: total.Scheme, Bytes: targets.ShortBytes(total.Peak), Text: y + 15,
			End: barsBegin + float64(total.Peak)*scale + 8}
		b.Parts = []part{{barsBegin, float64(total.Peak) * scale, y, colors[0], total.About}}
		if total.Scheme == workspace.SchemeUserOwned && len(t.Handles) <= mostParts {
			b.Parts = t.parts(y, scale)
		}
		pic.Bars = append(pic.Bars, b)
	}
	if budget != nil {
		pic.Budget = barsBegin + float64(*budget)*scale
	}
	return pic
}

// parts divides the bar of user-owned workspaces by handles and streams.
func (t *Target) parts(y int, scale float64) (list []part) {
	x := barsBegin
	for i, h := range t.Handles {
		width := float64(h.Wants*uint64(h.Count)) * scale
		list = append(list, part{x, width, y, colors[i%len(colors)],
			fmt.Sprintf("handle %s, stream %d: %d times %s", h.Name, h.Stream, h.Count, targets.ShortBytes(h.Wants))})
		x += width
	}
	return list
}
