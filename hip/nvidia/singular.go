package nvidia

import (
	"slices"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// singularMethods are singular value decompositions.
var singularMethods = map[routine.FamilyID]method{
	routine.Gesvd: singularMethod("cusolverDn<t>gesvd, for the adjoint matrix if it has more columns than rows; " +
		"e is set to zeros"),
	routine.Gesdd: singularMethod("cusolverDn<t>gesvd, for the adjoint matrix if it has more columns than rows"),
	routine.Gesvdj: {needs: jacobiNeeds, run: (*execution).gesvdj,
		buffers: slices.Concat(scratchBuffers, vectorBuffers),
		by:      by("cusolverDn<t>gesvdj, with its own tolerance" + unreported)},
}

var vectorBuffers = []buffer.ID{buffer.UntransposedLeft, buffer.UntransposedRight}

// singularMethod is a decomposition by gesvd.
func singularMethod(text string) method {
	return method{needs: singularNeeds, run: (*execution).gesvd,
		buffers: slices.Concat(scratchBuffers, arrangeBuffers, vectorBuffers), by: by(text)}
}

// decomposition is a decomposition A = U S V^H, or A^H = U S V^H if A has fewer rows than columns, because cuSOLVER
// needs as many rows as columns. Then U and V are in workspace until they are transposed.
type decomposition struct {
	reflections
	m, n        int64
	long, short int64 // the larger and the smaller dimension of A
	u, v        vectors
}

// vectors are the vectors of one side.
type vectors struct {
	job           int64
	rows, columns int64 // of the matrix that cuSOLVER stores, 0 if it stores none
	to            matrix
}

func decompositionOf(a *routine.Args) decomposition {
	m, n := a.Int(routine.M), a.Int(routine.N)
	s := decomposition{reflections: reflections{inRows: m < n}, m: m, n: n, long: max(m, n), short: min(m, n)}
	left, right := a.Int(routine.LeftSvect), a.Int(routine.RightSvect)
	u, v := matrixAt(a, routine.MatU), matrixAt(a, routine.MatV)
	if s.inRows {
		left, right, u, v = right, left, v, u
	}
	s.u, s.v = vectors{job: left, to: u}, vectors{job: right, to: v}
	switch left {
	case routine.SvectAll:
		s.u.rows, s.u.columns = s.long, s.long
	case routine.SvectSingular:
		s.u.rows, s.u.columns = s.long, s.short
	}
	if right == routine.SvectAll || right == routine.SvectSingular {
		s.v.rows, s.v.columns = s.short, s.short
	}
	return s
}

// jobs are cuSOLVER's letters of what is computed.
var jobs = map[int64]int64{
	routine.SvectAll: 'A', routine.SvectSingular: 'S', routine.SvectOverwrite: 'O', routine.SvectNone: 'N',
}

func (s *decomposition) call(a *routine.Args, arranged, u, v matrix) denseCall {
	return denseCall{name: functionName(a.Routine.Type, "gesvd", ""),
		args: words(jobs[s.u.job], jobs[s.v.job], s.long, s.short, int64(arranged.at), arranged.ld,
			pointer(a, routine.VecS), int64(u.at), u.ld, int64(v.at), v.ld),
		sizedBy: words(s.long, s.short), between: words(0)}
}

func singularNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	s, t := decompositionOf(withoutPointers(a)), a.Routine.Type
	bytes, err := d.scratchOf(t, s.call(a, matrix{}, matrix{}, matrix{}))
	list := scratchNeeds(bytes)
	list.Buffers = append(list.Buffers, s.copies(t, s.m*s.n, 0)...)
	if s.inRows {
		size := t.Size()
		list.Buffers = append(list.Buffers,
			driver.Buffer{ID: buffer.UntransposedLeft, Bytes: uint64(s.u.rows * s.u.columns * size)},
			driver.Buffer{ID: buffer.UntransposedRight, Bytes: uint64(s.v.rows * s.v.columns * size)})
	}
	return list, err
}

// gesvd decomposes one problem after the other.
func (x *execution) gesvd() error {
	return x.problems(func(a *routine.Args) error {
		s, from := decompositionOf(a), matrixAt(a, routine.A)
		arranged, err := x.arrange(s.reflections, from, s.m, s.n)
		if err != nil {
			return err
		}
		u, v := s.u.to, s.v.to
		if s.inRows {
			u = matrix{x.work(buffer.UntransposedLeft).Ptr, max(1, s.u.rows)}
			v = matrix{x.work(buffer.UntransposedRight).Ptr, max(1, s.v.rows)}
		}
		if err := x.dense(s.call(a, arranged, u, v), x.infoOf(a)); err != nil {
			return err
		}
		if err := x.clear(a, routine.VecE); err != nil || !s.inRows {
			return err
		}
		return x.transposeVectors(&s, arranged, from, u, v)
	})
}

// transposeVectors stores the vectors of the adjoint matrix as those of A.
func (x *execution) transposeVectors(s *decomposition, arranged, a, u, v matrix) error {
	for _, side := range []struct {
		vectors
		from matrix
	}{{s.u, u}, {s.v, v}} {
		if side.rows > 0 {
			if err := x.adjoint(side.to, side.from, side.columns, side.rows); err != nil {
				return err
			}
		}
		if side.job == routine.SvectOverwrite {
			if err := x.restore(s.reflections, arranged, a, s.m, s.n); err != nil {
				return err
			}
		}
	}
	return nil
}

// jacobiDecomposition is a decomposition by gesvdj, which computes the vectors of both sides, and V instead of its
// adjoint. They are also computed when none are wanted, because cuSOLVER 12 then reads memory outside of its arrays.
type jacobiDecomposition struct {
	m, n, short   int64
	left, right   int64 // jobs
	economical    bool  // whether U and V have only the vectors of singular values
	leftInScratch bool  // whether U is computed in workspace
}

func jacobiOf(a *routine.Args) jacobiDecomposition {
	s := jacobiDecomposition{m: a.Int(routine.M), n: a.Int(routine.N), left: a.Int(routine.LeftSvect),
		right: a.Int(routine.RightSvect)}
	s.short = min(s.m, s.n)
	s.economical = s.left != routine.SvectAll && s.right != routine.SvectAll
	s.leftInScratch = s.left == routine.SvectNone || s.left == routine.SvectSingular && !s.economical
	return s
}

// columns returns the number of vectors that are computed on a side of the given dimension.
func (s *jacobiDecomposition) columns(dimension int64) int64 {
	if s.economical {
		return s.short
	}
	return dimension
}

func (s *jacobiDecomposition) call(d *device, a *routine.Args, u, v matrix) (denseCall, error) {
	options, err := d.jacobi("Gesvdj", a)
	from, economical := matrixAt(a, routine.A), int64(0)
	if s.economical {
		economical = 1
	}
	return denseCall{name: functionName(a.Routine.Type, "gesvdj", ""),
		args: words(1, economical, s.m, s.n, int64(from.at), from.ld, pointer(a, routine.VecS), int64(u.at), u.ld,
			int64(v.at), v.ld),
		options: options}, err
}

func jacobiNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	query := withoutPointers(a)
	s, size := jacobiOf(query), a.Routine.Type.Size()
	call, err := s.call(d, query, s.leftMatrix(query, 0), matrix{0, max(1, s.n)})
	if err != nil {
		return driver.Needs{}, err
	}
	bytes, err := d.scratchOf(a.Routine.Type, call)
	list := scratchNeeds(bytes)
	list.Buffers = append(list.Buffers,
		driver.Buffer{ID: buffer.UntransposedRight, Bytes: uint64(s.n * s.columns(s.n) * size)})
	if s.leftInScratch {
		list.Buffers = append(list.Buffers,
			driver.Buffer{ID: buffer.UntransposedLeft, Bytes: uint64(s.m * s.columns(s.m) * size)})
	}
	return list, err
}

// leftMatrix returns where U is computed.
func (s *jacobiDecomposition) leftMatrix(a *routine.Args, scratch driver.Ptr) matrix {
	if s.leftInScratch {
		return matrix{scratch, max(1, s.m)}
	}
	return matrixAt(a, routine.MatU)
}

// gesvdj decomposes one problem after the other.
func (x *execution) gesvdj() error {
	return x.problems(func(a *routine.Args) error {
		s := jacobiOf(a)
		u := s.leftMatrix(a, x.work(buffer.UntransposedLeft).Ptr)
		v := matrix{x.work(buffer.UntransposedRight).Ptr, max(1, s.n)}
		call, err := s.call(x.device, a, u, v)
		if err != nil {
			return err
		}
		if err := x.dense(call, x.infoOf(a)); err != nil {
			return err
		}
		if s.leftInScratch && s.left == routine.SvectSingular {
			if err := x.copyMatrix(matrixAt(a, routine.MatU), u, s.m, s.short); err != nil {
				return err
			}
		}
		if s.right != routine.SvectNone {
			rows := s.short
			if s.right == routine.SvectAll {
				rows = s.n
			}
			if err := x.adjoint(matrixAt(a, routine.MatV), v, rows, s.n); err != nil {
				return err
			}
		}
		return x.clear(a, routine.Residual, routine.Sweeps)
	})
}
