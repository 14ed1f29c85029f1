package argcheck

import (
	"fmt"
	"math"
	"strings"

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

// null holds when a pointer is null.
func null(s routine.Slot) condition {
	return condition{slot: s, signs: atZero, message: func(a *routine.Args) string { return name(a, s) + " is null" }}
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

// illegal holds when an enumeration has a value that no routine accepts.
func illegal(s routine.Slot, enum routine.Kind) condition {
	return notOneOf(s, enum, routine.Legal(enum)...)
}

// notOneOf holds when an enumeration has none of the given values, which differ by less than 64.
func notOneOf(s routine.Slot, enum routine.Kind, legal ...int64) condition {
	var words []string
	var set uint64
	for _, v := range legal {
		words = append(words, fmt.Sprintf("%s (%d)", routine.ConstantName(enum, v), v))
		set |= 1 << (v - legal[0])
	}
	list := strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
	return condition{
		slot: s,
		test: func(a *routine.Args) bool { return set>>uint64(a.Int(s)-legal[0])&1 == 0 },
		message: func(a *routine.Args) string {
			return fmt.Sprintf("%s is %d, must be %s", name(a, s), a.Int(s), list)
		},
	}
}

var (
	badSide   = illegal(routine.Side, routine.SideKind)
	badUplo   = illegal(routine.Uplo, routine.Fill)
	badDiag   = illegal(routine.Diag, routine.Diagonal)
	badTransA = illegal(routine.TransA, routine.Operation)
	badTransB = illegal(routine.TransB, routine.Operation)
)

// scalarIs holds when a scalar has a value, as far as the host knows.
func scalarIs(s routine.Slot, v complex128) condition {
	return condition{
		slot:    s,
		test:    func(a *routine.Args) bool { return a.Scalar(s) == v },
		message: func(a *routine.Args) string { return fmt.Sprintf("%s is %g", name(a, s), real(v)) },
	}
}

var (
	alphaZero = scalarIs(alpha, 0)
	betaOne   = scalarIs(beta, 1)

	// noProduct holds when alpha op(A) op(B) is zero, so that A and B are not read.
	noProduct = either(zero(k), alphaZero)
)
