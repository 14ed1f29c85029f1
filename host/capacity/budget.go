package capacity

import (
	"cmp"
	"slices"
	"strings"

	"roclua/host/applog/analyze"
)

// The effects of less memory than a call wants, the cheapest first.
const (
	otherKernel = iota
	perfDegraded
	memoryError
)

// effects names them.
var effects = []string{"another kernel", "perf_degraded", "memory_error"}

// demand is the loss of a call below a number of bytes.
type demand struct {
	call   string
	times  int64
	bytes  uint64
	effect int
}

// demandsOf returns the losses of a call with less memory than it needs.
func demandsOf(c *analyze.Call, n *analyze.Need, times int64) []demand {
	switch label := c.Label(); {
	case !n.Known() || n.Bytes == 0:
		return nil
	case !n.CanDegrade:
		return []demand{{label, times, n.Bytes, memoryError}}
	case n.Degraded == 0:
		return []demand{{label, times, n.Bytes, perfDegraded}}
	default:
		return []demand{{label, times, n.Bytes, perfDegraded}, {label, times, n.Degraded, memoryError}}
	}
}

// Decision is the effect of a budget on the calls if each handle has its own workspace on each stream.
type Decision struct {
	Needs uint64 `json:"needs_bytes"`  // without a budget
	After uint64 `json:"after_bytes"`  // with the steps
	Steps []Step `json:"steps"`        // losses, the cheapest first
	Fits  string `json:"fits_instead"` // the totals and shared workspaces that fit and cost nothing; "" for none
}

// Step makes a workspace smaller.
type Step struct {
	Handle string `json:"handle"`      // whose
	Stream int    `json:"stream"`      // on which
	From   uint64 `json:"from_bytes"`  // of each workspace before
	To     uint64 `json:"to_bytes"`    // after
	Saves  uint64 `json:"saves_bytes"` // of all workspaces
	Effect string `json:"effect"`      // the worst: "another kernel", "perf_degraded" or "memory_error"
	Calls  []Lost `json:"calls"`       // that it changes
}

// Lost is a call that has too little memory.
type Lost struct {
	Call   string `json:"call"`   // as roclua size has it
	Times  int64  `json:"times"`  // how often it is made, by all handles of the step
	Effect string `json:"effect"` // "another kernel", "perf_degraded" or "memory_error"
}

// slot is the workspace of a handle on a stream while steps are chosen.
type slot struct {
	*Handle
	left  []demand // sorted by descending bytes
	bytes uint64
}

// choice is the next smaller size of a workspace.
type choice struct {
	*slot
	lost   []demand
	to     uint64  // bytes
	effect int     // the worst
	calls  float64 // that it changes for each byte that it saves
}

// next returns the next smaller size; nil if the workspace has no bytes that a call wants.
func (s *slot) next() *choice {
	if len(s.left) == 0 {
		return nil
	}
	c := &choice{slot: s}
	n := 0
	for ; n < len(s.left) && s.left[n].bytes == s.left[0].bytes; n++ {
		c.effect = max(c.effect, s.left[n].effect)
		c.calls += float64(s.left[n].times)
	}
	if c.lost = s.left[:n]; n < len(s.left) {
		c.to = s.left[n].bytes
	}
	c.calls /= float64(s.bytes - c.to)
	return c
}

// decide takes the cheapest step until the workspaces fit into a budget.
func (t *Target) decide(budget uint64) *Decision {
	d := &Decision{Steps: []Step{}}
	var slots []*slot
	for _, h := range t.Handles {
		s := &slot{Handle: h, left: slices.Clone(h.demands), bytes: h.Wants}
		slices.SortStableFunc(s.left, func(a, b demand) int { return cmp.Compare(b.bytes, a.bytes) })
		d.Needs += h.Wants * uint64(h.Count)
		slots = append(slots, s)
	}
	for d.After = d.Needs; d.After > budget; {
		var best *choice
		for _, s := range slots {
			if c := s.next(); c != nil && (best == nil || c.effect < best.effect ||
				c.effect == best.effect && c.calls < best.calls) {
				best = c
			}
		}
		step := best.step()
		d.After -= step.Saves
		d.Steps = append(d.Steps, step)
	}
	d.Fits = t.fitting(budget)
	return d
}

// step makes the workspace smaller.
func (c *choice) step() Step {
	step := Step{Handle: c.Name, Stream: c.Stream, From: c.bytes, To: c.to, Saves: (c.bytes - c.to) * uint64(c.Count),
		Effect: effects[c.effect]}
	for _, d := range c.lost {
		step.Calls = append(step.Calls, Lost{d.call, d.times * c.repeats, effects[d.effect]})
	}
	c.left, c.bytes = c.left[len(c.lost):], c.to
	return step
}

// fitting names the schemes that fit into a budget without any loss.
func (t *Target) fitting(budget uint64) string {
	shared, safe := uint64(0), true
	for _, s := range t.Sharing {
		shared += s.Bytes
		safe = safe && s.Safe == "yes"
	}
	var list []string
	if safe && shared <= budget {
		list = append(list, "one shared workspace")
	}
	for _, total := range t.Totals {
		if total.Peak <= budget {
			list = append(list, total.Scheme)
		}
	}
	return strings.Join(list, ", ")
}
