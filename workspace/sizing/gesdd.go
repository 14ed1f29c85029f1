package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// gesdd computes the eigenvalues of A^H A or A A^H by syevd, and factorizes the product of A and the vectors
// (roclapack_gesdd.hpp). The array that holds the other diagonal of the tridiagonal matrix has the stride of S. The
// batch forms allocate it twice, but count it once in a size query.
func gesdd(t *Target, a *routine.Args) (d Demand) {
	r, m, n := reflectionsOf(t, a), a.Int(routine.M), a.Int(routine.N)
	if m == 0 || n == 0 || r.batch == 0 {
		return d
	}
	k := min(m, n)
	s, f, g := r.dividedEigenvalues(t, true, k), r.qrOrLQ(m, n), r.generateLonger(a)
	squares, matrix := product(r.element, k, k, r.batch), zero
	if m < n && a.Int(routine.LeftSvect) != routine.SvectNone {
		squares = zero
	}
	if longerJob(a) == routine.SvectNone {
		matrix = product(r.element, m, n, r.batch)
	}
	d.Optimal.add(buffer.MatrixCopy, squares)
	d.Optimal.add(buffer.SecondCopy, larger(s.rankOne, matrix))
	d.Optimal.add(buffer.Scalars, r.scalars())
	d.Optimal.add(buffer.EigenWork1, s.work1)
	d.Optimal.add(buffer.EigenWork2, larger(larger(s.work2, f.work), g.work))
	d.Optimal.add(buffer.EigenWork3, larger(larger(s.work3, f.applied), g.applied))
	d.Optimal.add(buffer.EigenWork4, larger(f.diagonal, g.triangle))
	d.Optimal.add(buffer.BidiagonalScalars, product(r.element, k, r.batch))
	d.Optimal.add(buffer.SplitMap, s.splits)
	d.Optimal.add(buffer.EigenWork5, s.triangle)
	d.Optimal.add(buffer.EigenScalars, s.tau)
	diagonal := product(r.element, k, max(int64(int32(a.Int(routine.StrideS))), 1), r.batch)
	diagonal = larger(larger(diagonal, f.pointers), r.arrays.times(2))
	d.Optimal.add(buffer.EigenWork6, diagonal)
	if a.Routine.Variant != routine.Plain {
		d.Unreported = Buffer{buffer.RepeatedWork, diagonal.n}
	}
	d.Optimal.add(buffer.Pointers, s.pointers)
	return d
}

// longerJob returns the job of the vectors of the longer side of a matrix.
func longerJob(a *routine.Args) int64 {
	if a.Int(routine.M) >= a.Int(routine.N) {
		return a.Int(routine.LeftSvect)
	}
	return a.Int(routine.RightSvect)
}

// generateLonger makes the vectors of the longer side of a matrix after its factorization, if they are wanted.
func (r *reflections) generateLonger(a *routine.Args) (g generation) {
	m, n := a.Int(routine.M), a.Int(routine.N)
	job, k := longerJob(a), min(m, n)
	if job == routine.SvectNone {
		return g
	}
	vectors := k
	if job == routine.SvectAll {
		vectors = max(m, n)
	}
	if m >= n {
		return r.generateColumns(m, vectors, k)
	}
	return r.generateRows(vectors, n, k)
}
