package units

import (
	"math"
	"strconv"
	"strings"
)

// times are the units of time. One precedes shorter ones that it ends with. A number is divided, not multiplied by a
// power of ten that a float64 does not represent.
var times = []struct {
	name                string
	multiplied, divided float64
}{
	{"ns", 1, 1e9}, {"us", 1, 1e6}, {"µs", 1, 1e6}, {"μs", 1, 1e6}, {"ms", 1, 1e3}, {"s", 1, 1}, {"min", 60, 1},
	{"h", 3600, 1},
}

// ParseTime reads a time such as 5ms or 1.5 s as seconds, and reports whether text is one.
func ParseTime(text string) (seconds float64, ok bool) {
	for _, unit := range times {
		digits, found := strings.CutSuffix(strings.TrimSpace(text), unit.name)
		if !found {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
		n = n * unit.multiplied / unit.divided
		return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
	}
	return 0, false
}
