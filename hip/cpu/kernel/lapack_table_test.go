package kernel_test

import "roclua/hip/routine"

// fortran has the arguments of the function of BLAS or LAPACK with the name of a family's routines: names of slots in
// lower case, characters in upper case, and scratch. Complex functions also have the arguments in brackets.
var fortran = map[routine.FamilyID]string{
	routine.Gemm:  "TransA TransB m n k alpha a lda b ldb beta c ldc",
	routine.Gemmt: "Uplo TransA TransB n k alpha a lda b ldb beta c ldc",
	routine.Symm:  "Side Uplo m n alpha a lda b ldb beta c ldc",
	routine.Syrk:  "Uplo TransA n k alpha a lda beta c ldc",
	routine.Syr2k: "Uplo TransA n k alpha a lda b ldb beta c ldc",
	routine.Trsm:  "Side Uplo TransA Diag m n alpha a lda b ldb",
	routine.Gemv:  "TransA m n alpha a lda x incx beta y incy",
	routine.Gbmv:  "TransA m n kl ku alpha a lda x incx beta y incy",
	routine.Symv:  "Uplo n alpha a lda x incx beta y incy",
	routine.Sbmv:  "Uplo n k alpha a lda x incx beta y incy",
	routine.Spmv:  "Uplo n alpha a x incx beta y incy",
	routine.Trmv:  "Uplo TransA Diag n a lda x incx",
	routine.Tbmv:  "Uplo TransA Diag n k a lda x incx",
	routine.Tpmv:  "Uplo TransA Diag n a x incx",
	routine.Ger:   "m n alpha x incx y incy a lda",
	routine.Syr:   "Uplo n alpha x incx a lda",
	routine.Syr2:  "Uplo n alpha x incx y incy a lda",
	routine.Spr:   "Uplo n alpha x incx a",
	routine.Spr2:  "Uplo n alpha x incx y incy a",
	routine.Axpy:  "n alpha x incx y incy",
	routine.Copy:  "n x incx y incy",
	routine.Scal:  "n alpha x incx",
	routine.Rot:   "n x incx y incy cosine sine",

	routine.Getrf: "m n a lda ipiv info",
	routine.Getrs: "TransA n nrhs a lda ipiv b ldb info",
	routine.Getri: "n a lda ipiv work lwork info",
	routine.Gesv:  "n nrhs a lda ipiv b ldb info",
	routine.Laswp: "n a lda k1 k2 ipiv incx",
	routine.Potrf: "Uplo n a lda info",
	routine.Lauum: "Uplo n a lda info",
	routine.Potri: "Uplo n a lda info",
	routine.Potrs: "Uplo n nrhs a lda b ldb info",
	routine.Posv:  "Uplo n nrhs a lda b ldb info",

	routine.SolverTrtri: "Uplo Diag n a lda info",
	routine.Sytrf:       "Uplo n a lda ipiv work lwork info",
	routine.Sytf2:       "Uplo n a lda ipiv info",
	routine.Lasyf:       "Uplo n nb kb a lda ipiv work ldwork info",

	routine.Geqrf: "m n a lda ipiv work lwork info",
	routine.Geqr2: "m n a lda ipiv work info",
	routine.Orgqr: "m n k a lda ipiv work lwork info",
	routine.Org2r: "m n k a lda ipiv work info",
	routine.Ormqr: "Side TransA m n k a lda ipiv c ldc work lwork info",
	routine.Orm2r: "Side TransA m n k a lda ipiv c ldc work info",
	routine.Orgtr: "Uplo n a lda ipiv work lwork info",
	routine.Ormtr: "Side Uplo TransA m n a lda ipiv c ldc work lwork info",
	routine.Orgbr: "Vect m n k a lda ipiv work lwork info",
	routine.Ormbr: "Vect Side TransA m n k a lda ipiv c ldc work lwork info",
	routine.Gels:  "TransA m n nrhs a lda b ldb work lwork info",
	routine.Larfg: "n c x incx tau",
	routine.Larf:  "Side m n x incx c a lda work",
	routine.Larft: "Direct Storev n k matv ldv tau matt ldt",
	routine.Larfb: "Side TransA Direct Storev m n k matv ldv matt ldt a lda work ldwork",
	routine.Lacgv: "n x incx",
	routine.Lasr:  "Side Pivot Direct m n vecc vecs a lda",

	routine.Sytrd: "Uplo n a lda vecd vece tau work lwork info",
	routine.Sytd2: "Uplo n a lda vecd vece tau info",
	routine.Latrd: "Uplo n k a lda vece tau matw ldw",
	routine.Gebrd: "m n a lda vecd vece tauq taup work lwork info",
	routine.Gebd2: "m n a lda vecd vece tauq taup work info",
	routine.Labrd: "m n k a lda vecd vece tauq taup matx ldx maty ldy",
	routine.Sygst: "itype Uplo n a lda b ldb info",

	routine.Syev:  "Evect Uplo n a lda vecd work lwork [rwork] info",
	routine.Syevd: "Evect Uplo n a lda vecd work lwork [rwork lwork] iwork lwork info",
	routine.Sygv:  "itype Evect Uplo n a lda b ldb vecd work lwork [rwork] info",
	routine.Sygvd: "itype Evect Uplo n a lda b ldb vecd work lwork [rwork lwork] iwork lwork info",
	routine.Syevx: "Evect Erange Uplo n a lda vl vu il iu abstol nev vecw matz ldz work lwork [rwork] iwork ifail info",
	routine.Sygvx: "itype Evect Erange Uplo n a lda b ldb vl vu il iu abstol nev vecw matz ldz work lwork [rwork] " +
		"iwork ifail info",
	routine.Sterf:  "n vecd vece info",
	routine.Steqr:  "Evect n vecd vece c ldc work info",
	routine.Stedc:  "Evect n vecd vece c ldc work lwork [rwork lwork] iwork lwork info",
	routine.Stebz:  "Erange Eorder n vl vu il iu abstol vecd vece nev nsplit vecw iblock isplit work iwork info",
	routine.Stein:  "n vecd vece nev vecw iblock isplit matz ldz work iwork ifail info",
	routine.Bdsqr:  "Uplo n nv nu nc vecd vece matv ldv matu ldu c ldc work info",
	routine.Bdsvdx: "Uplo Svect Srange n vecd vece vl vu il iu nsv vecs matz ldz work iwork info",
	routine.Gesvd:  "LeftSvect RightSvect m n a lda vecs matu ldu matv ldv work lwork [rwork] info",
	routine.Gesvdx: "LeftSvect RightSvect Srange m n a lda vl vu il iu nsv vecs matu ldu matv ldv work lwork [rwork] " +
		"iwork info",
}

// alike are families with the arguments of another one.
var alike = map[routine.FamilyID]routine.FamilyID{
	routine.Hemm: routine.Symm, routine.Herk: routine.Syrk, routine.Her2k: routine.Syr2k, routine.Hemv: routine.Symv,
	routine.Hbmv: routine.Sbmv, routine.Hpmv: routine.Spmv, routine.Trsv: routine.Trmv, routine.Tbsv: routine.Tbmv,
	routine.Tpsv: routine.Tpmv, routine.Geru: routine.Ger, routine.Gerc: routine.Ger, routine.Her: routine.Syr,
	routine.Her2: routine.Syr2, routine.Hpr: routine.Spr, routine.Hpr2: routine.Spr2, routine.Swap: routine.Copy,
	routine.RealScal: routine.Scal, routine.RealRot: routine.Rot,

	routine.Getf2: routine.Getrf, routine.Potf2: routine.Potrf, routine.Geqlf: routine.Geqrf,
	routine.Gelqf: routine.Geqrf, routine.Gerqf: routine.Geqrf, routine.Geql2: routine.Geqr2,
	routine.Gelq2: routine.Geqr2, routine.Gerq2: routine.Geqr2, routine.Orgql: routine.Orgqr,
	routine.Orglq: routine.Orgqr, routine.Org2l: routine.Org2r, routine.Orgl2: routine.Org2r,
	routine.Ormql: routine.Ormqr, routine.Ormlq: routine.Ormqr, routine.Orm2l: routine.Orm2r,
	routine.Orml2: routine.Orm2r, routine.Sygs2: routine.Sygst,
}

// slotNames are the names of slots in fortran.
var slotNames = map[string]routine.Slot{
	"m": routine.M, "n": routine.N, "k": routine.K, "nrhs": routine.NRHS, "kl": routine.KL, "ku": routine.KU,
	"nb": routine.NB, "kb": routine.KB, "k1": routine.K1, "k2": routine.K2, "nv": routine.NV, "nu": routine.NU,
	"nc": routine.NC, "il": routine.LowerIndex, "iu": routine.UpperIndex, "lda": routine.LDA, "ldb": routine.LDB,
	"ldc": routine.LDC, "ldv": routine.LDV, "ldt": routine.LDT, "ldw": routine.LDW, "ldx": routine.LDX,
	"ldy": routine.LDY, "ldu": routine.LDU, "ldz": routine.LDZ, "incx": routine.IncX, "incy": routine.IncY,
	"alpha": routine.Alpha, "beta": routine.Beta, "cosine": routine.Cosine, "sine": routine.Sine,
	"vl": routine.LowerBound, "vu": routine.UpperBound, "abstol": routine.Abstol, "a": routine.A, "b": routine.B,
	"c": routine.C, "x": routine.X, "y": routine.Y, "ipiv": routine.Ipiv, "info": routine.Info, "matv": routine.MatV,
	"matt": routine.MatT, "matw": routine.MatW, "matx": routine.MatX, "maty": routine.MatY, "matu": routine.MatU,
	"matz": routine.MatZ, "tau": routine.Tau, "tauq": routine.TauQ, "taup": routine.TauP, "vecd": routine.VecD,
	"vece": routine.VecE, "vecs": routine.VecS, "vecw": routine.VecW, "vecc": routine.VecC, "nev": routine.Nev,
	"nsv": routine.Nsv, "nsplit": routine.Nsplit, "iblock": routine.Iblock, "isplit": routine.Isplit,
	"ifail": routine.Ifail, "TransA": routine.TransA, "TransB": routine.TransB, "Side": routine.Side,
	"Uplo": routine.Uplo, "Diag": routine.Diag, "Vect": routine.Storev, "Storev": routine.Storev,
	"Direct": routine.Direct, "Pivot": routine.PivotMode, "Evect": routine.Evect, "Erange": routine.Erange,
	"Eorder": routine.Eorder, "Svect": routine.Svect, "Srange": routine.Srange, "LeftSvect": routine.LeftSvect,
	"RightSvect": routine.RightSvect, "itype": routine.Itype,
}

// characters are the values of enumerations in Fortran.
var characters = map[int64]byte{
	routine.OperationNone: 'N', routine.OperationTranspose: 'T', routine.OperationConjugateTranspose: 'C',
	routine.FillUpper: 'U', routine.FillLower: 'L', routine.DiagonalNonUnit: 'N', routine.DiagonalUnit: 'U',
	routine.SideLeft: 'L', routine.SideRight: 'R', routine.DirectForward: 'F', routine.DirectBackward: 'B',
	routine.StorevColumns: 'C', routine.StorevRows: 'R', routine.EvectOriginal: 'V', routine.EvectTridiagonal: 'I',
	routine.EvectNone: 'N', routine.SvectAll: 'A', routine.SvectSingular: 'S', routine.SvectOverwrite: 'O',
	routine.SvectNone: 'N', routine.ErangeAll: 'A', routine.ErangeValue: 'V', routine.ErangeIndex: 'I',
	routine.SrangeAll: 'A', routine.SrangeValue: 'V', routine.SrangeIndex: 'I', routine.EorderBlocks: 'B',
	routine.EorderEntire: 'E', routine.PivotVariable: 'V', routine.PivotTop: 'T', routine.PivotBottom: 'B',
}
