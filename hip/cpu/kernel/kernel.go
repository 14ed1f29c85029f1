// Package kernel computes the routines of the table on the memory of the simulated device.
//
// A kernel receives its arguments and its workspace, and does not depend on handles. It may use the memory that its
// arguments name and its workspace; package cpu gives it no other memory. Kernels work in the workspace where the
// library's kernels do.
//
// Each family has at most one kernel, in a table indexed by its ID; one kernel may serve several families, whose
// attributes it reads from the table of routines. A family without a kernel is not computed on the simulated device.
package kernel

import (
	"cmp"
	"fmt"
	"sync"
	"time"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// Run computes one call.
func Run(l *driver.Launch, mem Memory) error {
	switch computedIn(l.Args) {
	case routine.DatatypeF32, routine.DatatypeF16, routine.DatatypeBF16:
		return runAs(float32Kernels(), l, mem)
	case routine.DatatypeF64, routine.DatatypeI32:
		return runAs(float64Kernels(), l, mem)
	case routine.DatatypeF32C:
		return runAs(complex64Kernels(), l, mem)
	case routine.DatatypeF64C:
		return runAs(complex128Kernels(), l, mem)
	}
	return driver.Faultf(driver.ErrorNotSupported, "%s has no kernel for datatype %d",
		l.Args.Routine.CName(), computedIn(l.Args))
}

// computedIn returns the datatype that a call computes in.
func computedIn(a *routine.Args) int64 {
	if a.Routine.Type != routine.Mixed {
		return a.Routine.Type.Datatype()
	}
	if a.Routine.Has(routine.ExecutionType) {
		return a.Int(routine.ExecutionType)
	}
	return a.Int(routine.ComputeType)
}

// runAs computes the problems of a batch.
func runAs[T blas.Number](kernels *table[T], l *driver.Launch, mem Memory) error {
	compute := kernels.bodies[l.Args.Routine.Family.ID]
	if l.Args.Empty() {
		compute = (*problem[T]).zero
	}
	if compute == nil {
		return driver.Faultf(driver.ErrorNotSupported, "%s has no kernel", l.Args.Routine.CName())
	}
	p := kernels.problem()
	defer kernels.idle.Put(p)
	p.launch, p.args, p.mem = l, l.Args, mem
	if err := p.run((*problem[T]).readScalars); err != nil {
		return err
	}
	return p.batch(compute)
}

// leastShared is the time from which several threads compute the problems of a batch: starting goroutines takes less.
const leastShared = 20 * time.Microsecond

// batch computes the problems of a batch, beginning with p. The time of the first one decides whether several threads
// compute the others. It returns the error of the first problem that has one.
func (p *problem[T]) batch(compute body[T]) error {
	count := p.args.Batch()
	if count == 0 || p.mem.GivenUp() {
		return nil
	}
	if count == 1 {
		return p.run(compute)
	}
	rest, start := *p, time.Now()
	if err := p.run(compute); err != nil {
		return err
	}
	threads := blas.Threads()
	if time.Since(start)*time.Duration(count-1) < leastShared {
		threads = 1
	}
	return rest.share(threads, compute, count-1)
}

// share computes the problems 1 to count on some threads. It computes several at once, so that a short problem does
// not wait for a thread.
func (p *problem[T]) share(threads int, compute body[T], count int64) error {
	part := max(1, count/int64(8*threads))
	parts := (count + part - 1) / part
	errs := make([]error, parts)
	blas.Parallel(threads, int(parts), func(i int) {
		q := *p
		from := 1 + int64(i)*part
		for q.index = from; q.index < min(from+part, count+1) && errs[i] == nil && !p.mem.GivenUp(); q.index++ {
			errs[i] = q.run(compute)
		}
	})
	return cmp.Or(errs...)
}

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

// Has reports whether a routine has a kernel.
func Has(r *routine.Routine) bool { return float64Kernels().bodies[r.Family.ID] != nil }

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
		{getrf[T], families{routine.Getrf, routine.GetrfNpvt, routine.Getf2, routine.Getf2Npvt, routine.GetrfInfo32,
			routine.GetrfNpvtInfo32}},
		{getrs[T], families{routine.Getrs}},
		{getri[T], families{routine.Getri, routine.GetriNpvt}},
		{gesv[T], families{routine.Gesv}},
		{gesvOutOfPlace[T], families{routine.GesvOutOfPlace}},
		{laswp[T], families{routine.Laswp}},
		// Cholesky
		{onTriangle(lapack.Potri[T]), families{routine.Potri}},
		{lauum[T], families{routine.Lauum}},
		{onTriangle(lapack.Potrf[T]), families{routine.Potrf, routine.Potf2, routine.PotrfInfo32}},
		{potrs[T], families{routine.Potrs}},
		{posv[T], families{routine.Posv}},
		// Indefinite matrices
		{sytrf[T], families{routine.Sytrf, routine.Sytf2}},
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
		{syevx[T], families{routine.Syevx, routine.Syevdx, routine.SyevdxInPlace}},
		{general(syevx[T]), families{routine.Sygvx, routine.Sygvdx, routine.SygvdxInPlace}},
		// Singular values
		{bdsvdx[T], families{routine.Bdsvdx}},
		{gesvdx[T], families{routine.Gesvdx, routine.GesvdxNotTransposed}},
		{gesvd[T], families{routine.Gesvd, routine.Gesdd}},
		{gesvdj[T], families{routine.Gesvdj, routine.GesvdjNotTransposed}},
		{bdsqr[T], families{routine.Bdsqr}},
	}
}
