package record

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMetricsOfMeasurement has rates and shares only where operations, bytes and peaks are known.
func TestMetricsOfMeasurement(t *testing.T) {
	known := Measurement{Name: "gemm", Device: Distribution{Median: 0.5, P95: 1}, Host: Distribution{Median: 2},
		Noise: 0.01, Samples: 7, Flops: 1e12, Bytes: 2e9, PeakFlops: 4e12, PeakBytes: 16e9}
	times := []Metric{{Name: "gemm.device.median", Value: 0.5, Unit: "s"},
		{Name: "gemm.device.p95", Value: 1.0, Unit: "s"},
		{Name: "gemm.host.median", Value: 2.0, Unit: "s"}, {Name: "gemm.noise", Value: 0.01},
		{Name: "gemm.samples", Value: int64(7)}}
	flops, bytes := Metric{Name: "gemm.gflops", Value: 2000.0, Unit: "GFLOP/s"}, Metric{Name: "gemm.gbs", Value: 4.0,
		Unit: "GB/s"}
	for name, test := range map[string]struct {
		change func(*Measurement)
		want   []Metric
	}{
		"all known": {func(*Measurement) {}, []Metric{flops, {Name: "gemm.gflops_share", Value: 0.5}, bytes,
			{Name: "gemm.gbs_share", Value: 0.25}}},
		"no peak":       {func(m *Measurement) { m.PeakFlops, m.PeakBytes = 0, 0 }, []Metric{flops, bytes}},
		"no operations": {func(m *Measurement) { m.Flops, m.PeakBytes = 0, 0 }, []Metric{bytes}},
		"nothing known": {func(m *Measurement) { m.Flops, m.Bytes = 0, 0 }, nil},
	} {
		m := known
		test.change(&m)
		if diff := cmp.Diff(append(times[:5:5], test.want...), m.Metrics()); diff != "" {
			t.Errorf("%s (-want +have):\n%s", name, diff)
		}
	}
}
