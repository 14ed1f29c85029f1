package argcheck

import "roclua/hip/routine"

// Level 2: a matrix and one or two vectors. In device pointer mode the scalars stay on the device, and the arrays that
// a scalar of zero leaves unread are not checked.
func level2() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Gemv:           gemv,
		routine.HalfGemv:       gemv,
		routine.HalfSingleGemv: gemv,
		routine.Gbmv:           generalBand,
		routine.Symv:           symmetricVector,
		routine.Hemv:           symmetricVector,
		routine.Sbmv:           bandVector,
		routine.Hbmv:           bandVector,
		routine.Spmv:           packedVector,
		routine.Hpmv:           packedVector,
		routine.Trmv:           triangular,
		routine.Tbmv:           bandTriangular,
		routine.Tpmv:           packedTriangular,
		routine.Trsv:           triangular,
		routine.Tbsv:           bandSolve,
		routine.Tpsv:           packedSolve,
	}
}

// A query has no checks: even with an illegal operation it returns bytes.
func gemv(o operands) []rule { return generalProduct(queryReturns, o.ldTooSmall(matA)) }

// generalProduct is y = alpha op(A) x + beta y for an A without symmetry, whose storage the routine checks with matrix.
func generalProduct(query rule, matrix ...condition) []rule {
	sizes := append([]condition{negative(m), negative(n), negative(batchCount)}, matrix...)
	return append([]rule{
		query,
		value(badTransA),
		size(append(sizes, zeroIncrement(incX), zeroIncrement(incY))...),
		quickReturn(zero(m), zero(n), zero(batchCount)),
	}, scaledVector()...)
}

func generalBand(o operands) []rule {
	list := generalProduct(noWorkspace, negative(routine.KL), negative(routine.KU), o.ldBelowRows(matA))
	return append(list, kernelsFor(m, n, routine.KL, routine.KU)...)
}

// A query returns success, not size_unchanged, if there is nothing to compute.
func symmetricVector(o operands) []rule {
	return append(append([]rule{
		value(badUplo),
		size(negative(n), negative(batchCount), o.ldTooSmall(matA), zeroIncrement(incX), zeroIncrement(incY)),
		quickReturn(zero(n), zero(batchCount)),
		queryReturns,
	}, scaledVector()...),
		allocated,
		size(beyond32(n)),
	)
}

func bandVector(o operands) []rule {
	return append(symmetricProductOf(negative(k), o.ldTooSmall(matA)), kernelsFor(n, k)...)
}

func packedVector(operands) []rule { return append(symmetricProductOf(), kernelsFor(n)...) }

func symmetricProductOf(sizes ...condition) []rule {
	return append([]rule{
		noWorkspace,
		value(badUplo),
		size(append(sizes, negative(n), negative(batchCount), zeroIncrement(incX), zeroIncrement(incY))...),
		quickReturn(zero(n), zero(batchCount)),
	}, scaledVector()...)
}

// scaledVector is the end of y = alpha A x + beta y. With an alpha of 0 neither A nor x is read; with a beta of 1 as
// well there is nothing to compute.
func scaledVector() []rule {
	return []rule{
		pointers(null(alpha), null(beta)),
		quickReturn(both(alphaZero, betaOne)).only(hostPointers),
		pointers(null(vecY), null(matA).unless(alphaZero), null(vecX).unless(alphaZero)).only(hostPointers),
	}
}

func triangular(o operands) []rule { return triangularVector(o.ldTooSmall(matA)) }

// A packed matrix has no leading dimension.
func packedTriangular(operands) []rule { return triangularVector() }

func triangularVector(leading ...condition) []rule {
	empty := []condition{zero(n), zero(batchCount)}
	return []rule{
		value(badUplo, badTransA, badDiag),
		size(append([]condition{negative(n), negative(batchCount), zeroIncrement(incX)}, leading...)...),
		unchanged(empty...),
		quickReturn(empty...),
		queryReturns,
		pointers(null(matA), null(vecX)),
		allocated,
		size(beyond32(n)),
	}
}

// The band product is the only routine that checks its arrays in a query.
func bandTriangular(o operands) []rule {
	empty := []condition{zero(n), zero(batchCount)}
	return []rule{
		value(badUplo, badTransA, badDiag),
		size(negative(n), negative(k), negative(batchCount), o.ldTooSmall(matA), zeroIncrement(incX)),
		unchanged(empty...),
		quickReturn(empty...),
		pointers(null(matA), null(vecX)),
		queryReturns,
		allocated,
		size(beyond32(n), beyond32(k)),
	}
}

func bandSolve(o operands) []rule {
	return append(triangularVectorSolve(negative(k), o.ldBelowRows(matA)), kernelsFor(n, k)...)
}

// packedSolve of a strided batch has no code for queries: the call runs inside a query too.
func packedSolve(o operands) []rule {
	list := triangularVectorSolve()
	if o.r.Variant == routine.StridedBatched {
		return append(list[1:], rule{mark: numbersMark, in: everywhere}, size(beyond32(n)),
			quickReturn(runsInQuery).only(queried).with(WithoutWorkspace))
	}
	return append(list, kernelsFor(n)...)
}

// runsInQuery holds for every call of a routine that executes inside a size query.
var runsInQuery = condition{
	test:    always,
	message: func(a *routine.Args) string { return a.Routine.CName() + " runs inside a query" },
}

func triangularVectorSolve(sizes ...condition) []rule {
	return []rule{
		noWorkspace,
		value(badUplo, badTransA, badDiag),
		size(append(sizes, negative(n), negative(batchCount), zeroIncrement(incX))...),
		quickReturn(zero(n), zero(batchCount)),
		pointers(null(matA), nullX),
	}
}
