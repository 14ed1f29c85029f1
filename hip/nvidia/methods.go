package nvidia

import (
	"fmt"
	"sync"

	"roclua/hip/driver"
	"roclua/hip/routine"
)

// method is how the routines of a family are computed.
type method struct {
	by  string // the functions that compute a routine, for documentation: a pattern for spell
	run func(*execution)
	// needs returns the workspace of a call; nil for methods that ask for workspace when they run.
	needs func(*gpu, *routine.Args) driver.Needs
}

// row is the method of families.
type row struct {
	families []routine.FamilyID
	method
}

func of(families ...routine.FamilyID) []routine.FamilyID { return families }

// Notes on methods.
const (
	reversed    = " for the matrix in reverse order"
	adjoined    = " for the adjoint matrix"
	noOffDiag   = "; e is set to zeros"
	unreported  = "; residual and n_sweeps are set to zero, because they are not known in the stream"
	mixedLimits = ", which computes 16-bit numbers in float; other combinations of datatypes are not implemented"
)

// rows has the methods of routines without a function of cuBLAS that has the same parameters.
func rows() []row {
	return []row{
		// Vectors and products whose datatypes are arguments.
		{of(routine.DotEx), reductionMethod("cublasDotEx")},
		{of(routine.DotcEx), reductionMethod("cublasDotcEx")},
		{of(routine.Nrm2Ex), reductionMethod("cublasNrm2Ex")},
		{of(routine.AxpyEx), axpyMethod},
		{of(routine.ScalEx), scaledMethod("cublasScalEx", routine.X)},
		{of(routine.RotEx), method{"cublasRotEx" + mixedLimits, rotEx, noNeeds}},
		{of(routine.GemmEx), method{"cublasGemmEx in d, into which c is copied; 8-bit factors need leading " +
			"dimensions that are multiples of 4", gemmEx, directNeeds}},
		{of(routine.TrsmEx), method{"cublas's trsm_v2 of the compute type; supplied inverses are not used", trsmEx,
			directNeeds}},

		// Products and inverses that cuBLAS lacks.
		{of(routine.Gemmt),
			method{by: "cublas<t>gemm_v2 in a copy of C, and a copy of one triangle back", run: gemmt}},
		{of(routine.Trtri), method{by: "cublas<t>trsm_v2 for the identity; cusolverDnXtrtri in place", run: trtri}},
		{of(routine.SolverTrtri), method{by: "cusolverDnXtrtri", run: solverTrtri}},

		// Factorizations, solutions and inverses.
		{of(routine.Getrf, routine.Getf2, routine.GetrfNpvt, routine.Getf2Npvt),
			method{by: "cusolverDn<t>getrf; cublas<t>getrfBatched for small ones and batches", run: getrf}},
		{of(routine.Getrs), method{by: "cusolverDn<t>getrs; cublas<t>getrsBatched for batches", run: getrs}},
		{of(routine.Gesv), solverMethod("; B is overwritten also if the matrix is singular",
			step{name: "cusolverDn<t>getrf", args: []routine.Slot{routine.N, routine.N, routine.A, routine.LDA},
				after: []routine.Slot{routine.Ipiv}, scratch: uncounted},
			step{name: "cusolverDn<t>getrs", args: getrsArgs(zero), scratch: noScratch})},
		{of(routine.Getri, routine.GetriOutOfPlace), method{by: "cusolverDn<t>getrs" + inverseNote, run: getri}},
		{of(routine.GetriNpvt, routine.GetriNpvtOutOfPlace), method{by: "cublas<t>trsm_v2" + inverseNote, run: getri}},
		{of(routine.Laswp), method{by: "cusolverDn<t>laswp, with a copy of pivots that are not adjacent", run: laswp}},
		{of(routine.Potrf, routine.Potf2), method{by: "cusolverDn<t>potrf; cusolverDn<t>potrfBatched for small batches",
			run: potrf}},
		{of(routine.Potrs), solverMethod("", potrsStep)},
		{of(routine.Posv), solverMethod("", potrfStep, potrsStep)},
		{of(routine.Potri), solverMethod("", step{name: "cusolverDn<t>potri", args: potrfStep.args})},
		{of(routine.Lauum), solverMethod("", step{name: "cusolverDn<t>lauum", args: potrfStep.args})},
		{of(routine.Sytrf, routine.Sytf2), solverMethod("", step{name: "cusolverDn<t>sytrf",
			args:    []routine.Slot{routine.Uplo, routine.N, routine.A, routine.LDA, routine.Ipiv},
			sizedBy: []routine.Slot{routine.N, routine.A, routine.LDA}})},

		// Orthogonal factorizations, and products with their matrices.
		{of(routine.Geqrf, routine.Geqr2), factorMethod(qrOrder, "")},
		{of(routine.Geqlf, routine.Geql2), factorMethod(qlOrder, reversed)},
		{of(routine.Gelqf, routine.Gelq2), factorMethod(lqOrder, adjoined)},
		{of(routine.Gerqf, routine.Gerq2), factorMethod(rqOrder, adjoined+" in reverse order")},
		{of(routine.Orgqr, routine.Org2r), formMethod(qrOrder, "")},
		{of(routine.Orgql, routine.Org2l), formMethod(qlOrder, reversed)},
		{of(routine.Orglq, routine.Orgl2), formMethod(lqOrder, adjoined)},
		{of(routine.Ormqr, routine.Orm2r), multiplyMethod(ordered(qrOrder), "")},
		{of(routine.Ormql, routine.Orm2l), multiplyMethod(ordered(qlOrder), " for the matrices in reverse order")},
		{of(routine.Ormlq, routine.Orml2), multiplyMethod(ordered(lqOrder), adjoined)},
		{of(routine.Ormbr), multiplyMethod(bidiagonalProduct, "")},
		{of(routine.Orgbr), method{by: "cusolverDn<or>gbr", run: bidiagonalFactor}},
		{of(routine.Orgtr), solverMethod("", step{name: "cusolverDn<or>gtr",
			args: []routine.Slot{routine.Uplo, routine.N, routine.A, routine.LDA, routine.Ipiv}})},
		{of(routine.Ormtr), solverMethod("", step{name: "cusolverDn<or>mtr",
			args: []routine.Slot{routine.Side, routine.Uplo, routine.TransA, routine.M, routine.N, routine.A,
				routine.LDA, routine.Ipiv, routine.C, routine.LDC}})},
		{of(routine.Larfg), method{by: "cusolverDn<t>geqrf of a matrix with one column", run: larfg}},
		{of(routine.Lacgv), lacgvMethod},
		{of(routine.Larf), larfMethod},
		{of(routine.Larft), method{by: "cusolverDnXlarft, for the adjoint matrix or in reverse order if needed",
			run: larft}},
		{of(routine.Larfb), method{by: "cublas<t>gemm_v2 and cublas<t>trmm_v2, with a copy of V that has its ones " +
			"and zeros", run: larfb}},
		{of(routine.Gels), method{by: "cusolverDn<t>geqrf and cusolverDn<or>mqr, cublas<t>trsm_v2, and " +
			"cusolverDnXtrtri for info; B is overwritten also if the matrix does not have full rank", run: gels}},

		// Eigenvalues of symmetric matrices, and the reduction of generalized problems to standard form.
		{of(routine.Syev, routine.Syevd), divideMethod(standard, noOffDiag)},
		{of(routine.Sygv, routine.Sygvd), divideMethod(generalized, noOffDiag)},
		{of(routine.Syevdj), divideMethod(standard, "")},
		{of(routine.Sygvdj), divideMethod(generalized, "")},
		{of(routine.Syevj), jacobiMethod(standard)},
		{of(routine.Sygvj), jacobiMethod(generalized)},
		{of(routine.Syevx), partialMethod(standard, ", by divide and conquer")},
		{of(routine.Sygvx), partialMethod(generalized, ", by divide and conquer")},
		{of(routine.Syevdx), partialMethod(standard, "")},
		{of(routine.Sygvdx), partialMethod(generalized, "")},
		{of(routine.Sygst, routine.Sygs2), method{by: "cublas<t>trsm_v2 or trmm_v2 for a copy of both triangles of A",
			run: sygst}},
		{of(routine.Sytrd, routine.Sytd2), solverMethod("", step{name: "cusolverDn<sy>trd",
			args: []routine.Slot{routine.Uplo, routine.N, routine.A, routine.LDA, routine.VecD, routine.VecE,
				routine.Tau}})},
		{of(routine.Sterf, routine.Steqr, routine.Stedc),
			method{by: "cusolverDn<sy>evd of the dense matrix", run: steqr}},

		// Singular values.
		{of(routine.Gesvd), method{by: gesvdFunction + noOffDiag, run: gesvd}},
		{of(routine.Gesdd), method{by: gesvdFunction, run: gesvd}},
		{of(routine.Gesvdj), method{by: "cusolverDn<t>gesvdj, with its own tolerance" + unreported, run: gesvdj}},
		{of(routine.Bdsqr), method{by: "cusolverDn<t>gesvd of the dense matrix", run: bdsqr}},
		{of(routine.Gebrd, routine.Gebd2), method{by: "cusolverDn<t>gebrd, for the adjoint matrix if it has more " +
			"columns than rows", run: gebrd}},
	}
}

const (
	inverseNote   = " for the identity, and cusolverDnXtrtri for info"
	gesvdFunction = "cusolverDn<t>gesvd, for the adjoint matrix if it has more columns than rows"
)

// wideRows has the methods of the 64-bit forms of solvers: cuSOLVER has functions with 64-bit integers for all
// datatypes.
func wideRows() []row {
	return []row{
		{of(routine.Getrf, routine.Getf2, routine.GetrfNpvt, routine.Getf2Npvt),
			solverMethod("", step{name: "cusolverDnXgetrf", args: []routine.Slot{routine.M, routine.N, elementType,
				routine.A, routine.LDA, routine.Ipiv, elementType}, sizedBy: []routine.Slot{routine.M, routine.N,
				elementType, routine.A, routine.LDA, elementType}, scratch: hostScratch, options: true})},
		{of(routine.Getrs), solverMethod("", step{name: "cusolverDnXgetrs", args: []routine.Slot{routine.TransA,
			routine.N, routine.NRHS, elementType, routine.A, routine.LDA, routine.Ipiv, elementType, routine.B,
			routine.LDB}, scratch: noScratch, options: true})},
		{of(routine.Potrf, routine.Potf2), solverMethod("", step{name: "cusolverDnXpotrf",
			args:    []routine.Slot{routine.Uplo, routine.N, elementType, routine.A, routine.LDA, elementType},
			scratch: hostScratch, options: true})},
		{of(routine.Potrs), solverMethod("", step{name: "cusolverDnXpotrs", args: []routine.Slot{routine.Uplo,
			routine.N, routine.NRHS, elementType, routine.A, routine.LDA, elementType, routine.B, routine.LDB},
			scratch: noScratch, options: true})},
		{of(routine.Geqrf, routine.Geqr2), solverMethod("", step{name: "cusolverDnXgeqrf", args: []routine.Slot{
			routine.M, routine.N, elementType, routine.A, routine.LDA, elementType, routine.Ipiv, elementType},
			scratch: hostScratch, options: true})},
		{of(routine.Lacgv), lacgvMethod},
		{of(routine.Larf), larfMethod},
	}
}

var (
	// halfDot is dot of 16-bit numbers, axpyMethod axpy_ex and haxpy: cuBLAS has no functions for only these types.
	halfDot    = reductionMethod("cublasDotEx")
	axpyMethod = scaledMethod("cublasAxpyEx", routine.X, routine.Y)

	// complexSpr is spr of complex numbers, which cuBLAS has only for matrices that are not packed.
	complexSpr = method{by: "cublas<t>syr_v2 in an unpacked copy of A", run: spr}

	lacgvMethod = method{"cublas's scal_v2 of real numbers, which negates the imaginary parts", lacgv, noNeeds}
	larfMethod  = method{by: "cublas<t>gemv_v2 and cublas<ger>_v2", run: larf}
)

// exceptions are the methods of types that cuBLAS lacks in a family.
var exceptions = map[routine.FamilyID]map[routine.Type]*method{
	routine.Axpy: {routine.TypeH: &axpyMethod},
	routine.Dot:  {routine.TypeH: &halfDot, routine.TypeBF: &halfDot},
	routine.Spr:  {routine.TypeC: &complexSpr, routine.TypeZ: &complexSpr},
}

// byRoutine holds the method of every routine by its index; nil if it is not computed.
var byRoutine = sync.OnceValue(func() []*method {
	methods, wide := join(append(directRows(), rows()...)), join(wideRows())
	list := make([]*method, routine.Count())
	for _, r := range routine.All() {
		switch other, ok := exceptions[r.Family.ID][r.Type]; {
		case r.Wide && r.Library == routine.RocSOLVER:
			list[r.Index] = wide[r.Family.ID]
		case ok:
			list[r.Index] = other
		default:
			list[r.Index] = methods[r.Family.ID]
		}
	}
	return list
})

// join collects methods by family. It panics if a family has two.
func join(list []row) map[routine.FamilyID]*method {
	all := map[routine.FamilyID]*method{}
	for i := range list {
		for _, id := range list[i].families {
			if all[id] != nil {
				panic(fmt.Sprintf("hip/nvidia: %s has two methods", id))
			}
			all[id] = &list[i].method
		}
	}
	return all
}

// methodOf returns how a routine is computed, or why it is not.
func methodOf(r *routine.Routine) (how *method, reason string) {
	if how = byRoutine()[r.Index]; how == nil {
		return nil, "cuBLAS and cuSOLVER have no function for " + r.Name
	}
	return how, ""
}
