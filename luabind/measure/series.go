// Package measure decides how many samples of a call are enough, and summarizes them.
package measure

import (
	"math"
	"slices"
	"time"

	"roclua/luabind/record"
)

// Rule says when there are enough samples.
type Rule struct {
	MinTime, MaxTime time.Duration // of all samples together, gaps included
	MaxNoise         float64       // of the median of the device times
	MinSamples       int
}

// Why a series ended.
const (
	StoppedByNoise   = "noise"    // the times are as precise as the rule wants
	StoppedByTime    = "max_time" // they are not, after the longest time
	StoppedBySamples = "samples"  // they are not, after the most samples that are kept
)

// mostSamples bounds the memory of a series: a median of so many samples is precise.
const mostSamples = 1 << 16

// Series are the samples of one measurement.
type Series struct {
	Rule         Rule
	host, device []float64 // seconds of one call in each sample
	duration     time.Duration
	next         time.Duration // when the noise is computed next; sorting the samples takes time
}

// Add adds a sample: the seconds of one call on the host and on the device, and the time that the sample took.
func (s *Series) Add(host, device float64, duration time.Duration) {
	s.host, s.device = append(s.host, host), append(s.device, device)
	s.duration += duration
}

// Enough returns why there are enough samples, or "" if there are not.
func (s *Series) Enough() string {
	n := len(s.device)
	switch {
	case n < s.Rule.MinSamples && s.duration < s.Rule.MaxTime:
		return ""
	case s.duration >= s.next && s.duration >= s.Rule.MinTime && n >= s.Rule.MinSamples:
		s.next = s.duration + s.duration/10
		if noise(slices.Sorted(slices.Values(s.device))) <= s.Rule.MaxNoise {
			return StoppedByNoise
		}
	}
	switch {
	case s.duration >= s.Rule.MaxTime:
		return StoppedByTime
	case n >= mostSamples:
		return StoppedBySamples
	}
	return ""
}

// Summarize sets the times of a measurement.
func (s *Series) Summarize(m *record.Measurement) {
	m.Host, m.Device = distribution(s.host), distribution(s.device)
	m.Noise = noise(slices.Sorted(slices.Values(s.device)))
	m.Samples = len(s.device)
}

// distribution summarizes times in seconds.
func distribution(values []float64) record.Distribution {
	sorted := slices.Sorted(slices.Values(values))
	d := record.Distribution{Median: quantile(sorted, 0.5), P95: quantile(sorted, 0.95)}
	for i := range record.Quantiles {
		d.Quantiles = append(d.Quantiles, quantile(sorted, float64(i)/(record.Quantiles-1)))
	}
	return d
}

// quantile interpolates between the two nearest of the sorted values.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := q * float64(len(sorted)-1)
	low := int(at)
	if low+1 >= len(sorted) {
		return sorted[low]
	}
	return sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
}

// noise returns how far the median may be from the median of infinitely many samples, as a share of it: half of its
// 95 % confidence interval, whose ends are order statistics, and at most 1. It depends on no assumption about the
// distribution, and a few slow samples do not change it.
func noise(sorted []float64) float64 {
	n := float64(len(sorted))
	median := quantile(sorted, 0.5)
	if n < 2 || median <= 0 {
		return 1
	}
	half := 1.96 * math.Sqrt(n) / 2
	low, high := max(int(n/2-half), 0), min(int(math.Ceil(n/2+half)), len(sorted)-1)
	return min((sorted[high]-sorted[low])/2/median, 1)
}
