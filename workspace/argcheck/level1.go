package argcheck

// Level 1: reductions. A query looks at nothing but whether there is something to reduce.
var level1 = map[string]list{
	"asum":  vectorReduction,
	"nrm2":  vectorReduction,
	"iamax": vectorReduction,
	"iamin": vectorReduction,
	"dot":   product,
	"dotu":  product,
	"dotc":  product,
}

func vectorReduction(operands) []rule {
	empty := []condition{none(n), none(incX), none(batchCount)}
	return []rule{
		unchanged(empty...),
		queryAnswered,
		pointers(null(result)),
		nothing(empty...).with(ZeroResult),
		pointers(null(vecX)),
	}
}

// product takes any increment, zero and negative ones too.
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
