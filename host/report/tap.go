package report

import (
	"fmt"
	"io"
	"strings"

	"roclua/host/result"
)

// writeTAP writes the Test Anything Protocol, version 14. The writer keeps its first error.
func writeTAP(w io.Writer, r *Report) error {
	fmt.Fprintf(w, "TAP version 14\n1..%d\n", len(r.Results)+len(r.Overall))
	for i, c := range r.Results {
		state, directive := "ok", ""
		switch c.Outcome() {
		case result.Passed:
		case result.Skipped:
			directive = " # SKIP " + tapText(c.Record.Skipped)
		case result.KnownFailure:
			state, directive = "not ok", " # TODO "+tapText(c.KnownFailure)
		default:
			state = "not ok"
		}
		fmt.Fprintf(w, "%s %d - %s%s\n", state, i+1, tapText(c.ID), directive)
		if note := c.Note(); note != "" {
			fmt.Fprintf(w, "  ---\n  note: %q\n  ...\n", note)
		}
		if state == "not ok" {
			fmt.Fprintf(w, "  ---\n  message: %q\n  outcome: %q\n  ...\n", c.Headline(), c.Outcome())
		}
	}
	for i, c := range r.Overall {
		state := "ok"
		if !c.Passed {
			state = "not ok"
		}
		fmt.Fprintf(w, "%s %d - %s: %s\n", state, len(r.Results)+i+1, tapText(c.Text), tapText(c.Have))
	}
	return nil
}

// tapText writes text on one line and escapes the characters that begin an escape or a directive.
func tapText(text string) string {
	return strings.NewReplacer("\n", " ", "\\", "\\\\", "#", "\\#").Replace(text)
}
