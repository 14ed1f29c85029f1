package record

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Choices say which value counts of a metric that a case records more than once. A scenario declares one.
var Choices = []string{"first", "last", "max", "min"}

// Choose sets the value that counts of a metric that is recorded again. choice is one of Choices; "" is an error. NaN
// is both the smallest and the largest number.
func (m *Metric) Choose(choice string, again Metric) error {
	if again.Unit != m.Unit {
		return fmt.Errorf("%q was recorded with the unit %q before, now with %q", m.Name, m.Unit, again.Unit)
	}
	switch choice {
	case "":
		return fmt.Errorf("%q was recorded before; to record it again, declare in the scenario which value counts, "+
			"such as metrics = { [%[1]q] = \"last\" } (%s)", m.Name, strings.Join(Choices, ", "))
	case "first":
		return nil
	case "last":
		*m = again
		return nil
	}
	have, isNumber := float(m.Value)
	next, alsoNumber := float(again.Value)
	order := cmp.Compare(have, next)
	switch {
	case !isNumber || !alsoNumber:
		return fmt.Errorf("%q was recorded before; the scenario declares that the %s counts, but not both values are "+
			"numbers", m.Name, choice)
	case math.IsNaN(have):
	case math.IsNaN(next), choice == "max" && order < 0, choice == "min" && order > 0:
		*m = again
	}
	return nil
}

func float(value any) (float64, bool) {
	switch v := value.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// measuredNames are names that a metric cannot have: of values that the program measures in every case, of the reason
// for a skipped case in baselines, and of its outcome in comparisons.
var measuredNames = []string{"seconds", "kernels", "peak_bytes", "defects", "skipped", "outcome"}

// counterPrefixes are the prefixes of the names of counters.
var counterPrefixes = []string{"hip.", "syncs.", "status.", "faults."}

// IsCounter reports whether a name belongs to a counter, which is zero if it was never counted.
func IsCounter(name string) bool {
	return slices.ContainsFunc(counterPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// IsMeasured reports whether a name belongs to a measured value, so that no metric of a script can have it.
func IsMeasured(name string) bool {
	base, _, _ := DeviceOf(name)
	return slices.Contains(measuredNames, base) || IsCounter(name)
}

// OnDevice returns the name of a measured value of one device: "hip.malloc[1]".
func OnDevice(name string, device int) string { return name + "[" + strconv.Itoa(device) + "]" }

// DeviceOf returns the name of the value and the number of the device for a name of OnDevice. For other names it
// returns the name, and ok is false.
func DeviceOf(name string) (base string, device int, ok bool) {
	base, rest, found := strings.Cut(name, "[")
	digits, closed := strings.CutSuffix(rest, "]")
	device, err := strconv.Atoi(digits)
	ofDevice := slices.Contains([]string{"kernels", "peak_bytes"}, base) ||
		IsCounter(base) && !strings.HasPrefix(base, "status.")
	if !found || !closed || err != nil || device < 0 || !ofDevice {
		return name, 0, false
	}
	return base, device, true
}

// MeasuredText lists the names of measured values: "seconds, kernels, hip.*".
func MeasuredText() string {
	return strings.Join(measuredNames, ", ") + ", " + strings.Join(counterPrefixes, "*, ") + "*"
}
