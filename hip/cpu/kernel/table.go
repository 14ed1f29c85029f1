package kernel

import (
	"fmt"
	"sync"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

// table holds the body of every family by its ID; nil for a family without a kernel.
type table[T blas.Number] struct {
	bodies [routine.FamilyCount]body[T]
	idle   sync.Pool // of *problem[T], to be reused
}

// problem returns a problem without values. Its caller puts it back to idle when it is computed.
func (t *table[T]) problem() *problem[T] {
	if p, ok := t.idle.Get().(*problem[T]); ok {
		*p = problem[T]{}
		return p
	}
	return new(problem[T])
}

// The tables are made when they are first used.
var (
	float32Kernels    = sync.OnceValue(newTable[float32])
	float64Kernels    = sync.OnceValue(newTable[float64])
	complex64Kernels  = sync.OnceValue(newTable[complex64])
	complex128Kernels = sync.OnceValue(newTable[complex128])
)

// Has reports whether a routine has a kernel. Kernels of the solver have 32-bit sizes and indices.
func Has(r *routine.Routine) bool {
	return float64Kernels().bodies[r.Family.ID] != nil && !(r.Wide && r.Library == routine.RocSOLVER)
}

// newTable returns the table of the kernels. It panics if a family has two.
func newTable[T blas.Number]() *table[T] {
	all := new(table[T])
	for _, k := range kernels[T]() {
		for _, id := range k.families {
			if all.bodies[id] != nil {
				panic(fmt.Sprintf("hip/cpu/kernel: %s has two kernels", id))
			}
			all.bodies[id] = k.body
		}
	}
	return all
}

type families []routine.FamilyID

// entry is a kernel and the families that it computes.
type entry[T blas.Number] struct {
	body[T]
	families
}

// kernels returns all kernels.
func kernels[T blas.Number]() []entry[T] {
	return []entry[T]{
		// Level 1
		{asum[T], families{routine.Asum}},
		{nrm2[T], families{routine.Nrm2}},
		{dot[T], families{routine.Dot, routine.Dotu, routine.Dotc}},
		{extremum[T](false), families{routine.Iamax}},
		{extremum[T](true), families{routine.Iamin}},
		{axpy[T], families{routine.Axpy, routine.AxpyEx}},
		{onVectors(blas.CopyVector[T]), families{routine.Copy}},
		{onVectors(blas.SwapVectors[T]), families{routine.Swap}},
		{scal[T], families{routine.Scal, routine.RealScal, routine.ScalEx}},
		// Level 1 in any datatypes
		{dotEx[T], families{routine.DotEx, routine.DotcEx}},
		{nrm2Ex[T], families{routine.Nrm2Ex}},
		// Rotations
		{lasr[T], families{routine.Lasr}},
		{rot[T], families{routine.Rot, routine.RealRot, routine.RotEx}},
		{rotg[T], families{routine.Rotg}},
		{rotm[T], families{routine.Rotm}},
		{rotmg[T], families{routine.Rotmg}},
		// Level 2
		{gemv[T], families{routine.Gemv, routine.HalfGemv, routine.HalfSingleGemv}},
		{gbmv[T], families{routine.Gbmv}},
		{trmv[T], families{routine.Trmv, routine.Tpmv, routine.Tbmv}},
		{trsv[T], families{routine.Trsv, routine.Tpsv, routine.Tbsv}},
		{symv[T], families{routine.Symv, routine.Hemv, routine.Spmv, routine.Hpmv, routine.Sbmv, routine.Hbmv}},
		// Rank-1 and rank-k updates
		{ger[T], families{routine.Ger, routine.Geru, routine.Gerc}},
		{syr[T], families{routine.Syr, routine.Her, routine.Spr, routine.Hpr}},
		{syr2[T], families{routine.Syr2, routine.Her2, routine.Spr2, routine.Hpr2}},
		{rankK(blas.RankK[T]), families{routine.Syrk, routine.Herk, routine.Syrkx, routine.Herkx}},
		{rankK(blas.Rank2K[T]), families{routine.Syr2k, routine.Her2k}},
		// Level 3
		{gemmt[T], families{routine.Gemmt}},
		{gemm[T], families{routine.Gemm}},
		{symm[T], families{routine.Symm, routine.Hemm}},
		{trmm[T], families{routine.Trmm}},
		{trsm[T], families{routine.Trsm, routine.TrsmEx}},
		// Sums of matrices and products with diagonal matrices
		{dgmm[T], families{routine.Dgmm}},
		{geam[T], families{routine.Geam}},
		// Level 3 in any datatypes
		{gemmEx[T], families{routine.GemmEx}},
		{syrkEx[T], families{routine.SyrkEx}},
		{geamEx[T], families{routine.GeamEx}},
		// Inverses of triangular matrices
		{solverTrtri[T], families{routine.SolverTrtri}},
		{trtri[T], families{routine.Trtri}},
		// LU
		{getriOutOfPlace[T], families{routine.GetriOutOfPlace, routine.GetriNpvtOutOfPlace}},
		{getrf[T], families{routine.Getrf, routine.GetrfNpvt, routine.Getf2, routine.Getf2Npvt}},
		{getrs[T], families{routine.Getrs}},
		{getri[T], families{routine.Getri, routine.GetriNpvt}},
		{gesv[T], families{routine.Gesv}},
		{gesvOutOfPlace[T], families{routine.GesvOutOfPlace}},
		{laswp[T], families{routine.Laswp}},
		// Cholesky
		{potri[T], families{routine.Potri}},
		{lauum[T], families{routine.Lauum}},
		{potrf[T], families{routine.Potrf, routine.Potf2}},
		{potrs[T], families{routine.Potrs}},
		{posv[T], families{routine.Posv}},
		// Indefinite matrices
		{sytf2[T], families{routine.Sytf2}},
		{sytrf[T], families{routine.Sytrf}},
		{lasyf[T], families{routine.Lasyf}},
		// QR
		{factorInto[T](lapack.QR), families{routine.Geqrf, routine.GeqrfPointers, routine.Geqr2}},
		{factorInto[T](lapack.QL), families{routine.Geqlf, routine.Geql2}},
		{factorInto[T](lapack.LQ), families{routine.Gelqf, routine.Gelq2}},
		{factorInto[T](lapack.RQ), families{routine.Gerqf, routine.Gerq2}},
		// Orthogonal matrices
		{orgtr[T], families{routine.Orgtr}},
		{ormtr[T], families{routine.Ormtr}},
		{orgbr[T], families{routine.Orgbr}},
		{ormbr[T], families{routine.Ormbr}},
		{multiplyBy[T](lapack.QR), families{routine.Ormqr, routine.Orm2r}},
		{generate[T](lapack.QR), families{routine.Orgqr, routine.Org2r}},
		{multiplyBy[T](lapack.QL), families{routine.Ormql, routine.Orm2l}},
		{generate[T](lapack.QL), families{routine.Orgql, routine.Org2l}},
		{multiplyBy[T](lapack.LQ), families{routine.Ormlq, routine.Orml2}},
		{generate[T](lapack.LQ), families{routine.Orglq, routine.Orgl2}},
		// Least squares
		{gels[T], families{routine.Gels}},
		{gelsOutOfPlace[T], families{routine.GelsOutOfPlace}},
		// Reflectors
		{larfg[T], families{routine.Larfg}},
		{larf[T], families{routine.Larf}},
		{larft[T], families{routine.Larft}},
		{larfb[T], families{routine.Larfb}},
		{lacgv[T], families{routine.Lacgv}},
		// Tridiagonal matrices
		{stebz[T], families{routine.Stebz}},
		{stein[T], families{routine.Stein}},
		{steqr[T], families{routine.Sterf, routine.Steqr, routine.Stedc}},
		{sytrd[T], families{routine.Sytrd, routine.Sytd2}},
		{latrd[T], families{routine.Latrd}},
		// Bidiagonal matrices
		{gebrd[T], families{routine.Gebrd, routine.Gebd2}},
		{labrd[T], families{routine.Labrd}},
		// Block tridiagonal matrices
		{factorBlocks[T], families{routine.GeblttrfNpvt, routine.GeblttrfNpvtInterleaved}},
		{solveBlocks[T], families{routine.GeblttrsNpvt, routine.GeblttrsNpvtInterleaved}},
		// Eigenvalues
		{sygst[T], families{routine.Sygs2, routine.Sygst}},
		{syev[T], families{routine.Syev, routine.Syevd, routine.Syevdj}},
		{syevj[T], families{routine.Syevj}},
		{general(syev[T]), families{routine.Sygv, routine.Sygvd, routine.Sygvdj}},
		{general(syevj[T]), families{routine.Sygvj}},
		{syevx[T], families{routine.Syevx, routine.Syevdx}},
		{general(syevx[T]), families{routine.Sygvx, routine.Sygvdx}},
		{syevxInPlace[T], families{routine.SyevdxInPlace}},
		{general(syevxInPlace[T]), families{routine.SygvdxInPlace}},
		// Singular values
		{bdsvdx[T], families{routine.Bdsvdx}},
		{gesvdx[T], families{routine.Gesvdx, routine.GesvdxNotTransposed}},
		{gesvd[T], families{routine.Gesvd, routine.Gesdd}},
		{gesvdj[T], families{routine.Gesvdj}},
		{gesvdjNotTransposed[T], families{routine.GesvdjNotTransposed}},
		{bdsqr[T], families{routine.Bdsqr}},
	}
}
