package argcheck

import "roclua/hip/routine"

// Level 2: band and packed matrices, and rank updates. None needs memory except the 16-bit gemv.
func updates() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Gbmv:           generalBand,
		routine.Sbmv:           bandVector,
		routine.Hbmv:           bandVector,
		routine.Spmv:           packedVector,
		routine.Hpmv:           packedVector,
		routine.Tbsv:           bandSolve,
		routine.Tpsv:           packedSolve,
		routine.Ger:            generalUpdate,
		routine.Geru:           generalUpdate,
		routine.Gerc:           generalUpdate,
		routine.Syr:            symmetricUpdate,
		routine.Her:            symmetricUpdate,
		routine.Syr2:           symmetricUpdate,
		routine.Her2:           symmetricUpdate,
		routine.Spr:            packedUpdate,
		routine.Hpr:            packedUpdate,
		routine.Spr2:           packedUpdate,
		routine.Hpr2:           packedUpdate,
		routine.HalfGemv:       gemv,
		routine.HalfSingleGemv: gemv,
	}
}

func generalBand(o operands) []rule {
	list := generalProduct(noWorkspace, negative(routine.KL), negative(routine.KU), o.ldBelowRows(matA))
	return append(list, kernelsFor(m, n, routine.KL, routine.KU)...)
}

func bandVector(o operands) []rule {
	return append(symmetricProductOf(negative(k), o.ldTooSmall(matA)), kernelsFor(n, k)...)
}

func packedVector(operands) []rule { return append(symmetricProductOf(), kernelsFor(n)...) }

// kernelsFor ends an executed call of a 64-bit form with a dimension that has no kernels.
func kernelsFor(dims ...routine.Slot) []rule {
	var beyond []condition
	for _, d := range dims {
		beyond = append(beyond, beyond32(d))
	}
	return []rule{allocated, size(beyond...)}
}

func symmetricProductOf(sizes ...condition) []rule {
	return append([]rule{
		noWorkspace,
		value(badUplo),
		size(append(sizes, negative(n), negative(batchCount), zeroIncrement(incX), zeroIncrement(incY))...),
		quickReturn(zero(n), zero(batchCount)),
	}, scaledVector()...)
}

func bandSolve(o operands) []rule {
	return append(triangularVectorSolve(negative(k), o.ldBelowRows(matA)), kernelsFor(n, k)...)
}

// packedSolve of a strided batch has no code for queries: the call runs inside a query too.
func packedSolve(o operands) []rule {
	list := triangularVectorSolve()
	if o.r.Variant == routine.StridedBatched {
		return append(list[1:], size(beyond32(n)), quickReturn(runsInQuery).only(queried).with(WithoutWorkspace))
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

func generalUpdate(o operands) []rule {
	return append([]rule{
		noWorkspace,
		size(negative(m), negative(n), negative(batchCount), o.ldTooSmall(matA), zeroIncrement(incX),
			zeroIncrement(incY)),
		quickReturn(zero(m), zero(n), zero(batchCount)),
	}, o.addedProduct()...)
}

// A symmetric update with one vector takes any order, of which it uses the lower 32 bits.
func symmetricUpdate(o operands) []rule {
	list := o.triangleUpdate(o.ldTooSmall(matA))
	if _, two := o.r.ParamAt(vecY); two || o.r.Family.Hermitian {
		return append(list, kernelsFor(n)...)
	}
	return append(list, o.in64(quickReturn(zeroIn32(n))))
}

func packedUpdate(o operands) []rule { return append(o.triangleUpdate(), kernelsFor(n)...) }

func (o operands) triangleUpdate(sizes ...condition) []rule {
	sizes = append(sizes, negative(n), negative(batchCount), zeroIncrement(incX))
	if _, two := o.r.ParamAt(vecY); two {
		sizes = append(sizes, zeroIncrement(incY))
	}
	return append([]rule{
		noWorkspace,
		value(badUplo),
		size(sizes...),
		quickReturn(zero(n), zero(batchCount)),
	}, o.addedProduct()...)
}

// addedProduct is the end of A = alpha x y^T + A. In device pointer mode the arrays are not checked.
func (o operands) addedProduct() []rule {
	arrays := []condition{null(matA), nullX}
	if _, two := o.r.ParamAt(vecY); two {
		arrays = append(arrays, nullY)
	}
	return []rule{
		pointers(null(alpha)),
		quickReturn(alphaZero).only(hostPointers),
		pointers(arrays...).only(hostPointers),
	}
}
