package argcheck

// Level 1: reductions. A query looks at nothing but whether there is something to reduce. An executed call wants the
// place of its result first of all; a reduction of nothing is zero.
var level1 = map[string]list{
	"asum":  reduction,
	"nrm2":  reduction,
	"iamax": reduction,
	"iamin": reduction,
	"dot":   product,
	"dotu":  product,
	"dotc":  product,
}

// A vector that runs backwards is empty.
func reduction(operands) []rule {
	empty := []condition{none(n), none(incX), none(batchCount)}
	return []rule{
		unchanged(empty...),
		queryAnswered,
		pointers(null(result)),
		nothing(empty...).with(ZeroResult),
		pointers(null(vecX)),
	}
}

// Any increment will do, zero and negative ones too; an empty batch needs no results.
func product(operands) []rule {
	empty := []condition{none(n), none(batchCount)}
	return []rule{
		unchanged(empty...),
		queryAnswered,
		pointers(null(result).unless(none(batchCount))),
		nothing(empty...).with(ZeroResult),
		pointers(null(vecX), null(vecY)),
	}
}
