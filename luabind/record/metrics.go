package record

import (
	"slices"
	"strings"
)

// measuredNames are the names of what the program measures in every case, of the reason for which a case was skipped,
// as baselines have it, and of its outcome, as comparisons have it.
var measuredNames = []string{"seconds", "kernels", "peak_bytes", "skipped", "outcome"}

// counterPrefixes are the prefixes of the names of counters.
var counterPrefixes = []string{"hip.", "syncs.", "status.", "faults."}

// IsCounter reports whether a name is that of a counter, which is zero if it was never counted.
func IsCounter(name string) bool {
	return slices.ContainsFunc(counterPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// IsMeasured reports whether a name is that of a measured value, which no metric of a script can have.
func IsMeasured(name string) bool { return slices.Contains(measuredNames, name) || IsCounter(name) }

// MeasuredText lists the names of measured values: "seconds, kernels, hip.*".
func MeasuredText() string {
	return strings.Join(measuredNames, ", ") + ", " + strings.Join(counterPrefixes, "*, ") + "*"
}
