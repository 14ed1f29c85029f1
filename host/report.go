package host

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"roclua/host/baseline"
	"roclua/host/config"
	"roclua/host/exit"
	"roclua/internal/nearest"
	"roclua/luabind"
)

// report is a finished run.
type report struct {
	argv    []string
	cfg     *config.Config
	results []*result
	ran     []*result // those of the cases that ran just now, when others stand as they were; else nil
	exit    exit.Code
	overall []luabind.Check   // what was expected over several cases
	gone    []baseline.Change // cases of a baseline that the run has no more
	updated string            // what --update did
	started time.Time
	seconds float64
	color   bool
	verbose bool

	summaryFile string // where GitHub Actions wants the step's summary; "" elsewhere
	cpus        int    // processors of the machine
}

// formats are the ways to write a report.
var formats = map[string]func(io.Writer, *report) error{"text": writeText, "json": writeJSON, "junit": writeJUnit, "csv": writeCSV, "tap": writeTAP,
	"markdown": writeMarkdown, "github": writeGitHub, "html": writeHTML, "trace": writeTrace,
	"jsonl": func(io.Writer, *report) error { return nil }} // written while the run goes on: see eventLog

func formatNames() []string { return slices.Sorted(maps.Keys(formats)) }

// output is one --out FORMAT[=FILE].
type output struct {
	format, file string
	stderr       bool // it was not asked for, and leaves standard output alone
}

// showsHistory reports whether a format shows what happened in each case, and not only what came of it.
func (o output) showsHistory() bool { return o.format == "html" || o.format == "trace" }

func parseOutputs(list []string) ([]output, error) {
	if len(list) == 0 {
		list = []string{"text"}
	}
	var outs []output
	stdout := 0
	for _, text := range list {
		format, file, _ := strings.Cut(text, "=")
		if _, ok := formats[format]; !ok {
			return nil, fmt.Errorf("--out %s: unknown format %q%s (have %s)", text, format, nearest.DidYouMean(format, formatNames()), strings.Join(formatNames(), ", "))
		}
		if file == "" || file == "-" {
			file = ""
			stdout++
		}
		outs = append(outs, output{format: format, file: file})
	}
	if stdout > 1 {
		return nil, fmt.Errorf("--out: %d formats would go to standard output; give all but one a file, as in --out json=results.json", stdout)
	}
	return outs, nil
}

// write writes the report in every format asked for. One that cannot be written does not keep the others from it.
func (r *report) write(outs []output, env Env) error {
	var first error
	for _, o := range outs {
		if o.format == "jsonl" {
			continue // has been written while the run went on
		}
		shown := r.onStdout()
		switch {
		case o.file != "":
			shown = r.inFile()
		case len(shown.results) == 0:
			continue // what is left has been told before
		}
		err := o.write(env, func(w io.Writer) error { return formats[o.format](w, shown) })
		if err != nil && first == nil {
			first = fmt.Errorf("--out %s: %w", o.format, err)
		}
	}
	return first
}

// shown are the results of the cases that ran just now.
func (r *report) shown() []*result {
	if r.ran != nil {
		return r.ran
	}
	return r.results
}

// onStdout is the report as a person who has seen the ones before wants it: of what ran just now.
func (r *report) onStdout() *report {
	shown := *r
	shown.results = r.shown()
	return &shown
}

// inFile is the report as it stands for itself.
func (r *report) inFile() *report {
	shown := *r
	shown.color = false
	return &shown
}

// write opens what an output goes to.
func (o output) write(env Env, write func(io.Writer) error) error {
	if o.file == "" {
		if o.stderr {
			return write(env.Stderr)
		}
		return write(env.Stdout)
	}
	f, err := os.Create(o.file)
	if err != nil {
		return err
	}
	err = write(f)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// bad counts the cases that fail the run.
func (r *report) bad() int {
	n := 0
	for _, c := range r.results {
		if c.bad() {
			n++
		}
	}
	return n
}

// bad reports whether a case fails the run.
func (c *result) bad() bool {
	o := c.outcome()
	return o != passed && o != skippedCase && o != knownFailure
}

// sum is a line about the whole run.
func (r *report) sum() string {
	known := ""
	if n := r.count(knownFailure); n > 0 {
		known = fmt.Sprintf(", %d known to fail", n)
	}
	if n := r.count(interrupted); n > 0 {
		known += fmt.Sprintf(", %d interrupted", n)
	}
	return fmt.Sprintf("%d case%s: %d passed, %d not passed, %d skipped%s in %.1f s (seed %d)", len(r.results), plural(len(r.results)), r.count(passed), r.bad(),
		r.count(skippedCase), known, r.seconds, r.cfg.Seed)
}

func (r *report) count(o outcome) int {
	n := 0
	for _, c := range r.results {
		if c.outcome() == o {
			n++
		}
	}
	return n
}
