package argcheck

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"roclua/hip/routine"
)

// A condition on a call's arguments that ends it, and its words once it holds.
type condition struct {
	holds func(*routine.Args) bool
	says  func(*routine.Args) string
}

// name returns what the header of the called routine calls a slot.
func name(a *routine.Args, s routine.Slot) string {
	if p, ok := a.Routine.ParamAt(s); ok {
		return p.Name
	}
	return "?"
}

// count returns the value of an integer argument; the batch of a plain routine is 1.
func count(s routine.Slot) func(*routine.Args) int64 {
	if s == routine.BatchCount {
		return (*routine.Args).Batch
	}
	return func(a *routine.Args) int64 { return a.Int(s) }
}

// notOneOf holds when an enumeration has none of its legal values.
func notOneOf(s routine.Slot, kind routine.Kind, legal ...int64) condition {
	var words []string
	for _, v := range legal {
		words = append(words, fmt.Sprintf("%s (%d)", routine.ConstantName(kind, v), v))
	}
	list := strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
	return condition{
		holds: func(a *routine.Args) bool { return !slices.Contains(legal, a.Int(s)) },
		says:  func(a *routine.Args) string { return fmt.Sprintf("%s is %d, must be %s", name(a, s), a.Int(s), list) },
	}
}

// The legal values of every enumeration lie side by side; fill_full and side_both are legal nowhere in the table.
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

// negative holds when a dimension or the batch count is below zero.
func negative(s routine.Slot) condition {
	of := count(s)
	return condition{
		holds: func(a *routine.Args) bool { return of(a) < 0 },
		says:  func(a *routine.Args) string { return fmt.Sprintf("%s is %d, must not be negative", name(a, s), of(a)) },
	}
}

// zero holds when a dimension, an increment or the batch count is zero.
func zero(s routine.Slot) condition {
	of := count(s)
	return condition{
		holds: func(a *routine.Args) bool { return of(a) == 0 },
		says:  func(a *routine.Args) string { return name(a, s) + " is 0" },
	}
}

// none holds when a dimension, an increment or the batch count is zero or less.
func none(s routine.Slot) condition {
	of := count(s)
	return condition{
		holds: func(a *routine.Args) bool { return of(a) <= 0 },
		says:  func(a *routine.Args) string { return fmt.Sprintf("%s is %d", name(a, s), of(a)) },
	}
}

// beyond32 holds when a dimension does not fit 32 bits, which only arguments of the 64-bit forms can.
func beyond32(s routine.Slot) condition {
	return condition{
		holds: func(a *routine.Args) bool { return a.Int(s) > math.MaxInt32 },
		says: func(a *routine.Args) string {
			return fmt.Sprintf("%s is %d, and there are no kernels beyond %d", name(a, s), a.Int(s), math.MaxInt32)
		},
	}
}

// null holds when a pointer is null.
func null(s routine.Slot) condition {
	return condition{
		holds: func(a *routine.Args) bool { return a.Null(s) },
		says:  func(a *routine.Args) string { return name(a, s) + " is null" },
	}
}

// both holds when two conditions do.
func both(c, d condition) condition {
	return condition{
		holds: func(a *routine.Args) bool { return c.holds(a) && d.holds(a) },
		says:  func(a *routine.Args) string { return c.says(a) + " and " + d.says(a) },
	}
}

// unless holds when c does and the excuse does not.
func (c condition) unless(excuse condition) condition {
	return condition{
		holds: func(a *routine.Args) bool { return c.holds(a) && !excuse.holds(a) },
		says:  c.says,
	}
}

// scalarIs holds when a host scalar has a value.
func scalarIs(s routine.Slot, v complex128) condition {
	return condition{
		holds: func(a *routine.Args) bool { return a.Scalar(s) == v },
		says:  func(a *routine.Args) string { return fmt.Sprintf("%s is %g", name(a, s), real(v)) },
	}
}

var (
	alphaZero = scalarIs(alpha, 0)
	betaOne   = scalarIs(beta, 1)

	// noProduct holds when alpha op(A) op(B) adds nothing, so that A and B are not read.
	noProduct = either(zero(k), alphaZero)
)

// either holds when any of the conditions does.
func either(list ...condition) condition {
	return condition{
		holds: func(a *routine.Args) bool {
			for _, c := range list {
				if c.holds(a) {
					return true
				}
			}
			return false
		},
		says: func(a *routine.Args) string {
			for _, c := range list {
				if c.holds(a) {
					return c.says(a)
				}
			}
			return ""
		},
	}
}

// Conditions of a fetched scalar beside being there at all.

func always(*routine.Args) bool { return true }
func never(*routine.Args) bool  { return false }

func nonzero(s routine.Slot) func(*routine.Args) bool {
	return func(a *routine.Args) bool { return a.Int(s) != 0 }
}
