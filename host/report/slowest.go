package report

import (
	"cmp"
	"fmt"
	"roclua/internal/units"
	"slices"
)

// SlowestOfLongRuns lists the slowest cases of runs that take longRun or more.
const SlowestOfLongRuns = -1

const (
	longRun  = 10 // seconds
	ofLonger = 5  // cases listed of such a run
)

// slowest lists the slowest cases.
func (t *textReport) slowest() error {
	n := t.Slowest
	if n == SlowestOfLongRuns {
		if n = 0; t.Seconds >= longRun {
			n = ofLonger
		}
	}
	if n = min(n, len(t.Results)); n <= 0 {
		return nil
	}
	seconds := make([]float64, len(t.Results))
	order := make([]int, len(t.Results))
	for i, c := range t.Results {
		seconds[i], order[i] = t.Store.SecondsAt(c, i), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(seconds[b], seconds[a]) })
	t.b.WriteString("\nslowest\n")
	for _, i := range order[:n] {
		c, err := t.Store.FullAt(t.Results[i], i)
		if err != nil {
			return err
		}
		fmt.Fprintf(&t.b, "  %8s  %s\n", units.FormatSeconds(seconds[i]), c.ID)
	}
	return nil
}
