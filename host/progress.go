package host

import (
	"fmt"
	"io"
	"roclua/host/plan"
	"roclua/host/report"
	"roclua/host/result"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
)

// progress tells on standard error how far a run is: on a terminal in one line, which is drawn anew in its place and taken
// away before the report; elsewhere in a line now and then, so that a short run says nothing.
type progress struct {
	w       io.Writer
	now     func() time.Time
	width   func() int // of the terminal, in columns
	live    bool
	quiet   bool
	verbose bool // a line for each case when it ends, too
	color   bool
	stop    chan struct{}
	stopped sync.WaitGroup

	mu      sync.Mutex // guards what is below, and who writes
	started time.Time
	rest    *estimate
	total   int
	done    int
	bad     int
	drawn   bool // a line stands on the terminal
}

const (
	redrawEvery  = 200 * time.Millisecond
	tellEvery    = 10 * time.Second // where nothing can be redrawn
	longCase     = 5 * time.Second  // a case that runs for longer is named
	barWidth     = 20
	narrow       = 70 // columns; with fewer there is no room for a bar
	defaultWidth = 80
)

// newProgress prepares to tell of the cases. While results go to standard output line by line, a line that is redrawn would
// get between them on the same terminal.
func (s *session) newProgress(cases []*plan.Case, jobs int, plain bool) *progress {
	streams := plain || slices.ContainsFunc(s.outs, func(o report.Output) bool { return o.IsEvents() && o.File == "" })
	p := &progress{w: s.env.Stderr, now: s.env.Now, width: s.env.StderrWidth, verbose: s.verbose, total: len(cases),
		quiet: s.quiet || plain || streams && s.env.StdoutIsTerminal,
		live:  s.env.StderrIsTerminal && s.env.Getenv("CI") == "" && s.env.Getenv("TERM") != "dumb",
		rest:  newEstimate(cases, jobs), started: s.env.Now(), stop: make(chan struct{})}
	p.color, _ = useColor(s.runOptions.color, s.env.StderrIsTerminal, s.env)
	return p
}

// begin starts to tell, until end.
func (p *progress) begin() {
	if p.quiet || p.total == 0 {
		return
	}
	every := tellEvery
	if p.live {
		every = redrawEvery
	}
	p.stopped.Go(func() {
		ticks := time.NewTicker(every)
		defer ticks.Stop()
		for {
			select {
			case <-ticks.C:
				p.tell()
			case <-p.stop:
				return
			}
		}
	})
}

func (p *progress) Began(c *plan.Case) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rest.began(c, p.now())
}

func (p *progress) Finished(r *result.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rest.finished(r.Case, p.now())
	p.done++
	if r.FailsRun() {
		p.bad++
	}
	if p.verbose && !p.quiet {
		p.erase()
		fmt.Fprintf(p.w, "%-8s %s (%.2f s)\n", r.Outcome(), r.ID, r.Record.Seconds)
	}
}

// end stops telling, and takes the line away.
func (p *progress) end() {
	close(p.stop)
	p.stopped.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

// interrupted says that a signal ends the run.
func (p *progress) interrupted() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	fmt.Fprintln(p.w, "roclua: interrupted; what runs is torn down, a second time ends the program at once")
}

func (p *progress) erase() {
	if p.drawn {
		io.WriteString(p.w, "\r\x1b[K")
		p.drawn = false
	}
}

// tell draws the line anew, or writes one more.
func (p *progress) tell() {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := p.line(p.now())
	if !p.live {
		io.WriteString(p.w, line+"\n")
		return
	}
	columns := p.columns()
	if columns >= narrow {
		filled := barWidth * p.done / p.total
		line = "[" + strings.Repeat("=", filled) + strings.Repeat(" ", barWidth-filled) + "] " + line
	}
	p.drawn = true
	io.WriteString(p.w, "\r\x1b[K"+text.Snip(line, columns-1, "…")) // the last column would wrap on some terminals
}

func (p *progress) columns() int {
	if p.width != nil {
		if w := p.width(); w > 1 {
			return w
		}
	}
	return defaultWidth
}

// line says it in words: 132/400 cases, 2 not passed, 14s, about 30s left, 12s in lu[n=4096]@cpu/rocm-7.2/gfx90a.
func (p *progress) line(now time.Time) string {
	parts := []string{fmt.Sprintf("%d/%d cases", p.done, p.total)}
	if p.bad > 0 {
		count := fmt.Sprintf("%d not passed", p.bad)
		if p.color {
			count = text.FgRed.Sprint(count)
		}
		parts = append(parts, count)
	}
	parts = append(parts, inWords(now.Sub(p.started)))
	if left, ok := p.rest.left(now); ok && left >= time.Second {
		parts = append(parts, "about "+inWords(left)+" left")
	}
	if c, ran := p.rest.longest(now); ran >= longCase {
		parts = append(parts, inWords(ran)+" in "+c.ID)
	}
	return strings.Join(parts, ", ")
}

// inWords rounds a time to what matters of it: 14s, 3m20s, 2h5m.
func inWords(d time.Duration) string {
	if d < time.Hour {
		return d.Round(time.Second).String()
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}
