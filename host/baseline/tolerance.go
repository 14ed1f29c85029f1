package baseline

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"roclua/internal/units"
)

// Tolerance bounds the change of a value.
type Tolerance struct {
	Absolute float64
	Relative float64 // of the old value
	Ignore   bool
	Epsilon  float64 // of a residual: the rounding unit of its type; the value may fall, and grow to a bound
}

// How far a residual may grow: rounding errors differ between libraries, processors and numbers of threads.
const (
	residualFactor   = 10  // of the old value
	residualEpsilons = 100 // rounding units
)

// Tolerances are tolerances by value name; any other value must not change.
type Tolerances map[string]Tolerance

// WithResiduals adds tolerances for residuals that have none, by their rounding units.
func (t Tolerances) WithResiduals(epsilons map[string]float64) Tolerances {
	if len(epsilons) == 0 {
		return t
	}
	all := maps.Clone(t)
	for name, epsilon := range epsilons {
		if _, own := t[name]; !own {
			if all == nil {
				all = Tolerances{}
			}
			all[name] = Tolerance{Epsilon: epsilon}
		}
	}
	return all
}

// The names of the values of a measurement, after its own: the median of its times, and its error as a share of it.
const (
	MedianOf = ".device.median"
	NoiseOf  = ".noise"
)

// How far a time may move that has no tolerance: it is compared as a ratio.
const (
	noiseFactor = 3    // of the errors of both medians together
	leastRatio  = 0.05 // clocks and temperatures differ between runs
)

// WithMeasurements adds tolerances for the times of measurements that have none, by the noise of both sides.
func (t Tolerances) WithMeasurements(names []string, before, after Values) Tolerances {
	if len(names) == 0 {
		return t
	}
	all := Tolerances{}
	for _, name := range names {
		a, _ := Number(before[name+NoiseOf])
		b, _ := Number(after[name+NoiseOf])
		all[name+MedianOf] = Tolerance{Relative: max(noiseFactor*(a+b), leastRatio)}
		all[name+NoiseOf] = Tolerance{Ignore: true}
	}
	maps.Copy(all, t)
	return all
}

// ParseTolerance reads "1e-12", "10%", "2ms", which is 0.002 seconds, or "ignore".
func ParseTolerance(text string) (Tolerance, error) {
	text = strings.TrimSpace(text)
	if text == "ignore" {
		return Tolerance{Ignore: true}, nil
	}
	number, percent := strings.CutSuffix(text, "%")
	v, ok := units.ParseTime(text)
	if !ok {
		var err error
		if v, err = strconv.ParseFloat(strings.TrimSpace(number), 64); err != nil {
			return Tolerance{}, fmt.Errorf("%q is not a tolerance; write a number such as \"1e-12\", "+
				"a percentage such as \"10%%\", a time such as \"2ms\", or \"ignore\"", text)
		}
	}
	if err := units.CheckTolerance(v); err != nil {
		return Tolerance{}, fmt.Errorf("%q: %w", text, err)
	}
	if percent {
		return Tolerance{Relative: v / 100}, nil
	}
	return Tolerance{Absolute: v}, nil
}

// Covers reports whether a value may move from a to b. NaN stays NaN, and an infinite value stays as it is.
func (t Tolerance) Covers(a, b float64) bool {
	switch {
	case math.IsNaN(a):
		return math.IsNaN(b)
	case math.IsInf(a, 0): // a share of it would permit every value
		return a == b
	case t.Epsilon > 0 && b == 0: // another value may be zero, too
		return math.Abs(a) <= residualEpsilons*t.Epsilon
	case t.Epsilon > 0:
		return math.Abs(b) <= max(residualFactor*math.Abs(a), residualEpsilons*t.Epsilon)
	}
	return a == b || math.Abs(b-a) <= max(t.Absolute, t.Relative*math.Abs(a))
}
