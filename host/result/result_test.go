package result_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roclua/hip/driver"
	"roclua/hip/trace"
	"roclua/host/exit"
	"roclua/host/result"
	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/workspace"
)

func ended(err error) *result.Result {
	return &result.Result{Case: &result.Case{}, Record: &record.Record{End: luabind.EndOf(err)}}
}

func TestTheMostSevereOutcomeDecidesTheExitCode(t *testing.T) {
	of := func(r record.Record) *result.Result { return &result.Result{Case: &result.Case{}, Record: &r} }
	pass, skip := ended(nil), of(record.Record{Skipped: "no such scheme"})
	check, leak := of(record.Record{Checks: []record.Check{{}}}), of(record.Record{Problems: []string{"leak"}})
	script, timeout, canceled := ended(&luabind.Error{Message: "broken"}), ended(context.DeadlineExceeded),
		ended(context.Canceled)
	panicked, abort := ended(&luabind.InternalError{Where: "hip.malloc"}),
		ended(&luabind.Abort{Abort: &workspace.Abort{}})
	missing := of(record.Record{End: &record.End{Kind: record.EndUnavailable, Message: "no device"}})
	for _, test := range []struct {
		results []*result.Result
		want    exit.Code
	}{
		{[]*result.Result{pass, skip}, exit.Pass}, {[]*result.Result{pass, check}, exit.Failed},
		{[]*result.Result{leak}, exit.Failed},
		{[]*result.Result{abort}, exit.Failed}, {[]*result.Result{check, timeout}, exit.Timeout},
		{[]*result.Result{timeout, script}, exit.Script}, {[]*result.Result{script, missing}, exit.Unavailable},
		{[]*result.Result{missing, canceled}, exit.Interrupted}, {[]*result.Result{canceled, panicked, check},
			exit.Defect},
	} {
		if have := result.ExitCode(test.results, nil, nil); have != test.want {
			t.Errorf("%d results: exit %d, want %d", len(test.results), have, test.want)
		}
	}
}

// TestEntriesRestoreRecords writes a record as JSON and restores it.
func TestEntriesRestoreRecords(t *testing.T) {
	want := &record.Record{
		Metrics: []record.Metric{{Name: "bytes", Value: int64(4732160), Unit: "bytes"},
			{Name: "nan", Value: math.NaN()},
			{Name: "x", Value: 0.5}, {Name: "kind", Value: "a"}, {Name: "ok", Value: true}},
		Checks: []record.Check{{Text: "n", Where: "a.lua:1", Have: "1", Want: "2"}},
		End: &record.End{Kind: record.EndScript, Message: "broken", File: "a.lua", Line: 3,
			Traceback: "a.lua:3"},
		Problems: []string{"leak"}, Log: "printed\n", Seconds: 0.25,
		Statuses: map[string]int{"rocblas_dasum.success": 2},
		Stats: trace.Stats{Counts: trace.Counts{Calls: map[string]int{"hipMalloc": 2}, Kernels: 1, PeakBytes: 64,
			Allocations: 3,
			Injected:    2}},
		Faults: record.FaultsOf([]trace.Call{
			{Name: "hipMallocAsync", Bytes: 64, HasBytes: true, Stream: 2, HasStream: true,
				Result: driver.ErrorOutOfMemory, Cause: "growth",
				Origin: "a.lua:3", Injected: "allocation 1"},
			{Name: "hipMalloc", Bytes: 32, HasBytes: true, Result: driver.ErrorOutOfMemory, Cause: "script",
				Injected: "allocation 2"},
		}),
	}
	r := &result.Result{Case: &result.Case{ID: "a@cpu"}, Record: want}
	text, err := json.Marshal(r.Entry())
	if err != nil {
		t.Fatal(err)
	}
	var entry result.Entry
	if err := result.Decode(text, &entry); err != nil {
		t.Fatal(err)
	}
	want.Faults[0].Stream = json.Number("2")
	if diff := cmp.Diff(*want, entry.Record, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
}

// TestMeasuredNamesAreReserved checks that a script cannot record a metric with the name of a measured value, and that
// such a metric of a file does not replace the measured value.
func TestMeasuredNamesAreReserved(t *testing.T) {
	r := &record.Record{Seconds: 2, Statuses: map[string]int{"rocblas_dasum.success": 2},
		Stats: trace.Stats{
			Counts: trace.Counts{Injected: 4,
				Calls: map[string]int{"hipMalloc": 3}, Syncs: map[string]int{"script": 1}},
			Devices: []trace.Counts{{}, {Calls: map[string]int{"hipMalloc": 3}, Injected: 4, Kernels: 2}}}}
	measured, baseline := result.Values(r), result.BaselineValues(r)
	for name := range measured {
		if !record.IsMeasured(name) {
			t.Errorf("a script can record a metric with the name %s", name)
		}
		r.Metrics = append(r.Metrics, record.Metric{Name: name, Value: int64(99)},
			record.Metric{Name: name, Value: int64(99), Unit: "s"})
	}
	r.Metrics = append(r.Metrics, record.Metric{Name: "skipped", Value: int64(1)})
	if diff := cmp.Diff(measured, result.Values(r)); diff != "" {
		t.Errorf("values (-want +have):\n%s", diff)
	}
	if diff := cmp.Diff(baseline, result.BaselineValues(r)); diff != "" {
		t.Errorf("values for a baseline (-want +have):\n%s", diff)
	}
	for name := range result.BaselineValues(&record.Record{Skipped: "no reason"}) {
		if !record.IsMeasured(name) {
			t.Errorf("a script can record a metric with the name %s", name)
		}
	}
	for _, name := range []string{"hipmalloc", "second", "residual"} {
		if record.IsMeasured(name) {
			t.Errorf("%s is reserved", name)
		}
	}
}

// TestDecode decodes JSON with every kind of value and writes it again.
func TestDecode(t *testing.T) {
	const text = `{
  "a": [
    1,
    -2.50,
    1e400,
    9007199254740993,
    "<\u0000>",
    true,
    null
  ],
  "b": {},
  "c": []
}`
	var v any
	if err := result.Decode([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	var have strings.Builder
	if err := result.Encode(&have, v, result.Indented); err != nil || have.String() != text {
		t.Errorf("%v\n%s", err, &have)
	}
}
