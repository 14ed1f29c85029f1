package argcheck

import "roclua/hip/routine"

// Decide checks the arguments of a call.
func Decide(a *routine.Args, mode Mode) Decision {
	c := &checksOf(a.Routine)[mode.index()]
	rules := c.rules
	if c.fetch.alpha != nil && mode.Scalars != nil {
		before := rules[:c.fetch.after]
		if r, by := first(before, a); r != nil {
			return Decision{Status: r.status, Effect: r.effect, by: by, args: a, received: a}
		}
		if err := c.fetch.from(mode.Scalars, a); err != nil {
			return Decision{Effect: Failed, Err: err}
		}
		rules = rules[c.fetch.after:]
	}
	received := a.Received()
	if r, by := first(rules, received); r != nil {
		return Decision{Status: r.status, Effect: r.effect, by: by, args: a, received: received}
	}
	return Decision{}
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
