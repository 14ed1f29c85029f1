package output

import (
	"fmt"
	"io"

	"roclua/internal/escape"
)

// writeTAP writes the Test Anything Protocol, version 14. Comments describe the case. The writer keeps its first
// error.
func writeTAP(w io.Writer, d Data) error {
	tests := d.(Tested).Tests()
	fmt.Fprintf(w, "TAP version 14\n1..%d\n", tests.Count)
	for _, text := range tests.Comments {
		fmt.Fprintf(w, "# %s\n", escape.TAPLine(text))
	}
	for i := range tests.Count {
		t, err := tests.Test(i)
		if err != nil {
			return err
		}
		state, directive := "not ok", ""
		switch t.State {
		case Passed:
			state = "ok"
		case Skipped:
			state, directive = "ok", " # SKIP "+escape.TAPLine(t.Reason)
		case Known:
			directive = " # TODO " + escape.TAPLine(t.Reason)
		}
		value := ""
		if t.Have != "" {
			value = ": " + escape.TAPLine(t.Have)
		}
		fmt.Fprintf(w, "%s %d - %s%s%s\n", state, i+1, escape.TAPLine(t.Name), value, directive)
		if t.Note != "" {
			fmt.Fprintf(w, "  ---\n  note: %q\n  ...\n", t.Note)
		}
		if state == "not ok" && t.Outcome != "" {
			fmt.Fprintf(w, "  ---\n  message: %q\n  outcome: %q\n  ...\n", t.Headline, t.Outcome)
		}
	}
	return nil
}
