package argcheck

import (
	"fmt"

	"roclua/hip/routine"
)

// Householder reflections.
func reflections() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Larfg: solverChecks{dims: []routine.Slot{n}, sizes: []condition{none(incX)},
			null: []condition{null(vecX).unless(atMost(n, 1)), quadratic(matC), quadratic(routine.Tau)}}.rules,
		routine.Larf: solverChecks{enums: []condition{badSide}, dims: plainRectangle,
			sizes: []condition{zeroIncrement(incX)},
			null:  []condition{rectangular(matA), vectorOfSide(vecX), vectorOfSide(matC)}}.rules,
		routine.Larft: solverChecks{enums: []condition{badDirect, badStorev}, dims: []routine.Slot{n},
			sizes: []condition{none(k)}, null: []condition{quadratic(routine.MatV), null(routine.Tau),
				null(routine.MatT)}}.rules,
		routine.Larfb: solverChecks{enums: []condition{badSide, badTransA, badDirect, badStorev}, dims: plainRectangle,
			sizes: []condition{none(k)},
			null:  []condition{vectorOfSide(routine.MatV), rectangular(matA), null(routine.MatT)}}.rules,
		routine.Lacgv: solverChecks{dims: []routine.Slot{n}, sizes: []condition{zeroIncrement(incX)}}.rules,
		routine.Laswp: solverChecks{dims: []routine.Slot{n}, freeLD: true,
			sizes: []condition{none(routine.LDA), none(routine.K1), none(routine.K2), exceeds(routine.K1, routine.K2),
				zeroIncrement(incX)},
			null: []condition{quadratic(matA), null(pivots)}}.rules,
		routine.Geqr2: factorQR,
		routine.Geql2: factorQR,
		routine.Gelq2: factorQR,
		routine.Gerq2: factorQR,
		routine.Geqlf: factorQR,
		routine.Gelqf: factorQR,
		routine.Gerqf: factorQR,
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

var (
	badDirect = illegal(routine.Direct, routine.Direction)
	badStorev = illegal(routine.Storev, routine.Storage)

	plainRectangle = []routine.Slot{m, n}
)

var factorQR = solverChecks{dims: rectangle}.rules

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

// badRealOperation holds for an operation that a product with an orthogonal matrix does not have: a real one has no
// conjugate transpose, a complex one no transpose.
func (o operands) badRealOperation() condition {
	transpose := int64(routine.OperationTranspose)
	if o.r.Type.IsComplex() {
		transpose = routine.OperationConjugateTranspose
	}
	return notOneOf(routine.TransA, routine.Operation, routine.OperationNone, transpose)
}

// orderBySide returns the number of rows of C if the other factor is on the left, otherwise its columns.
func orderBySide(a *routine.Args) int64 {
	if a.Int(routine.Side) == routine.SideLeft {
		return a.Int(m)
	}
	return a.Int(n)
}

// vectorOfSide holds for a null array of vectors that have elements.
func vectorOfSide(array routine.Slot) condition {
	return condition{
		slot:    array,
		test:    func(a *routine.Args) bool { return a.Null(array) && orderBySide(a) != 0 },
		message: func(a *routine.Args) string { return name(a, array) + " is null" },
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
