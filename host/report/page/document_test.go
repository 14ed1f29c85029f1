package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/hip/driver"
	"roclua/hip/trace"
	"roclua/host/report/timeline"
)

// TestPack checks the lists of a timeline. Their strings are indices into the names of the document.
func TestPack(t *testing.T) {
	d := &Document{kindIndex: map[kind]int{}, nameIndex: map[string]int{}}
	hazard := trace.Hazard{Seconds: 1, Later: driver.Use{Call: "b"}}
	hazard.Earlier = driver.Use{Call: "a", Stream: 1, Handle: 2}
	have := d.Pack(&timeline.Timeline{Seconds: 1.5, Capacity: 1000,
		Live:    []timeline.Step{{At: 0.25, Bytes: 64}, {At: 0.26, Bytes: 1 << 60}},
		Handles: []timeline.Track{{Handle: 1, Steps: []timeline.Step{{At: 0.5, Bytes: 32}}}, {Handle: 2, Device: 1}},
		Devices: []timeline.Device{{Capacity: 400}, {Capacity: 600, Live: []timeline.Step{{At: 0.5, Bytes: 8}}}},
		Calls: []trace.Call{
			{Name: "hipMalloc", Seconds: 0.1, Duration: 1e-7, HasBytes: true, Bytes: 64, Synchronizing: true},
			{Name: "hipFreeAsync", Seconds: 0.2, HasStream: true, Stream: 3, Cause: "growth", Origin: "x.lua:1",
				Handle: 2},
			{Name: "hipMalloc", HasBytes: true, Result: driver.ErrorOutOfMemory, Injected: "every"},
			{Name: "hipMalloc", Seconds: -1.25e-6, HasBytes: true, Bytes: 128, Synchronizing: true},
		},
		Kernels: []trace.Kernel{{Device: 1, Stream: 2, Queued: 0.1, Start: 0.2, End: 0.3, Name: "dgemm",
			Origin: "x.lua:2"}},
		Marks:   []trace.Mark{{Seconds: 0.5}, {Seconds: 0.75, Text: "refused", Origin: "x.lua:1"}},
		Hazards: []trace.Hazard{hazard},
	})
	name := func(text string) float64 { return float64(d.nameIndex[text]) }
	want := &packed{End: 1.5e6, Capacity: 1000, Live: []float64{2.5e5, 64, 2.6e5, 1 << 60},
		Handles: [][]float64{{0, 1, 5e5, 32}, {1, 2}}, Devices: [][]float64{{400, 0}, {600, 0, 5e5, 8}},
		Calls:   []float64{1e5, 0.1, 64, 0, 2e5, 0, -1, 1, 0, 0, 0, 2, -1.3, 0, 128, 0},
		Kernels: []float64{streamsOfDevice + 2, 1e5, 2e5, 3e5, name("dgemm"), name("x.lua:2")},
		Marks:   []float64{7.5e5, name("refused"), name("x.lua:1"), 0},
		Hazards: []float64{1e6, name("hazard: " + hazard.String()), 2, name("a"), 1, name(""), name("b"), 0, name("")}}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
	var texts []any
	for i, n := range d.Kinds {
		if i%7 == 1 || i%7 == 4 || i%7 == 6 {
			texts = append(texts, n)
		} else {
			texts = append(texts, d.Names[n])
		}
	}
	if diff := cmp.Diff([]any{"hipMalloc", -1, "", "", 1, "", 0, "hipFreeAsync", 3, "growth", "x.lua:1", 0, "", 2,
		"hipMalloc", -1, "", "", 0, driver.ErrorOutOfMemory.Error() + ", injected: every", 0}, texts); diff != "" {
		t.Errorf("kinds (-want +have):\n%s", diff)
	}
}

// TestPackNothing checks that a timeline without entries omits unneeded lists.
func TestPackNothing(t *testing.T) {
	text, err := json.Marshal((&Document{}).Pack(&timeline.Timeline{}))
	if want := `{"end":0,"capacity":0,"handles":[]}`; err != nil || string(text) != want {
		t.Errorf("have %s, %v, want %s", text, err, want)
	}
}

// TestPackIsBounded checks that a timeline keeps maxEntries of each kind and counts the others.
func TestPackIsBounded(t *testing.T) {
	for _, test := range []struct{ entries, kept, left int }{
		{maxEntries - 1, maxEntries - 1, 0}, {maxEntries, maxEntries, 0}, {maxEntries + 2, maxEntries, 6},
	} {
		marks := make([]trace.Mark, test.entries)
		for i := range marks {
			marks[i].Text = "refused"
		}
		d := &Document{kindIndex: map[kind]int{}, nameIndex: map[string]int{}}
		p := d.Pack(&timeline.Timeline{Calls: make([]trace.Call, test.entries),
			Kernels: make([]trace.Kernel, test.entries), Hazards: make([]trace.Hazard, test.entries), Marks: marks,
			Live: make([]timeline.Step, test.entries)})
		for i, have := range []int{len(p.Calls) / 4, len(p.Kernels) / 6, len(p.Hazards) / 9, len(p.Marks) / 4,
			len(p.Live) / 2} {
			if have != test.kept {
				t.Errorf("list %d of %d entries: %d are kept, want %d", i, test.entries, have, test.kept)
			}
		}
		if p.Left != test.left {
			t.Errorf("%d entries: %d left out, want %d", test.entries, p.Left, test.left)
		}
	}
}

// limited is a writer that fails after a number of bytes.
type limited struct{ left int }

var errFull = errors.New("full")

func (w *limited) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// TestWrite checks the data of a page, and that errors of the writer and of a case are returned.
func TestWrite(t *testing.T) {
	d := &Document{Title: "<solve>"}
	cases := func(add func(*Case) error) error {
		for _, id := range []string{"a", "b</script>"} {
			if err := add(&Case{ID: id, Timeline: d.Pack(&timeline.Timeline{Seconds: 1e-6})}); err != nil {
				return err
			}
		}
		d.name("x")
		return nil
	}
	var out bytes.Buffer
	if err := d.Write(&out, cases); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "<title>&lt;solve&gt;</title>") {
		t.Error("the title is not escaped")
	}
	_, data, _ := strings.Cut(out.String(), `id="run">`)
	data, _, _ = strings.Cut(data, "</script>")
	var have struct {
		Cases []struct {
			ID       string
			Timeline struct{ End int }
		}
		Kinds, Names []any
	}
	if err := json.Unmarshal([]byte(data), &have); err != nil || len(have.Cases) != 2 ||
		have.Cases[1].ID != "b</script>" || have.Cases[1].Timeline.End != 1 || have.Kinds == nil ||
		len(have.Names) != 1 || have.Names[0] != "x" {
		t.Errorf("%v, %+v in %s", err, have, data)
	}
	begin := strings.Index(out.String(), `id="run">`)
	for _, left := range []int{0, begin + 20, begin + len(data)/2, begin + len(data), out.Len() - 1} {
		w := &limited{left}
		if err := d.Write(w, cases); !errors.Is(err, errFull) {
			t.Errorf("after %d of %d bytes: %v", left, out.Len(), err)
		}
	}
	for left := begin; left < begin+len(data)+20; left++ {
		w := &limited{left}
		if err := d.Write(w, cases); !errors.Is(err, errFull) {
			t.Errorf("after %d of %d bytes: %v", left, out.Len(), err)
		}
	}
	broken := errors.New("broken")
	if err := d.Write(&out, func(func(*Case) error) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("a case cannot be read: %v", err)
	}
}
