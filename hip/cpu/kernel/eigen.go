package kernel

import (
	"math"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/lapack"
	"roclua/hip/routine"
)

func (p *problem[T]) vectors() bool { return p.args.Int(routine.Evect) == routine.EvectOriginal }

// syev computes all eigenvalues. Some families have no array for the other diagonal.
func syev[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, w, e := p.matrix(routine.A, n, n), p.reals(routine.VecD, n), p.reals(routine.VecE, n)
	values, rest := make([]float64, n), make([]float64, n)
	info := lapack.Heev(p.vectors(), p.uplo(), n, a, values, rest)
	w.store(values)
	e.store(rest)
	p.setUnconverged(info)
}

// setUnconverged stores info: the number of elements that did not converge, or 1 for families that do not count them.
func (p *problem[T]) setUnconverged(count int) {
	switch p.args.Routine.Family.ID {
	case routine.Syevdj, routine.Sygvdj, routine.Gesdd:
		count = min(count, 1)
	}
	p.setInfo(count)
}

func syevj[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, w := p.matrix(routine.A, n, n), p.reals(routine.VecW, n)
	values := make([]float64, n)
	sorted := p.args.Int(routine.Esort) != routine.EsortNone
	done := lapack.Heevj(sorted, p.vectors(), p.uplo(), n, a, p.args.Real(routine.Abstol), p.int(routine.MaxSweeps),
		values)
	w.store(values)
	p.finishSweeps(done)
}

// finishSweeps stores the results of Jacobi's methods.
func (p *problem[T]) finishSweeps(done lapack.Sweeps) {
	p.setReal(routine.Residual, done.Residual)
	p.setInt(routine.Sweeps, done.Count)
	p.setInfo(done.Info)
}

// syevx computes all eigenvalues and stores the ones in the range.
func syevx[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, w := p.matrix(routine.A, n, n), p.reals(routine.VecW, n)
	z, failed := blas.Matrix[T]{}, []int32(nil)
	columns := 0
	if p.vectors() {
		columns = p.columns(routine.MatZ)
		z, failed = p.matrix(routine.MatZ, n, columns), array[int32](p, routine.Ifail, int64(n))
	}
	values := make([]float64, n)
	info := lapack.Heev(p.vectors(), p.uplo(), n, a, values, make([]float64, n))
	from, to := p.rangeOf(values)
	w.store(values[from:to])
	if p.vectors() {
		blas.CopyMatrix(n, min(columns, to-from), a.From(0, from), z)
		nameFirst(failed[:min(to-from, len(failed))], info) // some families have no ifail
	}
	p.setInt(routine.Nev, to-from)
	p.setInfo(info)
}

// syevxInPlace stores the vectors of the range in the first columns of A.
func syevxInPlace[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, w := p.matrix(routine.A, n, n), p.reals(routine.VecW, n)
	values := make([]float64, n)
	info := lapack.Heev(p.vectors(), p.uplo(), n, a, values, make([]float64, n))
	from, to := p.rangeOf(values)
	w.store(values[from:to])
	if p.vectors() {
		blas.CopyMatrix(n, to-from, a.From(0, from), a)
	}
	p.setInt(routine.Nev, to-from)
	p.setInfo(info)
}

// general returns the body of a generalized problem. It reduces the problem to a standard one, which another body
// computes, and converts the vectors. If B is not positive definite, the eigenvalues are NaN, and A is not changed.
func general[T blas.Number](standard body[T]) body[T] {
	return func(p *problem[T]) {
		n := p.int(routine.N)
		a, b := p.matrix(routine.A, n, n), p.matrix(routine.B, n, n)
		form := problemForms[p.args.Int(routine.Itype)]
		if at := lapack.Potrf(p.uplo(), n, b); at != 0 {
			p.notDefinite(n, at)
			return
		}
		lapack.Sygst(form == lapack.AxBx, p.uplo(), n, a, b)
		standard(p)
		if !p.vectors() {
			return
		}
		z, columns := a, n
		if _, ok := p.args.Routine.ParamAt(routine.MatZ); ok {
			columns = min(p.columns(routine.MatZ), int(array[int32](p, routine.Nev, 1)[0]))
			z = p.matrix(routine.MatZ, n, columns)
		}
		if columns > 0 {
			lapack.FromStandard(form, p.uplo(), n, columns, b, z)
		}
	}
}

var problemForms = map[int64]lapack.Problem{
	routine.EformAx: lapack.AxBx, routine.EformAbx: lapack.ABx, routine.EformBax: lapack.BAx,
}

// notDefinite stores the results of a generalized problem whose B has a leading minor that is not positive.
func (p *problem[T]) notDefinite(n, at int) {
	values := make([]float64, n)
	for i := range values {
		values[i] = math.NaN()
	}
	for _, s := range []routine.Slot{routine.VecD, routine.VecW, routine.VecE} {
		p.reals(s, n).store(values)
	}
	p.setReal(routine.Residual, math.NaN())
	p.setInt(routine.Sweeps, 0)
	p.setInt(routine.Nev, 0)
	p.setInfo(n + at)
}

func sygst[T blas.Number](p *problem[T]) {
	n := p.int(routine.N)
	a, b := p.matrix(routine.A, n, n), p.matrix(routine.B, n, n)
	lapack.Sygst(p.args.Int(routine.Itype) == routine.EformAx, p.uplo(), n, a, b)
}
