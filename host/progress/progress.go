// Package progress shows the progress of a run on standard error. On a terminal it redraws one line, and erases it
// before the report. Elsewhere it writes a line at intervals, so a short run writes nothing.
package progress

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/host/plan"
	"roclua/host/result"
	"roclua/internal/units"
	"roclua/luabind/record"
)

// Options describe where and how to show the progress.
type Options struct {
	Out     io.Writer
	Now     func() time.Time
	Width   func() int // columns of the terminal; 0 if unknown; may be nil
	Live    bool       // Out is a terminal that can redraw a line
	Quiet   bool       // show nothing
	Verbose bool       // also write a line when each case ends
	Color   bool
}

// Progress shows the progress of a run.
type Progress struct {
	Options
	stop    chan struct{}
	stopped sync.WaitGroup

	mu       sync.Mutex // guards the fields below and Out
	started  time.Time
	estimate *estimate
	total    int
	done     int
	failed   int
	drawn    bool // the terminal shows a line
}

const (
	redrawEvery  = 200 * time.Millisecond
	writeEvery   = 10 * time.Second // interval without a terminal
	longCase     = 5 * time.Second  // longer running cases are named
	barWidth     = 20
	narrow       = 70 // narrower terminals have no bar
	defaultWidth = 80
)

// New returns the progress of cases, with jobs running concurrently. The clock starts now.
func New(o Options, cases plan.List, jobs int) *Progress {
	p := &Progress{Options: o, total: len(cases), started: o.Now(), estimate: newEstimate(jobs),
		stop: make(chan struct{})}
	if !o.Quiet {
		p.estimate.expect(cases)
	}
	return p
}

// Start shows the progress until Stop.
func (p *Progress) Start() {
	if p.Quiet || p.total == 0 {
		return
	}
	every := writeEvery
	if p.Live {
		every = redrawEvery
	}
	p.stopped.Go(func() {
		ticks := time.NewTicker(every)
		defer ticks.Stop()
		for {
			select {
			case <-ticks.C:
				p.show()
			case <-p.stop:
				return
			}
		}
	})
}

// Began records that a case has started.
func (p *Progress) Began(c *plan.Case) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.estimate.began(c, p.Now())
}

// Finished records that a case has ended.
func (p *Progress) Finished(r *result.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.estimate.finished(r.Case, p.Now())
	p.done++
	if r.FailsRun() {
		p.failed++
	}
	if p.Verbose && !p.Quiet {
		p.erase()
		fmt.Fprintf(p.Out, "%-8s %s (%.2f s)\n", r.Outcome(), r.ID, r.Record.Seconds)
	}
}

// Second writes a line for a second of the workload of a case, on a terminal.
func (p *Progress) Second(c *plan.Case, i record.Interval) {
	if p.Quiet || !p.Live {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	line := fmt.Sprintf("%s: %.0f s, %.0f events a second, p50 %s, p99 %s, longest %s, %s", c.ID, i.End,
		float64(i.Events)/(i.End-i.Start), units.FormatSeconds(i.P50), units.FormatSeconds(i.P99),
		units.FormatSeconds(i.Max), units.Count(i.Clients, "client"))
	if i.Errors > 0 {
		line += fmt.Sprintf(", %d failed", i.Errors)
	}
	if i.Dropped > 0 {
		line += fmt.Sprintf(", %d dropped", i.Dropped)
	}
	if i.Growths > 0 {
		line += ", " + units.Count(i.Growths, "growth")
	}
	fmt.Fprintln(p.Out, line)
}

// Stop stops showing the progress, and erases the line.
func (p *Progress) Stop() {
	close(p.stop)
	p.stopped.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

// Interrupted reports that a signal ends the run.
func (p *Progress) Interrupted() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	fmt.Fprintln(p.Out, "roclua: interrupted; running cases are torn down, a second interrupt ends the program at once")
}

func (p *Progress) erase() {
	if p.drawn {
		io.WriteString(p.Out, "\r\x1b[K")
		p.drawn = false
	}
}

// show redraws the line, or writes another one.
func (p *Progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := p.line(p.Now())
	if !p.Live {
		io.WriteString(p.Out, line+"\n")
		return
	}
	columns := p.columns()
	if columns >= narrow {
		filled := barWidth * p.done / p.total
		line = "[" + strings.Repeat("=", filled) + strings.Repeat(" ", barWidth-filled) + "] " + line
	}
	p.drawn = true
	io.WriteString(p.Out, "\r\x1b[K"+text.Snip(line, columns-1, "…")) // the last column would wrap on some terminals
}

func (p *Progress) columns() int {
	if p.Width != nil {
		if w := p.Width(); w > 1 {
			return w
		}
	}
	return defaultWidth
}

// line returns the progress as text: 132/400 cases, 2 not passed, 14s, about 30s left, 12s in
// lu[n=4096]@cpu/rocm-7.2/gfx90a.
func (p *Progress) line(now time.Time) string {
	parts := []string{fmt.Sprintf("%d/%d cases", p.done, p.total)}
	if p.failed > 0 {
		count := fmt.Sprintf("%d not passed", p.failed)
		if p.Color {
			count = text.FgRed.Sprint(count)
		}
		parts = append(parts, count)
	}
	parts = append(parts, inWords(now.Sub(p.started)))
	if left, ok := p.estimate.left(now); ok && left >= time.Second {
		parts = append(parts, "about "+inWords(left)+" left")
	}
	if c, ran := p.estimate.longest(now); ran >= longCase {
		parts = append(parts, inWords(ran)+" in "+c.ID)
	}
	return strings.Join(parts, ", ")
}

// inWords rounds a time: 14s, 3m20s, 2h5m.
func inWords(d time.Duration) string {
	if d < time.Hour {
		return d.Round(time.Second).String()
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}
