package argcheck

// Level 2: a matrix and a vector or two. In device pointer mode the scalars stay where they are and the arrays that
// they may excuse are not checked at all.
var level2 = map[string]list{
	"gemv": gemv,
	"tbmv": bandTriangular,
	"tpmv": packedTriangular,
	"trmv": triangular,
	"trsv": triangular,
	"symv": symmetricVector,
	"hemv": symmetricVector,
}

// A query checks nothing: even a wrong operation gets an answer.
func gemv(o operands) []rule {
	return append([]rule{
		queryAnswered,
		value(badTransA),
		size(negative(m), negative(n), negative(batchCount), o.thin(matA), zeroIncrement(incX), zeroIncrement(incY)),
		nothing(zero(m), zero(n), zero(batchCount)),
	}, scaledVector()...)
}

// A query gives success, not size_unchanged, where there is nothing to compute.
func symmetricVector(o operands) []rule {
	return append(append([]rule{
		value(badUplo),
		size(negative(n), negative(batchCount), o.thin(matA), zeroIncrement(incX), zeroIncrement(incY)),
		nothing(zero(n), zero(batchCount)),
		queryAnswered,
	}, scaledVector()...),
		borrowed,
		size(beyond32(n)),
	)
}

// scaledVector is the end of y = alpha A x + beta y: with alpha 0 neither A nor x is read, with beta 1 as well nothing is.
func scaledVector() []rule {
	return []rule{
		pointers(null(alpha), null(beta)),
		nothing(both(alphaZero, betaOne)).only(hostPointers),
		pointers(null(vecY), null(matA).unless(alphaZero), null(vecX).unless(alphaZero)).only(hostPointers),
	}
}

// The band product alone looks at its arrays before it answers a query.
func bandTriangular(o operands) []rule {
	empty := []condition{zero(n), zero(batchCount)}
	return []rule{
		value(badUplo, badTransA, badDiag),
		size(negative(n), negative(k), negative(batchCount), o.thin(matA), zeroIncrement(incX)),
		unchanged(empty...),
		nothing(empty...),
		pointers(null(matA), null(vecX)),
		queryAnswered,
		borrowed,
		size(beyond32(n), beyond32(k)),
	}
}

func triangular(o operands) []rule { return triangularVector(o.thin(matA)) }

// A packed matrix has no leading dimension.
func packedTriangular(operands) []rule { return triangularVector() }

func triangularVector(leading ...condition) []rule {
	empty := []condition{zero(n), zero(batchCount)}
	return []rule{
		value(badUplo, badTransA, badDiag),
		size(append([]condition{negative(n), negative(batchCount), zeroIncrement(incX)}, leading...)...),
		unchanged(empty...),
		nothing(empty...),
		queryAnswered,
		pointers(null(matA), null(vecX)),
		borrowed,
		size(beyond32(n)),
	}
}
