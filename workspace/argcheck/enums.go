package argcheck

import (
	"fmt"
	"strings"

	"roclua/hip/routine"
)

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

// badUpdateOperation holds for an operation that a rank-k update does not have: a complex symmetric one has no
// conjugate transpose, a Hermitian one no transpose.
func (o operands) badUpdateOperation() condition {
	switch {
	case !o.r.Type.IsComplex():
		return badTransA
	case o.r.Family.Hermitian:
		return notOneOf(routine.TransA, routine.Operation, routine.OperationNone, routine.OperationConjugateTranspose)
	}
	return notOneOf(routine.TransA, routine.Operation, routine.OperationNone, routine.OperationTranspose)
}
