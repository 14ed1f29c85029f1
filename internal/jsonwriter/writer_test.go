package jsonwriter_test

import (
	"math"
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
