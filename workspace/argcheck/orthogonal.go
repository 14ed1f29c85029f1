package argcheck

import (
	"fmt"

	"roclua/hip/routine"
)

// Forming an orthogonal matrix Q from its reflectors, and multiplying by it.
func orthogonal() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Org2r: generateColumns,
		routine.Org2l: generateColumns,
		routine.Orgqr: generateColumns,
		routine.Orgql: generateColumns,
		routine.Orgl2: generateRows,
		routine.Orglq: generateRows,
		routine.Orgbr: solverChecks{enums: []condition{badStorev}, dims: plainRectangle,
			sizes: []condition{negative(k), bidiagonalShape}}.rules,
		routine.Orgtr: solverChecks{enums: uplo, dims: []routine.Slot{n}}.rules,
		routine.Orm2r: multiply,
		routine.Orm2l: multiply,
		routine.Orml2: multiply,
		routine.Ormqr: multiply,
		routine.Ormql: multiply,
		routine.Ormlq: multiply,
		routine.Ormbr: func(o operands) []rule {
			return solverChecks{enums: []condition{badSide, o.badRealOperation(), badStorev}, dims: plainRectangle,
				sizes: []condition{negative(k)},
				needed: map[routine.Slot]condition{matA: null(matA).unless(noReflections),
					pivots: null(pivots).unless(noReflections)}}.rules(o)
		},
		routine.Ormtr: func(o operands) []rule {
			return solverChecks{enums: []condition{badSide, o.badRealOperation(), badUplo}, dims: plainRectangle,
				needed: map[routine.Slot]condition{matA: vectorOfSide(matA)}}.rules(o)
		},
	}
}

// generateColumns has m >= n >= k, generateRows n >= m >= k.
var (
	generateColumns = solverChecks{dims: plainRectangle,
		sizes: []condition{negative(k), exceeds(n, m), exceeds(k, n)}}.rules
	generateRows = solverChecks{dims: plainRectangle,
		sizes: []condition{negative(k), exceeds(m, n), exceeds(k, m)}}.rules
)

// multiply checks a product with an orthogonal matrix.
func multiply(o operands) []rule {
	return solverChecks{enums: []condition{badSide, o.badRealOperation()}, dims: plainRectangle,
		sizes: []condition{negative(k), tooManyReflections}}.rules(o)
}

var noReflections = condition{
	slot:    k,
	test:    func(a *routine.Args) bool { return min(orderBySide(a), a.Int(k)) <= 0 },
	message: func(*routine.Args) string { return "there are no reflections" },
}

var tooManyReflections = condition{
	slot: k,
	test: func(a *routine.Args) bool { return a.Int(k) > orderBySide(a) },
	message: func(a *routine.Args) string {
		return fmt.Sprintf("k is %d, must be at most the order of Q = %d", a.Int(k), orderBySide(a))
	},
}

// bidiagonalShape holds for sizes that gebrd's reflections do not have.
var bidiagonalShape = condition{
	slot: n,
	test: func(a *routine.Args) bool {
		longer, shorter := a.Int(m), a.Int(n)
		if a.Int(routine.Storev) == routine.StorevRows {
			longer, shorter = shorter, longer
		}
		return shorter > longer || shorter < min(longer, a.Int(k))
	},
	message: func(a *routine.Args) string {
		return fmt.Sprintf("m is %d and n %d, which reflections of gebrd with k = %d do not have", a.Int(m), a.Int(n),
			a.Int(k))
	},
}
