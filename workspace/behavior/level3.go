package behavior

import (
	"fmt"
	"math"
	"math/bits"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/workspace/status"
)

// Level 3: products, sums and updates of matrices, and triangular solves.
func level3() []family {
	return []family{
		{ID: routine.Gemm, checks: matrixProduct, size: tunedProduct, steps: queriesFirst,
			numbers: before(matA, matB, matC).after(matC)},
		{ID: routine.Gemmt, checks: triangleOfProduct, size: noWorkspace, steps: noSteps,
			numbers: before(matA, matB, matC).after(matC)},
		{ID: routine.Symm, also: ids{routine.Hemm}, checks: symmetricProduct, size: noWorkspace,
			steps: symmetricOrders.steps, numbers: before(matA, matB, matC).after(matC).narrowed(routine.Upper)},
		{ID: routine.Trmm, checks: triangularProduct, size: noWorkspace, steps: trmmSteps,
			numbers: before(matA, matB).after(matC).unless(onlyCleared).narrowed(routine.Upper)},
		{ID: routine.Trsm, checks: triangularSolve, size: trsm, steps: trsmSteps((*Steps).inPieces),
			numbers: before(matA, matB).after(matB).afterSlowSolve().narrowed(routine.Upper)},
		{ID: routine.Trtri, checks: triangularInverse, size: trtri, steps: launchThen((*Steps).inverse),
			numbers: before(matA).after(matInvA)},
		{ID: routine.Syrk, checks: rankK, size: syrk, steps: syrkOrders.steps, numbers: before(matA, matC).after(matC)},
		{ID: routine.Herk, checks: rankK, size: syrk, steps: herkOrders.steps,
			numbers: before(matA, matC).after(matC).afterErrors()},
		{ID: routine.Syr2k, checks: rank2K, size: noWorkspace, steps: rank2Orders.steps,
			numbers: before(matA, matB, matC).after(matC)},
		{ID: routine.Syrkx, checks: rank2K, size: noWorkspace, steps: syrkxOrders.steps,
			numbers: before(matA, matB, matC).after(matC)},
		{ID: routine.Her2k, checks: rank2K, size: noWorkspace, steps: rank2Orders.steps,
			numbers: before(matA, matB, matC).after(matC)},
		{ID: routine.Herkx, checks: rank2K, size: noWorkspace, steps: herkxOrders.steps,
			numbers: before(matA, matB, matC).after(matC)},
		{ID: routine.Dgmm, checks: diagonalProduct, size: noWorkspace, steps: noSteps,
			numbers: before(matA, vecX, matC).after(matC).narrowed(routine.Vector)},
		{ID: routine.Geam, checks: matrixSum, size: noWorkspace, steps: noSteps,
			numbers: before(matA, matB).after(matC)},

		{ID: routine.GemmEx, checks: matrixProductEx, size: tunedProduct, steps: queriesFirst,
			numbers: before(matA, matB, matC).after(matD).unless(ofBytes), datatypes: &matrixTypes},
		{ID: routine.GemmEx3, checks: eightBitChecks, size: eightBitProduct, steps: queriesFirst,
			numbers: before(matA, matB, matC).after(matD), datatypes: anyDatatypes},
		{ID: routine.GemmKernelName, checks: notInLibrary, size: noWorkspace, steps: noSteps,
			numbers: before(), datatypes: anyDatatypes},
		{ID: routine.GeamEx, checks: matrixSumEx, size: noWorkspace, steps: noSteps,
			numbers: before(matA, matB, matC, matD).after(matA, matB, matC, matD), datatypes: &sumTypes},
		{ID: routine.SyrkEx, checks: rankUpdateEx, size: syrkEx, steps: syrkExSteps,
			numbers: before(matA, matC).after(matC), datatypes: &rankUpdateTypes},
		{ID: routine.TrsmEx, checks: triangularSolveEx, size: trsmEx, steps: trsmSteps((*Steps).mixedSolve),
			numbers: before(matA, matB).after(matB).afterSlowSolve(), datatypes: &solveTypes},
	}
}

// onlyCleared holds for a trmm that only clears C.
func onlyCleared(a *routine.Args, onDevice bool) bool { return !onDevice && a.Scalar(alpha) == 0 }

// ofBytes holds for a gemm_ex of 8-bit integers.
func ofBytes(a *routine.Args, _ bool) bool { return a.Int(routine.AType) == i8 }

func matrixProduct(o operands) []rule {
	return []rule{
		needsNone,
		fetched(nonzero(k), always),
		o.values(), o.sizes(0), o.nothing(),
		pointers(null(alpha).unless(isZero(k)), null(beta)),
		quickReturn(both(betaOne, noProduct)),
		pointers(null(matC), null(matA).unless(noProduct), null(matB).unless(noProduct)),
		numbersChecked,
	}
}

// In device pointer mode the matrices are not checked.
func triangleOfProduct(o operands) []rule {
	return []rule{
		needsNone,
		o.values(),
		size(negative(n), negative(k), negative(batchCount),
			o.ldBelowRowsIn32(matA), o.ldBelowRowsIn32(matB), o.ldBelowRowsIn32(matC)),
		o.nothing(),
		pointers(null(alpha).unless(isZero(k)), null(beta)),
		quickReturn(both(betaOne, noProduct)).only(hostPointers),
		pointers(null(matC), null(matA).unless(noProduct), null(matB).unless(noProduct)).only(hostPointers),
		numbersChecked,
		o.in64(quickReturn(isZero(k))), // without scaling C
		allocated,
		size(beyond32(n)),
	}
}

// In device pointer mode the arrays are not checked, because the scalars arrive only after the check.
func symmetricProduct(o operands) []rule {
	return []rule{
		needsNone,
		o.values(), o.sizes(0), o.nothing(),
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
		needsNone,
		fetched(func(a *routine.Args) bool { return a.Int(m) != 0 && a.Int(n) != 0 }, never),
		o.values(), o.sizes(0), o.nothing(),
		pointers(null(alpha), null(matC), null(matA).unless(alphaZero), null(matB).unless(alphaZero)),
		value(inPlaceAs(matC, matB, routine.LDC, routine.LDB)),
		numbersChecked,
		o.in64(quickReturn(both(alphaZero, either(zeroIn32(m), zeroIn32(n))))), // without clearing C
		allocated,
		o.in64(size(o.orderBeyond(matA, largestProduct).unless(alphaZero))),
	}
}

// largestProduct is the largest order of a triangular matrix that the 64-bit trmm multiplies by.
const largestProduct = 1 << 28

// In host pointer mode a query reads alpha too. A null alpha crashes, and an alpha of 0 clears B at once, even if B or
// A is null.
func triangularSolve(o operands) []rule {
	return []rule{
		o.values(), o.sizes(0), unchanged(o.empty()...), o.nothing(),
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
	return []rule{
		unchanged(o.empty()...),
		queryReturns,
		o.values(), o.sizes(0), o.nothing(),
		pointers(null(matA), null(matInvA)),
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
		pointers(null(alpha).unless(isZero(k)), null(beta)).only(queried).with(Crash))
}

// needsNoKernel holds for the products that never need memory.
var needsNoKernel = condition{
	slot: routine.ComputeType,
	test: func(a *routine.Args) bool {
		return a.Int(routine.ComputeType) != f32 || a.Int(routine.AType) != f16 && a.Int(routine.AType) != bf16
	},
	message: func(a *routine.Args) string { return a.Routine.CName() + " of these datatypes needs no workspace" },
}

// eightBitChecks is gemm_ex3. The rest depends on the types and on the library's kernels.
func eightBitChecks(o operands) []rule { return o.productSizes(eightBitCompute) }

// productEx checks the arguments of a matrix product before its datatypes. Its scalars are read as one of the types.
func (o operands) productEx(scalars types) []rule {
	return append(o.productSizes(scalars),
		pointers(null(alpha).unless(isZero(k)), null(beta), null(matD)).only(executed),
		pointers(null(matC).unless(betaZero), null(matA).unless(noProduct),
			null(matB).unless(noProduct)).only(executed),
		size(inPlaceAs(matC, matD, routine.LDD, routine.LDC)).only(executed),
		value(inPlaceAs(matC, matD, routine.DType, routine.CType)).only(executed),
		o.otherProblemsInPlace())
}

// productSizes checks the arguments of a matrix product before its pointers.
func (o operands) productSizes(scalars types) []rule {
	return []rule{
		notImplemented(scalars.missing()),
		fetched(nonzero(k), always),
		o.values(), o.sizes(0), o.nothing().only(executed), unchanged(o.empty()...),
	}
}

// otherProblemsInPlace is a strided batch whose result overwrites C with another stride.
func (o operands) otherProblemsInPlace() rule {
	if o.r.Variant != routine.StridedBatched {
		return rule{}
	}
	return size(inPlaceAs(matC, matD, routine.StrideD, routine.StrideC))
}

// A query of syrk_ex checks nothing.
func rankUpdateEx(o operands) []rule {
	return []rule{
		unchanged(isZero(n)),
		queryReturns,
		notImplemented(scalarTypes(routine.ExecutionType).missing()),
		fetched(nonzero(k), always),
		quickReturn(isZero(n)),
		notImplemented(rankUpdateTypes.missing()),
		o.values(), o.sizes(0),
		pointers(null(alpha).unless(isZero(k)), null(beta)),
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
		needsNone,
		notImplemented(sumComputeTypes.missing()),
		value(plainOrTransposed(routine.TransA), plainOrTransposed(routine.TransB)),
		o.sizes(0), size(inPlaceAs(matC, matD, routine.LDD, routine.LDC)), o.nothing(),
		pointers(null(beta), null(matD), null(alpha).unless(isZero(k))),
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

func diagonalProduct(o operands) []rule {
	return []rule{
		needsNone,
		o.values(),
		size(negative(m), negative(n), negative(batchCount), o.ldBelowRows(matA), o.ldBelowRows(matC)),
		o.nothing(),
		pointers(null(matA), nullX, null(matC)),
	}
}

// A matrix is only checked if its factor is not zero, which the host does not know in device pointer mode.
func matrixSum(o operands) []rule {
	return []rule{
		needsNone,
		o.values(), o.sizes(0),
		size(overwritten(matA, routine.TransA, routine.LDA), overwritten(matB, routine.TransB, routine.LDB)),
		o.nothing(),
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

func rankK(o operands) []rule {
	return []rule{
		unchanged(isZero(n)),
		queryReturns,
		o.updateOperation(), o.values(), o.sizes(0), o.nothing(),
		pointers(null(alpha).unless(isZero(k)), null(beta)),
		// The 64-bit forms end some calls before they fetch the scalars, and check C only after that.
		numbersChecked.only(executedDevice),
		o.in64(quickReturn(isZero(k)).only(devicePointers)),
		o.in64(size(beyond32(n)).only(devicePointers)),
		fetched(nonzero(k), always).afterAllocation(),
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
		needsNone,
		fetched(nonzero(k), always),
		o.updateOperation(), o.values(), o.sizes(0), o.nothing(),
		pointers(null(alpha).unless(isZero(k)), null(beta)),
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
		return quickReturn(isZero(k))
	}
	return pointers(null(alpha)).with(Crash)
}

// trsmBlock is the order of the diagonal blocks that trsm inverts.
const trsmBlock = 128

// defaultTrsmLimit is where a skinny problem stops taking the regular way, unless the environment says otherwise.
const defaultTrsmLimit = 128 << 20

// triangular is one triangular solve, alone or inside a solver routine: A of order m (left) or n (right), B m x n.
type triangular struct {
	left, none bool // none: A is not transposed
	m, n       int64
	element    int64
	real       bool
	batch      int64
	pointers   bool  // the batched form, which keeps arrays of pointers
	wide       bool  // sizes have 64 bits
	ld         int64 // the larger leading dimension, of 64-bit solves
	supplied   int64 // elements of the inverted diagonal blocks that the caller supplies
}

// solveBuffers are the four buffers of a triangular solve, in the order of the library.
type solveBuffers struct{ x, xPointers, inverse, inversePointers amount }

// trsm needs room for the solution and for the inverted diagonal blocks, and also runs with a smaller part of the
// former (rocblas_trsm_kernels.hpp). The 64-bit form bounds the batch, and needs no memory once a size exceeds 32 bits.
func trsm(r *request) {
	if r.m == 0 || r.n == 0 || r.batch == 0 {
		return
	}
	s := r.ownTriangular()
	if r.Routine.Wide {
		if s.n > math.MaxInt32 || max(r.Int(routine.LDA), r.Int(routine.LDB)) >= math.MaxInt32 { // LDB is at least m
			return
		}
		s.batch = min(s.batch, ChunkBatch)
	}
	r.solves(s)
}

// solves is trsm and trsm_ex within 32 bits. Without pointers there are two buffers.
func (r *request) solves(s triangular) {
	if s.left && s.n == 1 {
		r.add(buffer.BlockCounters, product(4, s.batch))
		// In this case the library's smaller set is empty, and it continues with a null pointer.
		r.CanDegrade = true
		return
	}
	v, least, needed := s.blas(r.Target)
	if !needed {
		return
	}
	r.CanDegrade, r.narrows, r.narrowed = true, true, least.n
	r.add(buffer.Solution, v.x)
	if s.pointers {
		r.add(buffer.SolutionPointers, v.xPointers)
	}
	r.add(buffer.InvertedBlocks, v.inverse)
	if s.pointers {
		r.add(buffer.InvertedBlockPointers, v.inversePointers)
	}
}

// ownTriangular is the solve of trsm.
func (r *callSizes) ownTriangular() triangular {
	s := r.triangular(sideOf(r.Args), r.m, r.n)
	s.none = r.Int(routine.TransA) == routine.OperationNone
	return s
}

// order returns the order of A and the other dimension of B.
func (s *triangular) order() (k, other int64) {
	if s.left {
		return s.m, s.n
	}
	return s.n, s.m
}

// inverts reports whether the diagonal blocks have to be inverted, because too few inverted ones were supplied.
func (s *triangular) inverts() bool {
	k, _ := s.order()
	return s.supplied/trsmBlock < k
}

// blas returns the buffers of rocBLAS for one solve, and the bytes of the first one for a slower solve.
func (s *triangular) blas(t *Target) (optimal solveBuffers, least amount, needed bool) {
	if s.substitutes() {
		return solveBuffers{}, zero, false
	}
	k, other := s.order()
	x, arrays := product(s.m, s.n, s.element, s.batch), zero
	least = x
	if s.special(t) {
		x, least = product(trsmBlock, other, s.element, s.batch), product(trsmBlock, s.element, s.batch)
	}
	if s.inverts() {
		x = larger(x, product(trsmScratch(k), s.element))
	}
	if s.pointers {
		arrays = product(addressBytes, s.batch)
	}
	return solveBuffers{x, arrays, s.inverse(), arrays}, least, true
}

// inverse returns the bytes of the inverted diagonal blocks.
func (s *triangular) inverse() amount {
	if !s.inverts() {
		return zero
	}
	k, _ := s.order()
	return unsigned32(trsmBlock * k).times(s.element).times(s.batch)
}

const blockScratch = 4096

// trsmScratch returns the number of elements of scratch for inverting the blocks of a triangle of order k. The library
// computes the number for whole blocks in 31 bits; the rest needs as much as one block.
func trsmScratch(k int64) int64 {
	whole := k / trsmBlock * blockScratch & math.MaxInt32
	if k%trsmBlock == 0 {
		return whole
	}
	return max(whole, blockScratch)
}

// special reports whether the solution is computed in panels of 128 rows or columns, which needs an order that is a
// multiple of 128. A skinny problem takes the regular way as long as that needs no more than the limit.
func (s *triangular) special(t *Target) bool {
	k, _ := s.order()
	if s.m <= 64 || s.n <= 64 || k%trsmBlock != 0 {
		return false
	}
	if !s.left || !s.none || s.m <= int64(uint32(4*s.n)) || s.m <= 8192 {
		return true
	}
	scratch := unsigned32(k / trsmBlock * blockScratch).times(s.element) // more than whole only if that overflows
	need := larger(product(s.m, s.n, s.element, s.batch), scratch).plus(s.inverse())
	if s.pointers {
		need = need.plus(product(2, s.element, s.batch))
	}
	limit := t.TrsmLimit
	if limit == 0 {
		limit = defaultTrsmLimit
	}
	return need.n > limit
}

// trtriEndless is the order from which the library's search for the largest block does not end, because doubling
// overflows.
const trtriEndless = 1 << 30

// trtri needs the scratch of its block inversions, and in the batched form pointers, also for small and negative orders
// (rocblas_trtri.cpp, rocblas_trtri_batched.cpp).
func trtri(r *request) {
	if r.n == 0 || r.batch == 0 {
		return
	}
	if r.Endless = r.n >= trtriEndless; r.Endless {
		return
	}
	if r.Routine.Variant == routine.StridedBatched {
		r.batch = max(r.batch, 0)
	}
	r.add(buffer.InverseProducts, trtriScratch(r.n).times(r.element).times(r.batch))
	if r.Routine.Variant == routine.Batched {
		r.add(buffer.InverseProductPointers, r.arrays)
	}
}

// trtriScratch returns the elements that inverting one triangle of order n needs (rocblas_trtri_kernels.cpp): the
// largest of the rectangles next to the inverted squares. Powers of two from 32 on need none, so a larger order may
// need less. The products are signed 32-bit numbers, which makes a difference from orders of about 92,000 on.
func trtriScratch(n int64) amount {
	square := int64(32)
	for square*2 <= n {
		square *= 2
	}
	rest := powerOfTwo(n/32*32 - square)
	odd := max(n-square-rest, 0)
	best := signed32(rest * square)
	for ; odd > 32; odd -= powerOfTwo(odd) {
		best = larger(best, signed32(odd*(n-odd)))
	}
	return larger(best, signed32(odd*(n-odd)))
}

// powerOfTwo returns the largest power of two that is not larger than n; 0 stays 0.
func powerOfTwo(n int64) int64 {
	if n <= 0 {
		return 0
	}
	return 1 << (bits.Len64(uint64(n)) - 1)
}

// trsmEx is trsm without the memory for inverted blocks that the caller supplies (rocblas_trsm_ex.cpp).
func trsmEx(r *request) {
	s := r.mixedTriangular()
	r.solves(s)
	r.ShortInverse = r.Optimal.Len() > 1 && s.inverts() && !r.Null(routine.InvA)
}

// mixedTriangular is the solve of trsm_ex.
func (r *callSizes) mixedTriangular() triangular {
	s, compute := r.ownTriangular(), r.Int(routine.ComputeType)
	s.element, _ = routine.SizeofDatatype(compute)
	s.real, s.supplied = !routine.IsComplexDatatype(compute), r.Int(routine.InvASize)
	return s
}

// eightBitProduct is gemm_ex3.
func eightBitProduct(r *request) { r.Unknown = convertsFactors }

// convertsFactors is why the kernel of gemm_ex3 is not known.
const convertsFactors = "the kernels of gemm_ex3 come from the tuning files of the library, and some calls convert " +
	"their factors, also in a size query, which that ends"

// syrkEx is a copy of the triangle that must not change. A query reports 8 bytes for each element, whatever its type.
// An executed call allocates elements of the type of C, or nothing if it computes in 64 bits.
func syrkEx(r *request) {
	elements := r.n * (r.n - 1) / 2 // positive also for a negative n
	r.add(buffer.TriangleCopy, product(elements, 8))
	r.Executed = Executed{Differs: true}
	if r.Int(routine.ExecutionType) == routine.DatatypeF32 {
		element, _ := routine.SizeofDatatype(r.Int(routine.CType))
		r.Executed.Buffer = Buffer{buffer.TriangleCopy, product(elements, element).n}
	}
}

// syrkLongK is the k from which on syrk and herk copy a triangle (rocblas_level3_threshold.hpp).
const syrkLongK = 500

// syrk is syrk and herk: a copy of the triangle that must not change, kept while gemm writes the square. A negative
// batch or order that passes the test needs one byte. The 64-bit forms truncate their numbers to 32 bits, but check
// for an empty matrix before that.
func syrk(r *request) {
	n, k, batch := r.n, r.k, r.batch
	if n == 0 {
		return
	}
	if r.Routine.Wide {
		n, k, batch = int64(int32(n)), int64(int32(k)), int64(int32(batch))
	}
	limit := r.Arch.TriangleCopy.Real
	switch r.Routine.Type {
	case routine.TypeC:
		limit = r.Arch.TriangleCopy.C
	case routine.TypeZ:
		limit = r.Arch.TriangleCopy.Z
	}
	if limit == 0 || k < syrkLongK || n >= limit { // without a limit no order is below it, not even a negative one
		return
	}
	bytes := product(1)
	if n > 0 && batch > 0 {
		bytes = product(n*(n-1)/2, r.element, batch)
	}
	r.add(buffer.TriangleCopy, bytes)
}

// lists adds steps of a solve that copy lists of addresses, after kernels and with kernels after them.
func (w *Steps) lists(times, batch int64) {
	first := len(w.List) == 0 || w.List[len(w.List)-1].Group != w.group
	w.step(Step{Times: times, ListBytes: addressBytes * batch, NullList: w.nullA, Starts: first, Kernel: true})
}

// blasSolve adds the waits of a trsm of rocBLAS. The batched form multiplies inverted blocks by a product that copies
// the addresses of its matrices to the host.
func (w *Steps) blasSolve(s triangular) {
	k, other := s.order()
	if s.left && s.n == 1 || s.substitutes() {
		return
	}
	if s.special(w.Target) {
		columns := int64(1)
		if w.Degraded { // it solves for one column after the other
			columns = other
		}
		w.Products += (k/trsmBlock - 1) * columns
	}
	if !s.pointers || s.inverse().n == 0 {
		return
	}
	defer w.begin()()
	if k >= trsmBlock {
		w.lists(waitsOfBlocks, s.batch)
	}
	squares, rest := inverseSteps(k % trsmBlock)
	w.lists(squares, s.batch)
	w.lists(rest, s.batch)
}

// queriesFirst makes another HIP call before its kernels.
func queriesFirst(w *Steps) {
	w.Launch.Repeated = false
	w.launch()
}

// productOrders are the orders, by type (s, d, c, z) and variant, up to which a routine computes without a general
// product, whose kernels return every error of a launch.
type productOrders map[routine.Type][3]int64

var (
	symmetricOrders = productOrders{'s': {32, 32, 32}, 'd': {32, 32, 32}, 'c': {32, 32, 32}, 'z': {32, 32, 32}}
	rank2Orders     = productOrders{'s': {32, 32, 32}, 'd': {16, 16, 16}, 'c': {32, 32, 32}, 'z': {16, 16, 16}}
	syrkOrders      = productOrders{'s': {32, 16, 32}, 'd': {32, 16, 32}, 'c': {64, 8, 64}, 'z': {32, 8, 32}}
	herkOrders      = productOrders{'c': {64, 8, 64}, 'z': {128, 8, 128}}
	syrkxOrders     = productOrders{'s': {16, 16, 16}, 'd': {32, 16, 32}, 'c': {32, 8, 32}, 'z': {32, 8, 32}}
	herkxOrders     = productOrders{'c': {32, 8, 32}, 'z': {32, 8, 32}}
	trmmOrders      = productOrders{'s': {32, 32, 32}, 'd': {32, 32, 32}, 'c': {16, 16, 16}, 'z': {16, 16, 16}}
)

// steps launches a routine that makes general products of larger matrices.
func (o productOrders) steps(w *Steps) {
	if w.order() > o[w.Routine.Type][w.Routine.Variant] {
		w.Launch.Repeated = false
	}
	w.launch()
}

// order returns the order of the square matrix of a routine.
func (w *Steps) order() int64 {
	if w.Routine.Has(routine.Side) {
		return orderBySide(w.Args)
	}
	return w.n
}

// uncheckedProduct is the order of a trmm that copies B up to which older releases launch its kernels unchecked.
const uncheckedProduct = 512

// trmmSteps does not check the copy of B to C, which it makes first for one product whose result has its own memory.
// Later kernels run in newer releases, because the capture is no longer active. Beyond 32 bits trmm computes in pieces,
// and each piece checks the launches before it.
func trmmSteps(w *Steps) {
	r := w.Routine
	one := r.Variant == routine.Plain || r.Variant == routine.StridedBatched && w.batch == 1
	inPieces := r.Wide && max(w.m, w.n) >= math.MaxInt32
	w.Launch.First = !inPieces && one && w.Ptr(matB) != w.Ptr(matC) && w.Scalar(alpha) != 0
	w.Launch.Later = w.Launch.First && w.Release.ProductsUnchecked && w.order() <= uncheckedProduct
	if w.Scalar(alpha) == 0 { // C is only cleared
		w.launch()
		return
	}
	trmmOrders.steps(w)
}

// syrkExSteps computes 16-bit matrices in the workspace by gemm_ex, whose arrays are searched too.
func syrkExSteps(w *Steps) {
	byProduct := w.Searches && (w.Int(routine.AType) == f16 || w.Int(routine.AType) == bf16)
	if byProduct {
		w.do(SearchFactors)
	}
	w.launch()
	if byProduct {
		w.do(SearchProduct)
	}
}

// Orders of triangular matrices whose solves rocBLAS launches unchecked.
const (
	smallSolve     = 64 // with as few right-hand sides
	uncheckedSolve = 32 // beyond it
)

// trsmSteps is trsm, which in device pointer mode copies alpha unless it solves for one vector. A solve by substitution
// queries the device before its kernels.
func trsmSteps(waits func(w *Steps)) func(w *Steps) {
	return func(w *Steps) {
		b, _ := w.Routine.ParamAt(matB)
		largest, cleared := max(w.m, w.n), w.Scalar(alpha) == 0
		vector := w.Int(routine.Side) == routine.SideLeft && w.n == 1
		unchecked := vector || w.multipliesInverse() ||
			w.order() > uncheckedSolve && largest <= smallSolve && w.ElementBytes(b) < 16
		if cleared && !(vector && w.OnDevice) { // B is only cleared; alpha of a vector was not copied
			unchecked = w.batched()
		}
		w.Launch.First, w.Launch.Later = unchecked, unchecked
		if w.Memory.Len() == 0 && largest > smallSolve && !cleared {
			w.Launch.Repeated = false
		}
		if w.Vectors = 0; vector {
			w.Vectors = solvePieces(w.Args)
		}
		if w.OnDevice && !vector {
			w.do(CopyAlpha)
		}
		w.launch()
		waits(w)
	}
}

// multipliesInverse reports whether trsm multiplies with inverted blocks that the caller supplies.
func (w *Steps) multipliesInverse() bool {
	return !w.batched() && w.Memory.of(buffer.Solution) > 0 && w.Memory.of(buffer.InvertedBlocks) == 0
}

// inPieces adds the waits of trsm. The 64-bit form solves pieces of a batch, one after the other, and in device pointer
// mode copies alpha for each; the copy for the first piece is one of a scalar.
func (w *Steps) inPieces() {
	s := w.ownTriangular()
	pieces := int64(1)
	if w.Routine.Wide {
		pieces = max(1, ceilDiv(s.batch, ChunkBatch))
	}
	last := s.batch - (pieces-1)*ChunkBatch
	for i := range pieces {
		if i > 0 && w.OnDevice && !(s.left && s.n == 1) {
			w.scalars(1, 1)
		}
		if s.batch = ChunkBatch; i == pieces-1 {
			s.batch = last
		}
		w.piece(s)
	}
}

// mixedSolve adds the waits of trsm_ex, which uses no inverted blocks at a null pointer, whatever their number.
func (w *Steps) mixedSolve() {
	s := w.mixedTriangular()
	if w.Null(routine.InvA) {
		s.supplied = 0
	}
	w.piece(s)
}

// piece adds the waits of a solve of rocBLAS, unless it only clears B. In device pointer mode A can be null.
func (w *Steps) piece(s triangular) {
	null := w.Null(routine.A)
	w.nullA = null
	switch {
	case w.Scalar(routine.Alpha) == 0, null && !s.pointers:
	case null && s.substitutes():
		if s.multiplies() {
			w.do(RefuseNull)
		}
	default:
		w.blasSolve(s)
	}
}

// inverseSteps returns the steps of the inverse of a triangle of order n, which consist of products: for squares, whose
// number of blocks is a power of two, and for the rest.
func inverseSteps(n int64) (squares, rest int64) {
	if n <= inverseBlock {
		return 0, 0
	}
	square := int64(inverseBlock)
	for ; square*2 <= n; square *= 2 {
		squares++
	}
	whole := powerOfTwo(n/inverseBlock*inverseBlock - square)
	odd := n - square - whole
	for _, part := range []int64{whole, odd} {
		if part > 0 {
			rest++
		}
	}
	for ; odd > inverseBlock; odd -= powerOfTwo(odd) {
		rest++
	}
	return squares, rest
}

// inverse adds the waits of trtri. A step has two products for each problem, or two for a batch of pointers whose
// addresses it copies to the host. In device pointer mode the products copy their scalars.
func (w *Steps) inverse() {
	squares, rest := inverseSteps(w.n)
	s := Step{ScalarBytes: w.scalarBytes()}
	each := int64(0)
	if w.OnDevice {
		each = 2 * scalarsOfProduct
	}
	s.Times, s.Scalars = squares, each*w.batch
	if w.batched() {
		s.ListBytes = addressBytes * w.batch
	} else if !w.OnDevice {
		return
	}
	s.Kernel = true
	w.step(s)
	if s.Times, s.Kernel = rest, false; w.batched() {
		s.Scalars = each
	}
	w.step(s)
}
