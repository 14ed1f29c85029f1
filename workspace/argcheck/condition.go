package argcheck

import (
	"fmt"
	"math"
	"strings"

	"roclua/hip/routine"
)

// A condition on a call's arguments that ends it, and its words once it holds. Most ask for the sign of one argument and
// are tested without a call, which a routine that passes some twenty of them notices; the others are functions.
type condition struct {
	slot  routine.Slot
	signs signs                      // the condition holds if the argument has one of them
	test  func(*routine.Args) bool   // if no signs are given
	says  func(*routine.Args) string // called only when the condition holds
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

// possible reports whether a condition can hold at all for a routine; those that cannot are left out of its rules.
func (c *condition) possible(r *routine.Routine) bool {
	return c.slot != batchCount || r.Variant != routine.Plain
}

// name returns what the header of the called routine calls a slot.
func name(a *routine.Args, s routine.Slot) string {
	if p, ok := a.Routine.ParamAt(s); ok {
		return p.Name
	}
	return "?"
}

// negative holds when a dimension or the batch count is below zero.
func negative(s routine.Slot) condition {
	return condition{slot: s, signs: belowZero, says: func(a *routine.Args) string {
		return fmt.Sprintf("%s is %d, must not be negative", name(a, s), a.Int(s))
	}}
}

// zero holds when a dimension or the batch count is zero.
func zero(s routine.Slot) condition {
	return condition{slot: s, signs: atZero, says: func(a *routine.Args) string { return name(a, s) + " is 0" }}
}

// none holds when a dimension, an increment or the batch count is zero or less.
func none(s routine.Slot) condition {
	return condition{slot: s, signs: atZero | belowZero, says: func(a *routine.Args) string {
		return fmt.Sprintf("%s is %d", name(a, s), a.Int(s))
	}}
}

// zeroIncrement holds for an increment of 0 where each element needs a place of its own.
func zeroIncrement(s routine.Slot) condition {
	return condition{slot: s, signs: atZero, says: func(a *routine.Args) string { return name(a, s) + " is 0, must not be" }}
}

// null holds when a pointer is null.
func null(s routine.Slot) condition {
	return condition{slot: s, signs: atZero, says: func(a *routine.Args) string { return name(a, s) + " is null" }}
}

// beyond32 holds when a dimension does not fit 32 bits, which only arguments of the 64-bit forms can.
func beyond32(s routine.Slot) condition {
	return condition{
		slot: s,
		test: func(a *routine.Args) bool { return a.Int(s) > math.MaxInt32 },
		says: func(a *routine.Args) string {
			return fmt.Sprintf("%s is %d, and there are no kernels beyond %d", name(a, s), a.Int(s), math.MaxInt32)
		},
	}
}

// notOneOf holds when an enumeration has none of its legal values, which lie less than 64 apart.
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
		says: func(a *routine.Args) string { return fmt.Sprintf("%s is %d, must be %s", name(a, s), a.Int(s), list) },
	}
}

// fill_full and side_both are legal nowhere in the table.
var (
	badSide   = notOneOf(routine.Side, routine.SideKind, routine.SideLeft, routine.SideRight)
	badUplo   = notOneOf(routine.Uplo, routine.Fill, routine.FillUpper, routine.FillLower)
	badDiag   = notOneOf(routine.Diag, routine.Diagonal, routine.DiagonalNonUnit, routine.DiagonalUnit)
	badTransA = badOperation(routine.TransA)
	badTransB = badOperation(routine.TransB)
)

func badOperation(s routine.Slot) condition {
	return notOneOf(s, routine.Operation, routine.OperationNone, routine.OperationTranspose, routine.OperationConjugateTranspose)
}

// scalarIs holds when a scalar has a value, as far as the host knows.
func scalarIs(s routine.Slot, v complex128) condition {
	return condition{
		slot: s,
		test: func(a *routine.Args) bool { return a.Scalar(s) == v },
		says: func(a *routine.Args) string { return fmt.Sprintf("%s is %g", name(a, s), real(v)) },
	}
}

var (
	alphaZero = scalarIs(alpha, 0)
	betaOne   = scalarIs(beta, 1)

	// noProduct holds when alpha op(A) op(B) adds nothing, so that A and B are not read.
	noProduct = either(zero(k), alphaZero)
)
