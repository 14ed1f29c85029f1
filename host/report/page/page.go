// Package page writes a run as one file that a browser shows: its table, and for each case a picture of the memory over
// time. The file needs no network and no other file.
package page

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math"
	"strings"

	"roclua/host/report/timeline"
)

var (
	//go:embed page.css
	style string
	//go:embed page.html
	body string
	//go:embed base.js
	base string
	//go:embed overview.js
	overview string
	//go:embed table.js
	table string
	//go:embed picture.js
	picture string
	//go:embed page.js
	start string
)

// Document is what the page shows.
type Document struct {
	Title     string              `json:"title"`
	Subtitle  string              `json:"subtitle"`          // command, version, seed
	Machine   string              `json:"machine,omitempty"` // machine of the run, and revision of the project
	Builds    []string            `json:"builds,omitempty"`  // what each profile of the run reproduces
	Failures  []Failure           `json:"failures,omitempty"`
	Passed    bool                `json:"passed"`
	Summary   string              `json:"summary"`
	Scenarios map[string]Scenario `json:"scenarios"` // by name
	Overall   []Check             `json:"overall,omitempty"`

	names  []string // strings that timelines refer to by index
	places map[string]int
}

// Failure is problems that the same cases have.
type Failure struct {
	Outcome  string   `json:"outcome"`
	Headline string   `json:"headline"`
	Names    []string `json:"names"` // of the cases, in short
	Text     string   `json:"text"`
	Cases    []int    `json:"cases"` // indices into the cases
}

// Scenario is what a script says about itself.
type Scenario struct {
	About  string `json:"about,omitempty"`
	Source string `json:"source,omitempty"`
	Script string `json:"script"`
}

// Check is what was expected over several cases.
type Check struct {
	Text   string `json:"text"`
	Have   string `json:"have"`
	Passed bool   `json:"passed"`
}

// Case is one row of the table, and what it opens to.
type Case struct {
	ID       string   `json:"id"`
	Scenario string   `json:"scenario"`
	Label    string   `json:"label"` // the parameters that vary, "n=64 type=d"
	Scheme   string   `json:"scheme"`
	Target   string   `json:"target"`
	Outcome  string   `json:"outcome"`
	Bad      bool     `json:"bad,omitempty"`
	Seconds  float64  `json:"seconds"`
	Why      string   `json:"why,omitempty"`  // what went wrong, or why it was skipped
	Note     string   `json:"note,omitempty"` // what a reader of a passed case should know
	Log      string   `json:"log,omitempty"`
	Metrics  []Metric `json:"metrics,omitempty"`

	HandlePeak  uint64   `json:"handle_peak"`
	HandleSizes []uint64 `json:"handle_sizes,omitempty"` // sizes of the memory of the only handle, one after another

	Peak    uint64 `json:"peak"`
	Calls   int    `json:"calls"`
	Syncs   int    `json:"syncs"`
	Growths int    `json:"growths"`
	Kernels int    `json:"kernels"`

	Timeline   *Timeline `json:"timeline,omitempty"`
	NoTimeline string    `json:"no_timeline,omitempty"` // why there is no timeline
}

// Metric is a value as it is shown.
type Metric struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Unit  string `json:"unit,omitempty"`
}

// Timeline is packed: a list for each entry, times in microseconds, strings as indices into the names of the document.
type Timeline struct {
	End      float64        `json:"end"`
	Capacity uint64         `json:"capacity"`
	Live     [][2]float64   `json:"live"`    // at, bytes
	Handles  [][][2]float64 `json:"handles"` // for each handle: at, bytes
	// at, duration, name, bytes or -1, stream or -1, cause, origin, synchronizing, result or ""
	Calls   [][]any `json:"calls"`
	Kernels [][]any `json:"kernels"` // stream, queued, start, end, name, origin
	Marks   [][]any `json:"marks"`   // at, text, origin
	// at, text, name, stream and origin of the earlier use, name, stream and origin of the later use
	Hazards [][]any `json:"hazards,omitempty"`
	Left    int     `json:"left,omitempty"`
}

// maxEntries bounds what one timeline keeps of each kind: more cannot be distinguished on a screen.
const maxEntries = 2000

// Pack makes a timeline ready for the page.
func (d *Document) Pack(t *timeline.Timeline) *Timeline {
	p := &Timeline{End: micro(t.Seconds), Capacity: t.Capacity, Live: steps(t.Live), Handles: [][][2]float64{}}
	for _, track := range t.Handles {
		p.Handles = append(p.Handles, steps(track.Steps))
	}
	for _, c := range head(t.Calls, &p.Left) {
		bytes, stream, result := int64(-1), -1, ""
		if c.HasBytes {
			bytes = int64(c.Bytes)
		}
		if c.HasStream {
			stream = c.Stream
		}
		if c.Result != 0 {
			result = c.Result.Error()
		}
		if c.Injected != "" {
			result += ", injected: " + c.Injected
		}
		p.Calls = append(p.Calls, []any{micro(c.Seconds), micro(c.Duration), d.name(c.Name), bytes, stream,
			d.name(c.Cause), d.name(c.Origin), flag(c.Synchronizing), d.name(result)})
	}
	for _, k := range head(t.Kernels, &p.Left) {
		p.Kernels = append(p.Kernels, []any{k.Stream, micro(k.Queued), micro(k.Start), micro(k.End), d.name(k.Name),
			d.name(k.Origin)})
	}
	for _, m := range t.Marks {
		if m.Text != "" && len(p.Marks) < maxEntries {
			p.Marks = append(p.Marks, []any{micro(m.Seconds), d.name(m.Text), d.name(m.Origin)})
		}
	}
	for _, h := range head(t.Hazards, &p.Left) {
		p.Hazards = append(p.Hazards, []any{micro(h.Seconds), d.name("hazard: " + h.String()),
			d.name(h.Earlier.Call), h.Earlier.Stream, d.name(h.Earlier.Origin),
			d.name(h.Later.Call), h.Later.Stream, d.name(h.Later.Origin)})
	}
	return p
}

// head cuts a list short and counts what it leaves out.
func head[T any](list []T, left *int) []T {
	if len(list) > maxEntries {
		*left += len(list) - maxEntries
		list = list[:maxEntries]
	}
	return list
}

func steps(list []timeline.Step) [][2]float64 {
	out := [][2]float64{}
	for _, s := range list[:min(len(list), maxEntries)] {
		out = append(out, [2]float64{micro(s.At), float64(s.Bytes)})
	}
	return out
}

func micro(seconds float64) float64 { return math.Round(seconds*1e7) / 10 }

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// name returns the index of a string in names, where each is kept once.
func (d *Document) name(text string) int {
	if d.places == nil {
		d.places = map[string]int{}
	}
	at, ok := d.places[text]
	if !ok {
		at = len(d.names)
		d.places[text] = at
		d.names = append(d.names, text)
	}
	return at
}

// frame is the page around its title, style, body, data and script.
const frame = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%s</title>
<style>
%s</style>
</head>
<body>
%s<script type="application/json" id="run">{{run}}</script>
<script>
"use strict";
(() => {
%s})();
</script>
</body>
</html>
`

// Write writes the page. cases calls add for each case of the run, in their order, and returns its error. The encoder
// escapes every < in the data, which may therefore be the content of a script element.
func Write(w io.Writer, d *Document, cases func(add func(Case) error) error) error {
	title := html.EscapeString(d.Title)
	before, after, _ := strings.Cut(frame, "{{run}}")
	if _, err := fmt.Fprintf(w, before, title, style, strings.Replace(body, "{{title}}", title, 1)); err != nil {
		return err
	}
	if err := d.write(w, cases); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, after, base+overview+table+picture+start)
	return err
}

// write writes the data of the page: the document, the cases one at a time, and the names that these refer to.
func (d *Document) write(w io.Writer, cases func(add func(Case) error) error) error {
	head, err := json.Marshal(d)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, `%s,"cases":[`, head[:len(head)-1]); err != nil {
		return err
	}
	separator := ""
	err = cases(func(c Case) error {
		text, err := json.Marshal(c)
		if err == nil {
			_, err = fmt.Fprintf(w, "%s%s", separator, text)
		}
		separator = ","
		return err
	})
	if err != nil {
		return err
	}
	names, err := json.Marshal(d.names)
	if err == nil {
		_, err = fmt.Fprintf(w, `],"names":%s}`, names)
	}
	return err
}
