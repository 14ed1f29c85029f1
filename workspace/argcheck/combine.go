package argcheck

import "roclua/hip/routine"

// both holds when two conditions do.
func both(c, d condition) condition {
	return condition{
		slot: c.slot,
		test: func(a *routine.Args) bool { return c.holds(a) && d.holds(a) },
		says: func(a *routine.Args) string { return c.says(a) + " and " + d.says(a) },
	}
}

// either holds when one of two conditions does.
func either(c, d condition) condition {
	return condition{
		slot: c.slot,
		test: func(a *routine.Args) bool { return c.holds(a) || d.holds(a) },
		says: func(a *routine.Args) string {
			if c.holds(a) {
				return c.says(a)
			}
			return d.says(a)
		},
	}
}

// unless holds when c does and the excuse does not. No batch count excuses a plain routine, which has none.
func (c condition) unless(excuse condition) condition {
	return condition{
		slot: c.slot,
		test: func(a *routine.Args) bool { return c.holds(a) && !(excuse.possible(a.Routine) && excuse.holds(a)) },
		says: c.says,
	}
}

// Conditions of a fetched scalar, beside being there at all.

func always(*routine.Args) bool { return true }
func never(*routine.Args) bool  { return false }

func nonzero(s routine.Slot) func(*routine.Args) bool {
	return func(a *routine.Args) bool { return a.Int(s) != 0 }
}
