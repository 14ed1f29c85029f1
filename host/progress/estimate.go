package progress

import (
	"time"

	"roclua/host/plan"
	"roclua/host/result"
)

// estimate predicts the remaining time of a run from the durations of its cases so far. The estimate for a case is the
// mean of its scenario, or of all cases if none of its scenario has ended. A skipped case takes no time.
type estimate struct {
	jobs    int
	waiting map[string]int             // waiting cases, by scenario
	running map[*result.Case]time.Time // start times
	times   map[string]mean            // of ended cases, by scenario
	overall mean                       // of all ended cases
}

// mean is the mean duration of n cases.
type mean struct {
	n   int
	sum time.Duration
}

func (m mean) with(d time.Duration) mean { return mean{m.n + 1, m.sum + d} }
func (m mean) value() time.Duration      { return m.sum / time.Duration(m.n) }

func newEstimate(jobs int) *estimate {
	return &estimate{jobs: jobs, waiting: map[string]int{}, running: map[*result.Case]time.Time{},
		times: map[string]mean{}}
}

func (e *estimate) expect(cases plan.List) {
	for _, c := range cases {
		if c.Skip == "" {
			e.waiting[c.Scenario]++
		}
	}
}

func (e *estimate) began(c *plan.Case, now time.Time) {
	if c.Skip == "" {
		e.waiting[c.Scenario]--
		e.running[&c.Case] = now
	}
}

func (e *estimate) finished(c *result.Case, now time.Time) {
	began, ok := e.running[c]
	if !ok {
		return
	}
	delete(e.running, c)
	took := now.Sub(began)
	e.times[c.Scenario] = e.times[c.Scenario].with(took)
	e.overall = e.overall.with(took)
}

// left returns the time until the last case ends: the remaining work divided by the number of concurrent cases, but at
// least the remaining time of the longest running case. ok is false until a case has ended.
func (e *estimate) left(now time.Time) (d time.Duration, ok bool) {
	if e.overall.n == 0 {
		return 0, false
	}
	var work, longest time.Duration
	cases := len(e.running)
	for name, n := range e.waiting {
		work += time.Duration(n) * e.expected(name)
		cases += n
	}
	for c, began := range e.running {
		rest := max(0, e.expected(c.Scenario)-now.Sub(began))
		work += rest
		longest = max(longest, rest)
	}
	return max(work/time.Duration(max(1, min(e.jobs, cases))), longest), true
}

func (e *estimate) expected(scenario string) time.Duration {
	if m := e.times[scenario]; m.n > 0 {
		return m.value()
	}
	return e.overall.value()
}

// longest returns the longest running case and its duration so far; nil if no case is running.
func (e *estimate) longest(now time.Time) (*result.Case, time.Duration) {
	var first *result.Case
	for c, began := range e.running {
		if first == nil || began.Before(e.running[first]) || began.Equal(e.running[first]) && c.ID < first.ID {
			first = c
		}
	}
	if first == nil {
		return nil, 0
	}
	return first, now.Sub(e.running[first])
}
