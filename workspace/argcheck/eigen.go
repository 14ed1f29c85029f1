package argcheck

import "roclua/hip/routine"

func eigen() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Sygs2:  standard,
		routine.Sygst:  standard,
		routine.Syev:   eigenvectors,
		routine.Syevd:  eigenvectors,
		routine.Syevj:  jacobi,
		routine.Syevdj: eigenvectors,
		routine.Sygv:   eigenvectors,
		routine.Sygvd:  eigenvectors,
		routine.Sygvj:  jacobi,
		routine.Sygvdj: eigenvectors,
		routine.Syevx:  rangeChecks,
		routine.Syevdx: rangeChecks,
		routine.Sygvx:  rangeChecks,
		routine.Sygvdx: rangeChecks,

		routine.SyevdxInPlace: rangeChecks,
		routine.SygvdxInPlace: rangeChecks,
	}
}

var badEigenIndices = badIndices(routine.Erange, routine.ErangeIndex, n)

// badFullEvect holds for a job that computes no eigenvectors of a full matrix.
var badFullEvect = notOneOf(routine.Evect, routine.EigenvectorJob, routine.EvectOriginal, routine.EvectNone)

// eigenvectors checks a routine that computes the eigenvectors of a full matrix, if any.
var eigenvectors = solverChecks{special: []condition{badFullEvect}}.rules

// perProblem are arrays of Jacobi methods with one number for each problem, needed unless the batch is empty.
var perProblem = []condition{null(routine.Residual).unless(zero(batchCount)),
	null(routine.Sweeps).unless(zero(batchCount))}

// jacobi checks a routine that computes eigenvalues by a Jacobi method.
var jacobi = solverChecks{sizes: []condition{none(routine.MaxSweeps)},
	special: append(perProblem, badFullEvect)}.rules

// rangeChecks checks a routine that computes the eigenvalues in a range.
func rangeChecks(o operands) []rule {
	rows := func(a *routine.Args) int64 { return a.Int(n) }
	sizes := []condition{ldBelow(routine.LDA, rows), emptyInterval, badEigenIndices}
	if _, ok := o.r.ParamAt(routine.MatZ); ok {
		sizes = append(sizes, ldWhenVectors(routine.LDZ))
	}
	if _, ok := o.r.ParamAt(matB); ok {
		sizes = append(sizes, ldBelow(routine.LDB, rows))
	}
	return solverChecks{freeLD: true, sizes: sizes, special: []condition{badFullEvect,
		null(routine.Nev).unless(zero(batchCount)), wantedVectors(routine.MatZ), wantedVectors(routine.Ifail),
	}}.rules(o)
}

// ldWhenVectors holds for a leading dimension below n when eigenvectors are computed.
func ldWhenVectors(ld routine.Slot) condition {
	return ldBelow(ld, func(a *routine.Args) int64 {
		if a.Int(routine.Evect) == routine.EvectNone {
			return a.Int(ld)
		}
		return a.Int(n)
	})
}

// wantedVectors holds for a null array of eigenvectors that are computed.
func wantedVectors(array routine.Slot) condition {
	return nullIf(array, func(a *routine.Args) bool {
		return a.Int(routine.Evect) != routine.EvectNone && a.Int(n) != 0
	})
}

// The reduction to tridiagonal form, and eigenvalues of tridiagonal matrices.
func tridiagonal() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Latrd: solverChecks{sizes: []condition{negative(k), exceeds(k, n)},
			special: []condition{quadratic(routine.VecE), quadratic(routine.Tau)}}.rules,
		routine.Sytd2: standard,
		routine.Sytrd: standard,
		routine.Sterf: standard,
		routine.Steqr: tridiagonalVectors,
		routine.Stedc: tridiagonalVectors,
		routine.Stebz: solverChecks{sizes: []condition{emptyInterval, badEigenIndices}}.rules,
		routine.Stein: solverChecks{special: []condition{quadratic(routine.VecE)}}.rules,
	}
}

// tridiagonalVectors checks a routine that multiplies C by the eigenvectors of a tridiagonal matrix.
var tridiagonalVectors = solverChecks{freeLD: true, sizes: []condition{ldWhenVectors(routine.LDC)},
	special: []condition{wantedVectors(matC)}}.rules
