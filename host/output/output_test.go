package output

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roclua/host/answer"
	"roclua/internal/atomicfile"
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
		{[]string{"excel"}, "inspect", nil, `unknown format "excel" (` + plans + ")"},
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

// TestOutputKinds checks the properties of each kind of output.
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

// invalid is data that cannot be written.
type invalid struct{ Data }

var errInvalid = errors.New("call 2: n is -1")

func (invalid) Title() string                     { return "" }
func (invalid) Sections() (*answer.Answer, error) { return nil, errInvalid }
func (invalid) Document() (any, error)            { return nil, errInvalid }

// TestErrorsOfOutputs writes data that are invalid, once for all outputs, and to a stream that fails.
func TestErrorsOfOutputs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	to := Destination{Stdout: full{}, Stderr: full{}, System: atomicfile.OS}
	for _, test := range []struct {
		outs []Output
		data Data
		want string
	}{
		{[]Output{{Format: "text"}, {Format: "json", File: path}}, invalid{}, "call 2: n is -1"},
		{[]Output{{Format: "text"}}, valid{}, "standard output: no space"},
		{[]Output{{Format: "json", Stderr: true}}, valid{}, "standard error: no space"},
		{[]Output{{Format: "json", File: path}, {Format: "json"}}, valid{}, "standard output: no space"},
		{[]Output{{Format: "json", File: filepath.Join(path, "x")}}, valid{}, "--out json: write " + path +
			"/x: not a directory"},
	} {
		if err := Write(test.outs, test.data, to); err == nil || err.Error() != test.want {
			t.Errorf("%v of %T: %v, want %s", test.outs, test.data, err, test.want)
		}
	}
}

// valid is data that can be written.
type valid struct{ Data }

func (valid) Title() string          { return "" }
func (valid) Document() (any, error) { return struct{}{}, nil }
func (valid) Sections() (*answer.Answer, error) {
	return &answer.Answer{Sections: []answer.Section{{Lines: []string{"a"}}}}, nil
}

// full is a stream without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }
