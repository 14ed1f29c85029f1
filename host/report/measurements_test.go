package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/host/report/page"
	"roclua/host/result"
	"roclua/luabind/record"
)

// TestMeasurementsInReports has a measurement of a device whose peak is known, with a baseline, and one of the
// simulated device.
func TestMeasurementsInReports(t *testing.T) {
	quantiles := make([]float64, record.Quantiles)
	real := record.Measurement{Name: "gemm", Stopped: "noise", Noise: 0.01, Flops: 2e6, PeakFlops: 4e12,
		Device: record.Distribution{Median: 1e-6, P95: 2e-6, Quantiles: quantiles},
		Host:   record.Distribution{Median: 3e-6}, Baseline: &record.BaselineTime{Median: 2, Noise: 0.5}}
	same := record.Distribution{Median: 1e-3, P95: 1e-3}
	simulated := record.Measurement{Name: "copy", Stopped: "max_time", Simulated: true, Bytes: 1e3,
		Notes: []string{"slow"}, Device: same, Host: same}
	for _, test := range []struct {
		m    *record.Measurement
		want page.Measured
	}{
		{&real, page.Measured{Name: "gemm", Quantiles: quantiles, Baseline: []float64{1, 2, 3},
			Row:   []string{"gemm", "1 µs", "2 µs", "3 µs", "1 %", "0", "2000.0 (50 %)", "-"},
			About: "baseline 2 s, x0.000"}},
		{&simulated, page.Measured{Name: "copy",
			Row:   []string{"copy (simulated)", "1 ms", "1 ms", "1 ms", "0 % (max_time)", "0", "-", "0.0"},
			About: "times of the machine that simulates the device, slow"}},
	} {
		if diff := cmp.Diff(test.want, pageMeasured(test.m)); diff != "" {
			t.Errorf("%s (-want +have):\n%s", test.m.Name, diff)
		}
	}
	m, b := listing{}, strings.Builder{}
	m.addMeasurements(&result.Result{Case: &result.Case{}, Record: &record.Record{
		Measurements: []record.Measurement{real, simulated}}})
	m.write(&b, "measured", measurementHeader, 2, 0)
	for _, want := range []string{"2000.0 (50 %)", "│ gemm ", "│ copy (simulated) │",
		"(on cpu: times of the machine that simulates the device)"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing:\n%s", want, b.String())
		}
	}
}
