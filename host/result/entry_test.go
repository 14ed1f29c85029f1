package result

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roclua/hip/trace"
	"roclua/host/baseline"
	"roclua/luabind/record"
)

// TestEntriesOfResults compares the changes in entries with what reports have. Nothing is escaped for HTML: the encoder
// decides that.
func TestEntriesOfResults(t *testing.T) {
	for _, test := range []struct {
		changes []baseline.Change
		want    string
	}{
		{nil, ``},
		{[]baseline.Change{{Kind: baseline.More, Case: "a", Name: "x", Old: 1.0, New: math.Inf(1)}},
			`"baseline":[{"kind":"MORE","case":"a","name":"x","old":1,"new":"+Inf","difference":"+Inf"}],`},
		{[]baseline.Change{{Kind: baseline.Changed, Case: "a", Name: "y", Old: "<s>", New: "d"},
			{Kind: baseline.New, Case: "a"}},
			`"baseline":[{"kind":"CHANGED","case":"a","name":"y","old":"<s>","new":"d"},{"kind":"NEW","case":"a"}],`},
	} {
		r := &Result{Case: &Case{}, Record: &record.Record{}, Changes: test.changes}
		var b strings.Builder
		if err := Encode(&b, r.Entry(), Plain); err != nil {
			t.Fatal(err)
		}
		_, have, _ := strings.Cut(b.String(), `"arch":"",`)
		have, _, _ = strings.Cut(have, `"seconds"`)
		if _, have, _ = strings.Cut(have, ","); have != test.want {
			t.Errorf("have %s, want %s", have, test.want)
		}
	}
}

// TestRestoredValues decodes values as entries have them: whole numbers are whole up to 2^53.
func TestRestoredValues(t *testing.T) {
	for _, test := range []struct {
		text string
		want any
	}{
		{"1", int64(1)}, {"-9007199254740991", int64(-9007199254740991)}, {"9007199254740991", int64(9007199254740991)},
		{"9007199254740992", 0x1p53}, {"-9007199254740992", -0x1p53}, {"1e+300", 1e300}, {"0.5", 0.5}, {"true", true},
		{`"text"`, "text"}, {`"-Inf"`, math.Inf(-1)}, {`"NaN"`, math.NaN()},
	} {
		var e Entry
		if err := Decode([]byte(`{"metrics":[{"name":"n","value":`+test.text+`}]}`), &e); err != nil {
			t.Fatal(err)
		}
		if !cmp.Equal(e.Metrics[0].Value, test.want, cmpopts.EquateNaNs()) {
			t.Errorf("%s: %#v, want %#v", test.text, e.Metrics, test.want)
		}
		var again strings.Builder
		if err := Encode(&again, e.Metrics); err != nil || again.String() != `[{"name":"n","value":`+test.text+`}]` {
			t.Errorf("%s is written as %s, %v", test.text, again.String(), err)
		}
	}
	err := Decode([]byte(`{"metrics":[{"name":"n","value":[]}]}`), &Entry{})
	if err == nil || !strings.HasSuffix(err.Error(),
		"metric n: [] is a []interface {}, want a number, a string or a boolean") {
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
