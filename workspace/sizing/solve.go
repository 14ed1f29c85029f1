package sizing

import (
	"math"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// solve returns what rocSOLVER reserves for one triangular solve inside a routine. Releases differ: older ones ask
// rocBLAS, newer ones use one bound for the solve and every smaller one.
func (s triangular) solve(t *Target) solveBuffers {
	if t.Release.SolveSizedByTrsm {
		return s.sizeOfTrsm(t)
	}
	return s.solveBound()
}

// sizeOfTrsm is rocsolver_trsm_mem of rocSOLVER 3.28: the size of rocBLAS's trsm.
func (s triangular) sizeOfTrsm(t *Target) solveBuffers {
	if s.wide {
		if s.m >= math.MaxInt32 || s.n > math.MaxInt32 || s.ld >= math.MaxInt32 {
			return solveBuffers{}
		}
		s.batch = min(s.batch, ChunkBatch)
	}
	if s.left && s.n == 1 {
		return solveBuffers{x: product(4, s.batch)}
	}
	optimal, _, _ := s.blas(t)
	return optimal
}

// solveBound is rocsolver_trsm_mem of rocSOLVER 3.32. Its smallest panel of 4096 elements counts for each problem. The
// library compares signed numbers of elements, and then bytes with a smaller panel, which may overflow.
func (s triangular) solveBound() solveBuffers {
	k, other := s.order()
	whole := s.m * s.n
	x := larger(product(max(32*k, 4096, trsmBlock*other, whole), s.element, s.batch),
		product(max(trsmBlock, whole), s.element, s.batch))
	x.overflow = x.overflow || product(s.m, s.n).overflow
	arrays := zero
	if s.pointers {
		arrays = product(8, s.batch)
	}
	return solveBuffers{x, arrays, product(trsmBlock, k, s.element, s.batch), arrays}
}

// larger returns the larger of each buffer: memory that two steps share.
func (b solveBuffers) larger(c solveBuffers) solveBuffers {
	return solveBuffers{
		larger(b.x, c.x), larger(b.xPointers, c.xPointers),
		larger(b.inverse, c.inverse), larger(b.inversePointers, c.inversePointers),
	}
}

func (b *Buffers) addSolve(v solveBuffers) {
	b.add(buffer.TriangularSolve, v.x)
	b.add(buffer.TriangularSolvePointers, v.xPointers)
	b.add(buffer.InvertedBlocks, v.inverse)
	b.add(buffer.InvertedBlockPointers, v.inversePointers)
}

// offMultiple returns m, or m+1 where m is a multiple of 128: rocBLAS needs less for multiples, and a blocked routine
// solves smaller systems too.
func offMultiple(m int64) int64 {
	if m%trsmBlock == 0 {
		return m + 1
	}
	return m
}

// systemOf is a solve from the left with a routine's type and form.
func systemOf(a *routine.Args, n, nrhs int64, none bool) triangular {
	typ := a.Routine.Type
	return triangular{left: true, none: none, m: n, n: nrhs, element: typ.Size(), real: !typ.IsComplex(),
		batch: a.Batch(), pointers: a.Routine.Variant == routine.Batched,
		wide: a.Routine.Wide, ld: a.Int(routine.LDB)}
}

// sizedAsBatch reports whether the library sizes a solve of a routine like a batch. The strided sygvj is sized like the
// plain one (roclapack_sygvj_hegvj_strided_batched.cpp).
func sizedAsBatch(r *routine.Routine) bool {
	return r.Variant != routine.Plain && !(r.Family.ID == routine.Sygvj && r.Variant == routine.StridedBatched)
}

// callsBLAS reports whether a solve with a triangle of order n is sized as one that rocSOLVER leaves to rocBLAS.
func callsBLAS(a *routine.Args, n, nrhs int64) bool {
	kind := kindOfBlocks(a.Routine.Type.IsComplex(), sizedAsBatch(a.Routine))
	return n > 0 && solveBlock(kind, n, nrhs) == blockOfBLAS
}

// reducedSolve is a solve with a triangle of order m that rocSOLVER's own kernels may compute. The result is the same
// for every operation, because n is 64 or m.
func reducedSolve(t *Target, a *routine.Args, m, n int64) solveBuffers {
	typ := a.Routine.Type
	s := triangular{left: true, none: true, m: m, n: n, element: typ.Size(), real: !typ.IsComplex(), batch: a.Batch(),
		pointers: a.Routine.Variant == routine.Batched}
	switch {
	case m > 0 && !callsBLAS(a, m, n):
		return solveBuffers{}
	case t.Release.SolveSizedByTrsm:
		return s.sizeOfTrsm(t)
	}
	return s.solveBound() // for an empty triangle too
}
