package record

import (
	"slices"
	"strings"
)

// measuredNames are names that a metric cannot have: of values that the program measures in every case, of the reason
// for a skipped case in baselines, and of its outcome in comparisons.
var measuredNames = []string{"seconds", "kernels", "peak_bytes", "skipped", "outcome"}

// counterPrefixes are the prefixes of the names of counters.
var counterPrefixes = []string{"hip.", "syncs.", "status.", "faults."}

// IsCounter reports whether a name belongs to a counter, which is zero if it was never counted.
func IsCounter(name string) bool {
	return slices.ContainsFunc(counterPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// IsMeasured reports whether a name belongs to a measured value, so that no metric of a script can have it.
func IsMeasured(name string) bool { return slices.Contains(measuredNames, name) || IsCounter(name) }

// MeasuredText lists the names of measured values: "seconds, kernels, hip.*".
func MeasuredText() string {
	return strings.Join(measuredNames, ", ") + ", " + strings.Join(counterPrefixes, "*, ") + "*"
}
