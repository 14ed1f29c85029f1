package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/hip"
	"roclua/host/report/group"
	"roclua/host/result"
)

// style is how text is written.
type style struct {
	color   bool
	verbose bool // the logs of cases that passed are written, too
}

func (s style) paint(color text.Color, message string) string {
	if !s.color {
		return message
	}
	return color.Sprint(message)
}

// Explain describes the problems of cases for people: failed checks, changes, how they ended early, and their logs.
// Problems that several cases have are described once.
func (r *Report) Explain(cases []*result.Result) string {
	return style{r.Color, r.Verbose}.explain(cases)
}

func (s style) explain(cases []*result.Result) string {
	var b strings.Builder
	shown := map[*result.Result]bool{}
	for _, f := range group.Failures(cases) {
		s.explainFailure(&b, f)
		if c := withContext(f.Cases); c != nil && !shown[c] {
			shown[c] = true
			explainContext(&b, c, f.Cases)
		}
	}
	for _, c := range cases {
		if s.verbose && !c.FailsRun() && (c.Record.Log != "" || c.Record.Faults != nil) {
			fmt.Fprintf(&b, "\n%s\n", c.ID)
			explainFaults(&b, c)
			indent(&b, "log: ", c.Record.Log)
		}
	}
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

// names lists the names of cases.
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

// withContext returns the first case that printed something or had an allocation that was made to fail, or nil.
func withContext(cases []*result.Result) *result.Result {
	i := slices.IndexFunc(cases, func(c *result.Result) bool { return c.Record.Log != "" || len(c.Record.Faults) > 0 })
	if i < 0 {
		return nil
	}
	return cases[i]
}

// explainContext writes the log of a case and its allocations that were made to fail. It names the case if they are not
// the same in all cases.
func explainContext(b *strings.Builder, shown *result.Result, cases []*result.Result) {
	if slices.ContainsFunc(cases, func(c *result.Result) bool {
		return c.Record.Log != shown.Record.Log || !slices.EqualFunc(c.Record.Faults, shown.Record.Faults, equalFaults)
	}) {
		fmt.Fprintf(b, "  in %s\n", shown.ID)
	}
	explainFaults(b, shown)
	indent(b, "  log: ", shown.Record.Log)
}

func equalFaults(a, b hip.Call) bool { return faultText(a) == faultText(b) }

// explainQuietly describes the problems of a case without its log, or why it was skipped or is known to fail; "" when
// it passed.
func explainQuietly(c *result.Result) string {
	switch c.Outcome() {
	case result.Passed:
		return ""
	case result.Skipped:
		return c.Record.Skipped
	case result.KnownFailure:
		return "known to fail: " + c.KnownFailure
	}
	quiet, record := *c, *c.Record
	record.Log = ""
	quiet.Record = &record
	_, problems, _ := strings.Cut(strings.TrimSpace(style{}.explain([]*result.Result{&quiet})),
		"\n") // the first line is the outcome and the id
	return problems
}

// explainFaults lists the allocations of a case that were made to fail.
func explainFaults(b *strings.Builder, c *result.Result) {
	for _, call := range c.Record.Faults {
		fmt.Fprintf(b, "  fault: %s\n", faultText(call))
	}
	if left := c.Record.Stats.Injected - len(c.Record.Faults); left > 0 {
		fmt.Fprintf(b, "  fault: %d more\n", left)
	}
}

func faultText(c hip.Call) string {
	text := fmt.Sprintf("%s of %d bytes", c.Name, c.Bytes)
	if c.HasStream {
		text += fmt.Sprintf(" in stream %d", c.Stream)
	}
	if c.Cause != hip.CauseScript {
		text += " for " + c.Cause
	}
	if c.Origin != "" {
		text += " at " + c.Origin
	}
	return text + " was made to fail: " + c.Injected
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
