//go:build linux || darwin || freebsd

package nvidia

import "roclua/hip/routine"

// solverCalls are routine calls of solvers in every case of storage, shape and job.
var solverCalls = []call{
	{"rocsolver_dgeqr2", nil, false},
	{"rocsolver_dgeqlf", nil, false},
	{"rocsolver_zgelqf_batched", nil, false},
	{"rocsolver_zgerqf", nil, false},
	{"rocsolver_dgeqrf_strided_batched", nil, false},
	{"rocsolver_zungqr", nil, false},
	{"rocsolver_dorgql", nil, false},
	{"rocsolver_zunglq", nil, false},
	{"rocsolver_dormqr", nil, false},
	{"rocsolver_zunmql", nil, false},
	{"rocsolver_dormlq", nil, false},
	{"rocsolver_zunmlq", nil, false},
	{"rocsolver_zunmlq", slots{routine.Side: routine.SideLeft, routine.TransA: routine.OperationNone}, false},
	{"rocsolver_dormbr", slots{
		routine.Side: routine.SideLeft, routine.Storev: routine.StorevRows, routine.M: 1, routine.N: 6, routine.K: 2,
	}, false},
	{"rocsolver_dorgbr", nil, false},
	{"rocsolver_dorgbr", slots{
		routine.Storev: routine.StorevRows, routine.M: 3, routine.N: 9, routine.K: 0, routine.LDA: 3,
	}, false},
	{"rocsolver_zungtr", nil, false},
	{"rocsolver_dormtr", nil, false},
	{"rocsolver_zhetrd", nil, false},
	{"rocsolver_dsytrf_strided_batched", nil, false},
	{"rocsolver_dpotri", nil, false},
	{"rocsolver_dtrtri", slots{routine.Diag: routine.DiagonalNonUnit}, false},
	{"rocsolver_dlauum", nil, false},
	{"rocsolver_dpotf2", nil, false},
	{"rocsolver_dgetf2_npvt", nil, false},
	{"rocsolver_dgetri_npvt", nil, false},
	{"rocsolver_dgetri_outofplace", nil, false},
	{"rocsolver_dgetri_npvt_outofplace", nil, false},
	{"rocsolver_zlarfg", nil, false},
	{"rocsolver_dlarfg", slots{routine.N: 1}, false},
	{"rocsolver_dlaswp", nil, false},
	{"rocsolver_dlaswp", slots{routine.IncX: -1, routine.K1: 2, routine.K2: 5}, false},
	{"rocsolver_dlaswp", slots{routine.IncX: -2, routine.K1: 2, routine.K2: 5}, false},
	{"rocsolver_zlacgv", nil, false},
	{"rocsolver_zlacgv", slots{routine.IncX: -2}, false},
	{"rocsolver_dgebrd", slots{routine.M: 6, routine.N: 5}, false},
	{"rocsolver_zgebd2", slots{routine.M: 5, routine.N: 6}, false},
	{"rocsolver_zhegst", slots{routine.Itype: routine.EformAx, routine.Uplo: routine.FillUpper}, false},
	{"rocsolver_dsygs2", slots{routine.Itype: routine.EformAx, routine.Uplo: routine.FillLower}, false},
	{"rocsolver_zhegst", slots{routine.Itype: routine.EformBax, routine.Uplo: routine.FillUpper}, false},
	{"rocsolver_dsygs2", slots{routine.Itype: routine.EformBax, routine.Uplo: routine.FillLower}, false},
	{"rocsolver_zlarft", slots{
		routine.Direct: routine.DirectForward, routine.Storev: routine.StorevColumns, routine.N: 6, routine.K: 4,
	}, false},
	{"rocsolver_zlarft", slots{
		routine.Direct: routine.DirectForward, routine.Storev: routine.StorevRows, routine.N: 6, routine.K: 4,
	}, false},
	{"rocsolver_zlarft", slots{
		routine.Direct: routine.DirectBackward, routine.Storev: routine.StorevColumns, routine.N: 6, routine.K: 4,
	}, false},
	{"rocsolver_zlarft", slots{
		routine.Direct: routine.DirectBackward, routine.Storev: routine.StorevRows, routine.N: 6, routine.K: 4,
	}, false},
	{"rocsolver_dlarf", slots{routine.Side: routine.SideLeft}, false},
	{"rocsolver_zlarf", slots{routine.Side: routine.SideRight}, false},
	{"rocsolver_dgels", slots{routine.M: 7, routine.N: 5, routine.TransA: routine.OperationNone}, false},
	{"rocsolver_zgels_strided_batched", slots{
		routine.M: 7, routine.N: 5, routine.TransA: routine.OperationConjugateTranspose,
	}, false},
	{"rocsolver_dgels", slots{routine.M: 5, routine.N: 7, routine.TransA: routine.OperationNone}, false},
	{"rocsolver_zgels_strided_batched", slots{
		routine.M: 5, routine.N: 7, routine.TransA: routine.OperationConjugateTranspose,
	}, false},
	{"rocsolver_dsyev", slots{routine.Evect: routine.EvectOriginal}, false},
	{"rocsolver_zheevd_batched", slots{routine.Evect: routine.EvectOriginal}, false},
	{"rocsolver_dsyevdj", slots{routine.Evect: routine.EvectOriginal}, false},
	{"rocsolver_dsyevj", slots{routine.Evect: routine.EvectOriginal}, false},
	{"rocsolver_zhegv", slots{routine.Evect: routine.EvectOriginal}, false},
	{"rocsolver_dsygvd", slots{routine.Evect: routine.EvectOriginal}, false},
	{"rocsolver_dsygvdj", slots{routine.Evect: routine.EvectOriginal}, false},
	{"rocsolver_zhegvj_strided_batched", slots{routine.Evect: routine.EvectOriginal}, false},
	{"rocsolver_dsyevj", slots{routine.Evect: routine.EvectNone, routine.Esort: routine.EsortNone}, false},
	{"rocsolver_dsyevdx", slots{
		routine.Erange: routine.ErangeAll, routine.Evect: routine.EvectOriginal, routine.LowerIndex: 2,
		routine.UpperIndex: 3,
	}, false},
	{"rocsolver_dsyevdx", slots{
		routine.Erange: routine.ErangeValue, routine.Evect: routine.EvectOriginal, routine.LowerIndex: 2,
		routine.UpperIndex: 3,
	}, false},
	{"rocsolver_dsyevdx", slots{
		routine.Erange: routine.ErangeIndex, routine.Evect: routine.EvectOriginal, routine.LowerIndex: 2,
		routine.UpperIndex: 3,
	}, false},
	{"rocsolver_zhegvx", slots{
		routine.Erange: routine.ErangeIndex, routine.Evect: routine.EvectNone, routine.LowerIndex: 2,
		routine.UpperIndex: 3,
	}, false},
	{"rocsolver_zgesvd", slots{
		routine.M: 7, routine.N: 5, routine.LeftSvect: routine.SvectAll, routine.RightSvect: routine.SvectSingular,
	}, false},
	{"rocsolver_zgesvd", slots{
		routine.M: 7, routine.N: 5, routine.LeftSvect: routine.SvectOverwrite, routine.RightSvect: routine.SvectNone,
	}, false},
	{"rocsolver_zgesvd", slots{
		routine.M: 7, routine.N: 5, routine.LeftSvect: routine.SvectNone, routine.RightSvect: routine.SvectOverwrite,
	}, false},
	{"rocsolver_zgesvd", slots{
		routine.M: 5, routine.N: 7, routine.LeftSvect: routine.SvectAll, routine.RightSvect: routine.SvectSingular,
	}, false},
	{"rocsolver_zgesvd", slots{
		routine.M: 5, routine.N: 7, routine.LeftSvect: routine.SvectOverwrite, routine.RightSvect: routine.SvectNone,
	}, false},
	{"rocsolver_zgesvd", slots{
		routine.M: 5, routine.N: 7, routine.LeftSvect: routine.SvectNone, routine.RightSvect: routine.SvectOverwrite,
	}, false},
	{"rocsolver_dgesdd_batched", nil, false},
	{"rocsolver_zgesvdj", slots{
		routine.M: 7, routine.N: 5, routine.LeftSvect: routine.SvectAll, routine.RightSvect: routine.SvectSingular,
	}, false},
	{"rocsolver_zgesvdj", slots{
		routine.M: 7, routine.N: 5, routine.LeftSvect: routine.SvectSingular, routine.RightSvect: routine.SvectAll,
	}, false},
	{"rocsolver_zgesvdj", slots{
		routine.M: 7, routine.N: 5, routine.LeftSvect: routine.SvectNone, routine.RightSvect: routine.SvectSingular,
	}, false},
	{"rocsolver_zgesvdj", slots{
		routine.M: 7, routine.N: 5, routine.LeftSvect: routine.SvectSingular,
		routine.RightSvect: routine.SvectSingular,
	}, false},
	{"rocsolver_zgesvdj", slots{
		routine.M: 7, routine.N: 5, routine.LeftSvect: routine.SvectNone, routine.RightSvect: routine.SvectNone,
	}, false},
	{"rocsolver_zgesvdj", slots{
		routine.M: 5, routine.N: 7, routine.LeftSvect: routine.SvectNone, routine.RightSvect: routine.SvectNone,
	}, false},
	{"rocsolver_zlarfb", slots{
		routine.Direct: routine.DirectForward, routine.Side: routine.SideLeft, routine.Storev: routine.StorevColumns,
	}, false},
	{"rocsolver_zlarfb", slots{
		routine.Direct: routine.DirectBackward, routine.Side: routine.SideLeft, routine.Storev: routine.StorevColumns,
	}, false},
	{"rocsolver_dlarfb", slots{routine.Storev: routine.StorevRows, routine.Direct: routine.DirectForward}, false},
	{"rocsolver_zlarfb", slots{routine.Side: routine.SideLeft, routine.TransA: routine.OperationTranspose}, false},
	{"rocsolver_zsteqr", slots{routine.Evect: routine.EvectOriginal, routine.N: 1}, false},
	{"rocsolver_dgetrf_64", nil, false},
	{"rocsolver_dgetf2_npvt_64", nil, false},
	{"rocsolver_dgetrs_strided_batched_64", nil, false},
	{"rocsolver_dpotrf_batched_64", nil, false},
	{"rocsolver_dpotrs_64", nil, false},
	{"rocsolver_zgeqrf_64", nil, false},
	{"rocsolver_dlarf_64", nil, false},
	{"rocsolver_zlacgv_64", nil, false},
	{"rocsolver_dsterf", nil, false},
	{"rocsolver_zsteqr", slots{routine.Evect: routine.EvectOriginal}, false},
	{"rocsolver_zsteqr", slots{routine.Evect: routine.EvectTridiagonal}, false},
	{"rocsolver_zsteqr", slots{routine.Evect: routine.EvectNone}, false},
	{"rocsolver_zbdsqr", slots{routine.Uplo: routine.FillUpper}, false},
	{"rocsolver_dbdsqr", slots{routine.N: 4, routine.NV: 0, routine.NU: 0, routine.NC: 0}, false},
}

// bidiagonalProducts are products with either matrix of a bidiagonal reduction, from either side, with fewer
// reflections than the order and with more.
func bidiagonalProducts() (list []call) {
	for _, side := range []int64{routine.SideLeft, routine.SideRight} {
		for _, stored := range []int64{routine.StorevColumns, routine.StorevRows} {
			for _, k := range []int64{2, 9} {
				list = append(list, call{"rocsolver_zunmbr", slots{
					routine.Side: side, routine.Storev: stored, routine.M: 5, routine.N: 6, routine.K: k,
				}, false})
			}
		}
	}
	return list
}
