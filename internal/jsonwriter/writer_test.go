package jsonwriter_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"roclua/internal/jsonwriter"
	"roclua/internal/jsonwriter/jsonwritertest"
)

// all has a value of each kind that is written.
type all struct {
	Text     string           `json:"text"`
	Optional string           `json:"optional,omitempty"`
	Int      int64            `json:"int"`
	Uint     uint64           `json:"uint"`
	Float    float64          `json:"float"`
	Bool     bool             `json:"bool"`
	Any      any              `json:"any"`
	Pointer  *part            `json:"pointer"`
	Values   map[string]any   `json:"values,omitempty"`
	Counts   map[string]int   `json:"counts,omitempty"`
	List     []part           `json:"list,omitempty"`
	Lists    map[string][]any `json:"lists"` // by reflection
	Empty    struct{}         `json:"empty"`
}

type part struct {
	Text   string         `json:"text"`
	Counts map[string]int `json:"counts,omitempty"`
}

func (p *part) write(w *jsonwriter.Writer) {
	w.Begin('{')
	w.Member("text", p.Text)
	w.Counts("counts", p.Counts)
	w.End('}')
}

func (a *all) write(w *jsonwriter.Writer) {
	w.Begin('{')
	w.Member("text", a.Text)
	w.Optional("optional", a.Optional)
	w.Key("int")
	w.Int(a.Int)
	w.Key("uint")
	w.Uint(a.Uint)
	w.Key("float")
	w.Float(a.Float)
	w.Key("bool")
	w.Bool(a.Bool)
	w.Key("any")
	w.Any(a.Any)
	if w.Key("pointer"); a.Pointer == nil {
		w.Raw([]byte("null"))
	} else {
		a.Pointer.write(w)
	}
	w.Values("values", a.Values)
	w.Counts("counts", a.Counts)
	jsonwriter.List(w, "list", a.List, func(p *part) { p.write(w) })
	w.Key("lists")
	w.Any(a.Lists)
	w.Key("empty")
	w.Begin('{')
	w.End('}')
	w.End('}')
}

// TestWriter writes random values.
func TestWriter(t *testing.T) { jsonwritertest.Check(t, (*all).write) }

// TestNoJSON checks that values without JSON are errors, until a new text begins.
func TestNoJSON(t *testing.T) {
	w := jsonwriter.Compact()
	for _, v := range []any{math.NaN(), math.Inf(1), math.Inf(-1), func() {}} {
		w.Reset(nil)
		w.Any(v)
		w.Text("after it")
		if text, err := w.Bytes(); err == nil {
			t.Errorf("%v is %s", v, text)
		}
	}
	w.Reset(nil)
	w.Begin('[')
	w.End(']')
	if text, err := w.Bytes(); err != nil || string(text) != "[]" {
		t.Errorf("%v, %s, want []", err, text)
	}
}

// TestPass checks that text that is passed on in parts is the same as text that is kept.
func TestPass(t *testing.T) {
	v := all{Text: strings.Repeat("é\x01<漢\xff", 100_000), List: make([]part, 30_000)}
	for i := range v.List {
		v.List[i].Text = strings.Repeat("x", i%100)
	}
	for _, w := range []*jsonwriter.Writer{jsonwriter.Compact(), jsonwriter.Indented("> ")} {
		v.write(w)
		want, err := w.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		var have []byte
		parts, longest := 0, 0
		w.Pass = func(text []byte) []byte {
			have = append(have, text...)
			parts, longest = parts+1, max(longest, len(text))
			return text[:0]
		}
		w.Reset(nil)
		v.write(w)
		text, err := w.Bytes()
		if have = append(have, text...); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%v, the parts have %d bytes, want %d", err, len(have), len(want))
		}
		if parts < 5 || longest > 2<<20 {
			t.Errorf("%d parts of at most %d bytes", parts, longest)
		}
	}
}
