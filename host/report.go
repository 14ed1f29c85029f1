package host

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"roclua/luabind"
)

// report is a finished run.
type report struct {
	argv    []string
	cfg     *Config
	results []*result
	exit    ExitCode
	overall []luabind.Check // what was expected over several cases
	started time.Time
	seconds float64
	color   bool
	verbose bool
}

// formats are the ways to write a report.
var formats = map[string]func(io.Writer, *report) error{"text": writeText, "json": writeJSON, "junit": writeJUnit}

// output is one --out FORMAT[=FILE].
type output struct{ format, file string }

func parseOutputs(list []string) ([]output, error) {
	if len(list) == 0 {
		list = []string{"text"}
	}
	var outs []output
	stdout := 0
	for _, text := range list {
		format, file, _ := strings.Cut(text, "=")
		if _, ok := formats[format]; !ok {
			return nil, fmt.Errorf("--out %s: unknown format %q%s (have json, junit, text)", text, format, didYouMeanFormat(format))
		}
		if file == "" || file == "-" {
			file = ""
			stdout++
		}
		outs = append(outs, output{format, file})
	}
	if stdout > 1 {
		return nil, fmt.Errorf("--out: %d formats would go to standard output; give all but one a file, as in --out json=results.json", stdout)
	}
	return outs, nil
}

// write writes the report in every format asked for. One that cannot be written does not keep the others from it.
func (r *report) write(outs []output, stdout io.Writer) error {
	var first error
	for _, o := range outs {
		if err := r.writeOne(o, stdout); err != nil && first == nil {
			first = fmt.Errorf("--out %s: %w", o.format, err)
		}
	}
	return first
}

func (r *report) writeOne(o output, stdout io.Writer) error {
	if o.file == "" {
		return formats[o.format](stdout, r)
	}
	f, err := os.Create(o.file)
	if err != nil {
		return err
	}
	plain := *r
	plain.color = false
	err = formats[o.format](f, &plain)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// bad counts the cases that fail the run.
func (r *report) bad() int {
	return len(r.results) - r.count(passed) - r.count(skippedCase) - r.count(knownFailure)
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
