package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/host/report/timeline"
)

// TestPack checks the lists of a timeline, whose strings are places in the names of the document.
func TestPack(t *testing.T) {
	d := &Document{}
	p := d.Pack(&timeline.Timeline{Seconds: 1.5, Capacity: 1000, Live: []timeline.Step{{At: 0.25, Bytes: 64}},
		Handles: []timeline.Track{{Handle: 1, Steps: []timeline.Step{{At: 0.5, Bytes: 32}}}},
		Calls: []hip.Call{
			{Name: "hipMalloc", Seconds: 0.1, Duration: 1e-7, HasBytes: true, Bytes: 64, Synchronizing: true},
			{Name: "hipFreeAsync", Seconds: 0.2, HasStream: true, Stream: 3, Cause: "growth", Origin: "x.lua:1"},
			{Name: "hipMalloc", HasBytes: true, Result: driver.ErrorOutOfMemory, Injected: "every"},
		},
		Kernels: []hip.Kernel{{Stream: 2, Queued: 0.1, Start: 0.2, End: 0.3, Name: "dgemm"}},
		Marks:   []hip.Mark{{Seconds: 0.5}, {Seconds: 0.75, Text: "refused", Origin: "x.lua:1"}},
		Hazards: []hip.Hazard{{Seconds: 1, Earlier: driver.Use{Call: "a", Stream: 1}, Later: driver.Use{Call: "b"}}},
	})
	name := func(at any) string { return d.names[at.(int)] }
	for i, want := range [][]any{
		{1e5, 0.1, "hipMalloc", int64(64), -1, "", "", 1, ""},
		{2e5, 0.0, "hipFreeAsync", int64(-1), 3, "growth", "x.lua:1", 0, ""},
		{0.0, 0.0, "hipMalloc", int64(0), -1, "", "", 0, driver.ErrorOutOfMemory.Error() + ", injected: every"},
	} {
		have := append([]any{}, p.Calls[i]...)
		for _, at := range []int{2, 5, 6, 8} {
			have[at] = name(have[at])
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("call %d: %s", i, diff)
		}
	}
	k, m, h := p.Kernels[0], p.Marks[0], p.Hazards[0]
	if p.End != 1.5e6 || p.Capacity != 1000 || p.Left != 0 || k[0] != 2 || k[1] != 1e5 || k[3] != 3e5 ||
		name(k[4]) != "dgemm" || len(p.Marks) != 1 || m[0] != 7.5e5 || name(m[1]) != "refused" ||
		!strings.HasPrefix(name(h[1]), "hazard: ") || name(h[2]) != "a" || name(h[5]) != "b" {
		t.Errorf("%+v, names %q", p, d.names)
	}
	lines := [][2]float64{p.Live[0], p.Handles[0][0]}
	if diff := cmp.Diff([][2]float64{{2.5e5, 64}, {5e5, 32}}, lines); diff != "" {
		t.Error(diff)
	}
}

// TestPackIsBounded checks that a timeline keeps maxEntries of each kind, and counts the others.
func TestPackIsBounded(t *testing.T) {
	for _, test := range []struct{ entries, kept, left int }{
		{maxEntries - 1, maxEntries - 1, 0}, {maxEntries, maxEntries, 0}, {maxEntries + 2, maxEntries, 6},
	} {
		marks := make([]hip.Mark, test.entries)
		for i := range marks {
			marks[i].Text = "refused"
		}
		d := &Document{}
		p := d.Pack(&timeline.Timeline{Calls: make([]hip.Call, test.entries), Kernels: make([]hip.Kernel, test.entries),
			Hazards: make([]hip.Hazard, test.entries), Marks: marks, Live: make([]timeline.Step, test.entries)})
		for _, have := range []int{len(p.Calls), len(p.Kernels), len(p.Hazards), len(p.Marks), len(p.Live)} {
			if have != test.kept {
				t.Errorf("%d entries: %d are kept, want %d", test.entries, have, test.kept)
			}
		}
		if p.Left != test.left {
			t.Errorf("%d entries: %d left out, want %d", test.entries, p.Left, test.left)
		}
	}
}

// limited fails when more than a number of bytes are written.
type limited struct{ left int }

var errFull = errors.New("full")

func (w *limited) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// TestWrite checks the data of a page, and that the error of a full writer and of a case are returned.
func TestWrite(t *testing.T) {
	cases := func(add func(Case) error) error {
		for _, id := range []string{"a", "b</script>"} {
			if err := add(Case{ID: id}); err != nil {
				return err
			}
		}
		return nil
	}
	d := &Document{Title: "<solve>"}
	d.name("x")
	var out bytes.Buffer
	if err := Write(&out, d, cases); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "<title>&lt;solve&gt;</title>") {
		t.Error("the title is not escaped")
	}
	_, data, _ := strings.Cut(out.String(), `id="run">`)
	data, _, _ = strings.Cut(data, "</script>")
	var have struct {
		Cases []Case
		Names []string
	}
	if err := json.Unmarshal([]byte(data), &have); err != nil || len(have.Cases) != 2 ||
		have.Cases[1].ID != "b</script>" || len(have.Names) != 1 || have.Names[0] != "x" {
		t.Errorf("%v, %+v in %s", err, have, data)
	}
	begin := strings.Index(out.String(), `id="run">`)
	for _, left := range []int{0, begin + 20, begin + len(data)/2, begin + len(data), out.Len() - 1} {
		if err := Write(&limited{left}, d, cases); !errors.Is(err, errFull) {
			t.Errorf("after %d of %d bytes: %v", left, out.Len(), err)
		}
	}
	for left := begin; left < begin+len(data)+20; left++ {
		if err := Write(&limited{left}, d, cases); !errors.Is(err, errFull) {
			t.Errorf("after %d of %d bytes: %v", left, out.Len(), err)
		}
	}
	broken := errors.New("broken")
	if err := Write(&out, d, func(func(Case) error) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("a case cannot be read: %v", err)
	}
}
