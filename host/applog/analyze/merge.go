package analyze

import (
	"roclua/hip/routine"
	"roclua/host/applog/lines"
)

// setTimes sets the count of each call. Lines of different kinds describe the same calls: each kind in the logs counts
// all of them.
func (l *Log) setTimes() {
	for _, c := range l.order {
		c.Times = 0
		for k, n := range c.counts {
			if lines.Kind(k) < lines.Recorded {
				c.Times = max(c.Times, n)
			}
		}
		c.Times += c.counts[lines.Recorded] + c.counts[lines.Listed]
	}
}

// merged removes calls that repeat another with fewer arguments: the trace line and the command of one call may lack
// different arguments.
func (l *Log) merged() []*Call {
	byRoutine := map[*routine.Routine][]*Call{}
	for _, c := range l.order {
		if c.Times > 0 {
			byRoutine[c.Routine] = append(byRoutine[c.Routine], c)
		}
	}
	var list []*Call
	for _, c := range l.order {
		if c.Times > 0 && !describedBy(c, byRoutine[c.Routine]) {
			list = append(list, c)
		}
	}
	return list
}

// compared bounds the pairwise comparison of one routine's calls.
const compared = 300

// describedBy reports whether more detailed lines of other kinds account for all lines about the call.
func describedBy(c *Call, others []*Call) bool {
	if len(others) < 2 || len(others) > compared || complete(c) {
		return false
	}
	a, times := c.Args(), int64(0)
	for _, o := range others {
		if o == c || sameKinds(c, o) || count(&o.Known, o.Routine) <= count(&c.Known, c.Routine) {
			continue
		}
		if b := o.Args(); agree(c, a, b) {
			times += o.Times
		}
	}
	return times >= c.Times
}

// complete reports whether a log has all integers and options of a call.
func complete(c *Call) bool {
	for i := range c.Routine.Params {
		if p := &c.Routine.Params[i]; p.Kind != routine.Output && !c.Known.Has(p.Slot) {
			return false
		}
	}
	return true
}

// sameKinds reports whether lines of one kind describe both calls.
func sameKinds(a, b *Call) bool {
	for k := range a.counts {
		if a.counts[k] > 0 && b.counts[k] > 0 {
			return true
		}
	}
	return false
}

func count(s *lines.Slots, r *routine.Routine) (n int) {
	for i := range r.Params {
		if s.Has(r.Params[i].Slot) {
			n++
		}
	}
	return n
}

// agree reports whether the known arguments of two calls are equal.
func agree(c *Call, a, b *routine.Args) bool {
	for i := range c.Routine.Params {
		p := &c.Routine.Params[i]
		if !c.Known.Has(p.Slot) {
			continue
		}
		same := a.Int(p.Slot) == b.Int(p.Slot)
		if p.Kind == routine.Scalar {
			same = scalarClass(a, p.Slot) == scalarClass(b, p.Slot)
		} else if p.Kind.IsPointer() {
			same = a.Null(p.Slot) == b.Null(p.Slot)
		}
		if !same {
			return false
		}
	}
	return true
}
