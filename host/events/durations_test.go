package events

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDurations reads the durations of cases from both kinds of result files.
func TestDurations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results")
	digests := map[string]bool{}
	for _, text := range []string{
		`{"event":"begin","tool":"roclua"}` + "\n" + `{"event":"case","id":"a","seconds":2.5,"outcome":"pass"}` + "\n" +
			`{"event":"case","id":"b","seconds":1,"outcome":"interrupted"}` + "\nno event\n" +
			`{"event":"case","id":"c","seconds":0,"outcome":"fail"}` + "\n" + `{"event":"case","id":"d","seconds":3`,
		`{"tool":"roclua","totals":{"cases":[1]},"cases":[{"id":"a","seconds":2.5},{"id":"c","seconds":0},` +
			`{"id":"b","seconds":1,"outcome":"interrupted"},{"seconds":7}],"more":1}`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := ReadDurations(path)
		if err != nil {
			t.Fatal(err)
		}
		for id, want := range map[string]float64{"a": 2.5, "b": -1, "c": 0, "d": -1, "": -1, "none": -1} {
			if have := d.Seconds(id); have != want {
				t.Errorf("%s: case %q took %g", text, id, have)
			}
		}
		if d.Digest != digest([]byte(text)) {
			t.Errorf("digest %s", d.Digest)
		}
		digests[d.Digest] = true
	}
	if len(digests) != 2 {
		t.Error("two files have one digest")
	}
}

// TestBrokenDurations reads files that have no durations. The error names the file.
func TestBrokenDurations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results")
	if _, err := ReadDurations(path); err == nil {
		t.Error("a file that does not exist")
	}
	for text, want := range map[string]string{
		"": "no result file", "[]": "no result file", "text": "no result file", `{}`: "has no cases",
		`{"tool":"roclua"}`: "has no cases", `{"cases":{}}`: "are not a list", `{"cases":3}`: "are not a list",
		`{"cases":[{"id":3}]}`: "cannot unmarshal", `{"cases":[{"id":"a"`: "unexpected EOF", `{"tool":`: "EOF",
		`{"tool"`: "EOF", `{3:4}`: "invalid character", `{"cases":`: "are not a list",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := ReadDurations(path)
		if d != nil || err == nil || !strings.HasPrefix(err.Error(), path+": ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
