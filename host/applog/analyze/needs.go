package analyze

import (
	"errors"

	"roclua/hip/routine"
	"roclua/host/applog/lines"
	"roclua/workspace/footprint"
)

// needOn computes the memory that a call allocates on a target: the maximum over the options missing from the log.
func needOn(t footprint.Target, c *lines.Call) Need {
	if c.Guessed.Empty() {
		return executed(t, c.Args)
	}
	a, first, most := *c.Args, true, Need{}
	differs := false
	forOptions(&a, &c.Guessed, 0, func() {
		n := executed(t, &a)
		differs = differs || !first && n.Bytes != most.Bytes
		if first || n.Bytes > most.Bytes {
			most = n
		}
		first = false
	})
	most.AtMost = differs
	return most
}

// forOptions calls f for every combination of guessed option values, starting with parameter i.
func forOptions(a *routine.Args, guessed *lines.Slots, i int, f func()) {
	for ; i < len(a.Routine.Params); i++ {
		p := &a.Routine.Params[i]
		if !guessed.Has(p.Slot) || !p.Kind.IsEnum() {
			continue
		}
		for _, v := range p.Legal() {
			a.SetInt(p.Slot, v)
			forOptions(a, guessed, i+1, f)
		}
		return
	}
	f()
}

// executed computes the memory that a call with known arguments allocates.
func executed(t footprint.Target, a *routine.Args) Need {
	e, err := footprint.ExecutedNeed(t, a)
	var refusal *footprint.Refusal
	switch {
	case err == nil:
		return Need{Bytes: e.Bytes, Degraded: e.Degraded, CanDegrade: e.CanDegrade}
	case errors.As(err, &refusal) && !refusal.Status.OK():
		return Need{Status: refusal.Status.Short(), Reason: refusal.Reason}
	case refusal != nil:
		return Need{Reason: refusal.Reason}
	}
	return Need{Reason: err.Error()}
}

// MemoryError is the status of a call in too small a workspace.
const MemoryError = "memory_error"

// In returns the status of a call in a user-owned workspace; "" if it succeeds, is unknown, or there is no workspace.
func (n *Need) In(workspace *uint64) string {
	switch {
	case workspace == nil || !n.Known() || n.Bytes <= *workspace:
		return ""
	case n.CanDegrade && n.Degraded <= *workspace:
		return "perf_degraded"
	}
	return MemoryError
}
