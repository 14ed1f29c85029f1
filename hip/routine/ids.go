package routine

// FamilyID identifies a family of routines: Getrf is sgetrf to zgetrf_strided_batched. IDs are dense from 0, so tables
// of declarations, behavior and kernels are indexed by them.
type FamilyID uint16

// The families, in the order of All and of the documentation.
const (
	// Level 1: reductions.
	Asum FamilyID = iota
	Nrm2
	Dot
	Dotu
	Dotc
	Iamax
	Iamin
	DotEx
	DotcEx
	Nrm2Ex

	// Level 1: vectors that are written, and plane rotations.
	Axpy
	Copy
	Scal
	RealScal
	Swap
	Rot
	RealRot
	Rotg
	Rotm
	Rotmg
	AxpyEx
	ScalEx
	RotEx

	// Level 2.
	Gemv
	Tbmv
	Tpmv
	Trmv
	Trsv
	Hemv
	Symv
	Gbmv
	Sbmv
	Hbmv
	Spmv
	Hpmv
	Tbsv
	Tpsv
	Ger
	Geru
	Gerc
	Syr
	Her
	Spr
	Hpr
	Syr2
	Her2
	Spr2
	Hpr2
	HalfGemv
	HalfSingleGemv

	// Level 3.
	Trsm
	Symm
	Syrk
	Syr2k
	Syrkx
	Trmm
	Hemm
	Herk
	Her2k
	Herkx
	Gemm
	Trtri
	Dgmm
	Geam
	Gemmt
	GeamEx
	TrsmEx
	GemmEx
	SyrkEx
	GemmEx3
	GemmKernelName

	// Factorizations and solves.
	Getrf
	GetrfNpvt
	Getf2
	Getrs
	Getri
	Gesv
	Potrf
	Potrs
	Posv
	Geqrf

	// Reflectors, and orthogonal matrices.
	Larfg
	Larf
	Larft
	Larfb
	Lacgv
	Laswp
	Geqr2
	Geql2
	Gelq2
	Gerq2
	Geqlf
	Gelqf
	Gerqf
	Org2r
	Org2l
	Orgl2
	Orgqr
	Orgql
	Orglq
	Orgbr
	Orgtr
	Orm2r
	Orm2l
	Orml2
	Ormqr
	Ormql
	Ormlq
	Ormbr
	Ormtr

	// Reductions, and indefinite matrices.
	Labrd
	Gebd2
	Gebrd
	Latrd
	Sytd2
	Sytrd
	Sytf2
	Sytrf
	Lasyf

	// Inverses, and unblocked factorizations.
	Potf2
	Potri
	SolverTrtri
	Lauum
	Getf2Npvt
	GetriNpvt
	GetriOutOfPlace
	GetriNpvtOutOfPlace
	Gels

	// Eigenvalues.
	Sterf
	Steqr
	Stedc
	Stebz
	Stein
	Lasr
	Sygs2
	Sygst
	Syev
	Syevd
	Syevj
	Syevdj
	Sygv
	Sygvd
	Sygvj
	Sygvdj
	Syevx
	Syevdx
	Sygvx
	Sygvdx

	// Singular values.
	Bdsqr
	Gesvd
	Gesvdj
	Bdsvdx
	Gesvdx
	Gesdd

	// Block tridiagonal and sparse matrices.
	GeblttrfNpvt
	GeblttrfNpvtInterleaved
	GeblttrsNpvt
	GeblttrsNpvtInterleaved
	CsrrfAnalysis
	CsrrfSumlu
	CsrrfSplitlu
	CsrrfRefactlu
	CsrrfRefactchol
	CsrrfSolve

	endOfListed
)

// Functions that rocSOLVER exports for hipSOLVER and that its headers do not declare.
const (
	GesvOutOfPlace FamilyID = endOfListed + iota
	GelsOutOfPlace
	GesvdjNotTransposed
	SyevdxInPlace
	SygvdxInPlace
	GesvdxNotTransposed
	GetrfInfo32
	GetrfNpvtInfo32
	PotrfInfo32
	GeqrfPointers

	endOfFamilies
)

// FamilyCount is the number of families, also of those that headers do not declare.
const FamilyCount = int(endOfFamilies)
