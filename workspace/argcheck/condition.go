package argcheck

import (
	"fmt"
	"math"

	"roclua/hip/routine"
)

// condition is a condition on a call's arguments that ends the call, with its message. Most conditions are about the
// sign of one argument and are tested without a function call, which matters for calls that pass some twenty of them.
type condition struct {
	slot    routine.Slot
	signs   signs                      // the condition holds if the argument has one of them
	test    func(*routine.Args) bool   // if no signs are given
	message func(*routine.Args) string // called only when the condition holds
}

// signs is a set of signs of a number, or the null of a pointer.
type signs uint8

const (
	belowZero signs = 1 << iota
	atZero
)

func (s signs) include(v int64) bool {
	return v == 0 && s&atZero != 0 || v < 0 && s&belowZero != 0
}

func (c *condition) holds(a *routine.Args) bool {
	if c.signs != 0 {
		return c.signs.include(a.Int(c.slot))
	}
	return c.test(a)
}

// possible reports whether a condition can hold for a routine; the others are left out of its rules.
func (c *condition) possible(r *routine.Routine) bool {
	return c.slot != batchCount || r.Variant != routine.Plain
}

// name returns the name of a slot in the header of the called routine.
func name(a *routine.Args, s routine.Slot) string {
	if p, ok := a.Routine.ParamAt(s); ok {
		return p.Name
	}
	return "?"
}

// negative holds when a dimension or the batch count is below zero.
func negative(s routine.Slot) condition {
	return condition{slot: s, signs: belowZero, message: func(a *routine.Args) string {
		return fmt.Sprintf("%s is %d, must not be negative", name(a, s), a.Int(s))
	}}
}

// zero holds when a dimension or the batch count is zero.
func zero(s routine.Slot) condition {
	return condition{slot: s, signs: atZero, message: func(a *routine.Args) string { return name(a, s) + " is 0" }}
}

// none holds when a dimension, an increment or the batch count is zero or less.
func none(s routine.Slot) condition {
	return condition{slot: s, signs: atZero | belowZero, message: func(a *routine.Args) string {
		return fmt.Sprintf("%s is %d", name(a, s), a.Int(s))
	}}
}

// zeroIncrement holds for an increment of 0 where all elements must be distinct.
func zeroIncrement(s routine.Slot) condition {
	return condition{slot: s, signs: atZero, message: func(a *routine.Args) string {
		return name(a, s) + " is 0, must not be 0"
	}}
}

// exceeds holds when a size is larger than another.
func exceeds(s, limit routine.Slot) condition {
	return condition{
		slot: s,
		test: func(a *routine.Args) bool { return a.Int(s) > a.Int(limit) },
		message: func(a *routine.Args) string {
			return fmt.Sprintf("%s is %d, must be at most %s = %d", name(a, s), a.Int(s), name(a, limit), a.Int(limit))
		},
	}
}

// atMost holds when a size is not larger than a number.
func atMost(s routine.Slot, limit int64) condition {
	return condition{
		slot:    s,
		test:    func(a *routine.Args) bool { return a.Int(s) <= limit },
		message: func(a *routine.Args) string { return fmt.Sprintf("%s is %d", name(a, s), a.Int(s)) },
	}
}

// beyond32 holds when a dimension of a 64-bit form exceeds 32 bits.
func beyond32(s routine.Slot) condition {
	return condition{
		slot: s,
		test: func(a *routine.Args) bool { return a.Int(s) > math.MaxInt32 },
		message: func(a *routine.Args) string {
			return fmt.Sprintf("%s is %d, and there are no kernels beyond %d", name(a, s), a.Int(s), math.MaxInt32)
		},
	}
}

// zeroIn32 holds when the lower 32 bits of a dimension, which a 64-bit form uses alone, are 0.
func zeroIn32(s routine.Slot) condition {
	return condition{
		slot: s,
		test: func(a *routine.Args) bool { return int32(a.Int(s)) == 0 },
		message: func(a *routine.Args) string {
			return fmt.Sprintf("%s is %d, whose lower 32 bits are 0", name(a, s), a.Int(s))
		},
	}
}

// ldBelow holds for a leading dimension that is smaller than a number of rows.
func ldBelow(ld routine.Slot, rows func(*routine.Args) int64) condition {
	return condition{
		slot: ld,
		test: func(a *routine.Args) bool { return a.Int(ld) < rows(a) },
		message: func(a *routine.Args) string {
			return fmt.Sprintf("%s is %d, must be at least %d", name(a, ld), a.Int(ld), rows(a))
		},
	}
}

// in32Bits returns a number of rows as the library computes it, with 32 bits.
func in32Bits(rows int64) int64 { return int64(int32(rows)) }

// null holds when a pointer is null.
func null(s routine.Slot) condition {
	return condition{slot: s, signs: atZero, message: func(a *routine.Args) string { return name(a, s) + " is null" }}
}

// nullIf holds for a null array that is needed.
func nullIf(array routine.Slot, needed func(*routine.Args) bool) condition {
	return condition{
		slot:    array,
		test:    func(a *routine.Args) bool { return a.Null(array) && needed(a) },
		message: func(a *routine.Args) string { return name(a, array) + " is null" },
	}
}

// scalarIs holds when a scalar has a value, as far as the host knows.
func scalarIs(s routine.Slot, v complex128) condition {
	return condition{
		slot:    s,
		test:    func(a *routine.Args) bool { return a.Scalar(s) == v },
		message: func(a *routine.Args) string { return fmt.Sprintf("%s is %g", name(a, s), real(v)) },
	}
}
