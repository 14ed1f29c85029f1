package argcheck

import "roclua/hip/routine"

// both holds when two conditions do.
func both(c, d condition) condition {
	return condition{
		slot:    c.slot,
		test:    func(a *routine.Args) bool { return c.holds(a) && d.holds(a) },
		message: func(a *routine.Args) string { return c.message(a) + " and " + d.message(a) },
	}
}

// either holds when at least one of two conditions does.
func either(c, d condition) condition {
	return condition{
		slot: c.slot,
		test: func(a *routine.Args) bool { return c.holds(a) || d.holds(a) },
		message: func(a *routine.Args) string {
			if c.holds(a) {
				return c.message(a)
			}
			return d.message(a)
		},
	}
}

// unless holds when c does and the exception does not. A batch count is not an exception for a plain routine, which has
// none.
func (c condition) unless(exception condition) condition {
	return condition{
		slot: c.slot,
		test: func(a *routine.Args) bool {
			return c.holds(a) && !(exception.possible(a.Routine) && exception.holds(a))
		},
		message: c.message,
	}
}

var (
	alphaZero = scalarIs(alpha, 0)
	alphaOne  = scalarIs(alpha, 1)
	betaZero  = scalarIs(beta, 0)
	betaOne   = scalarIs(beta, 1)

	// noProduct holds when alpha op(A) op(B) is zero, so that A and B are not read.
	noProduct = either(zero(k), alphaZero)
)

// Tests of whether a scalar is copied to the host, if its pointer is not null.

func always(*routine.Args) bool { return true }

func never(*routine.Args) bool { return false }

func nonzero(s routine.Slot) func(*routine.Args) bool {
	return func(a *routine.Args) bool { return a.Int(s) != 0 }
}
