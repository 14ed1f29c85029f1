package report

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roclua/hip/trace"
	"roclua/host/output"
	"roclua/host/result"
	"roclua/luabind/record"
)

// mixed is a report of cases that end in different ways, each twice or more.
func mixed() *Report {
	r := sample()
	r.Results, r.Verbose = nil, true
	for i := range 40 {
		c := &result.Case{ID: fmt.Sprintf("s%d[n=%d]@cpu/rocm-%d/gfx90a", i%3, i, 6+i%2),
			Scenario: fmt.Sprint("s", i%3), Script: fmt.Sprintf("s%d.lua", i%3), About: fmt.Sprint("about ", i%3),
			Tags: []string{"tag"}, Platform: "cpu", Profile: fmt.Sprint("rocm-", 6+i%2), Arch: "gfx90a",
			Params:        map[string]any{"n": float64(i)},
			InjectsFaults: i%7 == 0}
		if i%10 == 0 {
			c.Params["other"] = "x"
		}
		record := &record.Record{Seconds: float64(i) / 8,
			Log:     fmt.Sprint("log of ", i, strings.Repeat(".", i%2*10_000)),
			Metrics: []record.Metric{{Name: "bytes", Value: int64(i), Unit: "bytes"}}}
		if i%4 != 0 {
			record.History = trace.History{Capacity: 64, Calls: []trace.Call{{Name: fmt.Sprint("hipFree", i)}}}
		}
		record.Stats.Injected = i % 2
		switch i % 5 {
		case 1:
			record.Skipped = fmt.Sprint("reason ", i%2)
		case 2:
			record.Problems = []string{"it leaks"}
		case 3:
			c.KnownFailure = "known"
			record.Problems = []string{"it leaks"}
		}
		r.Results = append(r.Results, &result.Result{Case: c, Record: record, Started: time.Unix(int64(i), 0),
			HistoryMissing: i%4 == 0})
	}
	return r
}

// TestStoredResults writes every format from a store. Nothing may be missing.
func TestStoredResults(t *testing.T) {
	whole, stored := mixed(), mixed()
	stored.Store = &result.Store{}
	defer stored.Store.Close()
	for _, c := range stored.Results {
		stored.Store.Put(c)
	}
	for _, f := range output.Formats {
		if f.Write == nil {
			continue
		}
		var want, have strings.Builder
		for out, r := range map[io.Writer]*Report{&want: whole, &have: stored} {
			if err := f.Write(out, r); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want.String(), have.String()); diff != "" {
			t.Errorf("%s differs: %s", f.Name, diff)
		}
	}
}

// TestLargeTable writes the text of many cases: the table has those that fail.
func TestLargeTable(t *testing.T) {
	for _, test := range []struct{ cases, rows int }{{maxTable, maxTable / 2}, {maxTable + 2, 1}} {
		r := reportOf(test.cases)
		r.Verbose = true
		r.Results[7].Record.Problems = []string{"it leaks"}
		var b strings.Builder
		if err := r.WriteText(&b); err != nil {
			t.Fatal(err)
		}
		rows := strings.Count(b.String(), "│ s n=")
		noted := strings.Contains(b.String(), fmt.Sprintf("\n%d cases are not in the table", maxTable+1))
		if rows != test.rows || !strings.Contains(b.String(), "│ s n=3 ") || noted != (test.rows == 1) {
			t.Errorf("%d cases have %d rows, want %d: %.1000s", test.cases, rows, test.rows, b.String())
		}
	}
}
