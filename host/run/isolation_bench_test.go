package run

import (
	"slices"
	"testing"
	"time"

	"roclua/host/config"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/luabind"
)

// BenchmarkIsolation runs a case in this process and in a worker, in turn, and compares the medians.
func BenchmarkIsolation(b *testing.B) {
	for _, test := range []struct{ name, run string }{
		{"nothing", `t:check(true)`},
		{"query", `t.handle:query(function(q) q:dgetrf { m = 1000, n = 1000 } end)`},
		{"1000 calls", `for i = 1, 500 do hip.free(hip.malloc(64)) end`},
		{"solve of order 256", `local A = array.diagonally_dominant("d", 256)
			local p, q = hip.upload(A), hip.malloc(4 * 257)
			t.handle:dgetrf { m = 256, n = 256, A = p, ipiv = q, info = q + 4 * 256 }
			hip.free(p) hip.free(q)`},
	} {
		b.Run(test.name, func(b *testing.B) {
			script, err := luabind.Compile("case.lua", []byte(`local hip, array = require "hip", require "array"
				return { schemes = { "managed" }, run = function(t) `+test.run+` end }`))
			if err != nil {
				b.Fatal(err)
			}
			cfg := config.New("")
			c := &plan.Case{Case: result.Case{ID: "case", Script: "case.lua"},
				Definition: &plan.Scenario{Source: script.Source()}, Target: cfg.Targets[0],
				Input: luabind.Case{Scheme: "managed"}}
			apart := *cfg
			apart.Isolation = "worker"
			slots := [2]*slot{{Runner: &Runner{Config: cfg}}, {Runner: &Runner{Config: &apart}}}
			defer slots[1].close()
			var times [2][]time.Duration
			for b.Loop() {
				for i, s := range slots {
					start := time.Now()
					r := s.run(b.Context(), c)
					times[i] = append(times[i], time.Since(start))
					if !r.Passed() {
						b.Fatalf("%+v", r)
					}
				}
			}
			here, there := median(times[0]), median(times[1])
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(here.Seconds()*1e6, "us/here")
			b.ReportMetric(there.Seconds()*1e6, "us/worker")
			b.ReportMetric(there.Seconds()/here.Seconds(), "ratio")
		})
	}
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}
