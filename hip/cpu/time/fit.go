package time

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"roclua/hip/routine"
)

// Point is a measured call: the work of one call of many that the host made one after another without a wait.
type Point struct {
	Work
	Seconds              float64 // for each call
	PeakFlops, PeakBytes float64 // of the device by its data sheet; 0 if not known
}

// Predict returns the seconds of each of many such calls: the host or the device limits them.
func (m *Model) Predict(w Work) float64 {
	return max(m.Launch+m.Host(w), m.Call(w)).Seconds()
}

func keyOf(datatype int64) string {
	switch routine.RealOf(datatype) {
	case routine.DatatypeF64:
		return "f64"
	case routine.DatatypeF16, routine.DatatypeBF16:
		return "f16"
	case routine.DatatypeI8:
		return "i8"
	}
	return "f32"
}

// Fit returns the row with the values that points determine. A value is determined if it matters for at least two of
// them: half of it or twice as much changes their predicted times by 10 % or more. keys are the values that may differ.
//
// A device whose data sheet is known has the rates of the sheet, and its efficiency is fitted. Otherwise its rates are.
//
// The fit minimizes the sum of the absolute logarithms of predicted over measured times, so that all sizes count alike
// and a few points that no model explains do not spoil the rest. A small penalty for leaving the row keeps values that
// hardly matter.
func (r Row) Fit(points []Point) (fit Row, keys []string) {
	from := maps.Clone(r)
	free, rates := []string{"launch", "kernel", "step", "row"}, []string{"bandwidth", "f64", "f32", "f16", "i8"}
	if !slices.ContainsFunc(points, func(p Point) bool { return p.PeakBytes == 0 || p.PeakFlops == 0 }) {
		for _, p := range points {
			from["bandwidth"], from[keyOf(p.Datatype)] = p.PeakBytes, p.PeakFlops
		}
		free, rates = append(free, "efficiency"), nil
	}
	free = slices.DeleteFunc(append(free, rates...), func(key string) bool { return from.matters(key, points) < 2 })
	fit = maps.Clone(from)
	least := from.loss(fit, free, points)
	for step := 0.5; step > 1e-4; step /= 2 { // a pattern search, coordinate by coordinate
		for moved := true; moved; {
			moved = false
			for _, key := range free {
				was := fit[key]
				for _, by := range []float64{math.Exp(step), math.Exp(-step)} {
					fit[key] = was * by
					if loss := from.loss(fit, free, points); Check(key, fit[key]) == nil && loss < least-1e-9 {
						least, moved = loss, true
						break
					}
					fit[key] = was
				}
			}
		}
	}
	for _, key := range free {
		fit[key], _ = strconv.ParseFloat(strconv.FormatFloat(fit[key], 'g', 3, 64), 64)
	}
	for _, key := range Names() {
		if slices.Contains(free, key) || fit[key] != r[key] {
			keys = append(keys, key)
		}
	}
	return fit, keys
}

// matters returns for how many points a value matters.
func (r Row) matters(key string, points []Point) (count int) {
	half, twice := maps.Clone(r), maps.Clone(r)
	half[key] /= 2
	twice[key] *= 2
	low, mid, high := half.Model(), r.Model(), twice.Model()
	for _, p := range points {
		t := mid.Predict(p.Work)
		if max(math.Abs(low.Predict(p.Work)-t), math.Abs(high.Predict(p.Work)-t)) > t/10 {
			count++
		}
	}
	return count
}

// loss returns how badly a row that has other values for some keys predicts points.
func (r Row) loss(fit Row, keys []string, points []Point) (sum float64) {
	m := fit.Model()
	for _, p := range points {
		sum += math.Hypot(math.Log(m.Predict(p.Work)/p.Seconds), 0.05)
	}
	for _, key := range keys {
		sum += 0.01 * math.Abs(math.Log(fit[key]/r[key]))
	}
	return sum
}

// Error is how far predicted times are from measured ones.
type Error struct {
	Median float64 `json:"median"` // ratio of predicted to measured time
	Worst  float64 `json:"worst"`  // the ratio that is farthest from 1
}

// Error returns how far the model is from points. There must be at least one.
func (m *Model) Error(points []Point) Error {
	ratios := make([]float64, len(points))
	for i, p := range points {
		ratios[i] = m.Predict(p.Work) / p.Seconds
	}
	slices.Sort(ratios)
	worst := ratios[len(ratios)-1]
	if ratios[0]*worst < 1 {
		worst = ratios[0]
	}
	n := len(ratios)
	return Error{(ratios[(n-1)/2] + ratios[n/2]) / 2, worst}
}
