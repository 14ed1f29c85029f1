package units

import "strconv"

// FormatSeconds writes seconds in the unit that fits: "1.25 ms".
func FormatSeconds(seconds float64) string {
	for _, unit := range []struct {
		of   float64
		name string
	}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}} {
		if seconds >= unit.of {
			return strconv.FormatFloat(seconds/unit.of, 'g', 4, 64) + " " + unit.name
		}
	}
	return strconv.FormatFloat(seconds/1e-9, 'f', 0, 64) + " ns"
}
