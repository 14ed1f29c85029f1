package compare

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/hip/trace"
	"roclua/luabind/record"
)

// TestPage checks the data of the page: the differences, and for each case the memory of both runs.
func TestPage(t *testing.T) {
	runOf := func(bytes int64, growth uint64) *Run {
		run := newRun()
		add := func(id string, history *trace.History, metrics ...record.Metric) {
			run.add(line(id, metrics, history))
		}
		history := &trace.History{Capacity: 1 << 30, Calls: []trace.Call{{Name: "hipMalloc", Seconds: 1, HasBytes: true,
			Bytes: growth, Ptr: 64, Cause: trace.CauseGrowth, Synchronizing: true}},
			Marks: []trace.Mark{{Handle: 3, Seconds: 1, Bytes: growth}}}
		add("a/grows[scheme=managed,n=1]@cpu/p/g", history, record.Metric{Name: "workspace_bytes", Value: bytes})
		add("same@cpu/p/g", nil)
		return run
	}
	c := New(runOf(64, 128), runOf(96, 256), nil)
	c.Names = [2]string{"old", "new"}
	var page bytes.Buffer
	if err := c.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(page.String(), `id="run">`)
	text, _, _ := strings.Cut(rest, "</script>")
	type line struct{ Handles [][]float64 }
	type one struct {
		ID, Scenario, Label, Scheme, Outcome string

		Bad              bool
		Growths, Syncs   int
		Peak             uint64
		NoTimeline       string `json:"no_timeline"`
		Timeline, Before *line
	}
	var have struct {
		Compared []string
		Failures []struct {
			Headline string
			Cases    []int
		}
		Cases []one
	}
	if err := json.Unmarshal([]byte(text), &have); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"old", "new"}, have.Compared); diff != "" {
		t.Error(diff)
	}
	if f := have.Failures; len(f) != 1 || f[0].Headline != "workspace_bytes: 64 -> 96 (+32)" || f[0].Cases[0] != 0 {
		t.Errorf("failures are %+v", f)
	}
	if len(have.Cases) != 2 || !strings.Contains(have.Cases[1].NoTimeline, "--out jsonl") {
		t.Fatalf("cases are %+v", have.Cases)
	}
	want := one{ID: "a/grows[scheme=managed,n=1]@cpu/p/g", Scenario: "a/grows", Label: "n=1", Scheme: "managed",
		Outcome: "more", Bad: true, Growths: 1, Syncs: 1, Peak: 256,
		Timeline: &line{[][]float64{{0, 3, 1e6, 256}}}, Before: &line{[][]float64{{0, 3, 1e6, 128}}}}
	if diff := cmp.Diff(want, have.Cases[0]); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
	if same := have.Cases[1]; same.Bad || same.Outcome != "same" {
		t.Errorf("a case without differences is %+v", same)
	}
}
