package argcheck

import (
	"fmt"
	"slices"

	"roclua/hip/routine"
)

func qr() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Geqrf: standard, routine.GeqrfPointers: standard,
		routine.Geqlf: standard,
		routine.Gelqf: standard,
		routine.Gerqf: standard,
		routine.Geqr2: standard,
		routine.Geql2: standard,
		routine.Gelq2: standard,
		routine.Gerq2: standard,
	}
}

// Forming an orthogonal matrix Q from its reflectors, and multiplying by it.
func orthogonal() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Org2r: generateColumns,
		routine.Org2l: generateColumns,
		routine.Orgqr: generateColumns,
		routine.Orgql: generateColumns,
		routine.Orgl2: generateRows,
		routine.Orglq: generateRows,
		routine.Orgbr: solverChecks{sizes: []condition{negative(k), bidiagonalShape}}.rules,
		routine.Orgtr: standard,
		routine.Orm2r: multiply,
		routine.Orm2l: multiply,
		routine.Orml2: multiply,
		routine.Ormqr: multiply,
		routine.Ormql: multiply,
		routine.Ormlq: multiply,
		routine.Ormbr: multiplication(solverChecks{sizes: []condition{negative(k)},
			special: []condition{null(matA).unless(noReflections), null(pivots).unless(noReflections)}}),
		routine.Ormtr: multiplication(solverChecks{special: []condition{vectorOfSide(matA)}}),
	}
}

// generateColumns has m >= n >= k, generateRows n >= m >= k.
var (
	generateColumns = solverChecks{sizes: []condition{negative(k), exceeds(n, m), exceeds(k, n)}}.rules
	generateRows    = solverChecks{sizes: []condition{negative(k), exceeds(m, n), exceeds(k, m)}}.rules
)

var multiply = multiplication(solverChecks{sizes: []condition{negative(k), tooManyReflections}})

// multiplication checks a product with an orthogonal matrix: a real one has no conjugate transpose, a complex one no
// transpose.
func multiplication(c solverChecks) builder {
	return func(o operands) []rule {
		transpose := int64(routine.OperationTranspose)
		if o.r.Type.IsComplex() {
			transpose = routine.OperationConjugateTranspose
		}
		c := c
		c.special = append(slices.Clone(c.special),
			notOneOf(routine.TransA, routine.Operation, routine.OperationNone, transpose))
		return c.rules(o)
	}
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

// Householder reflectors.
func reflectors() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Larfg: solverChecks{sizes: []condition{none(incX)},
			special: []condition{null(vecX).unless(atMost(n, 1)), quadratic(matC), quadratic(routine.Tau)}}.rules,
		routine.Larf: solverChecks{sizes: []condition{zeroIncrement(incX)},
			special: []condition{rectangular(matA), vectorOfSide(vecX), vectorOfSide(matC)}}.rules,
		routine.Larft: solverChecks{sizes: []condition{none(k)},
			special: []condition{quadratic(routine.MatV), null(routine.Tau), null(routine.MatT)}}.rules,
		routine.Larfb: solverChecks{sizes: []condition{none(k)},
			special: []condition{vectorOfSide(routine.MatV), rectangular(matA), null(routine.MatT)}}.rules,
		routine.Lacgv: solverChecks{sizes: []condition{zeroIncrement(incX)}}.rules,
	}
}

func lsq() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Gels:           multiplication(solverChecks{}),
		routine.GelsOutOfPlace: multiplication(solverChecks{}),
	}
}
