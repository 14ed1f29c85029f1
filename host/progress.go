package host

import (
	"fmt"
	"io"
	"strings"
)

// progress tells on standard error how far the run is: a bar on a terminal, else a line for each finished case.
type progress struct {
	w     io.Writer
	bar   bool
	quiet bool
	total int
	done  int
	bad   int
}

const barWidth = 30

func newProgress(env Env, quiet bool, total int) *progress {
	bar := env.StderrIsTerminal && env.Getenv("CI") == "" && env.Getenv("TERM") != "dumb"
	return &progress{w: env.Stderr, bar: bar, quiet: quiet, total: total}
}

func (p *progress) finished(r *result) {
	p.done++
	if r.bad() {
		p.bad++
	}
	switch {
	case p.quiet:
	case p.bar:
		filled := barWidth * p.done / p.total
		fmt.Fprintf(p.w, "\r\x1b[K[%s%s] %d/%d", strings.Repeat("=", filled), strings.Repeat(" ", barWidth-filled), p.done, p.total)
		if p.bad > 0 {
			fmt.Fprintf(p.w, ", %d not passed", p.bad)
		}
	default:
		fmt.Fprintf(p.w, "%-8s %s (%.2f s)\n", r.outcome(), r.id, r.record.Seconds)
	}
}

// end takes the bar away.
func (p *progress) end() {
	if p.bar && !p.quiet {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
