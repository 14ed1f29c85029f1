package record

import (
	"strings"
	"testing"
)

// TestMessagesAreBounded records messages that are longer than an eighth of the limit of output.
func TestMessagesAreBounded(t *testing.T) {
	const limit = 64 << 10
	long := strings.Repeat("x", limit)
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
				t.Errorf("%s: the note is %q", order, note)
			}
			if size += len(kept); cut {
				cuts++
			}
		}
		if size != limit/8 || cuts < 2 {
			t.Errorf("%s: %d messages are cut to %d bytes", order, cuts, size)
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
		if r.Bound(3); len(r.Skipped) != minMessages+len("… (4904 more bytes; limits.output is 3)") {
			t.Errorf("with a small limit, a message has %d bytes", len(r.Skipped))
		}
	}
}
