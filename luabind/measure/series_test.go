package measure

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"roclua/luabind/record"
)

var rule = Rule{MinTime: time.Second, MaxTime: 10 * time.Second, MaxNoise: 0.01, MinSamples: 5}

// TestEnough adds samples until the rule is met.
func TestEnough(t *testing.T) {
	steady := func(int) float64 { return 1 }
	random := rand.New(rand.NewPCG(1, 1))
	noisy := func(int) float64 { return random.ExpFloat64() }
	for name, test := range map[string]struct {
		of       func(int) float64
		duration time.Duration
		rule     Rule
		samples  int
		why      string
	}{
		"least time":     {steady, 100 * time.Millisecond, rule, 10, StoppedByNoise},
		"least samples":  {steady, 2 * time.Second, rule, 5, StoppedByNoise},
		"longest time":   {noisy, time.Second, rule, 10, StoppedByTime},
		"slow samples":   {steady, 11 * time.Second, rule, 1, StoppedByTime},
		"no time at all": {steady, 0, Rule{MinSamples: 1}, 1, StoppedByTime},
		"most samples": {noisy, time.Nanosecond, Rule{MaxTime: time.Hour, MinTime: time.Hour}, mostSamples,
			StoppedBySamples},
	} {
		s := Series{Rule: test.rule}
		why := ""
		for why == "" {
			v := test.of(len(s.device))
			s.Add(v, v, test.duration)
			why = s.Enough()
		}
		if why != test.why || len(s.device) != test.samples {
			t.Errorf("%s: %d samples, %s, want %d, %s", name, len(s.device), why, test.samples, test.why)
		}
	}
}

// TestNoiseContainsMedian draws samples of a distribution whose median is known: its distance from the median of the
// samples is at most the noise in about 95 % of the draws.
func TestNoiseContainsMedian(t *testing.T) {
	const draws, seed = 2000, 7
	random := rand.New(rand.NewPCG(seed, seed))
	for _, n := range []int{20, 200} {
		within := 0
		for range draws {
			values := make([]float64, n)
			for i := range values {
				values[i] = 1 + random.NormFloat64()/10
			}
			slices.Sort(values)
			if math.Abs(quantile(values, 0.5)-1) <= noise(values)*quantile(values, 0.5) {
				within++
			}
		}
		if share := float64(within) / draws; share < 0.9 || share > 0.995 {
			t.Errorf("seed %d: %d samples: the median is within the noise in %.3f of the draws", seed, n, share)
		}
	}
}

// TestSlowSamplesDoNotMoveNoise adds a few samples that take a thousand times as long.
func TestSlowSamplesDoNotMoveNoise(t *testing.T) {
	values := make([]float64, 100)
	for i := range values {
		values[i] = 1 + float64(i)/1e4
	}
	before := noise(values)
	for i := range 3 {
		values[99-i] = 1000
	}
	if after := noise(values); after != before || before > 0.002 {
		t.Errorf("noise %g, %g with slow samples", before, after)
	}
}

func TestSummarize(t *testing.T) {
	var s Series
	for i := range 101 {
		s.Add(float64(i), 2*float64(i), 0)
	}
	var m record.Measurement
	s.Summarize(&m)
	if m.Samples != 101 || m.Host.Median != 50 || m.Device.Median != 100 || m.Device.P95 != 190 ||
		m.Device.Quantiles[1] != 10 || len(m.Device.Quantiles) != record.Quantiles || m.Device.Quantiles[20] != 200 {
		t.Errorf("%+v", m)
	}
}
