package progress

import (
	"time"

	"roclua/host/plan"
	"roclua/host/result"
)

// estimate predicts the remaining time of a run from the mean duration of its cases so far. A skipped case takes no
// time. The mean is one of all scenarios: these run one after the other, so that those that are left have no times yet.
type estimate struct {
	jobs    int
	waiting int                        // cases
	running map[*result.Case]time.Time // start times
	ended   int                        // cases
	took    time.Duration              // all of these together
}

func newEstimate(jobs int) *estimate {
	return &estimate{jobs: jobs, running: map[*result.Case]time.Time{}}
}

func (e *estimate) expect(cases plan.List) {
	for _, c := range cases {
		if c.Skip == "" {
			e.waiting++
		}
	}
}

func (e *estimate) began(c *plan.Case, now time.Time) {
	if c.Skip == "" {
		e.waiting--
		e.running[&c.Case] = now
	}
}

func (e *estimate) finished(c *result.Case, now time.Time) {
	if began, ok := e.running[c]; ok {
		delete(e.running, c)
		e.ended++
		e.took += now.Sub(began)
	}
}

// left returns the time until the last case ends: the remaining work divided by the number of concurrent cases, but at
// least the remaining time of the longest running case. ok is false until a case has ended.
func (e *estimate) left(now time.Time) (d time.Duration, ok bool) {
	if e.ended == 0 {
		return 0, false
	}
	mean := e.took / time.Duration(e.ended)
	work, longest := time.Duration(e.waiting)*mean, time.Duration(0)
	for _, began := range e.running {
		rest := max(0, mean-now.Sub(began))
		work += rest
		longest = max(longest, rest)
	}
	slots := max(1, min(e.jobs, e.waiting+len(e.running)))
	return max(work/time.Duration(slots), longest), true
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
