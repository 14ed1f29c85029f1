package record

import (
	"strings"
	"testing"

	"roclua/internal/escape"
)

// TestMessagesAreBounded records messages that are longer than a quarter of the limit of output in a report, which may
// repeat each of them.
func TestMessagesAreBounded(t *testing.T) {
	const limit = 64 << 10
	for name, text := range map[string]string{"letters": "é", "bytes": "\xa9", "markup": "<&", "lines": "x\n"} {
		long := strings.Repeat(text, limit)
		for _, order := range []string{"End", "Traceback", "Skipped", "Problems"} {
			r := &Record{End: &End{Message: "short"}, Problems: []string{"short", "short"}}
			switch order {
			case "End":
				r.End.Message = long
			case "Traceback":
				r.End.Traceback = long
			case "Skipped":
				r.Skipped = long
			}
			r.Problems = append(r.Problems, long, "short")
			r.Bound(limit)
			size, cuts := 0, 0
			for _, text := range append([]string{r.End.Message, r.End.Traceback, r.Skipped}, r.Problems...) {
				kept, note, cut := strings.Cut(text, "… (")
				if cut && !strings.HasSuffix(note, "more bytes; limits.output is 65536)") {
					t.Errorf("%s, %s: the note is %q", name, order, note)
				}
				if size += 2 * escape.Size(kept); cut {
					cuts++
				}
			}
			if size > limit/4 || size < limit/4-200 || cuts < 1 {
				t.Errorf("%s, %s: %d messages are cut to %d bytes of a report", name, order, cuts, size)
			}
		}
	}
}

// TestMessagesThatFit leaves short messages and those without a limit as they are, except for what outputs must not
// have.
func TestMessagesThatFit(t *testing.T) {
	long := strings.Repeat("é", 1000)
	for text, want := range map[string]string{long: long, "é\xa9\x1b": `é\xa9\x1b`, "": ""} {
		for _, limit := range []uint64{0, 1, 1 << 20, 1 << 63} {
			r := &Record{Skipped: text, Required: []string{"\xa9"}}
			if r.Bound(limit); r.Skipped != want || r.Required[0] != "\xa9" {
				t.Errorf("limit %d: %q became %q, want %q; %q", limit, text, r.Skipped, want, r.Required)
			}
		}
	}
	if r := (&Record{Skipped: strings.Repeat("x", 9000)}); true {
		if r.Bound(3); len(r.Skipped) != minMessages/2+len("… (6952 more bytes; limits.output is 3)") {
			t.Errorf("with a small limit, a message has %d bytes", len(r.Skipped))
		}
	}
}
