package output

import (
	"slices"
	"strings"
	"testing"
)

func TestFormatsAreSorted(t *testing.T) {
	if !slices.IsSortedFunc(Formats, func(a, b Format) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the formats are not sorted")
	}
}

func TestParse(t *testing.T) {
	plans := "inspect writes " + strings.Join(OfCommand("inspect"), ", ")
	for _, test := range []struct {
		list    []string
		command string
		want    []Output
		err     string
	}{
		{nil, "run", []Output{{Format: "text"}}, ""},
		{[]string{"json=r.json", "tap"}, "run", []Output{{Format: "json", File: "r.json"}, {Format: "tap"}}, ""},
		{[]string{"csv=-"}, "run", []Output{{Format: "csv"}}, ""},
		{[]string{"jsno"}, "run", nil, `unknown format "jsno", did you mean "json"?`},
		{[]string{"yaml"}, "inspect", nil, `unknown format "yaml" (` + plans + ")"},
		{[]string{"text", "junit=x"}, "inspect", nil, "--out junit: " + plans},
		{[]string{"text", "tap"}, "run", nil, "2 formats would go to standard output"},
	} {
		have, err := Parse(test.list, test.command)
		if !slices.Equal(have, test.want) || (err == nil) != (test.err == "") ||
			err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%v: %v, %v", test.list, have, err)
		}
	}
}

// TestOutputKinds checks what each kind of output is.
func TestOutputKinds(t *testing.T) {
	for _, test := range []struct {
		output                    Output
		text                      string
		history, events, document bool
	}{
		{Output{Format: "text"}, "--out text", false, false, false},
		{Output{Format: "json"}, "--out json", false, false, true},
		{Output{Format: "json", Stderr: true}, "--out json", false, false, false},
		{Output{Format: "json", File: "a.json"}, "--out json=a.json", false, false, false},
		{Output{Format: "jsonl"}, "--out jsonl", false, true, true},
		{Output{Format: "html", File: "a.html"}, "--out html=a.html", true, false, false},
		{Output{Format: "trace"}, "--out trace", true, false, true},
	} {
		o := test.output
		if o.String() != test.text || o.NeedsHistory() != test.history || o.IsEvents() != test.events ||
			o.IsDocument() != test.document {
			t.Errorf("%+v: %s, history %v, events %v, document %v", o, o, o.NeedsHistory(), o.IsEvents(),
				o.IsDocument())
		}
	}
}
