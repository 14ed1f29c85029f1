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
