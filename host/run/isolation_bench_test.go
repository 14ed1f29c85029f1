package run

import (
	"slices"
	"testing"
	"time"

	"roclua/host/config"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/host/worker"
	"roclua/luabind/record"
)

// BenchmarkIsolation runs cases in this process and in a worker, in turn, and compares the medians of the time of one
// case.
func BenchmarkIsolation(b *testing.B) {
	for _, test := range []struct {
		name, run string
		cases     int // that run one after another; 0 is one
	}{
		{"nothing", `t:check(true)`, 0},
		{"query", `t.handle:query(function(q) q:dgetrf { m = 1000, n = 1000 } end)`, 0},
		{"200 queries", `t.handle:query(function(q) q:dgetrf { m = 1000, n = 1000 } end)`, 200},
		{"1000 calls", `for i = 1, 500 do hip.free(hip.malloc(64)) end`, 0},
		{"solve of order 256", `local A = array.diagonally_dominant("d", 256)
			local p, q = hip.upload(A), hip.malloc(4 * 257)
			t.handle:dgetrf { m = 256, n = 256, A = p, ipiv = q, info = q + 4 * 256 }
			hip.free(p) hip.free(q)`, 0},
	} {
		b.Run(test.name, func(b *testing.B) {
			source := `local hip, array = require "hip", require "array"
				return { schemes = { "managed" }, run = function(t) ` + test.run + ` end }`
			c := &plan.Case{Case: result.Case{ID: "case", Script: "case.lua"},
				Definition: &plan.Scenario{Source: []byte(source)}, Target: &config.New("").Targets[0],
				Faults: &config.Faults{}, Input: record.Case{Scheme: "managed"}}
			runners, close := isolations()
			defer close()
			cases := plan.List{c}
			if test.cases > 0 {
				cases = slices.Repeat(cases, test.cases)
			}
			var times [2][]time.Duration
			for b.Loop() {
				for i, r := range runners {
					start := time.Now()
					results := r.Run(b.Context(), cases)
					times[i] = append(times[i], time.Since(start)/time.Duration(len(cases)))
					for _, r := range results {
						if !r.Record.Passed() {
							b.Fatalf("%+v", r.Record)
						}
					}
				}
			}
			here, there := median(times[0]), median(times[1])
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(here.Seconds()*1e6, "us/here")
			b.ReportMetric(there.Seconds()*1e6, "us/worker")
			b.ReportMetric((there-here).Seconds()*1e6, "us/more")
		})
	}
}

// isolations returns a runner in this process and one in a worker, which run one case at a time.
func isolations() (runners [2]*Runner, close func()) {
	here, there := config.New(""), config.New("")
	here.Isolation = "case"
	workers := worker.NewPool(nil)
	return [2]*Runner{{Config: here, Jobs: 1}, {Config: there, Jobs: 1, Workers: workers}}, workers.Close
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}
