package report

import (
	"cmp"
	"fmt"
	"slices"

	"roclua/host/result"
	"roclua/internal/units"
)

// SlowestOfLongRuns lists the slowest cases of runs that take longRun or more.
const SlowestOfLongRuns = -1

const (
	longRun  = 10 // seconds
	ofLonger = 5  // cases listed of such a run
)

// slowest lists the slowest cases.
func (t *textReport) slowest() {
	n := t.Slowest
	if n == SlowestOfLongRuns {
		if n = 0; t.Seconds >= longRun {
			n = ofLonger
		}
	}
	if n = min(n, len(t.Results)); n <= 0 {
		return
	}
	order := slices.Clone(t.Results)
	slices.SortStableFunc(order, func(a, b *result.Result) int {
		return cmp.Compare(b.Record.Seconds, a.Record.Seconds)
	})
	t.b.WriteString("\nslowest\n")
	for _, c := range order[:n] {
		fmt.Fprintf(&t.b, "  %8s  %s\n", units.FormatSeconds(c.Record.Seconds), c.ID)
	}
}
