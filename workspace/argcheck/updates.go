package argcheck

import "roclua/hip/routine"

// Rank-1, rank-2 and rank-k updates. Only syrk and herk need memory.
func updates() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Ger:   generalUpdate,
		routine.Geru:  generalUpdate,
		routine.Gerc:  generalUpdate,
		routine.Syr:   symmetricUpdate,
		routine.Her:   symmetricUpdate,
		routine.Syr2:  symmetricUpdate,
		routine.Her2:  symmetricUpdate,
		routine.Spr:   packedUpdate,
		routine.Hpr:   packedUpdate,
		routine.Spr2:  packedUpdate,
		routine.Hpr2:  packedUpdate,
		routine.Syrk:  rankK,
		routine.Herk:  rankK,
		routine.Syr2k: rank2K,
		routine.Syrkx: rank2K,
		routine.Her2k: rank2K,
		routine.Herkx: rank2K,
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

// A symmetric update with one vector takes any order, and uses its lower 32 bits.
func symmetricUpdate(o operands) []rule {
	list := o.triangleUpdate(o.ldTooSmall(matA))
	if _, two := o.r.ParamAt(vecY); two || o.r.Family.Hermitian {
		return append(list, kernelsFor(n)...)
	}
	return append(list, numbersChecked, o.in64(quickReturn(zeroIn32(n))))
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

func rankK(o operands) []rule {
	return []rule{
		unchanged(zero(n)),
		queryReturns,
		value(badUplo, o.badUpdateOperation()),
		size(negative(n), negative(k), negative(batchCount), o.ldBelowRows(matA), o.ldBelowRows(matC)),
		quickReturn(zero(n), zero(batchCount)),
		pointers(null(alpha).unless(zero(k)), null(beta)),
		// The 64-bit forms end some calls before they fetch the scalars, and check C only after that.
		numbersChecked.only(executedDevice),
		o.in64(quickReturn(zero(k)).only(devicePointers)),
		o.in64(size(beyond32(n)).only(devicePointers)),
		fetched(nonzero(k), always),
		quickReturn(both(betaOne, noProduct)),
		pointers(null(matC), null(matA).unless(noProduct)),
		numbersChecked.only(executedHost),
		o.emptyUpdate(),
		allocated,
		size(beyond32(n)),
	}
}

func rank2K(o operands) []rule {
	return []rule{
		noWorkspace,
		fetched(nonzero(k), always),
		value(badUplo, o.badUpdateOperation()),
		size(negative(n), negative(k), negative(batchCount),
			o.ldBelowRows(matA), o.ldBelowRows(matB), o.ldBelowRows(matC)),
		quickReturn(zero(n), zero(batchCount)),
		pointers(null(alpha).unless(zero(k)), null(beta)),
		quickReturn(both(betaOne, noProduct)),
		pointers(null(matC), null(matA).unless(noProduct), null(matB).unless(noProduct)),
		numbersChecked,
		o.emptyUpdate(),
		allocated,
		size(beyond32(n)),
	}
}

// emptyUpdate is a rank-k update with k = 0: the 64-bit forms return without scaling C, the others read alpha even if
// it is null, which they did not check.
func (o operands) emptyUpdate() rule {
	if o.r.Wide {
		return quickReturn(zero(k))
	}
	return pointers(null(alpha)).with(Crash)
}
