package engine

import "math"

// Residuals are the results of checks of the module array, with the rounding unit of the type that was checked.
// Metrics with these values consist of rounding errors, which depend on the library that computes.
type Residuals map[float64]float64

// maxResiduals bounds the residuals that a case keeps; a script can compute any number of them.
const maxResiduals = 1 << 16

// Add adds a residual. Whole numbers but zero are left out: counts may have the same values.
func (r *Residuals) Add(value, epsilon float64) {
	if math.IsNaN(value) || value != 0 && value == math.Trunc(value) {
		return
	}
	if *r == nil || len(*r) >= maxResiduals {
		*r = Residuals{}
	}
	(*r)[value] = max((*r)[value], epsilon)
}

// Epsilon returns the rounding unit of a metric with a value; 0 if it is not a residual.
func (r Residuals) Epsilon(value any) float64 {
	switch v := value.(type) {
	case float64:
		return r[v]
	case int64:
		return r[float64(v)]
	}
	return 0
}
