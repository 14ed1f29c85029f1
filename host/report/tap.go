package report

import (
	"fmt"
	"io"

	"roclua/host/result"
	"roclua/internal/escape"
)

// writeTAP writes the Test Anything Protocol, version 14. Comments name the builds of the profiles. The writer
// keeps its first error.
func writeTAP(w io.Writer, r *Report) error {
	fmt.Fprintf(w, "TAP version 14\n1..%d\n", len(r.Results)+len(r.Overall))
	for _, p := range r.Profiles {
		fmt.Fprintf(w, "# %s\n", escape.TAPLine(p.String()))
	}
	err := r.Each(func(i int, c *result.Result) error {
		state, directive := "ok", ""
		switch c.Outcome() {
		case result.Passed:
		case result.Skipped:
			directive = " # SKIP " + escape.TAPLine(c.Record.Skipped)
		case result.KnownFailure:
			state, directive = "not ok", " # TODO "+escape.TAPLine(c.KnownFailure)
		default:
			state = "not ok"
		}
		fmt.Fprintf(w, "%s %d - %s%s\n", state, i+1, escape.TAPLine(c.ID), directive)
		if note := c.Note(); note != "" {
			fmt.Fprintf(w, "  ---\n  note: %q\n  ...\n", note)
		}
		if state == "not ok" {
			fmt.Fprintf(w, "  ---\n  message: %q\n  outcome: %q\n  ...\n", c.Headline(), c.Outcome())
		}
		return nil
	})
	for i, c := range r.Overall {
		state := "ok"
		if !c.Passed {
			state = "not ok"
		}
		fmt.Fprintf(w, "%s %d - %s: %s\n", state, len(r.Results)+i+1, escape.TAPLine(c.Text), escape.TAPLine(c.Have))
	}
	return err
}
