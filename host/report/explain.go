package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/hip/trace"
	"roclua/host/report/group"
	"roclua/host/result"
	"roclua/luabind/record"
)

// style is how text is written.
type style struct {
	color   bool
	verbose bool // the logs of cases that passed are written, too

	withoutLogs bool // no log is written
}

func (s style) paint(color text.Color, message string) string {
	if !s.color {
		return message
	}
	return color.Sprint(message)
}

// Explain describes the problems of the cases that ran now for people: failed checks, changes, and how they ended
// early, without their output. Problems that several cases have are described once.
func (r *Report) Explain(color bool) (string, error) {
	var b strings.Builder
	shown := *r
	shown.Results = r.Shown()
	err := style{color: color, verbose: r.Verbose, withoutLogs: true}.explain(&b, &shown)
	return b.String(), err
}

// explain describes the problems of all cases, with the logs of those that failed, and with verbose of the others.
func (s style) explain(w io.Writer, r *Report) error {
	shown := map[*result.Result]bool{}
	for _, f := range group.Failures(r.Results) {
		var b strings.Builder
		s.explainFailure(&b, f)
		if c := s.withContext(f.Cases); c != nil && !shown[c] {
			shown[c] = true
			full, err := r.Store.Full(c)
			if err != nil {
				return err
			}
			s.explainContext(&b, full, f.Cases)
		}
		if _, err := io.WriteString(w, b.String()); err != nil {
			return err
		}
	}
	if !s.verbose {
		return nil
	}
	return r.Each(func(_ int, c *result.Result) error {
		if c.FailsRun() || (c.Record.Log == "" || s.withoutLogs) && c.Record.Faults == nil {
			return nil
		}
		var b strings.Builder
		fmt.Fprintf(&b, "\n%s\n", c.ID)
		explainFaults(&b, c)
		s.indentLog(&b, "log: ", c)
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// explainOne describes the problems of one case.
func (s style) explainOne(c *result.Result) string {
	var b strings.Builder
	s.explain(&b, &Report{Results: []*result.Result{c}}) // neither the writer nor a Store can fail
	return b.String()
}

// explainFailure describes problems and the cases that have them.
func (s style) explainFailure(b *strings.Builder, f *group.Failure) {
	outcome := s.paint(text.FgRed, strings.ToUpper(string(f.Outcome)))
	if len(f.Cases) == 1 {
		fmt.Fprintf(b, "\n%s %s\n", outcome, f.Cases[0].ID)
	} else {
		fmt.Fprintf(b, "\n%s in %d cases\n", outcome, len(f.Cases))
		indent(b, "  ", strings.Join(s.names(group.Names(f.IDs())), "\n"))
	}
	for _, p := range f.Problems {
		s.explainProblem(b, f, p)
	}
}

// explainProblem describes a problem. When its values differ, each is followed by the cases that have it.
func (s style) explainProblem(b *strings.Builder, f *group.Failure, p *group.Problem) {
	if len(p.Variants) == 1 {
		v := p.Variants[0]
		fmt.Fprintf(b, "  %s\n", hanging(v.Title))
		for _, line := range v.Details {
			fmt.Fprintf(b, "    %s\n", hanging(line))
		}
	} else {
		s.explainVariants(b, f, p)
	}
	for _, line := range p.Traceback {
		fmt.Fprintf(b, "    %s\n", line)
	}
}

// explainVariants lists the values of a problem and their cases.
func (s style) explainVariants(b *strings.Builder, f *group.Failure, p *group.Problem) {
	shown := s.atMost(len(p.Variants), maxVariants)
	title := ""
	for _, v := range p.Variants[:shown] {
		names := s.names(group.Varying(v.IDs(), f.IDs()))
		if len(v.Details) == 0 {
			fmt.Fprintf(b, "  %s\n      in %s\n", hanging(v.Title), strings.Join(names, "; "))
			continue
		}
		if v.Title != title {
			title = v.Title
			fmt.Fprintf(b, "  %s\n", hanging(title))
		}
		fmt.Fprintf(b, "    %s: %s\n", strings.Join(names, "; "), hanging(strings.Join(v.Details, ", ")))
	}
	if left := len(p.Variants) - shown; left > 0 {
		fmt.Fprintf(b, "    and %d other values (--verbose lists them)\n", left)
	}
}

// Without --verbose no more than these are listed.
const (
	maxVariants = 8 // of a problem
	maxNames    = 8 // of the cases that have a problem
)

// atMost returns how many of n items are listed. A single item is not left out.
func (s style) atMost(n, most int) int {
	if s.verbose || n <= most+1 {
		return n
	}
	return most
}

func (s style) names(names []group.Name) []string {
	shown := s.atMost(len(names), maxNames)
	var list []string
	for _, name := range names[:shown] {
		list = append(list, name.Text)
	}
	left := 0
	for _, name := range names[shown:] {
		left += name.Cases
	}
	if left > 0 {
		list = append(list, fmt.Sprintf("and %d more cases (--verbose lists them)", left))
	}
	return list
}

// withContext returns the first case that printed something or had an allocation that failed by injection, or nil.
func (s style) withContext(cases []*result.Result) *result.Result {
	i := slices.IndexFunc(cases, func(c *result.Result) bool { return s.logDigest(c) != 0 || len(c.Record.Faults) > 0 })
	if i < 0 {
		return nil
	}
	return cases[i]
}

// logDigest is equal for equal logs; 0 when none is shown.
func (s style) logDigest(c *result.Result) uint64 {
	if s.withoutLogs {
		return 0
	}
	return c.LogDigest()
}

// explainContext writes the log of a case and its allocations that failed by injection. It names the case if they are
// not the same in all cases.
func (s style) explainContext(b *strings.Builder, shown *result.Result, cases []*result.Result) {
	log := s.logDigest(shown)
	if slices.ContainsFunc(cases, func(c *result.Result) bool {
		return s.logDigest(c) != log || !slices.EqualFunc(c.Record.Faults, shown.Record.Faults,
			func(a, b record.Fault) bool { return faultText(a) == faultText(b) })
	}) {
		fmt.Fprintf(b, "  in %s\n", shown.ID)
	}
	explainFaults(b, shown)
	s.indentLog(b, "  log: ", shown)
}

// Without --verbose no more than these bytes of a log are written.
const (
	logHead = 16 << 10 // at its beginning
	logTail = 48 << 10 // at its end, which is next to the failure
)

// indentLog writes the log of a case with a prefix on each line.
func (s style) indentLog(b *strings.Builder, prefix string, c *result.Result) {
	log := c.Record.Log
	switch {
	case s.withoutLogs:
	case s.verbose || len(log) <= logHead+logTail:
		indent(b, prefix, log)
	default:
		head, tail := strings.ToValidUTF8(log[:logHead], ""), strings.ToValidUTF8(log[len(log)-logTail:], "")
		indent(b, prefix, head)
		fmt.Fprintf(b, "%s… %d bytes are left out; --verbose and --out json have them\n", prefix,
			len(log)-len(head)-len(tail))
		indent(b, prefix, tail)
	}
}

// explainQuietly describes the problems of a case without its log, or why it was skipped or is known to fail; "" when
// it passed.
func explainQuietly(c *result.Result) string {
	switch c.Outcome() {
	case result.Passed:
		return ""
	case result.Flaky:
		return strings.Join(append([]string{c.Note()}, c.Record.Retried...), "\n")
	case result.Skipped:
		return c.Record.Skipped
	case result.NotRun:
		return c.Headline()
	case result.KnownFailure:
		return "known to fail: " + c.KnownFailure
	}
	_, problems, _ := strings.Cut(strings.TrimSpace(style{withoutLogs: true}.explainOne(c)),
		"\n") // the first line is the outcome and the id
	return problems
}

// explainFaults lists the allocations of a case that failed by injection.
func explainFaults(b *strings.Builder, c *result.Result) {
	for _, f := range c.Record.Faults {
		fmt.Fprintf(b, "  fault: %s\n", faultText(f))
	}
	if left := c.Record.Stats.Injected - len(c.Record.Faults); left > 0 {
		fmt.Fprintf(b, "  fault: %d more\n", left)
	}
}

func faultText(f record.Fault) string {
	text := fmt.Sprintf("%s of %d bytes", f.Call, f.Bytes)
	if f.Stream != nil {
		text += fmt.Sprintf(" in stream %v", f.Stream)
	}
	if f.Cause != trace.CauseScript {
		text += " for " + f.Cause
	}
	if f.Origin != "" {
		text += " at " + f.Origin
	}
	return text + " failed by fault injection: " + f.Why
}

// hanging indents all lines of a message but the first.
func hanging(message string) string { return strings.ReplaceAll(message, "\n", "\n      ") }

// indent writes a prefix and a line for each line that is not empty.
func indent(b *strings.Builder, prefix, lines string) {
	for _, line := range strings.Split(strings.TrimRight(lines, "\n"), "\n") {
		if line != "" {
			fmt.Fprintf(b, "%s%s\n", prefix, line)
		}
	}
}
