package record

import (
	"strings"
	"testing"
)

// TestMessagesAreBounded records messages that are longer than the limit of output.
func TestMessagesAreBounded(t *testing.T) {
	const limit = 1000
	long := strings.Repeat("é", limit)
	r := &Record{End: &End{Message: long, Traceback: long}, Skipped: long, Problems: []string{long, "short"}}
	r.Bound(limit)
	texts := append([]string{r.End.Message, r.End.Traceback, r.Skipped}, r.Problems...)
	total := 0
	for _, text := range texts {
		kept, note, cut := strings.Cut(text, "… (")
		if !cut || !strings.HasSuffix(note, "more bytes; limits.output is 1000)") {
			t.Errorf("not cut: %.40q…", text)
		}
		total += len(kept)
	}
	if total != limit {
		t.Errorf("the messages have %d bytes", total)
	}
	for text, want := range map[string]string{"éé": "é… (2 more bytes; limits.output is 3)",
		"\xa9\xa9\xa9\xa9": "… (4 more bytes; limits.output is 3)"} {
		r := &Record{Skipped: text}
		if r.Bound(3); r.Skipped != want {
			t.Errorf("%q is cut to %q, want %q", text, r.Skipped, want)
		}
	}
	same := &Record{Skipped: long}
	if same.Bound(0); same.Skipped != long {
		t.Error("a record without a limit is cut")
	}
	if same.Bound(2 * limit); same.Skipped != long {
		t.Error("a message of the allowed length is cut")
	}
}
