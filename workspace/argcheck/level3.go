package argcheck

import (
	"fmt"
	"math"

	"roclua/hip/routine"
	"roclua/workspace/status"
)

// Level 3. In device pointer mode most of these routines copy their scalars to the host and decide by the values, as in
// host pointer mode: gemm, like the rank-2k updates, before the first check. A leading dimension of 0 is legal for a
// matrix without rows.
func level3() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Gemm:  matrixProduct,
		routine.Gemmt: triangleOfProduct,
		routine.Symm:  symmetricProduct,
		routine.Hemm:  symmetricProduct,
		routine.Trmm:  triangularProduct,
		routine.Trsm:  triangularSolve,
		routine.Trtri: triangularInverse,
	}
}

func matrixProduct(o operands) []rule {
	return []rule{
		noWorkspace,
		fetched(nonzero(k), always),
		value(badTransA, badTransB),
		size(negative(m), negative(n), negative(k), negative(batchCount),
			o.ldBelowRows(matA), o.ldBelowRows(matB), o.ldBelowRows(matC)),
		quickReturn(zero(m), zero(n), zero(batchCount)),
		pointers(null(alpha).unless(zero(k)), null(beta)),
		quickReturn(both(betaOne, noProduct)),
		pointers(null(matC), null(matA).unless(noProduct), null(matB).unless(noProduct)),
		numbersChecked,
	}
}

// In device pointer mode the matrices are not checked.
func triangleOfProduct(o operands) []rule {
	return []rule{
		noWorkspace,
		value(badTransA, badTransB, badUplo),
		size(negative(n), negative(k), negative(batchCount),
			o.ldBelowRowsIn32(matA), o.ldBelowRowsIn32(matB), o.ldBelowRowsIn32(matC)),
		quickReturn(zero(n), zero(batchCount)),
		pointers(null(alpha).unless(zero(k)), null(beta)),
		quickReturn(both(betaOne, noProduct)).only(hostPointers),
		pointers(null(matC), null(matA).unless(noProduct), null(matB).unless(noProduct)).only(hostPointers),
		numbersChecked,
		o.in64(quickReturn(zero(k))), // without scaling C
		allocated,
		size(beyond32(n)),
	}
}

// In device pointer mode the arrays are not checked, because the scalars arrive only after the check.
func symmetricProduct(o operands) []rule {
	return []rule{
		noWorkspace,
		value(badSide, badUplo),
		size(negative(m), negative(n), negative(batchCount),
			o.ldBelowRows(matA), o.ldBelowRows(matB), o.ldBelowRows(matC)),
		quickReturn(zero(m), zero(n), zero(batchCount)),
		pointers(null(alpha), null(beta)),
		numbersChecked.only(executedDevice),
		o.beyondKernels(devicePointers),
		fetched(always, always),
		quickReturn(both(alphaZero, betaOne)),
		pointers(null(matC), null(matA).unless(alphaZero), null(matB).unless(alphaZero)).only(hostPointers),
		numbersChecked.only(executedHost),
		o.beyondKernels(hostPointers),
		o.missingBlock(),
	}
}

// beyondKernels refuses a matrix A of too many rows, except in batches of pointers: in device pointer mode before the
// scalars are copied, otherwise after the other checks.
func (o operands) beyondKernels(s situations) rule {
	r := o.in64(size(o.orderBeyond(matA, math.MaxInt32)).only(s))
	r.laterReleases = true
	if o.r.Variant == routine.Batched {
		r.in = 0
	}
	return r
}

// missingBlock is an internal error for a null array: B, and A if it is an array of pointers. It comes from the
// general products that make up a symmetric product when A is more than one block. Kernels for leading dimensions
// beyond 32 bits do not check.
func (o operands) missingBlock() rule {
	missing := null(matB)
	if o.r.Variant == routine.Batched {
		missing = either(null(matA), null(matB))
	}
	wide := either(beyond32(routine.LDA), either(beyond32(routine.LDB), beyond32(routine.LDC)))
	missing = both(missing, o.orderBeyond(matA, symmetricBlock)).unless(alphaZero).unless(wide)
	return rule{in: executedDevice, status: status.InternalError, effect: Ends, any: []condition{missing}}
}

// symmetricBlock is the order of the diagonal blocks of a symmetric product.
const symmetricBlock = 32

func triangularProduct(o operands) []rule {
	return []rule{
		noWorkspace,
		fetched(func(a *routine.Args) bool { return a.Int(m) != 0 && a.Int(n) != 0 }, never),
		value(badSide, badUplo, badTransA, badDiag),
		size(negative(m), negative(n), negative(batchCount),
			o.ldBelowRows(matA), o.ldBelowRows(matB), o.ldBelowRows(matC)),
		quickReturn(zero(m), zero(n), zero(batchCount)),
		pointers(null(alpha), null(matC), null(matA).unless(alphaZero), null(matB).unless(alphaZero)),
		value(inPlaceMismatch),
		numbersChecked,
		o.in64(quickReturn(both(alphaZero, either(zeroIn32(m), zeroIn32(n))))), // without clearing C
		allocated,
		o.in64(size(o.orderBeyond(matA, largestProduct).unless(alphaZero))),
	}
}

// largestProduct is the largest order of a triangular matrix that the 64-bit trmm multiplies by.
const largestProduct = 1 << 28

// inPlaceMismatch holds when trmm overwrites B with another leading dimension.
var inPlaceMismatch = condition{
	slot: routine.LDC,
	test: func(a *routine.Args) bool {
		return a.Ptr(matB) == a.Ptr(matC) && a.Int(routine.LDB) != a.Int(routine.LDC)
	},
	message: func(a *routine.Args) string {
		return fmt.Sprintf("C is B, so ldc, %d, must be ldb = %d", a.Int(routine.LDC), a.Int(routine.LDB))
	},
}

// In host pointer mode a query reads alpha too. A null alpha crashes, and an alpha of 0 clears B at once, even if B or
// A is null.
func triangularSolve(o operands) []rule {
	empty := []condition{zero(m), zero(n), zero(batchCount)}
	return []rule{
		value(badSide, badUplo, badTransA, badDiag),
		size(negative(m), negative(n), negative(batchCount), o.ldBelowRows(matA), o.ldBelowRows(matB)),
		unchanged(empty...),
		quickReturn(empty...),
		pointers(null(alpha)).only(queriedHost).with(Crash),
		quickReturn(alphaZero).only(queriedHost).with(WithoutWorkspace),
		rule{mark: numbersMark, in: queried},
		queryReturns,
		pointers(null(alpha), null(matB)),
		quickReturn(alphaZero).only(executedHost).with(WithoutWorkspace),
		pointers(null(matA)).only(executedHost),
		numbersChecked,
		allocated,
		size(o.orderBeyond(matA, math.MaxInt32)),
	}
}

func triangularInverse(o operands) []rule {
	empty := []condition{zero(n), zero(batchCount)}
	return []rule{
		unchanged(empty...),
		queryReturns,
		value(badUplo, badDiag),
		size(negative(n), negative(batchCount), o.ldBelowRows(matA), o.ldBelowRows(matInvA)),
		quickReturn(empty...),
		pointers(null(matA), null(matInvA)),
	}
}

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

// Sums of matrices and products with a diagonal matrix. None needs memory.
func geam() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Dgmm: diagonalProduct,
		routine.Geam: matrixSum,
	}
}

func diagonalProduct(o operands) []rule {
	return []rule{
		noWorkspace,
		value(badSide),
		size(negative(m), negative(n), negative(batchCount), o.ldBelowRows(matA), o.ldBelowRows(matC)),
		quickReturn(zero(m), zero(n), zero(batchCount)),
		pointers(null(matA), nullX, null(matC)),
	}
}

// A matrix is only checked if its factor is not zero, which the host does not know in device pointer mode.
func matrixSum(o operands) []rule {
	return []rule{
		noWorkspace,
		value(badTransA, badTransB),
		size(negative(m), negative(n), negative(batchCount),
			o.ldBelowRows(matA), o.ldBelowRows(matB), o.ldBelowRows(matC)),
		size(overwritten(matA, routine.TransA, routine.LDA), overwritten(matB, routine.TransB, routine.LDB)),
		quickReturn(zero(m), zero(n), zero(batchCount)),
		pointers(null(matC), null(alpha), null(beta)),
		pointers(null(matA).unless(alphaZero), null(matB).unless(betaZero)).only(hostPointers),
	}
}

// overwritten holds when C is a matrix that is transposed or has another leading dimension.
func overwritten(matrix, operation, ld routine.Slot) condition {
	return condition{
		slot: matrix,
		test: func(a *routine.Args) bool {
			return a.Ptr(matC) == a.Ptr(matrix) &&
				(a.Int(ld) != a.Int(routine.LDC) || a.Int(operation) != routine.OperationNone)
		},
		message: func(a *routine.Args) string {
			return fmt.Sprintf("C is %s, which must then have no operation and the leading dimension ldc = %d",
				name(a, matrix), a.Int(routine.LDC))
		},
	}
}

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
