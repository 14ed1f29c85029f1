package luabind

import (
	"slices"
	"strings"
)

// measuredNames are the names of what the program measures in every case, of the reason for which a case was skipped,
// as baselines have it, and of its outcome, as comparisons have it.
var measuredNames = []string{"seconds", "kernels", "peak_bytes", "skipped", "outcome"}

// CounterPrefixes are the prefixes of the names of counters, which the program measures. A counter that was never
// counted is zero.
var CounterPrefixes = []string{"hip.", "syncs.", "status.", "faults."}

// IsMeasured reports whether a name is that of a measured value, which no metric of a script can have.
func IsMeasured(name string) bool {
	return slices.Contains(measuredNames, name) ||
		slices.ContainsFunc(CounterPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// measuredText lists the names of measured values: "seconds, kernels, hip.*".
func measuredText() string {
	return strings.Join(measuredNames, ", ") + ", " + strings.Join(CounterPrefixes, "*, ") + "*"
}
