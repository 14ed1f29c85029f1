package result

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roclua/hip/trace"
	"roclua/luabind/record"
)

// recordOf returns a record with all kinds of values, and a log of a size.
func recordOf(i, size int) *record.Record {
	return &record.Record{Seconds: float64(i), Log: strings.Repeat("x", size), Required: []string{"a.lua"},
		Metrics: []record.Metric{{Name: "n", Value: int64(i), Unit: "bytes"}, {Name: "f", Value: math.Inf(1)},
			{Name: "s", Value: "text"}, {Name: "b", Value: true}},
		Checks:   []record.Check{{Text: "passes", Passed: true}, {Text: "check", Passed: i%2 == 0, Have: "1"}},
		Stats:    trace.Stats{Counts: trace.Counts{Calls: map[string]int{"hipMalloc": i + 1}, Injected: 1}},
		Faults:   []record.Fault{{Call: "hipMalloc", Bytes: 7, Stream: json.Number("0")}},
		Statuses: map[string]int{"success": i + 1},
		History:  trace.History{Capacity: 64, Calls: []trace.Call{{Name: "hipFree", Ptr: 1 << 40}}}}
}

// TestStore puts small and large records into a store and restores them in another order.
func TestStore(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := &Store{}
	var list []*Result
	for i := range 200 {
		r := &Result{Case: &Case{ID: fmt.Sprint(i)}, Record: recordOf(i, 1000*i)}
		digest := r.LogDigest()
		before := r.Outcome()
		s.Put(r)
		s.Put(r) // a second time changes nothing
		if isLarge := i > 5; isLarge != (r.Record.Metrics == nil) || r.Outcome() != before || r.LogDigest() != digest {
			t.Fatalf("case %d keeps %+v", i, r.Record)
		}
		list = append(list, r)
	}
	for i := len(list) - 1; i >= 0; i-- {
		full, err := s.Full(list[i])
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(recordOf(i, 1000*i), full.Record, cmpopts.EquateNaNs()); diff != "" {
			t.Fatal(diff)
		}
	}
	if entries, err := os.ReadDir(os.TempDir()); runtime.GOOS == "linux" && (err != nil || len(entries) > 0) {
		t.Errorf("%d files are left, %v", len(entries), err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := s.Full(list[199]); err == nil {
		t.Error("a closed store restores a result from its file")
	}
}

// TestStoreWithoutSpace keeps records in the results when no temporary file can be made.
func TestStoreWithoutSpace(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/missing")
	s := &Store{}
	for i := range 10 {
		r := &Result{Case: &Case{}, Record: recordOf(i, 1<<20)}
		s.Put(r)
		full, err := s.Full(r)
		if err != nil || len(full.Record.Log) != 1<<20 || len(full.Record.Metrics) != 4 {
			t.Fatalf("case %d: %v, %+v", i, err, full)
		}
	}
}

// TestStoreIsSmall makes sure that results in a store need little memory.
func TestStoreIsSmall(t *testing.T) {
	s := &Store{}
	defer s.Close()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var list []*Result
	for i := range 2000 {
		list = append(list, &Result{Case: &Case{}, Record: recordOf(0, 100_000)})
		s.Put(list[i])
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if used := int64(after.HeapAlloc) - int64(before.HeapAlloc); used > 2000*1500 {
		t.Errorf("%d results of 100 KB need %d bytes", len(list), used)
	}
	runtime.KeepAlive(list)
}

func BenchmarkStore(b *testing.B) {
	s := &Store{}
	defer s.Close()
	for i := 0; b.Loop(); i++ {
		r := &Result{Case: &Case{}, Record: recordOf(i, 100)}
		s.Put(r)
		if _, err := s.Full(r); err != nil {
			b.Fatal(err)
		}
	}
}
