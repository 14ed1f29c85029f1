package report

import (
	"fmt"
	"io"
	"testing"
	"time"

	"roclua/host/config"
	"roclua/host/output"
	"roclua/host/result"
	"roclua/luabind/record"
)

// reportOf returns a report of cases that passed, whose records are in a store.
func reportOf(cases int) *Report {
	r := &Report{Config: config.New("s.lua"), Store: &result.Store{}, Started: time.Unix(0, 0),
		Environment: func() *record.Environment { return &record.Environment{} }}
	for i := range cases {
		id := fmt.Sprintf("s[n=%d]@cpu/rocm-%d/gfx90a", i/2, 6+i%2)
		c := &result.Result{Case: &result.Case{ID: id, Scenario: "s", Script: "s.lua", Platform: "cpu",
			Profile: fmt.Sprint("rocm-", 6+i%2), Arch: "gfx90a", Params: map[string]any{"n": float64(i / 2)}},
			Record: &record.Record{Metrics: []record.Metric{{Name: "bytes", Value: int64(i)}}}}
		r.Store.Put(c)
		r.Results = append(r.Results, c)
	}
	return r
}

func BenchmarkReports(b *testing.B) {
	for _, n := range []int{100, 1000, 10000, 100000} {
		r := reportOf(n)
		for _, f := range output.Formats {
			if f.Write == nil {
				continue
			}
			b.Run(fmt.Sprintf("%s/%d", f.Name, n), func(b *testing.B) {
				for b.Loop() {
					if err := f.Write(io.Discard, r); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "us/case")
			})
		}
	}
}
