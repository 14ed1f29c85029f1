package baseline

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Tolerance bounds the change of a value.
type Tolerance struct {
	Absolute float64
	Relative float64 // of the old value
	Ignore   bool
}

// Tolerances are tolerances by value name; any other value must not change.
type Tolerances map[string]Tolerance

// ParseTolerance reads "1e-12", "10%" or "ignore".
func ParseTolerance(text string) (Tolerance, error) {
	text = strings.TrimSpace(text)
	if text == "ignore" {
		return Tolerance{Ignore: true}, nil
	}
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) {
		return Tolerance{}, fmt.Errorf("%q is not a tolerance; write a number such as \"1e-12\", "+
			"a percentage such as \"10%%\", or \"ignore\"", text)
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
	}
	return a == b || math.Abs(b-a) <= max(t.Absolute, t.Relative*math.Abs(a))
}
