package sizing

import (
	"math"

	"roclua/hip/arch"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var level3Rules = map[routine.FamilyID]rule{
	routine.Gemm:  tunedProduct,
	routine.Trsm:  trsm,
	routine.Trtri: trtri,
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
func trsm(t *Target, a *routine.Args) (d Demand) {
	if a.Int(routine.M) == 0 || a.Int(routine.N) == 0 || a.Batch() == 0 {
		return d
	}
	s := triangularOf(a)
	if a.Routine.Wide {
		if s.n > math.MaxInt32 || max(a.Int(routine.LDA), a.Int(routine.LDB)) >= math.MaxInt32 { // LDB is at least m
			return d
		}
		s.batch = min(s.batch, ChunkBatch)
	}
	d.solve(t, s)
	return d
}

// solve is trsm and trsm_ex within 32 bits.
func (d *Demand) solve(t *Target, s triangular) {
	if s.left && s.n == 1 {
		d.Optimal.add(buffer.BlockCounters, product(4, s.batch))
		// In this case the library's smaller set is empty, and it continues with a null pointer.
		d.CanDegrade = true
		return
	}
	optimal, degraded, needed := s.blas(t)
	if !needed {
		return
	}
	d.CanDegrade = true
	s.addTo(&d.Optimal, optimal)
	var fewer Buffers
	s.addTo(&fewer, degraded)
	d.degradedLen = fewer.n
	for i, bytes := range fewer.bytes[:fewer.n] {
		d.degraded[i] = amount{bytes, fewer.overflow}
	}
}

func triangularOf(a *routine.Args) triangular {
	typ := a.Routine.Type
	return triangular{
		left: a.Int(routine.Side) == routine.SideLeft, none: a.Int(routine.TransA) == routine.OperationNone,
		m: a.Int(routine.M), n: a.Int(routine.N), element: typ.Size(), real: !typ.IsComplex(), batch: a.Batch(),
		pointers: a.Routine.Variant == routine.Batched,
	}
}

// addTo adds the buffers of the public trsm; without pointers there are two.
func (s *triangular) addTo(b *Buffers, v solveBuffers) {
	b.add(buffer.Solution, v.x)
	if s.pointers {
		b.add(buffer.SolutionPointers, v.xPointers)
	}
	b.add(buffer.InvertedBlocks, v.inverse)
	if s.pointers {
		b.add(buffer.InvertedBlockPointers, v.inversePointers)
	}
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

// blas returns what rocBLAS needs for one solve, and the smaller set for a slower solve.
func (s *triangular) blas(t *Target) (optimal, degraded solveBuffers, needed bool) {
	if s.substitutes() {
		return solveBuffers{}, solveBuffers{}, false
	}
	k, other := s.order()
	whole := product(s.m, s.n, s.element, s.batch)
	inverse := s.inverse()
	scratch := product(trsmScratch(k), s.element)
	x, least := whole, whole
	if !s.inverts() {
		scratch = zero
	}
	if s.special(t) {
		x, least = product(trsmBlock, other, s.element, s.batch), product(trsmBlock, s.element, s.batch)
	}
	arrays := zero
	if s.pointers {
		arrays = product(8, s.batch)
	}
	optimal = solveBuffers{larger(x, scratch), arrays, inverse, arrays}
	degraded = solveBuffers{least, arrays, inverse, arrays}
	return optimal, degraded, true
}

// inverse returns the bytes of the inverted diagonal blocks.
func (s *triangular) inverse() amount {
	if !s.inverts() {
		return zero
	}
	k, _ := s.order()
	return unsigned32(trsmBlock * k).times(s.element).times(s.batch)
}

// blockScratch is the number of elements of scratch for inverting one block.
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
func trtri(_ *Target, a *routine.Args) (d Demand) {
	n, batch := a.Int(routine.N), a.Batch()
	if n == 0 || batch == 0 {
		return d
	}
	if d.Endless = n >= trtriEndless; d.Endless {
		return d
	}
	if a.Routine.Variant == routine.StridedBatched {
		batch = max(batch, 0)
	}
	d.Optimal.add(buffer.InverseProducts, trtriScratch(n).times(a.Routine.Type.Size()).times(batch))
	if a.Routine.Variant == routine.Batched {
		d.Optimal.add(buffer.InverseProductPointers, product(8, batch))
	}
	return d
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
	p := int64(1)
	for p*2 <= n {
		p *= 2
	}
	return p
}

var level3ExRules = map[routine.FamilyID]rule{
	routine.TrsmEx:  trsmEx,
	routine.GemmEx:  tunedProduct,
	routine.SyrkEx:  syrkEx,
	routine.GemmEx3: eightBitProduct,
}

// trsmEx is trsm without the memory for inverted blocks that the caller supplies (rocblas_trsm_ex.cpp).
func trsmEx(t *Target, a *routine.Args) (d Demand) {
	s := mixedTriangularOf(a)
	d.solve(t, s)
	d.ShortInverse = d.Optimal.Len() > 1 && s.inverts() && !a.Null(routine.InvA)
	return d
}

func mixedTriangularOf(a *routine.Args) triangular {
	compute := a.Int(routine.ComputeType)
	element, _ := routine.SizeofDatatype(compute)
	return triangular{
		left: a.Int(routine.Side) == routine.SideLeft, none: a.Int(routine.TransA) == routine.OperationNone,
		m: a.Int(routine.M), n: a.Int(routine.N), element: element, real: !routine.IsComplexDatatype(compute),
		batch: a.Batch(), pointers: a.Routine.Variant == routine.Batched, supplied: a.Int(routine.InvASize),
	}
}

// eightBitProduct is gemm_ex3.
func eightBitProduct(*Target, *routine.Args) Demand { return Demand{Unknown: convertsFactors} }

// convertsFactors is why the kernel of gemm_ex3 is not known.
const convertsFactors = "the kernels of gemm_ex3 come from the tuning files of the library, and some calls convert " +
	"their factors, also in a size query, which that ends"

// syrkEx is a copy of the triangle that must not change. A query reports 8 bytes for each element, whatever its type.
// An executed call allocates elements of the type of C, or nothing if it computes in 64 bits.
func syrkEx(_ *Target, a *routine.Args) (d Demand) {
	n := a.Int(routine.N)
	elements := n * (n - 1) / 2 // positive also for a negative n
	d.Optimal.add(buffer.TriangleCopy, product(elements, 8))
	d.Executed = Executed{Differs: true}
	if a.Int(routine.ExecutionType) == routine.DatatypeF32 {
		element, _ := routine.SizeofDatatype(a.Int(routine.CType))
		d.Executed.Buffer = Buffer{buffer.TriangleCopy, product(elements, element).n}
	}
	return d
}

var updatesRules = map[routine.FamilyID]rule{
	routine.Syrk: syrk,
	routine.Herk: syrk,
}

// syrkLongK is the k from which on syrk and herk copy a triangle (rocblas_level3_threshold.hpp).
const syrkLongK = 500

// syrk is syrk and herk: a copy of the triangle that must not change, kept while gemm writes the square. A negative
// batch or order that passes the test needs one byte. The 64-bit forms truncate their numbers to 32 bits, but check
// for an empty matrix before that.
func syrk(t *Target, a *routine.Args) (d Demand) {
	n, k, batch := a.Int(routine.N), a.Int(routine.K), a.Batch()
	if n == 0 {
		return d
	}
	if a.Routine.Wide {
		n, k, batch = int64(int32(n)), int64(int32(k)), int64(int32(batch))
	}
	limit := syrkLimit(t.Arch.TriangleCopy, a.Routine.Type)
	if limit == 0 || k < syrkLongK || n >= limit { // without a limit no order is below it, not even a negative one
		return d
	}
	bytes := product(1)
	if n > 0 && batch > 0 {
		bytes = product(n*(n-1)/2, a.Routine.Type.Size(), batch)
	}
	d.Optimal.add(buffer.TriangleCopy, bytes)
	return d
}

func syrkLimit(on arch.TriangleCopy, t routine.Type) int64 {
	switch t {
	case routine.TypeC:
		return on.C
	case routine.TypeZ:
		return on.Z
	}
	return on.Real
}
