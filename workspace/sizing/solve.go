package sizing

// solve returns what rocSOLVER reserves for one triangular solve inside a routine. Releases differ: older ones ask
// rocBLAS, newer ones use one bound for the solve and every smaller one.
func (s triangular) solve(t *Target) solveBuffers {
	if s.m == 0 || s.n == 0 || s.batch == 0 {
		return solveBuffers{}
	}
	if t.Release.SolveSizedByTrsm {
		return s.sizeOfTrsm(t)
	}
	return s.solveBound()
}

// sizeOfTrsm is rocsolver_trsm_mem of rocSOLVER 3.28: the size of rocBLAS's trsm.
func (s triangular) sizeOfTrsm(t *Target) solveBuffers {
	if s.left && s.n == 1 {
		return solveBuffers{x: product(4, s.batch)}
	}
	optimal, _, _ := s.blas(t)
	return optimal
}

// solveBound is rocsolver_trsm_mem of rocSOLVER 3.32. Its smallest panel of 4096 elements counts for each problem.
func (s triangular) solveBound() solveBuffers {
	k, other := s.order()
	x := larger(larger(product(32, k), product(4096)), larger(product(trsmBlock, other), product(s.m, s.n)))
	arrays := nothing
	if s.pointers {
		arrays = product(8, s.batch)
	}
	return solveBuffers{x.times(s.element).times(s.batch), arrays, product(trsmBlock, k, s.element, s.batch), arrays}
}

// larger4 takes the larger of each of four buffers: memory that two steps use one after the other.
func larger4(a, b solveBuffers) solveBuffers {
	return solveBuffers{larger(a.x, b.x), larger(a.xPointers, b.xPointers), larger(a.inverse, b.inverse), larger(a.inversePointers, b.inversePointers)}
}

func (b *Buffers) addSolve(v solveBuffers) {
	b.add("triangular solve", v.x)
	b.add("pointers of the triangular solve", v.xPointers)
	b.add("inverted diagonal blocks", v.inverse)
	b.add("pointers to the inverted blocks", v.inversePointers)
}

// offMultiple returns m, or m+1 where m is a multiple of 128: rocBLAS needs less for multiples, and a blocked routine solves
// smaller systems too.
func offMultiple(m int64) int64 {
	if m%trsmBlock == 0 {
		return m + 1
	}
	return m
}
