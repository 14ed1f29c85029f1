// Package page writes a run as a single HTML file: its table, and for each case a chart of the memory over time. The
// file needs neither a network nor other files.
package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	"roclua/host/answer"
	"roclua/host/report/timeline"
	"roclua/host/result"
)

var (
	//go:embed page.html
	body string
	//go:embed base.js
	base string
	//go:embed overview.js
	overview string
	//go:embed matrix.js
	matrix string
	//go:embed address.js
	address string
	//go:embed table.js
	table string
	//go:embed picture.js
	picture string
	//go:embed load.js
	load string
	//go:embed page.js
	start string
)

// Document is the content of the page.
type Document struct {
	Title     string              `json:"title"`
	Subtitle  string              `json:"subtitle"`          // version, seed, time
	Command   string              `json:"command"`           // command line
	Machine   string              `json:"machine,omitempty"` // machine of the run, and revision of the project
	Builds    []string            `json:"builds,omitempty"`  // build reproduced by each profile of the run
	Failures  []Failure           `json:"failures,omitempty"`
	Passed    bool                `json:"passed"`
	Summary   string              `json:"summary"`
	Scenarios map[string]Scenario `json:"scenarios"` // by name
	Overall   []Check             `json:"overall,omitempty"`
	Compared  []string            `json:"compared,omitempty"` // names of two runs that are drawn over each other
	Measured  []string            `json:"measured"`           // columns of the rows of measurements
	Loads     []string            `json:"loads"`              // columns of the rows of workloads
	Cases     []Case              `json:"cases"`              // of Write
	Kinds     []int               `json:"kinds"`              // of calls, see kind
	Names     []string            `json:"names"`              // strings to which timelines refer

	nameIndex map[string]int // into Names
	kindIndex map[kind]int   // the number of each kind
}

// Failure is a set of problems shared by the same cases.
type Failure struct {
	Outcome  string   `json:"outcome"`
	Headline string   `json:"headline"`
	Names    []string `json:"names"` // short names of the cases
	Text     string   `json:"text"`
	Cases    []int    `json:"cases"` // indices into the cases
}

// Scenario is a script's description of itself.
type Scenario struct {
	About  string `json:"about,omitempty"`
	Source string `json:"source,omitempty"`
	Script string `json:"script"`
}

// Check is an expectation over several cases.
type Check struct {
	Text   string `json:"text"`
	Have   string `json:"have"`
	Passed bool   `json:"passed"`
}

// Case is one row of the table with its details.
type Case struct {
	ID       string   `json:"id"`
	Scenario string   `json:"scenario"`
	Label    string   `json:"label"` // varying parameters, "n=64 type=d"
	Scheme   string   `json:"scheme"`
	Target   string   `json:"target"`
	Outcome  string   `json:"outcome"`
	Bad      bool     `json:"bad,omitempty"`
	Seconds  float64  `json:"seconds"`
	Why      string   `json:"why,omitempty"`  // the failure, or the reason for a skip
	Note     string   `json:"note,omitempty"` // a caveat about a passed case
	Log      string   `json:"log,omitempty"`
	Metrics  []Metric `json:"metrics,omitempty"`

	Measured []Measured `json:"measured,omitempty"`

	HandlePeak  uint64   `json:"handle_peak"`
	HandleSizes []uint64 `json:"handle_sizes,omitempty"` // successive sizes of the only handle's memory

	Peak    uint64 `json:"peak"`
	Calls   int    `json:"calls"`
	Syncs   int    `json:"syncs"`
	Growths int    `json:"growths"`
	Kernels int    `json:"kernels"`

	Load  any        `json:"load,omitempty"`  // events of a workload; nil for other scenarios
	Loads [][]string `json:"loads,omitempty"` // rows of the workload

	NoTimeline string  `json:"no_timeline,omitempty"` // why there is no timeline
	Timeline   *packed `json:"timeline,omitempty"`    // nil for none
	Before     *packed `json:"before,omitempty"`      // of the run before
}

// Use sets the timeline of a case, and the memory and the growths of its handles.
func (d *Document) Use(c *Case, line *timeline.Timeline) {
	c.HandlePeak, c.HandleSizes, c.Growths = line.HandlePeak(), line.HandleSizes(), line.Growths()
	c.Timeline = d.Pack(line)
}

// Metric is a displayed value.
type Metric struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Unit  string `json:"unit,omitempty"`
}

// Measured is the distribution of the times of a measured call on the device.
type Measured struct {
	Name      string    `json:"name"`
	About     string    `json:"about,omitempty"`    // the baseline, and notes
	Row       []string  `json:"row"`                // cells of the columns of measurements
	Quantiles []float64 `json:"quantiles"`          // seconds at 0 %, 5 %, ..., 100 %
	Baseline  []float64 `json:"baseline,omitempty"` // least, usual and most seconds of the median in the baseline
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

// withoutTags is a writer of JSON that escapes every <, in pieces: a text of the encoder would be in memory with its
// escapes.
type withoutTags struct{ w io.Writer }

func (t withoutTags) Write(b []byte) (n int, err error) {
	for piece := range slices.Chunk(b, 1<<16) {
		if _, err := t.w.Write(bytes.ReplaceAll(piece, []byte("<"), []byte(`\u003c`))); err != nil {
			return n, err
		}
		n += len(piece)
	}
	return n, nil
}

// Write writes the page. cases calls its argument to write each case of the run, in order, and returns the first error.
// Every < in the data is escaped, so that they can be the content of a script element.
func (d *Document) Write(w io.Writer, cases func(add func(*Case) error) error) error {
	title := html.EscapeString(d.Title)
	before, after, _ := strings.Cut(frame, "{{run}}")
	if _, err := fmt.Fprintf(w, before, title, answer.Style, strings.Replace(body, "{{title}}", title, 1)); err != nil {
		return err
	}
	d.Kinds, d.Names, d.kindIndex, d.nameIndex = []int{}, []string{}, map[kind]int{}, map[string]int{}
	if err := result.Encode(withoutTags{w}, d, result.Plain, result.Stream(cases)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, after, base+overview+matrix+table+picture+load+address+start)
	return err
}
