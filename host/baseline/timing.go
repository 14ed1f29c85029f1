package baseline

import (
	"fmt"
	"math"
	"slices"
)

// Timing compares two sets of measured times.
type Timing struct {
	Case, Name string
	Old, New   float64 // medians
	Runs       [2]int
	Ratio      float64 // New / Old
	Low, High  float64 // bounds of the ratio, given the spread of the measurements
}

// minRuns is the minimum number of measurements for a spread.
const minRuns = 3

// CompareTimes compares medians. The spread of each side is its interquartile range; Low and High are the smallest and
// largest ratios within both spreads.
func CompareTimes(id, name string, before, after []float64) Timing {
	t := Timing{Case: id, Name: name, Old: quantile(before, 0.5), New: quantile(after, 0.5),
		Runs: [2]int{len(before), len(after)}}
	t.Ratio = t.New / t.Old
	t.Low, t.High = quantile(after, 0.25)/quantile(before, 0.75), quantile(after, 0.75)/quantile(before, 0.25)
	return t
}

// IsAmbiguous reports whether the times show no difference: the spread includes a ratio of 1, or there are too few
// measurements for a spread.
func (t Timing) IsAmbiguous() bool {
	return min(t.Runs[0], t.Runs[1]) < minRuns || math.IsNaN(t.Ratio) || t.Low <= 1 && 1 <= t.High
}

// Verdict returns FASTER, SLOWER or AMBIGUOUS.
func (t Timing) Verdict() string {
	switch {
	case t.IsAmbiguous():
		return "AMBIGUOUS"
	case t.Ratio < 1:
		return "FASTER"
	}
	return "SLOWER"
}

// String returns the comparison on one line: "x1.08 (1.02 to 1.15) SLOWER, 0.103 s -> 0.111 s, 5 and 5 runs".
func (t Timing) String() string {
	return fmt.Sprintf("x%.2f (%.2f to %.2f) %s, %.3g s -> %.3g s, %d and %d runs", t.Ratio, t.Low, t.High, t.Verdict(),
		t.Old, t.New, t.Runs[0], t.Runs[1])
}

func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	at := q * float64(len(sorted)-1)
	low := int(math.Floor(at))
	if low+1 >= len(sorted) {
		return sorted[low]
	}
	return sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
}
