package footprint

import (
	"strings"
	"testing"
)

// TestDegradedAtTheDefaultSize checks when a warning says that the default size is enough for the slower form.
func TestDegradedAtTheDefaultSize(t *testing.T) {
	for _, test := range []struct {
		bytes, degraded, available uint64
		want                       bool
	}{
		{100, 50, 100, false}, {101, 50, 100, true}, {101, 100, 100, true}, {102, 101, 100, false},
	} {
		text := degraded(&Need{Bytes: test.bytes, Degraded: test.degraded}, test.available)
		if have := strings.Contains(text, "which a fixed workspace of the default size has"); have != test.want {
			t.Errorf("%+v: %s", test, text)
		}
	}
}
