package report

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"roclua/hip"
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

// Explain describes the problems of a case for people: failed checks, changes, how it ended early, and its log.
func (r *Report) Explain(c *result.Result) string {
	return style{r.Color, r.Verbose}.explain(c)
}

func (s style) explain(c *result.Result) string {
	var b strings.Builder
	if !c.FailsRun() {
		if s.verbose && (c.Record.Log != "" || c.Record.Faults != nil) {
			fmt.Fprintf(&b, "\n%s\n", c.ID)
			explainFaults(&b, c)
			indent(&b, "log: ", c.Record.Log)
		}
		return b.String()
	}
	fmt.Fprintf(&b, "\n%s %s\n", s.paint(text.FgRed, strings.ToUpper(string(c.Outcome()))), c.ID)
	for _, check := range c.Record.Checks {
		if !check.Passed {
			fmt.Fprintf(&b, "  %s: %s\n    have %s\n    want %s\n", check.Where, hanging(check.Text),
				hanging(check.Have), hanging(check.Want))
		}
	}
	for _, change := range c.Changes {
		fmt.Fprintf(&b, "  baseline: %s\n", change)
	}
	if end := c.Record.End; end != nil {
		fmt.Fprintf(&b, "  %s\n", hanging(end.String()))
		if strings.Contains(strings.TrimSpace(end.Traceback), "\n") { // one line would only repeat the place
			indent(&b, "    ", end.Traceback)
		}
	}
	explainFaults(&b, c)
	for _, p := range c.Record.Problems {
		fmt.Fprintf(&b, "  %s\n", p)
	}
	indent(&b, "  log: ", c.Record.Log)
	return b.String()
}

// explainFailure describes the problems of a case without its log, or why it was skipped or is known to fail; "" when
// it passed.
func explainFailure(c *result.Result) string {
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
	_, problems, _ := strings.Cut(strings.TrimSpace(style{}.explain(&quiet)),
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
