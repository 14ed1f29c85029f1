package replay_test

import (
	"fmt"
	"testing"

	"roclua/workspace/status"
)

// BenchmarkCalls replays calls of one handle on two streams, with waits between them.
func BenchmarkCalls(b *testing.B) {
	for _, streams := range []int{1, 8} {
		b.Run(fmt.Sprintf("streams=%d", streams), func(b *testing.B) {
			const calls = 20000
			r := newTape(b)
			for s := range streams {
				r.runtime("hipStreamCreateWithFlags", value('S', int64(s+1)), value('u', 1))
			}
			r.create(1, 0x1000)
			for i := range calls {
				s := i%streams + 1
				r.handle("rocblas_set_stream", 1, value('s', int64(s)))
				r.solve(1, int64(100+i%50), s, status.Success)
				r.runtime("hipStreamSynchronize", value('s', int64(s)))
			}
			for b.Loop() {
				r.run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(3*calls), "ns/call")
		})
	}
}

// BenchmarkLaunches launches a graph of calls again and again.
func BenchmarkLaunches(b *testing.B) {
	const nodes, launches = 100, 1000
	r := newTape(b)
	r.runtime("hipMalloc", value('M', 0x100000), value('z', 1<<30))
	r.runtime("hipStreamCreateWithFlags", value('S', 1), value('u', 1))
	r.create(1, 0x1000)
	r.handle("rocblas_set_stream", 1, value('s', 1))
	r.runtime("hipStreamBeginCapture", value('s', 1), value('i', 0))
	for i := range int64(nodes) {
		r.arrays = map[string]int64{"A": 0x100000 + i%10<<20, "B": 0x2000000 + i%20<<20}
		r.solve(1, 100, 1, status.Success)
	}
	r.runtime("hipStreamEndCapture", value('s', 1), value('G', 1))
	r.runtime("hipGraphInstantiate", value('G', 2), value('g', 1))
	for range launches {
		r.runtime("hipGraphLaunch", value('g', 2), value('s', 1))
	}
	for b.Loop() {
		r.run()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(nodes*launches), "ns/node")
}
