package run

import (
	"testing"

	"roclua/host/baseline"
	"roclua/host/result"
	"roclua/luabind/record"
)

// TestMeasurementsInBaselines compares the time of a measurement with a baseline: it may move by three times the noise
// of both sides, or by the tolerance of the case. Simulated times are not compared.
func TestMeasurementsInBaselines(t *testing.T) {
	const old = 1e-5
	own := baseline.Tolerances{"gemm.device.median": {Relative: 0.01}}
	for _, test := range []struct {
		median, noise float64
		tolerances    baseline.Tolerances
		simulated     bool
		want          baseline.Kind // of the only change; "" for none
	}{
		{1.04e-5, 0.001, nil, false, ""},
		{0.96e-5, 0.001, nil, false, ""},
		{1.06e-5, 0.001, nil, false, baseline.More},
		{0.94e-5, 0.001, nil, false, baseline.Less},
		{1.06e-5, 0.02, nil, false, ""},
		{1.09e-5, 0.02, nil, false, baseline.More},
		{1.02e-5, 0.001, own, false, baseline.More},
		{2e-5, 0.001, nil, true, baseline.Gone},
	} {
		b := &Baselines{files: map[string]*baseline.File{"a.toml": {Cases: map[string]baseline.Values{
			"a@nvidia": {"gemm.device.median": old, "gemm.noise": 0.005, "kernels": int64(0), "peak_bytes": int64(0)},
		}}}}
		c := caseOf("a@nvidia", "a@nvidia")
		c.Tolerances = test.tolerances
		m := record.Measurement{Name: "gemm", Device: record.Distribution{Median: test.median}, Noise: test.noise,
			Samples: 7, Simulated: test.simulated}
		r := &result.Result{Case: &c.Case, Record: &record.Record{Metrics: m.Metrics(),
			Measurements: []record.Measurement{m}}}
		b.Compare(c, r)
		if b := r.Record.Measurements[0].Baseline; b == nil || b.Median != old || b.Noise != 0.005 {
			t.Errorf("the time of the baseline is %v", b)
		}
		var have baseline.Kind
		if len(r.Changes) > 0 {
			have = r.Changes[0].Kind
		}
		if have != test.want || len(r.Changes) > 1 {
			t.Errorf("%g with noise %g: %v, want %q", test.median, test.noise, r.Changes, test.want)
		}
	}
}
