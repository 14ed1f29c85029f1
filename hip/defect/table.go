package defect

import (
	"sync"

	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

const nameOfHIP = "HIP"

// Versions of a library.
func blas(from, before string) Range    { return Range{release.RocBLAS, from, before} }
func solver(from, before string) Range  { return Range{release.RocSOLVER, from, before} }
func runtime(from, before string) Range { return Range{nameOfHIP, from, before} }

// Forms of families.
func batches(r *routine.Routine) bool     { return r.Variant != routine.Plain && !r.Wide }
func pointers(r *routine.Routine) bool    { return r.Variant == routine.Batched && !r.Wide }
func single(r *routine.Routine) bool      { return r.Variant == routine.Plain && !r.Wide }
func notPointers(r *routine.Routine) bool { return r.Variant != routine.Batched && !r.Wide }
func wide(r *routine.Routine) bool        { return r.Wide }
func wideBatches(r *routine.Routine) bool { return r.Variant != routine.Plain && r.Wide }

// Parts of a state.
func streamOrdered(s *State) Truth { return s.StreamOrdered }
func capturing(s *State) Truth     { return s.Capturing }

// inOneGrid is the most problems of a batch that gfx12 takes in one dimension of a grid; since rocBLAS 5.5 and HIP 7.14
// every architecture takes one fewer.
const inOneGrid = 65536

// moreThan returns the condition of a batch with more than n problems.
func moreThan(n int64) func(*Call) bool { return func(c *Call) bool { return c.Batch() > n } }

// atLeastTwo is the condition of a matrix that is not a number.
func atLeastTwo(c *Call) bool { return c.Int(routine.N) > 1 }

func dotInParts(batch int64) func(*Call) bool {
	return func(c *Call) bool { return c.Batch() > batch && c.Int(routine.N) > 1024 }
}

// solveInParts is the condition of the small solves from the left whose threads without a column of B leave the
// kernel before the other problems of a batch. The kernel for many columns with B in shared memory does not do that,
// and one column is solved as a vector.
func solveInParts(batch int64) func(*Call) bool {
	return func(c *Call) bool {
		m, n := c.Int(routine.M), c.Int(routine.N)
		block := int64(64)
		if m <= 32 {
			block = (m + 3) / 4 * 4
		}
		shared := int64(16) // rows from which B is in shared memory
		switch transposed := c.Int(routine.TransA) != routine.OperationNone; c.Int(routine.Uplo) {
		case routine.FillUpper:
			if !transposed {
				shared = 12
			}
		default:
			if transposed {
				shared = 8
			}
		}
		inKernel := m > 0 && m <= 32 && (n <= 2*block || m <= shared) ||
			m > 32 && m <= 64 && n <= 64 && c.Routine.Type != routine.TypeZ
		return c.Int(routine.Side) == routine.SideLeft && n > 1 && c.Batch() > batch && inKernel && n%block != 0 &&
			n%block < m
	}
}

// copiesTriangle is the condition of a long syrk or herk, which saves a triangle in its workspace.
func copiesTriangle(c *Call) bool {
	most := c.arch.TriangleCopy.Real
	switch c.Routine.Type {
	case routine.TypeC:
		most = c.arch.TriangleCopy.C
	case routine.TypeZ:
		most = c.arch.TriangleCopy.Z
	}
	return c.Int(routine.K) >= 500 && c.Int(routine.N) > 1 && c.Int(routine.N) < most
}

// beyond31Bits is the condition of a factor that is longer than 2 GiB along k.
func beyond31Bits(c *Call) bool {
	a, _ := c.Routine.ParamAt(routine.A)
	longest := max(c.Int(routine.LDA), c.Int(routine.LDB))
	return float64(c.Int(routine.K))*float64(longest)*float64(c.ElementBytes(a)) > 1<<31-1
}

// perBlock are the matrices that a block of the small LU kernel factorizes, by rows from 1; 1 beyond 32 rows.
var perBlock = [...]int64{16, 15, 8, 8, 8, 8, 8, 8, 6, 6, 4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
	2}

func matricesPerBlock(m, batch int64) int64 {
	if batch < 2 || m < 1 || m > int64(len(perBlock)) {
		return 1
	}
	return perBlock[m-1]
}

// smallLU is the condition of the LU kernel for small matrices.
func smallLU(c *Call) (m, n int64, is bool) {
	m, n = c.rows(), c.Int(routine.N)
	wider := m < n
	switch plain := c.Routine.Variant == routine.Plain; {
	case m < 1 || n < 1 || m > 512 || n > 64:
		return m, n, false
	case !c.Routine.Has(routine.Ipiv):
		is = !plain && (!c.Routine.Type.IsComplex() || n <= 36)
	case plain && c.Routine.Type.IsComplex():
		is = wider && (n <= 12 || n <= 20 && m >= 6 || n <= 28 && m >= 10)
	case plain:
		is = n <= 20 && m <= 32 || n > 20 && wider &&
			(n <= 28 && m >= 6 || n > 28 && n <= 36 && m >= 8 || n > 36 && n <= 44 && m >= 10 ||
				n > 44 && n <= 52 && m >= 16 || n > 52 && n <= 60 && m >= 44)
	case c.Routine.Type.IsComplex():
		is = n <= 36 && m <= 64 || n > 36 && n <= 44 && m >= 6 && (wider || m > 110 && m <= 132) ||
			n > 44 && n <= 52 && m >= 8 && m <= 228 || n > 52 && n <= 60 && m >= 10 && m <= 256
	default:
		is = n <= 28 && m <= 140 || n > 28 && m <= 256
	}
	return m, n, is
}

// hasBlocks reports whether a factorization of large matrices solves triangular blocks, which getf2 does not.
func hasBlocks(c *Call) bool { return c.Routine.Family.Uses(buffer.InvertedBlocks) }

// blockedLU reports whether getrf divides the matrices of a batch into blocks.
func blockedLU(c *Call) bool {
	least := min(c.Int(routine.M), c.Int(routine.N))
	switch {
	case !hasBlocks(c):
		return false
	case !c.Routine.Has(routine.Ipiv) && c.Routine.Type.IsComplex():
		return least > 20
	case !c.Routine.Has(routine.Ipiv):
		return least > 40
	case c.Routine.Type.IsComplex():
		return least > 23 && least <= 28 || least > 30
	}
	return least > 40 && least <= 42 || least > 46 && least <= 49 || least > 52
}

// luAcrossWavefronts is the condition of an LU with a small kernel whose matrices have threads in two wavefronts. A
// larger LU in a batch uses that kernel for its last blocks of columns, with up to 140 or 64 rows.
func luAcrossWavefronts(c *Call) bool {
	m, n, small := smallLU(c)
	wave := int64(c.arch.Wavefront)
	rows := int64(140)
	if c.Routine.Type.IsComplex() {
		rows = 64
	}
	if n > 64 && c.Routine.Variant != routine.Plain && hasBlocks(c) {
		return m > wave && wave < rows && m-n < rows-32
	}
	if !small || n < 2 || m < 2 {
		return false
	}
	for i := range matricesPerBlock(m, c.Batch()) {
		if i*m/wave != (i*m+m-1)/wave {
			return true
		}
	}
	return false
}

// luBlocks is the condition of a small LU with more blocks than a grid has.
func luBlocks(c *Call) bool {
	m, _, small := smallLU(c)
	return small && (c.Batch()-1)/matricesPerBlock(m, c.Batch())+1 > inOneGrid
}

// luRest is the condition of a batched LU that has also, or only, other kernels than the small one.
func luRest(c *Call) bool {
	_, _, small := smallLU(c)
	return c.Batch() > inOneGrid && c.Int(routine.M) > 0 && c.Int(routine.N) > 0 && (!small || blockedLU(c))
}

// scalesInParts is the condition of the 64-bit factorizations of a batch that scale columns with rocBLAS, which has
// the scalars of the first problems for those after 65,520.
func scalesInParts(c *Call) bool {
	m, n := c.rows(), c.Int(routine.N)
	if c.Batch() <= 65520 || n < 1 {
		return false
	}
	switch c.Routine.Family.ID {
	case routine.Potf2:
		return n > c.Routine.Type.CholeskyBlock()
	case routine.Geqr2, routine.Geqrf:
		return m > 1 && c.arch.Wavefront == 32
	case routine.Getrf:
		return min(m, n) >= 59 || m > n && n <= 20
	}
	return m > n && n <= 256
}

// bidiagonalRest is the condition of a gebrd whose last block is sized as an empty matrix, so that its vector is a null
// pointer, and has reflections beyond the kernel that needs no vector: from a number of rows more than columns on.
func bidiagonalRest(more int64) func(*Call) bool {
	return func(c *Call) bool {
		m, n := c.Int(routine.M), c.Int(routine.N)
		return min(m, n) > 64 && min(m, n)%64 == 0 && max(m, n) <= 2048 && max(m, n)-min(m, n) > more
	}
}

// inverseBefore is the condition of a getri that asks for the solve of one column more, a multiple of 128, which needs
// less: while it solves in one block, for orders in a range.
func inverseBefore(from, to int64) func(*Call) bool {
	return func(c *Call) bool {
		n := c.Int(routine.N)
		return n%128 == 127 && n >= from && n <= to
	}
}

// gridOfProblems is every family of rocSOLVER with a kernel that has the batch as grid dimension y or z at every size;
// for some that is every size but 1.
var gridOfProblems = []routine.FamilyID{routine.Gebd2, routine.Gebrd, routine.Geqr2, routine.Geqrf, routine.Gerq2,
	routine.Gerqf, routine.Gelq2, routine.Gelqf, routine.Geql2, routine.Geqlf, routine.Gels, routine.Gesv,
	routine.Getrs,
	routine.GetriOutOfPlace, routine.GetriNpvtOutOfPlace, routine.Posv, routine.Potrf, routine.Potri, routine.Potrs,
	routine.SolverTrtri, routine.Sytf2, routine.Sytrf, routine.Sytd2, routine.Sytrd, routine.Syev, routine.Syevd,
	routine.Syevj, routine.Syevdj, routine.Syevx, routine.Syevdx, routine.Sygv, routine.Sygvd, routine.Sygvj,
	routine.Sygvdj, routine.Sygvx, routine.Sygvdx, routine.Gesvd, routine.Gesvdj, routine.Gesvdx, routine.Gesdd}

// beyondGrid is the condition of these families.
func beyondGrid(problems int64) func(*Call) bool {
	return func(c *Call) bool {
		least := int64(1)
		switch c.Routine.Family.ID {
		case routine.Syev, routine.Syevd, routine.Syevj, routine.Syevdj:
			least = 2
		}
		return c.Batch() > problems && c.Int(routine.N) >= least
	}
}

// refused is the condition of the batches of rocBLAS that are a dimension of a grid.
func refused(c *Call) bool {
	switch c.Routine.Family.ID {
	case routine.Dot, routine.Dotu, routine.Dotc:
		return dotInParts(inOneGrid - 1)(c)
	case routine.Gemv:
		return c.Batch() >= inOneGrid && max(c.Int(routine.M), c.Int(routine.N)) > 32
	}
	return c.Batch() >= inOneGrid
}

var reductions = []routine.FamilyID{routine.Dot, routine.Dotu, routine.Dotc, routine.DotEx, routine.DotcEx}

var (
	byBisection = []routine.FamilyID{routine.Stebz, routine.Syevx, routine.Syevdx, routine.Sygvx, routine.Sygvdx,
		routine.Gesvdx, routine.Bdsvdx}
	byCholesky = []routine.FamilyID{routine.Potf2, routine.Potrf, routine.Posv, routine.Sygv, routine.Sygvd}
	byDivision = []routine.FamilyID{routine.Stedc, routine.Syevd, routine.Sygvd}
	byJacobi   = []routine.FamilyID{routine.Syevj, routine.Syevdj, routine.Sygvj, routine.Sygvdj}
	gfx12      = []string{"gfx12"}
	wave32     = []string{"gfx10", "gfx11", "gfx12"}
	before12   = []string{"gfx9", "gfx10", "gfx11"}
)

func withVectors(c *Call) bool {
	return c.Int(routine.N) > 1 && c.Int(routine.Evect) != routine.EvectNone
}

// Fixes, with the first release of ROCm that has them.
const (
	blas55   = "rocBLAS 5.5 (ROCm 7.14)"
	blas57   = "rocBLAS 5.7 (ROCm 10.1)"
	solver32 = "rocSOLVER 3.32 (ROCm 7.2)"
	solver33 = "rocSOLVER 3.33 (ROCm 7.12)"
	solver34 = "rocSOLVER 3.34 (ROCm 7.13)"
	solver35 = "rocSOLVER 3.35 (ROCm 7.14)"
	patch2   = "rocSOLVER 3.28.2 (ROCm 6.4.2)"
)

// both are the releases of ROCm whose libraries are to be had.
var both = of("6.4", "7.2")

func of(versions ...string) []string { return versions }

// rows makes the table when it is first used.
var rows = sync.OnceValue(func() []*Defect {
	list := append(blasRows(), solverRows()...)
	list = append(list, programRows()...)
	return append(list, documentedRows()...)
})

func blasRows() []*Defect {
	return []*Defect{
		{ID: "dot-batch-gfx12", Level: Certain, Kind: WrongResult, Families: reductions, Forms: batches, Archs: gfx12,
			In: blas("4.4", "5.5"), Fixed: blas57, When: dotInParts(inOneGrid),
			Text:    "Results from problem 65,536 on are zero: the kernel does not begin again for them.",
			Sources: []string{"ROCm/rocm-libraries#10825", "rocBLAS changelog 5.7"},
			Checked: Evidence{Source: of("4.4"), Run: both, Log: true,
				Note: "grid z is 65,536 on gfx1201 and 70,000 on gfx942 for 70,000 problems"},
			Hits: []string{"gfx1201 sdot_batched n=2000 batch_count=70000"}},
		{ID: "dot-batch-all", Level: Certain, Kind: WrongResult, Families: reductions, Forms: batches,
			In: blas("5.5", "5.7"), Fixed: blas57, When: dotInParts(inOneGrid - 1),
			Text:    "Results from problem 65,535 on are zero, as dot-batch-gfx12 on every architecture.",
			Sources: []string{"ROCm/rocm-libraries#10825", "ROCm/rocm-libraries#7322", "rocBLAS changelog 5.7"},
			Checked: Evidence{Run: both, Log: true, Note: "up to 5.2 gfx942 has no second part, whose fault 4.4 has " +
				"in its source"},
			Hits: []string{"gfx942 ddot_strided_batched n=2000 batch_count=65536"}},
		{ID: "asum-nrm2-batch-gfx12", Level: Certain, Kind: WrongResult, Forms: batches, Archs: gfx12,
			Families: []routine.FamilyID{routine.Asum, routine.Nrm2, routine.Nrm2Ex}, In: blas("5.0", "5.5"),
			Fixed: blas55,
			When: func(c *Call) bool {
				return c.Batch() > inOneGrid && c.Int(routine.N) > 0 && c.Int(routine.IncX) > 0
			},
			Text:    "Sums from problem 65,536 on are too large or missing: the sum is not reset for them.",
			Sources: []string{"ROCm/rocm-libraries#7774", "rocBLAS changelog 5.5"},
			Checked: Evidence{Source: of("4.4"), Run: both, Log: true,
				Note: "4.4 resets the sum; the kernel of 5.2 has several elements a thread; that it came with 5.0 is " +
					"inferred"},
			Hits: []string{"gfx1200 dasum_batched n=10 batch_count=70000",
				"gfx1201 snrm2_strided_batched n=1 batch_count=65537"}},
		{ID: "trsv-big-batch-gfx12", Level: Certain, Kind: WrongResult, Families: []routine.FamilyID{routine.Trsv,
			routine.Trsm},
			Forms: batches, Archs: gfx12, In: blas("5.3", "5.5"), Fixed: blas55,
			When: func(c *Call) bool {
				n := c.Int(routine.N)
				if c.Routine.Has(routine.Side) { // one column is solved as a vector
					if n != 1 || c.Int(routine.Side) != routine.SideLeft {
						return false
					}
					n = c.Int(routine.M)
				}
				return c.Batch() > inOneGrid && c.Batch() > 16*n && n > 0 && n < 128
			},
			Text: "Systems are left unsolved: the kernel for many small systems counts its parts of the batch " +
				"wrongly.",
			Sources: []string{"ROCm/rocm-libraries#7774", "rocBLAS changelog 5.3 and 5.5"},
			Checked: Evidence{Source: of("4.4"), Run: both, Log: true,
				Note: "neither release has the kernel, and both solve one column as trsv does"},
			Hits: []string{"gfx1201 dtrsm_batched side=L uplo=U m=10 n=1 batch_count=70000",
				"gfx1201 dtrsv_batched uplo=U n=10 batch_count=70000"}},
		{ID: "trsm-small-left-gfx12", Level: Certain, Kind: WrongResult, Families: []routine.FamilyID{routine.Trsm},
			Forms: batches, Archs: gfx12, In: blas("4.4", "5.5"), Fixed: blas57, When: solveInParts(inOneGrid),
			Text: "Problems from 65,536 on are solved with parts of another A: threads without a column of B leave " +
				"early.",
			Sources: []string{"ROCm/rocm-libraries#10503", "rocBLAS changelog 5.7"},
			Checked: Evidence{Source: of("4.4"), Run: both, Log: true,
				Note: "the condition is that of rocblas_trsm_small"},
			Hits: []string{"gfx1201 dtrsm_batched side=L uplo=L m=16 n=33 batch_count=70000",
				"gfx1201 dtrsm_batched side=L uplo=U m=16 n=3 batch_count=70000"}},
		{ID: "trsm-small-left-all", Level: Certain, Kind: WrongResult, Families: []routine.FamilyID{routine.Trsm},
			Forms: batches, In: blas("5.5", "5.7"), Fixed: blas57, When: solveInParts(inOneGrid - 1),
			Text:    "As trsm-small-left-gfx12, from problem 65,535 on and on every architecture.",
			Sources: []string{"ROCm/rocm-libraries#10503", "ROCm/rocm-libraries#7322", "rocBLAS changelog 5.7"},
			Checked: Evidence{Source: of("4.4"), Run: both, Log: true,
				Note: "the condition is from 4.4; later sources were not read"},
			Hits: []string{"gfx942 dtrsm_batched side=L uplo=U m=16 n=3 batch_count=65536"}},
		{ID: "syrk-herk-overrun", Level: Certain, Kind: OutOfBounds, Forms: batches, In: blas("5.5", "5.7"),
			Fixed:    blas57,
			Families: []routine.FamilyID{routine.Syrk, routine.Herk},
			When:     func(c *Call) bool { return c.Batch() > inOneGrid && copiesTriangle(c) },
			Text: "Triangles from problem 65,536 on are saved behind the workspace: an offset is added up in each " +
				"part.",
			Sources: []string{"ROCm/rocm-libraries#10842", "rocBLAS changelog 5.7"},
			Checked: Evidence{Source: of("4.4"), Run: both, Log: true,
				Note: "the fault is in 4.4, and its second part is not reached before 5.5"},
			Hits: []string{"gfx942 dsyrk_batched uplo=U n=100 k=600 batch_count=70000",
				"gfx90a zherk_batched uplo=U n=2499 k=500 batch_count=65537"}},
		{ID: "herk-diagonal-imag", Level: Certain, Kind: WrongResult, Types: "cz", In: blas("4.4", "4.4.1"),
			Families: []routine.FamilyID{routine.Herk}, When: copiesTriangle, Fixed: "rocBLAS 4.4.1 (ROCm 6.4.2)",
			Text:    "Rounding errors are left in the imaginary parts of the diagonal, which are zero.",
			Sources: []string{"ROCm/rocBLAS#1650", "ROCm/rocBLAS#1651"},
			Checked: Evidence{Source: of("4.4.0", "4.4.1"), Note: "4.4.0 as it was in October 2024"},
			Hits:    []string{"gfx942 zherk uplo=U n=100 k=600"}},
		{ID: "gemm-grid-y-gfx12", Level: Possible, Kind: WrongResult, Archs: gfx12, Types: "sdcz", In: blas("4.4", ""),
			Families: []routine.FamilyID{routine.Gemm, routine.GemmEx}, Reported: true,
			When: func(c *Call) bool { return c.Int(routine.N) > 8*inOneGrid },
			Text: "Columns beyond 65,536 tiles are not computed. Which n that is depends on the kernel: tiles of 8, " +
				"32 and 64 columns were seen. The rows of a program in row-major order are this n.",
			Sources: []string{"ROCm/rocm-libraries#8645", "ROCm/rocm-libraries#9184", "ROCm/legacy-rocm-build#6595"},
			Checked: Evidence{Run: of("7.2"), Note: "dgemm with n = 4,000,000 launches 125,000 tiles of 32 columns, " +
				"sgemm 62,500 of 64"},
			Hits: []string{"gfx1201 dgemm m=5 n=3000000 k=9", "gfx1200 sgemm m=8 n=600000 k=8"}},
		{ID: "gemm-offset-31-bit", Level: Certain, Kind: Crash, Archs: []string{"gfx950"}, In: blas("", "5.5"),
			Fixed:    blas55,
			Families: []routine.FamilyID{routine.Gemm, routine.GemmEx}, Forms: notPointers, When: beyond31Bits,
			Text: "The GPU faults, or reads elsewhere: the offset along k has 32 bits, and a factor is longer than 2 " +
				"GiB.",
			Sources: []string{"ROCm/rocm-libraries#7536", "rocBLAS changelog 5.5"},
			Checked: Evidence{Log: true, Note: "the architecture is from the thread"},
			Hits:    []string{"gfx950 dgemm m=16 n=16 k=20000 lda=20000 ldb=20000"}},
		{ID: "gemm-batched-offset-31-bit", Level: Possible, Kind: Crash, In: blas("4.4", ""), Reported: true,
			Families: []routine.FamilyID{routine.Gemm, routine.GemmEx}, Forms: pointers, When: beyond31Bits,
			Text: "As gemm-offset-31-bit with an array of pointers, for which the repair was still in review in " +
				"September 2026.",
			Sources: []string{"ROCm/rocm-libraries#12145"}, Checked: Evidence{},
			Hits: []string{"gfx942 dgemm_batched m=16 n=16 k=20000 lda=20000 ldb=20000 batch_count=2"}},
		{ID: "batched-launch-refused", Level: Certain, Kind: Crash, Forms: batches, Archs: before12, In: blas("",
			"5.5"),
			And: runtime("7.14", ""), Fixed: blas55, When: refused,
			Families: []routine.FamilyID{routine.Asum, routine.Nrm2, routine.Dot, routine.Dotu, routine.Dotc,
				routine.Trsv,
				routine.Trsm, routine.Trmm, routine.Hemm, routine.Symm, routine.Syrk, routine.Herk, routine.Herkx,
				routine.Syrkx, routine.Dgmm, routine.Geam, routine.Ger, routine.Geru, routine.Gerc, routine.Gemv},
			Text:    "hipErrorInvalidConfiguration: the batch is one dimension of a grid, which HIP bounds since 7.14.",
			Sources: []string{"ROCm/rocm-libraries#7202", "ROCm/rocm-libraries#7322", "ROCm/rocm-systems#5676"},
			Checked: Evidence{Source: of("4.4"), Run: both, Note: "grid y or z is 65,536 and more; that HIP refuses " +
				"it is from the threads"}, Hits: []string{"gfx942 dasum_batched n=10 batch_count=65536"}},
		{ID: "getrf-64-scal", Level: Certain, Kind: WrongResult, Forms: wide, In: blas("4.1", "5.7"), Fixed: blas57,
			Families: []routine.FamilyID{routine.Getf2, routine.Getrf},
			When:     func(c *Call) bool { return c.Int(routine.M)-c.Int(routine.N) > 1<<28 },
			Text: "Factors are wrong, or the GPU faults: scal_64 reads alpha from another place after 2^28 " +
				"elements.",
			Sources: []string{"ROCm/rocm-libraries#10831", "ROCm/rocm-libraries#11547"},
			Checked: Evidence{Source: of("4.1", "4.2", "4.4", "5.7"),
				Note: "5.7 has the repair; rocSOLVER 3.28 calls scal_64 with an alpha for each problem"},
			Hits: []string{"gfx942 dgetrf_64 m=268435458 n=1"}},
		{ID: "scal-64-batch", Level: Certain, Kind: WrongResult, Forms: wideBatches, In: blas("4.1", "5.7"),
			Fixed: blas57,
			Families: []routine.FamilyID{routine.Getf2, routine.Getf2Npvt, routine.Getrf, routine.Potf2, routine.Geqr2,
				routine.Geqrf},
			When: scalesInParts,
			Text: "Problems from 65,520 on are scaled by the pivots of the first ones: scal_64 computes a batch in " +
				"parts, and each starts with the first scalar.",
			Sources: []string{"ROCm/rocm-libraries#11547", "ROCm/rocm-libraries#10831"},
			Checked: Evidence{Source: of("4.1", "4.2", "4.4", "5.7"), Run: both,
				Note: "both launch scal for 65,520 and 4,480 of 70,000 problems; 5.7 has the repair"},
			Hits: []string{"gfx942 dgetf2_strided_batched_64 m=3 n=1 batch_count=70000",
				"gfx90a dgetrf_batched_64 m=100 n=100 batch_count=65521",
				"gfx942 dpotf2_strided_batched_64 uplo=L n=130 batch_count=70000",
				"gfx1100 sgeqr2_batched_64 m=3 n=1 batch_count=70000"}},
		{ID: "gemm-ex-solution-workspace", Level: Possible, Kind: MemoryError, In: blas("4.2", ""), Reported: true,
			Archs: []string{"gfx90a", "gfx942"}, Families: []routine.FamilyID{routine.GemmEx},
			When: func(c *Call) bool {
				return c.Int(routine.Algo) == routine.GemmAlgoSolutionIndex && c.Int(routine.SolutionIndex) != 0
			},
			Text: "Some solutions need a very large workspace, which a managed handle then keeps; " +
				"ROCBLAS_DEVICE_MEMORY_SIZE bounds it.",
			Sources: []string{"ROCm/rocBLAS#1509", "pytorch/pytorch#138532"}, Checked: Evidence{},
			Hits: []string{"gfx942 gemm_ex m=8 n=8 k=8 a_type=f32_r algo=solution_index solution_index=5"}},
		{ID: "gemm-batched-slow-gfx12", Level: Possible, Kind: Slow, Archs: gfx12, Forms: pointers, Reported: true,
			In: blas("5.0", "5.7"), Families: []routine.FamilyID{routine.Gemm}, Fixed: blas57, When: moreThan(1),
			Text: "hipBLASLt computes it by default, more slowly than gemm_strided_batched; ROCBLAS_USE_HIPBLASLT=0 " +
				"avoids it.",
			Sources: []string{"ROCm/TheRock#7881"}, Checked: Evidence{},
			Hits: []string{"gfx1201 sgemm_batched m=64 n=64 k=64 batch_count=100"}},
		{ID: "trsv-graph-stream-order", Level: Environment, Kind: Hang, In: blas("4.4", ""), Reported: true,
			Families: []routine.FamilyID{routine.Trsv},
			While:    func(s *State) Truth { return s.StreamOrdered.And(s.Capturing) },
			Text: "A later graph can wait for ever: the counters of the solve are allocated in the capture, and are " +
				"used again when the graph is destroyed. A workspace that is set before the capture avoids it.",
			Sources: []string{"ROCm/rocm-libraries#8401", "ROCm/rocm-libraries#8430"},
			Checked: Evidence{Source: of("4.4"), Note: "the counters are memory of the call; the hang was seen on " +
				"gfx942"}},
	}
}

func solverRows() []*Defect {
	grid := "HIP refuses launches with the batch as grid dimension y or z, and the call returns success: the whole " +
		"batch is left undone."
	torch := []string{"pytorch/pytorch#196745", "pytorch/pytorch#192508", "ROCm/rocm-libraries#8285"}
	return []*Defect{
		{ID: "solver-batch-grid-gfx12", Level: Certain, Kind: WrongResult, Families: gridOfProblems, Forms: batches,
			Archs: gfx12, In: solver("3.28", ""), Reported: true, When: beyondGrid(inOneGrid), Text: grid,
			Sources: torch,
			Checked: Evidence{Run: both, Note: "each family has grid y or z = 70,000 at n = 1, 2 and 3, or from n = " +
				"2 on"},
			Hits: []string{"gfx1201 dsyevj_batched uplo=U n=10 abstol=0 max_sweeps=5 esort=none evect=N " +
				"batch_count=70000",
				"gfx1201 sgesvd_strided_batched left_svect=N right_svect=N m=3 n=3 batch_count=70000",
				"gfx1201 dgetrs_batched n=10 nrhs=1 batch_count=70000",
				"gfx1200 dpotrf_strided_batched uplo=L n=3 batch_count=65537"}},
		{ID: "solver-batch-grid-hip714", Level: Certain, Kind: WrongResult, Families: gridOfProblems, Forms: batches,
			Archs: before12, In: solver("3.28", ""), And: runtime("7.14", ""), Reported: true,
			When:    beyondGrid(inOneGrid - 1),
			Text:    grid + " HIP does so on every architecture since 7.14.",
			Sources: []string{"ROCm/rocm-systems#5676", "ROCm/rocm-libraries#7202", "pytorch/pytorch#192508"},
			Checked: Evidence{Run: both, Note: "the same grids on gfx942; that HIP refuses them is from the threads"},
			Hits:    []string{"gfx942 dgetrs_batched n=10 nrhs=1 batch_count=65536"}},
		{ID: "getf2-small-batch-grid", Level: Certain, Kind: WrongResult, Forms: batches, Archs: gfx12,
			Families: []routine.FamilyID{routine.Getf2, routine.Getrf, routine.Getf2Npvt, routine.GetrfNpvt},
			In:       solver("3.27", "3.35"), Fixed: solver35, When: luBlocks,
			Text: "Nothing is factored: blocks of small matrices are grid dimension y, and there are more than " +
				"65,536.",
			Sources: []string{"ROCm/rocm-libraries#8285", "rocSOLVER changelog 3.35"},
			Checked: Evidence{Source: of("3.28"), Run: both, Log: true},
			Hits: []string{"gfx1201 dgetrf_batched m=36 n=36 batch_count=70000",
				"gfx1201 dgetrf_batched m=3 n=3 batch_count=524289"}},
		{ID: "getrf-batch-grid", Level: Certain, Kind: WrongResult, Forms: batches, Archs: gfx12, In: solver("3.28",
			""),
			Families: []routine.FamilyID{routine.Getf2, routine.Getrf, routine.Getf2Npvt, routine.GetrfNpvt},
			Reported: true,
			When:     luRest,
			Text:     grid, Sources: torch, Checked: Evidence{Source: of("3.28"), Run: both,
				Note: "n = 41, 48, 55 and 65 have grid z = 70,000, n = 44 and 50 have not, as the block sizes say"},
			Hits: []string{"gfx1201 dgetrf_batched m=48 n=48 batch_count=70000",
				"gfx1201 dgetf2_strided_batched m=141 n=20 batch_count=70000",
				"gfx1201 dgetrf_batched m=65 n=65 batch_count=70000"}},
		{ID: "getri-batch-grid", Level: Certain, Kind: WrongResult, Forms: batches, Archs: gfx12, In: solver("3.28",
			""),
			Families: []routine.FamilyID{routine.Getri, routine.GetriNpvt}, Reported: true,
			When: func(c *Call) bool { return c.Batch() > inOneGrid && c.Int(routine.N) > 35 },
			Text: grid, Sources: torch, Checked: Evidence{Source: of("3.28"), Run: both,
				Note: "n = 36 has two such, n = 35 none"},
			Hits: []string{"gfx1201 dgetri_batched n=36 batch_count=70000"}},
		{ID: "potf2-batch-grid", Level: Certain, Kind: WrongResult, Forms: batches, Archs: gfx12, In: solver("3.28",
			""),
			Families: []routine.FamilyID{routine.Potf2}, Reported: true,
			When: func(c *Call) bool {
				n := c.Int(routine.N)
				return c.Batch() > inOneGrid && n > 0 && n <= c.Routine.Type.CholeskyBlock()
			},
			Text: grid, Sources: torch, Checked: Evidence{Source: of("3.28"), Run: both,
				Note: "n = 127 has one, n = 128 none"},
			Hits: []string{"gfx1201 dpotf2_batched uplo=L n=127 batch_count=70000"}},
		{ID: "getrf-64-batch-grid", Level: Certain, Kind: WrongResult, Forms: wideBatches, Archs: gfx12,
			Families: []routine.FamilyID{routine.Getf2, routine.Getrf, routine.Getf2Npvt, routine.GetrfNpvt,
				routine.Getrs,
				routine.Potrf, routine.Potrs, routine.Geqrf, routine.Geqr2},
			In: solver("3.28", ""), Reported: true, When: moreThan(inOneGrid), Text: grid, Sources: torch,
			Checked: Evidence{Run: both},
			Hits:    []string{"gfx1201 dgetrf_batched_64 m=3 n=3 batch_count=70000"}},
		{ID: "getf2-race", Level: Possible, Kind: WrongResult, In: solver("3.16", "3.33"), Fixed: solver33,
			Families: []routine.FamilyID{routine.Getf2, routine.Getrf, routine.Gesv}, When: luAcrossWavefronts,
			Text: "Pivots are now and then wrong, with info 0: a row overwrites the column in which another " +
				"wavefront of the same matrix still searches. It was seen in large batches.",
			Sources: []string{"ROCm/rocm-libraries#3743", "ROCm/rocSOLVER#987", "rocSOLVER changelog 3.33"},
			Checked: Evidence{Source: of("3.16", "3.19", "3.23", "3.26", "3.28"), Log: true,
				Note: "the threads of a matrix follow from the source"},
			Hits: []string{"gfx90a dgetrf_batched m=100 n=100 batch_count=2",
				"gfx1100 dgetrf_batched m=7 n=7 batch_count=1000",
				"gfx90a dgetrf_batched m=65 n=20 batch_count=2"}},
		{ID: "stebz-race", Level: Possible, Kind: WrongResult, Families: byBisection, In: solver("3.18", "3.33"),
			Fixed: solver33,
			When:  func(c *Call) bool { return c.Int(routine.N) > 1 && c.rows() > 1 },
			Text: "Eigenvalues by bisection are now and then wrong: the kernel that splits the matrix lacks a " +
				"barrier.",
			Sources: []string{"ROCm/rocm-libraries#4735", "rocSOLVER changelog 3.27 and 3.33"},
			Checked: Evidence{Source: of("3.19", "3.23", "3.26", "3.28"), Log: true},
			Hits:    []string{"gfx1100 dsyevx evect=V erange=all uplo=U n=90"}},
		{ID: "potf2-race", Level: Possible, Kind: WrongResult, Families: byCholesky, In: solver("3.26", "3.34"),
			Fixed: solver34, When: atLeastTwo,
			Text: "The result is now and then no Cholesky factor, with info 0: a thread overwrites the diagonal " +
				"element that others still read.",
			Sources: []string{"ROCm/legacy-rocm-build#6623", "ROCm/rocm-libraries#10909", "ROCm/rocm-libraries#3794"},
			Checked: Evidence{Source: of("3.25", "3.26", "3.28"), Run: both,
				Note: "3.25 has another kernel; the block has 1,024 threads"},
			Hits: []string{"gfx1201 dpotrf uplo=L n=425"}},
		{ID: "sytrf-workspace-batch", Level: Certain, Kind: OutOfBounds, Forms: batches, In: solver("3.17", "3.34"),
			Families: []routine.FamilyID{routine.Sytrf}, Fixed: solver34,
			When: func(c *Call) bool { return c.Int(routine.N) > 128 && c.Batch() > 1 },
			Text: "All problems but the first work outside the workspace: each begins 256 n elements after the one " +
				"before, and the size query returns 64 n for each.",
			Sources: []string{"ROCm/rocm-libraries#5463", "rocSOLVER changelog 3.34"},
			Checked: Evidence{Source: of("3.16", "3.17", "3.20", "3.24", "3.26", "3.28"), Run: both, Log: true,
				Note: "n = 129, d, batch 4: 264,192 bytes, of which 858,624 are used; 3.16 reserves enough"},
			Hits: []string{"gfx90a dsytrf_batched uplo=U n=129 batch_count=2"}},
		{ID: "sytf2-race", Level: Possible, Kind: WrongResult, In: solver("3.16", "3.34"), Fixed: solver34,
			When:     atLeastTwo,
			Families: []routine.FamilyID{routine.Lasyf, routine.Sytf2, routine.Sytrf},
			Text:     "Pivots are now and then wrong: a barrier is missing between two searches.",
			Sources:  []string{"ROCm/rocm-libraries#5463", "rocSOLVER changelog 3.34"},
			Checked:  Evidence{Source: of("3.16", "3.28"), Log: true, Note: "two searches in a row share an array"},
			Hits:     []string{"gfx90a dsytrf uplo=U n=2"}},
		{ID: "getri-trtri-wave32", Level: Possible, Kind: WrongResult, Archs: wave32, In: solver("3.16", "3.35"),
			Fixed: solver35,
			Families: []routine.FamilyID{routine.Getri, routine.GetriNpvt, routine.SolverTrtri,
				routine.Potri},
			When: func(c *Call) bool {
				return c.Int(routine.N) > 32 && c.Int(routine.N) < 64
			},
			Text:    "The inverse is now and then wrong: the kernel takes a block of 64 threads for one wavefront.",
			Sources: []string{"ROCm/rocm-libraries#8521", "rocSOLVER changelog 3.35"},
			Checked: Evidence{Source: of("3.16", "3.23", "3.28"), Log: true,
				Note: "seen on gfx1250; the source does not distinguish"},
			Hits: []string{"gfx1100 dgetri n=33", "gfx1201 dgetri_batched n=63 batch_count=3"}},
		{ID: "potri-stale-triangle", Level: Possible, Kind: WrongResult, In: solver("3.15", ""), When: atLeastTwo,
			Families: []routine.FamilyID{routine.Potri},
			Text: "The inverse is wrong or not finite, with info 0, if an earlier call left such numbers in the " +
				"workspace: one triangle of the operand is never written.",
			Sources: []string{"ROCm/legacy-rocm-build#6629", "ROCm/rocm-libraries#10960"},
			Checked: Evidence{Source: of("3.15", "3.16", "3.26", "3.28"), Run: both,
				Note: "no memset; a repair was merged after rocSOLVER 3.37"},
			Hits: []string{"gfx90a dpotri uplo=U n=20"}},
		{ID: "gebrd-null-workspace-3.28", Level: Certain, Kind: Undersized, In: solver("3.28", "3.31"), Fixed: solver33,
			Families: []routine.FamilyID{routine.Gebrd}, Archs: []string{"gfx9"}, When: bidiagonalRest(1),
			Text: "The GPU faults: the last block is sized as an empty matrix, and its vector is a null pointer to " +
				"which kernels write.",
			Sources: []string{"ROCm/rocm-libraries#2835"},
			Checked: Evidence{Source: of("3.28"), Run: of("6.4"),
				Note: "the vector has no part of the workspace; 3.30 was not read"},
			Hits: []string{"gfx90a dgebrd m=700 n=128", "gfx942 sgebrd m=128 n=500"}},
		{ID: "gebrd-null-workspace-3.31", Level: Certain, Kind: Undersized, In: solver("3.31", "3.33"), Fixed: solver33,
			Families: []routine.FamilyID{routine.Gebrd}, Archs: []string{"gfx9"}, When: bidiagonalRest(961),
			Text:    "As gebrd-null-workspace-3.28, for matrices whose last block is longer than 1024.",
			Sources: []string{"ROCm/rocm-libraries#2835"},
			Checked: Evidence{Run: of("7.2"), Note: "1000 x 128 launches none of these kernels, 1100 x 128 launches " +
				"11; 3.31 was not read"},
			Hits: []string{"gfx90a dgebrd m=1100 n=128", "gfx90a dgebrd m=128 n=1500"}},
		{ID: "getri-trsm-size", Level: Certain, Kind: Undersized, In: solver("3.26", "3.32"), Fixed: solver32,
			Families: []routine.FamilyID{routine.Getri, routine.GetriNpvt}, Forms: single, When: inverseBefore(255,
				1185),
			Text: "The inverse is wrong: the size of the solve inside is asked for one column more, which needs " +
				"less, and the solve overruns its part of the workspace.",
			Sources: []string{"ROCm/rocm-libraries#1954", "ROCm/rocSOLVER#864"},
			Checked: Evidence{Source: of("3.25", "3.26", "3.28"), Run: both,
				Note: "sizes of n = 60 to 1299: 6.4 drops at 255, 383, ... 1151, 7.2 nowhere; 3.25 asks another way"},
			Hits: []string{"gfx90a dgetri n=1023", "gfx90a zgetri n=255"}},
		{ID: "getri-trsm-size-batched", Level: Certain, Kind: Undersized, In: solver("3.26", "3.32"), Fixed: solver32,
			Families: []routine.FamilyID{routine.Getri, routine.GetriNpvt}, Forms: batches, When: inverseBefore(511,
				2049),
			Text:    "As getri-trsm-size; orders up to 505 are inverted in blocks and not affected.",
			Sources: []string{"ROCm/rocm-libraries#1954", "ROCm/rocSOLVER#864"},
			Checked: Evidence{Source: of("3.25", "3.26", "3.28"), Run: both,
				Note: "6.4 drops at 511, 639, ... 2047, 7.2 nowhere"},
			Hits: []string{"gfx90a dgetri_batched n=511 batch_count=2"}},
		{ID: "bdsqr-lower-read", Level: Certain, Kind: OutOfBounds, In: solver("3.10", "3.35"), Fixed: solver35,
			Families: []routine.FamilyID{routine.Bdsqr},
			When:     func(c *Call) bool { return c.Int(routine.Uplo) == routine.FillLower && c.Int(routine.N) > 1 },
			Text: "One element behind E is read, which faults only at the end of an allocation; the value is not " +
				"used.",
			Sources: []string{"rocSOLVER changelog 3.35"}, Checked: Evidence{Source: of("3.10", "3.16", "3.23",
				"3.28"), Log: true},
			Hits: []string{"gfx90a dbdsqr uplo=L n=10 nv=0 nu=0 nc=0"}},
		{ID: "gesvd-wide-read", Level: Certain, Kind: OutOfBounds, In: solver("3.10", "3.35"), Fixed: solver35,
			Families: []routine.FamilyID{routine.Gesvd},
			When: func(c *Call) bool { // a much wider matrix may be reduced to a square one first
				m, n := c.Int(routine.M), c.Int(routine.N)
				return m > 1 && m < n && 5*n < 8*m
			},
			Text:    "As bdsqr-lower-read behind the program's array E: give it min(m, n) elements.",
			Sources: []string{"rocSOLVER changelog 3.35"}, Checked: Evidence{Source: of("3.28"), Log: true},
			Hits: []string{"gfx90a dgesvd left_svect=N right_svect=N m=100 n=120"}},
		{ID: "gesvd-close-values", Level: Possible, Kind: OutOfBounds, Forms: single, Types: "d",
			Archs:    []string{"gfx90a"},
			Families: []routine.FamilyID{routine.Gesvd}, In: solver("3.32", ""), Reported: true,
			When: func(c *Call) bool {
				m, n := c.Int(routine.M), c.Int(routine.N)
				return min(m, n) == 3 && max(m, n) <= 4
			},
			Text: "hipErrorIllegalAddress after success, for nearly equal singular values; gesdd, gesvdj and gesvdx " +
				"are right.",
			Sources: []string{"ROCm/rocm-libraries#12188"}, Checked: Evidence{},
			Hits: []string{"gfx90a dgesvd left_svect=N right_svect=N m=3 n=4"}},
		{ID: "syevj-race-gfx11", Level: Possible, Kind: WrongResult,
			Families: append([]routine.FamilyID{routine.Gesvdj}, byJacobi...), Archs: []string{"gfx11"},
			In: solver("3.28", ""), Reported: true,
			When: func(c *Call) bool { // (n/2)^2 threads in more than one wavefront
				n := min(c.rows(), c.Int(routine.N))
				return n > 10 && n <= 58
			},
			Text: "Eigenvectors are now and then not orthogonal, with info 0, mostly for n from 40 on: rotations are " +
				"read without a barrier.",
			Sources: []string{"ROCm/rocm-libraries#9118", "ROCm/rocm-libraries#9135", "ROCm/rocm-libraries#12266"},
			Checked: Evidence{Source: of("3.28"), Run: of("7.2"),
				Note: "orders up to 58 have that kernel, with (n/2)^2 threads, and gesvdj launches it, too"},
			Hits: []string{"gfx1100 dsyevj esort=none evect=V uplo=U n=50 abstol=0 max_sweeps=9"}},
		{ID: "syevd-stale-workspace", Level: Possible, Kind: WrongResult,
			Families: []routine.FamilyID{routine.Syevd, routine.Sygvd}, In: solver("",
				"3.28.2"),
			Fixed: patch2, When: withVectors,
			Text: "NaN that an earlier call left in the workspace can come out: parts are read before they are " +
				"written.",
			Sources: []string{"ROCm/rocSOLVER#956", "ROCm/rocSOLVER#957"},
			Checked: Evidence{Source: of("3.20", "3.26", "3.28.0", "3.28.2"), Run: both,
				Note: "3.28.0 clears nothing; 6.4 and 7.2 clear all parts in eight memsets"},
			Hits: []string{"gfx90a dsyevd evect=V uplo=U n=10"}},
		{ID: "syevd-memory-3.28.0", Level: Certain, Kind: MemoryError, Families: byDivision, In: solver("3.28",
			"3.28.2"),
			Fixed: patch2, When: func(c *Call) bool { // in stedc the vectors of the tridiagonal matrix itself
				v := c.Int(routine.Evect)
				return c.Int(routine.N) >= 16 && v != routine.EvectNone &&
					(!c.Routine.Has(routine.C) || v == routine.EvectTridiagonal)
			},
			Text:    "It needs an n x n matrix more than 3.28.2, so a workspace that is sized for 3.28.2 is too small.",
			Sources: []string{"ROCm/rocSOLVER#869", "rocSOLVER changelog 3.28.2"},
			Checked: Evidence{Source: of("3.28.0", "3.28.2"), Log: true},
			Hits:    []string{"gfx90a dsyevd evect=V uplo=U n=100"}},
		{ID: "int32-element-index", Level: Possible, Kind: OutOfBounds, In: solver("3.28", ""), Reported: true,
			Families: []routine.FamilyID{routine.Getf2, routine.Getrf, routine.Potrf, routine.Geqrf},
			When: func(c *Call) bool {
				return float64(c.Int(routine.LDA))*float64(c.Int(routine.N)) > 1<<31-1
			},
			Text:    "Kernels may index elements beyond 2^31-1 with 32 bits; the _64 forms do not.",
			Sources: []string{"ROCm/rocm-libraries#4051", "ROCm/rocSOLVER#924"},
			Checked: Evidence{Source: of("3.28"), Note: "offsets of the host have 64 bits, those of kernels 32; " +
				"which of them fault was not found out"},
			Hits: []string{"gfx90a dgetrf m=50000 n=50000"}},
		{ID: "larf-without-workspace", Level: Possible, Kind: Slow, In: solver("3.28", ""), Reported: true,
			Forms:    single,
			Families: []routine.FamilyID{routine.Geqr2, routine.Geqrf},
			When: func(c *Call) bool { // columns longer than shared memory, and gemv's kernel for few of them
				m, n := c.Int(routine.M), c.Int(routine.N)
				return n > 1 && m > 8192 && m >= 2048*(n-1)
			},
			Text: "A tall matrix with few columns takes 2 to 5 times longer: gemv gets no workspace, and its fast " +
				"kernel needs one.",
			Sources: []string{"ROCm/rocm-libraries#12223", "ROCm/rocSOLVER#1047"},
			Checked: Evidence{Source: of("3.28"), Run: of("7.2"),
				Note: "262144 x 8 launches the slow kernel, 5000 x 8 another one; the times are from the thread"},
			Hits: []string{"gfx90a dgeqrf m=200000 n=4"}},
		{ID: "larft-inverse-nan", Level: Possible, Kind: WrongResult, In: solver("3.31", ""), Reported: true,
			Families: []routine.FamilyID{routine.Geqrf, routine.Syevd},
			When: func(c *Call) bool {
				least := c.Int(routine.N)
				if c.Routine.Has(routine.M) {
					return min(least, c.Int(routine.M)) > 128
				}
				return least > 65 && c.Int(routine.Evect) != routine.EvectNone
			},
			Text: "NaN or infinity comes out if a column is already zero below the diagonal: its reflection has a " +
				"factor of zero, and the triangular factor is inverted.",
			Sources: []string{"ROCm/rocm-libraries#8168", "ROCm/rocSOLVER#980"},
			Checked: Evidence{Run: of("7.2"), Note: "geqrf has such a solve from 129 columns on, syevd from order 66 " +
				"on"},
			Hits: []string{"gfx90a dgeqrf m=300 n=200", "gfx942 zheevd evect=V uplo=U n=100"}},
		{ID: "syevd-nan-3.30.0", Level: Possible, Kind: WrongResult, In: solver("3.30", "3.30.1"),
			Fixed: "rocSOLVER 3.30.1 (ROCm 7.0.2)", Reported: true, Families: []routine.FamilyID{routine.Syevd,
				routine.Sygvd},
			When:    withVectors,
			Text:    "NaN comes out for some valid matrices; which ones is not said.",
			Sources: []string{"ROCm/rocSOLVER#1001", "ROCm/rocSOLVER#1018"},
			Hits:    []string{"gfx942 dsyevd evect=V uplo=U n=100"}},
		{ID: "larfg-one-block", Level: Possible, Kind: Slow, Archs: []string{"gfx9"}, In: solver("3.28.2", ""),
			Families: []routine.FamilyID{routine.Geqrf, routine.Geqr2, routine.Gebrd, routine.Sytrd},
			When:     func(c *Call) bool { return c.rows() > 2048 },
			Text: "Reflections of long columns are slow: the kernel for short ones, with one block, makes them at " +
				"every length.",
			Sources: []string{"ROCm/rocm-libraries#12224", "ROCm/rocSOLVER#1048"},
			Checked: Evidence{Source: of("3.28.0", "3.28.2"), Run: of("7.2"),
				Note: "3.28.0 checks the length; 7.2 launches one block of 1,024 for 262,144 rows"},
			Hits: []string{"gfx90a dgeqrf m=100000 n=16"}},
	}
}

func programRows() []*Defect {
	return []*Defect{
		{ID: "managed-stream-order-default", Level: Environment, Kind: Slow, In: blas("5.1", "5.1.1"),
			Fixed: "rocBLAS 5.1.1 (ROCm 7.1.1)", While: func(s *State) Truth { return s.Managed },
			Text:    "Managed workspace is allocated in each call; a program on several GPUs lost 15 to 47 per cent.",
			Sources: []string{"ROCm/rocm-libraries#2241", "ROCm/rocm-libraries#1516", "rocBLAS changelog 5.1.1"},
			Checked: Evidence{Run: of("7.2"), Log: true}},
		{ID: "stream-order-prime-hang", Level: Environment, Kind: Hang, Archs: []string{"gfx942"}, In: blas("5.1", ""),
			Reported: true, While: streamOrdered,
			Text:    "rocblas_create_handle can hang on MI300A, where it allocates on the default stream.",
			Sources: []string{"ROCm/rocm-libraries#11947"}, Checked: Evidence{}},
		{ID: "pool-oom-6.4", Level: Environment, Kind: MemoryError, In: runtime("6.3", "7.0"), Fixed: "HIP 7.0",
			Reported: true,
			While:    streamOrdered,
			Text:     "hipMallocAsync runs out of memory where hipMalloc does not, after blocks of several sizes.",
			Sources:  []string{"ROCm/hip#3775", "kokkos/kokkos#8008"}, Checked: Evidence{}},
		{ID: "pool-gfx110x-7", Level: Environment, Kind: MemoryError, Archs: []string{"gfx1100", "gfx1101"},
			In: runtime("7.0", "7.12"), Reported: true, While: streamOrdered,
			Text:    "hipMallocAsync fails or crashes even for 64 bytes on some installations, where hipMalloc works.",
			Sources: []string{"ROCm/legacy-rocm-build#6178", "JuliaGPU/AMDGPU.jl#901"}, Checked: Evidence{}},
		{ID: "pool-zeroed", Level: Environment, Kind: WrongResult, Archs: []string{"gfx1030", "gfx1032", "gfx1201"},
			In: runtime("7.2", ""), Reported: true, While: streamOrdered,
			Text: "Memory of a pool that goes from one stream to another becomes zero under its new owner; " +
				"hipMemPoolAttrReleaseThreshold at its maximum avoids it.",
			Sources: []string{"ROCm/rocm-systems#10943", "ROCm/rocm-systems#11693", "OpenNMT/CTranslate2#2090"},
			Checked: Evidence{}},
		{ID: "pool-failed-alloc", Level: Environment, Kind: Leak, In: runtime("7.2", ""), Reported: true,
			While:   streamOrdered,
			Text:    "hipMallocAsync that fails keeps memory, and the process aborts at its end.",
			Sources: []string{"ROCm/rocm-systems#11642", "ROCm/rocm-systems#11643"}, Checked: Evidence{}},
		{ID: "pool-free-count", Level: Environment, Kind: Leak, In: runtime("7.2", ""), Reported: true,
			While:   streamOrdered,
			Text:    "hipMemGetInfo returns too little free memory after hipFreeAsync.",
			Sources: []string{"ROCm/TheRock#8092"}, Checked: Evidence{}},
		{ID: "memset-captured-7.0", Level: Environment, Kind: WrongResult, In: runtime("7.0", "7.1"), Fixed: "HIP 7.1",
			Reported: true, Families: []routine.FamilyID{routine.Syevd, routine.Sygvd}, While: capturing,
			Text: "A captured hipMemsetAsync leaves old data when the graph runs, and the call clears its workspace " +
				"that way.",
			Sources: []string{"pytorch/pytorch#197017"},
			Checked: Evidence{Run: both, Note: "syevd and sygvd have nine memsets; that they keep old data is from " +
				"the thread"}},
	}
}

// documentedRows have conditions that no command knows.
func documentedRows() []*Defect {
	return []*Defect{
		{ID: "trmm-alpha-stride", Level: Certain, Kind: WrongResult, In: blas("5.5", "5.7"), Fixed: blas57,
			Families: []routine.FamilyID{routine.Trmm},
			TextOnly: "the stride of alpha, which the releases here do not have",
			Text:     "An alpha of zero ends the later parts of a batch beyond 65,535 problems.",
			Sources:  []string{"ROCm/rocm-libraries#10503", "rocBLAS changelog 5.7"},
			Checked:  Evidence{Source: of("4.4"), Log: true, Note: "4.4 has the return, and no stride of alpha"}},
		{ID: "ilp64-alpha-stride", Level: Certain, Kind: WrongResult, In: blas("5.5", "5.7"), Fixed: blas57,
			Families: []routine.FamilyID{routine.Ger, routine.Geru, routine.Gerc, routine.Syr, routine.Symv,
				routine.Hemv,
				routine.Sbmv, routine.Spmv}, TextOnly: "the stride of alpha, which the releases here do not have",
			Text:    "64-bit forms: later parts of a batch beyond 65,520 problems take the scalars of the first ones.",
			Sources: []string{"ROCm/rocm-libraries#11547", "rocBLAS changelog 5.7"}, Checked: Evidence{Log: true}},
		{ID: "gemm-override-negative", Level: Environment, Kind: Slow, In: blas("5.5", "5.7"), Fixed: blas57,
			Families: []routine.FamilyID{routine.Gemm, routine.GemmEx}, TextOnly: "the tuning file of the program",
			Text:    "ROCBLAS_TENSILE_GEMM_OVERRIDE_PATH: lines with negative indices are ignored.",
			Sources: []string{"ROCm/rocm-libraries#8082", "rocBLAS changelog 5.7"}, Checked: Evidence{Log: true}},
		{ID: "batched-solutions-null", Level: Certain, Kind: Crash, In: blas("5.0", "5.4"), Archs: []string{"gfx950",
			"gfx12"},
			TextOnly: "gemm_batched_ex_get_solutions, which is not modelled", Fixed: "rocBLAS 5.4 (ROCm 7.13)",
			Text:    "Null pointers fail if hipBLASLt is the backend.",
			Sources: []string{"rocBLAS changelog 5.4"}, Checked: Evidence{Log: true}},
		{ID: "batched-solutions-slow", Level: Certain, Kind: Slow, In: blas("5.5", "5.6"), Archs: []string{"gfx950",
			"gfx12"},
			TextOnly: "gemm_batched_ex_get_solutions, which is not modelled", Fixed: "rocBLAS 5.6 (ROCm 10.0)",
			Text:    "The solutions are not the best ones if hipBLASLt is the backend.",
			Sources: []string{"ROCm/rocm-libraries#10006", "rocBLAS changelog 5.6"}, Checked: Evidence{Log: true}},
		{ID: "lost-status", Level: Environment, Kind: WrongResult, In: solver("", "3.35"), Fixed: solver35,
			TextOnly: "a failure of rocBLAS or rocSPARSE inside a call",
			Text: "rocSOLVER returns success if rocBLAS fails inside it, for example without a kernel for the " +
				"architecture: the result was never computed.",
			Sources: []string{"ROCm/rocm-libraries#6069", "rocSOLVER changelog 3.35"},
			Checked: Evidence{Source: of("3.28"), Log: true, Note: "templates discard the status of their calls"}},
		{ID: "sytrs-read", Level: Certain, Kind: OutOfBounds, In: solver("3.34", ""), Reported: true,
			TextOnly: "sytrs, which the releases here do not have",
			Text:     "The upper form with many right-hand sides reads outside its workspace.",
			Sources:  []string{"ROCm/rocm-libraries#11516"}, Checked: Evidence{}},
		{ID: "syev-64-limits", Level: Certain, Kind: WrongResult, In: solver("3.36", ""),
			TextOnly: "64-bit eigensolvers, which the releases here do not have",
			Text:     "n and lda must fit 32 bits.", Sources: []string{"rocSOLVER changelog 3.36"},
			Checked: Evidence{Log: true}},
		{ID: "hipsolver-xpotrs-32", Level: Certain, Kind: WrongResult, In: Range{"hipSOLVER", "2.3", "3.7"},
			TextOnly: "hipsolverDnXpotrs, whose calls are not modelled", Fixed: "hipSOLVER 3.7 (ROCm 10.1)",
			Text:    "Sizes beyond 2^31-1 are cut: the function calls the 32-bit potrs.",
			Sources: []string{"ROCm/rocm-libraries#10889", "hipSOLVER changelog 3.7"},
			Checked: Evidence{Run: of("7.2"), Log: true, Note: "its library imports no 64-bit potrs"}},
		{ID: "capture-stays-invalid", Level: Environment, Kind: Capture, In: runtime("", "7.14"),
			TextOnly: "a capture that was invalidated", Fixed: "HIP of ROCm 7.14",
			Text:    "A stream whose capture was invalidated, for example by a growth, cannot be used again.",
			Sources: []string{"ROCm 7.14 release notes"}, Checked: Evidence{Log: true}},
		{ID: "capture-stale-state", Level: Environment, Kind: Capture, In: runtime("6.4", "7.0"), Reported: true,
			TextOnly: "an earlier capture in the stream",
			Text:     "State of an earlier capture can end the next one in the stream.",
			Sources:  []string{"ROCm/legacy-rocm-build#4614", "ROCm 6.4 release notes"}, Checked: Evidence{}},
		{ID: "graph-child-race", Level: Environment, Kind: WrongResult, In: runtime("", "7.14"),
			TextOnly: "child graphs on several streams", Fixed: "HIP of ROCm 7.14",
			Text: "Child graphs do not wait for each other.", Sources: []string{"ROCm 7.14 release notes"},
			Checked: Evidence{Log: true}},
		{ID: "graph-escaped-alloc", Level: Environment, Kind: MemoryError, In: runtime("7.13", "7.14"), Reported: true,
			TextOnly: "memory of a graph that outlives it", Fixed: "HIP of ROCm 7.14",
			Text:    "Memory that was allocated in a capture is unmapped when the graph is destroyed.",
			Sources: []string{"ROCm/rocm-libraries#8105", "ROCm/rocm-systems#7092"}, Checked: Evidence{}},
		{ID: "pool-refused-relaxed", Level: Environment, Kind: Capture, Archs: []string{"gfx942"}, In: runtime("7.2",
			""),
			Reported: true, TextOnly: "the capture of another stream",
			Text:    "hipMallocAsync returns an error in a stream that is not captured while another one is.",
			Sources: []string{"ROCm/legacy-rocm-build#6681"}, Checked: Evidence{}},
	}
}
