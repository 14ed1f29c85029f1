package argcheck

import "roclua/hip/routine"

// Level 3 with mixed datatypes. These routines check the combination of datatypes last, except that trsm_ex and gemm_ex
// check the compute type first.
func level3Ex() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.GemmEx:         matrixProductEx,
		routine.GemmEx3:        eightBitProduct,
		routine.GemmKernelName: notInLibrary,
		routine.GeamEx:         matrixSumEx,
		routine.SyrkEx:         rankUpdateEx,
		routine.TrsmEx:         triangularSolveEx,
	}
}

func triangularSolveEx(o operands) []rule {
	return append([]rule{notImplemented(solveTypes.missing()).beforeHandle()}, triangularSolve(o)...)
}

// A query checks only calls with 16-bit factors that are added in 32 bits, and those as an executed call: their
// kernels may need memory.
func matrixProductEx(o operands) []rule {
	list := append([]rule{unchanged(needsNoKernel)}, o.productEx(scalarTypes(routine.ComputeType))...)
	return append(list,
		notImplemented(matrixTypes.missing()),
		pointers(null(alpha).unless(zero(k)), null(beta)).only(queried).with(Crash))
}

// needsNoKernel holds for the products that never need memory.
var needsNoKernel = condition{
	slot: routine.ComputeType,
	test: func(a *routine.Args) bool {
		return a.Int(routine.ComputeType) != f32 || a.Int(routine.AType) != f16 && a.Int(routine.AType) != bf16
	},
	message: func(a *routine.Args) string { return a.Routine.CName() + " of these datatypes needs no workspace" },
}

// eightBitProduct is gemm_ex3. What follows depends on the types and on the kernels that the library has.
func eightBitProduct(o operands) []rule { return o.productSizes(eightBitCompute) }

// productEx checks the arguments of a matrix product before its datatypes. Its scalars are read as one of the types.
func (o operands) productEx(scalars types) []rule {
	return append(o.productSizes(scalars),
		pointers(null(alpha).unless(zero(k)), null(beta), null(matD)).only(executed),
		pointers(null(matC).unless(betaZero), null(matA).unless(noProduct),
			null(matB).unless(noProduct)).only(executed),
		size(inPlaceAs(routine.LDC, routine.LDD)).only(executed),
		value(inPlaceAs(routine.CType, routine.DType)).only(executed),
		o.otherProblemsInPlace())
}

// productSizes checks the arguments of a matrix product before its pointers.
func (o operands) productSizes(scalars types) []rule {
	return []rule{
		notImplemented(scalars.missing()),
		fetched(nonzero(k), always),
		value(badTransA, badTransB),
		size(negative(m), negative(n), negative(k), negative(batchCount),
			o.ldBelowRows(matA), o.ldBelowRows(matB), o.ldBelowRows(matC), o.ldBelowRows(matD)),
		quickReturn(zero(m), zero(n), zero(batchCount)).only(executed),
		unchanged(zero(m), zero(n), zero(batchCount)),
	}
}

// otherProblemsInPlace is a strided batch whose result overwrites C with another stride.
func (o operands) otherProblemsInPlace() rule {
	if o.r.Variant != routine.StridedBatched {
		return rule{}
	}
	return size(inPlaceAs(routine.StrideC, routine.StrideD))
}

// A query of syrk_ex checks nothing.
func rankUpdateEx(o operands) []rule {
	return []rule{
		unchanged(zero(n)),
		queryReturns,
		notImplemented(scalarTypes(routine.ExecutionType).missing()),
		fetched(nonzero(k), always),
		quickReturn(zero(n)),
		notImplemented(rankUpdateTypes.missing()),
		value(badUplo, badTransA),
		size(negative(n), negative(k), o.ldBelowRows(matA), o.ldBelowRows(matC)),
		pointers(null(alpha).unless(zero(k)), null(beta)),
		quickReturn(both(betaOne, noProduct)),
		pointers(null(matC), null(matA).unless(noProduct)),
		numbersChecked,
		pointers(null(alpha)).with(Crash),
	}
}

func matrixSumEx(o operands) []rule {
	plainOrTransposed := func(s routine.Slot) condition {
		return notOneOf(s, routine.Operation, routine.OperationNone, routine.OperationTranspose)
	}
	return []rule{
		noWorkspace,
		notImplemented(sumComputeTypes.missing()),
		value(plainOrTransposed(routine.TransA), plainOrTransposed(routine.TransB)),
		size(negative(m), negative(n), negative(k), o.ldBelowRows(matA), o.ldBelowRows(matB), o.ldBelowRows(matC),
			o.ldBelowRows(matD), inPlaceAs(routine.LDC, routine.LDD)),
		quickReturn(zero(m), zero(n)),
		pointers(null(beta), null(matD), null(alpha).unless(zero(k))),
		pointers(null(matA).unless(noProduct), null(matB).unless(noProduct),
			null(matC).unless(betaZero)).only(hostPointers),
		notImplemented(sumTypes.missing()),
	}
}

func notInLibrary(operands) []rule { return []rule{notImplemented(withoutCode).beforeHandle()} }

// withoutCode holds for every call of a function that the library exports and does not implement.
var withoutCode = condition{
	test:    always,
	message: func(a *routine.Args) string { return "the library does not implement " + a.Routine.CName() },
}

// The combinations of datatypes that have kernels, in the order of the arguments.
var (
	matrixTypes = types{
		slots: []routine.Slot{routine.AType, routine.BType, routine.CType, routine.DType, routine.ComputeType},
		combinations: [][]int64{
			{f16, f16, f16, f16, f16}, {f16, f16, f16, f16, f32}, {f16, f16, f32, f32, f32},
			{bf16, bf16, bf16, bf16, f32}, {bf16, bf16, f32, f32, f32}, {f32, f32, f32, f32, f32},
			{f64, f64, f64, f64, f64}, {f32c, f32c, f32c, f32c, f32c}, {f64c, f64c, f64c, f64c, f64c},
			{i8, i8, i32, i32, i32},
		},
	}
	solveTypes = types{
		slots:        []routine.Slot{routine.ComputeType},
		combinations: [][]int64{{f32}, {f64}, {f32c}, {f64c}},
	}
	eightBitCompute = types{
		slots: []routine.Slot{routine.ComputeType},
		combinations: [][]int64{{routine.ComputeF32}, {routine.ComputeF8F8}, {routine.ComputeF8BF8},
			{routine.ComputeBF8F8}, {routine.ComputeBF8BF8}},
	}
	rankUpdateTypes = types{
		slots: []routine.Slot{routine.AType, routine.CType, routine.ExecutionType},
		combinations: [][]int64{
			{f16, f16, f32}, {f16, f32, f32}, {bf16, bf16, f32}, {bf16, f32, f32}, {f32, f32, f64}, {f32, f64, f64},
		},
	}

	// sumComputeTypes are the compute types of geam_ex.
	sumComputeTypes = types{slots: []routine.Slot{routine.ComputeType}, combinations: [][]int64{{f16}, {f32}, {f64}}}

	sumTypes = types{
		slots: []routine.Slot{routine.AType, routine.BType, routine.CType, routine.DType, routine.ComputeType},
		combinations: [][]int64{
			{f16, f16, f16, f16, f16}, {f32, f32, f32, f32, f32}, {f64, f64, f64, f64, f64},
		},
	}
)
