package argcheck

import "roclua/hip/routine"

// Decide checks the arguments of a call.
func Decide(a *routine.Args, mode Mode) Decision {
	c := &checksOf(a.Routine)[mode.index()]
	done, checked := 0, false
	for i := range c.steps {
		s := &c.steps[i]
		if !s.happens(&mode) {
			continue
		}
		if r, by := first(c.rules[done:s.after], a); r != nil {
			return Decision{Status: r.status, Effect: r.effect, Checked: checked, by: by, args: a, received: a}
		}
		if err := s.do(&mode, a); err != nil {
			return Decision{Effect: Failed, Checked: checked, Err: err}
		}
		done, checked = s.after, checked || s.numbers
	}
	received := a.Received()
	if r, by := first(c.rules[done:], received); r != nil {
		return Decision{Status: r.status, Effect: r.effect, Checked: checked, by: by, args: a, received: received}
	}
	return Decision{Checked: checked}
}

// first returns the first rule that applies to a call, and its condition that holds. The loop repeats condition.holds,
// which is too large to be inlined.
func first(rules []rule, a *routine.Args) (*rule, *condition) {
	for i := range rules {
		r := &rules[i]
		for j := range r.any {
			c := &r.any[j]
			if c.signs == 0 && c.test(a) || c.signs.include(a.Int(c.slot)) {
				return r, c
			}
		}
	}
	return nil, nil
}
