package result

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roclua/hip/trace"
	"roclua/host/baseline"
	"roclua/luabind/record"
)

// TestSharedResults puts results at their positions. Those that passed or were skipped share one result in memory for
// each scenario, target and reason.
func TestSharedResults(t *testing.T) {
	caseAt := func(i int) *Case {
		return &Case{ID: fmt.Sprint(i), Scenario: "s", Script: "s.lua", Params: map[string]any{"n": i},
			KnownFailure: "issue"}
	}
	s := &Store{}
	defer s.Close()
	records := []func(r *record.Record){
		func(*record.Record) {},
		func(r *record.Record) { r.Log, r.Seconds = "printed", 3 },
		func(r *record.Record) { r.Skipped = "slow" },
		func(r *record.Record) { r.Skipped = "no device" },
		func(r *record.Record) { r.Skipped = "slow" },
		func(r *record.Record) { r.Problems = []string{"leak"} },
		func(r *record.Record) { r.Stats.Injected = 2 },
		func(r *record.Record) { r.End = &record.End{Kind: record.EndScript} },
	}
	s.Share(len(records), caseAt)
	started := time.Unix(1_700_000_000, 0).UTC()
	var list []*Result
	for i, change := range records {
		r := &record.Record{Seconds: float64(i), Metrics: []record.Metric{{Name: "n", Value: int64(i)}}}
		change(r)
		list = append(list, s.PutAt(&Result{Case: caseAt(i), Record: r, Started: started, HistoryMissing: i == 1}, i))
	}
	for i, same := range []int{0, 0, 2, 3, 2, 5, 6, 7} {
		if list[i] != list[same] || i != same && !list[i].isShared {
			t.Errorf("result %d is not that of %d", i, same)
		}
		isShared := i != 5 && i != 7
		if list[i].isShared != isShared || isShared && (list[i].ID != "" || list[i].Params != nil) {
			t.Errorf("result %d: %+v", i, list[i].Case)
		}
		want := &record.Record{Seconds: float64(i), Metrics: []record.Metric{{Name: "n", Value: int64(i)}}}
		records[i](want)
		full, err := s.FullAt(list[i], i)
		if err != nil {
			t.Fatal(err)
		}
		wanted := &Result{Case: caseAt(i), Record: want, Started: started, HistoryMissing: i == 1}
		if diff := cmp.Diff(wanted, full, cmpopts.IgnoreUnexported(Result{})); diff != "" {
			t.Errorf("result %d (-want +have):\n%s", i, diff)
		}
		if have, err := s.RecordAt(list[i], i); err != nil || !cmp.Equal(want, have) {
			t.Errorf("result %d has the record %+v, %v", i, have, err)
		}
		if have := s.SecondsAt(list[i], i); have != want.Seconds {
			t.Errorf("result %d took %g s, want %g", i, have, want.Seconds)
		}
	}
	if r := (&Result{Record: &record.Record{Seconds: 4}}); (*Store)(nil).SecondsAt(r, 0) != 4 {
		t.Error("a result of no store has another time")
	}
	if r := (&Result{Record: &record.Record{}}); r.LogDigest() != 0 {
		t.Error("no log has a digest")
	}
}

// TestEntriesOfResults compares the entries of results with what reports have.
func TestEntriesOfResults(t *testing.T) {
	changes := []baseline.Change{{Kind: baseline.More, Case: "a", Name: "x", Old: 1.0, New: math.Inf(1)},
		{Kind: baseline.Changed, Case: "a", Name: "y", Old: "s", New: "d"}}
	want := []ChangeEntry{{Kind: baseline.More, Case: "a", Name: "x", Old: 1.0, New: "+Inf", Difference: "+Inf"},
		{Kind: baseline.Changed, Case: "a", Name: "y", Old: "s", New: "d"}}
	for _, test := range []struct {
		changes []baseline.Change
		want    []ChangeEntry
	}{{nil, nil}, {changes[:1], want[:1]}, {changes, want}} {
		r := &Result{Case: &Case{}, Record: &record.Record{}, Changes: test.changes}
		if diff := cmp.Diff(test.want, r.Entry().Baseline); diff != "" {
			t.Errorf("(-want +have):\n%s", diff)
		}
	}
	if list := ChangeEntries(nil); list == nil || len(list) > 0 {
		t.Errorf("no changes are %#v", list)
	}
}

// TestRestoredValues decodes values as entries have them: whole numbers are whole up to 2^53.
func TestRestoredValues(t *testing.T) {
	for _, test := range []struct {
		text string
		want any
	}{
		{"1", int64(1)}, {"-9007199254740991", int64(-9007199254740991)}, {"9007199254740991", int64(9007199254740991)},
		{"9007199254740992", 0x1p53}, {"-9007199254740992", -0x1p53}, {"1e300", 1e300}, {"0.5", 0.5}, {"true", true},
		{`"text"`, "text"}, {`"-Inf"`, math.Inf(-1)}, {`"NaN"`, math.NaN()},
	} {
		var e Entry
		if err := Decode([]byte(`{"metrics":[{"name":"n","value":`+test.text+`}]}`), &e); err != nil {
			t.Fatal(err)
		}
		r, err := e.Record()
		if err != nil || !cmp.Equal(r.Metrics[0].Value, test.want, cmpopts.EquateNaNs()) {
			t.Errorf("%s: %v, %#v, want %#v", test.text, err, r, test.want)
		}
	}
	e := Entry{Metrics: []MetricEntry{{Name: "n", Value: []any{}}}}
	_, err := e.Record()
	if err == nil || err.Error() != "metric n: [] is a []interface {}, want a number, a string or a boolean" {
		t.Error(err)
	}
}

func TestValues(t *testing.T) {
	r := &record.Record{Seconds: 2,
		Statuses: map[string]int{"rocblas_dasum.success": 2, "rocblas_ddot.success": 3, "rocblas_ddot.invalid": 1},
		Metrics: []record.Metric{{Name: "residual", Value: 0.5}, {Name: "time", Value: 3.0, Unit: "ms"},
			{Name: "a.b", Value: "text"}},
		Stats: trace.Stats{Counts: trace.Counts{Calls: map[string]int{"hipMalloc": 3, "hipFree": 1},
			Syncs:   map[string]int{"script": 1, "free": 4},
			Kernels: 6, PeakBytes: 64, Injected: 1}}}
	kept := map[string]any{"kernels": int64(6), "peak_bytes": int64(64), "hip.malloc": int64(3), "hip.free": int64(1),
		"syncs.script": int64(1), "syncs.free": int64(4), "status.rocblas_dasum.success": int64(2),
		"status.rocblas_ddot.success": int64(3), "status.rocblas_ddot.invalid": int64(1),
		"residual": 0.5, "a.b": "text", "faults.injected": int64(1)}
	if diff := cmp.Diff(baseline.Values(kept), BaselineValues(r)); diff != "" {
		t.Errorf("values of a baseline (-want +have):\n%s", diff)
	}
	kept["seconds"], kept["time"], kept["hip.total"], kept["syncs.total"] = 2.0, 3.0, int64(4), int64(5)
	kept["status.success"], kept["status.invalid"] = int64(5), int64(1)
	values := Values(r)
	if diff := cmp.Diff(kept, values); diff != "" {
		t.Errorf("values (-want +have):\n%s", diff)
	}
	r.Stats.Injected = 0
	if v, ok := Values(r)["faults.injected"]; ok {
		t.Errorf("%v allocations failed", v)
	}
	r.Metrics = append(r.Metrics, record.Metric{Name: "residual", Value: 0.25},
		record.Metric{Name: "outcome", Value: 1})
	values = Values(r)
	for name, want := range values {
		if have, ok := Value(r, name); have != want || !ok {
			t.Errorf("%s: %v, %t, want %v", name, have, ok, want)
		}
	}
	for name, want := range map[string]any{"residual": 0.25, "hip.memset": int64(0), "faults.injected": int64(0),
		"faults.total": int64(0), "residue": nil, "outcome": nil, "skipped": nil} {
		if have, ok := Value(r, name); have != want || ok != (want != nil) {
			t.Errorf("%s: %v, %t", name, have, ok)
		}
	}
	skipped := baseline.Values{baseline.Skipped: "slow"}
	if diff := cmp.Diff(skipped, BaselineValues(&record.Record{Skipped: "slow", Seconds: 1})); diff != "" {
		t.Errorf("values of a skipped case (-want +have):\n%s", diff)
	}
}
