package argcheck

import "roclua/hip/routine"

func eigen() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Sygs2: solverChecks{enums: []condition{badForm, badUplo}, dims: square}.rules,
		routine.Sygst: solverChecks{enums: []condition{badForm, badUplo}, dims: square}.rules,
		routine.Syev:  solverChecks{enums: []condition{badFullEvect, badUplo}, dims: square}.rules,
		routine.Syevd: solverChecks{enums: []condition{badFullEvect, badUplo}, dims: square}.rules,
		routine.Syevj: solverChecks{enums: []condition{badEsort, badFullEvect, badUplo}, dims: square,
			sizes: []condition{none(routine.MaxSweeps)}, needed: perProblem}.rules,
		routine.Syevdj: solverChecks{enums: []condition{badFullEvect, badUplo}, dims: square}.rules,
		routine.Sygv:   solverChecks{enums: []condition{badForm, badFullEvect, badUplo}, dims: square}.rules,
		routine.Sygvd:  solverChecks{enums: []condition{badForm, badFullEvect, badUplo}, dims: square}.rules,
		routine.Sygvj: solverChecks{enums: []condition{badForm, badFullEvect, badUplo}, dims: square,
			sizes: []condition{none(routine.MaxSweeps)}, needed: perProblem}.rules,
		routine.Sygvdj: solverChecks{enums: []condition{badForm, badFullEvect, badUplo}, dims: square}.rules,
		routine.Syevx:  rangeChecks(badFullEvect, badErange, badUplo),
		routine.Syevdx: rangeChecks(badFullEvect, badErange, badUplo),
		routine.Sygvx:  rangeChecks(badForm, badFullEvect, badErange, badUplo),
		routine.Sygvdx: rangeChecks(badForm, badFullEvect, badErange, badUplo),
	}
}

var (
	badEvect     = illegal(routine.Evect, routine.EigenvectorJob)
	badFullEvect = notOneOf(routine.Evect, routine.EigenvectorJob, routine.EvectOriginal, routine.EvectNone)
	badErange    = illegal(routine.Erange, routine.EigenvalueRange)
	badEorder    = illegal(routine.Eorder, routine.EigenvalueOrder)
	badEsort     = illegal(routine.Esort, routine.EigenvalueSort)
	badForm      = illegal(routine.Itype, routine.ProblemForm)

	badEigenIndices = badIndices(routine.Erange, routine.ErangeIndex, n)

	// perProblem are arrays with one number for each problem, needed unless the batch is empty.
	perProblem = map[routine.Slot]condition{
		routine.Residual: null(routine.Residual).unless(zero(batchCount)),
		routine.Sweeps:   null(routine.Sweeps).unless(zero(batchCount)),
	}
)

// rangeChecks are the checks of routines that compute the eigenvalues in a range.
func rangeChecks(enums ...condition) builder {
	return func(o operands) []rule {
		rows := func(a *routine.Args) int64 { return a.Int(n) }
		sizes := []condition{ldBelow(routine.LDA, rows), ldWhenVectors(routine.LDZ), emptyInterval, badEigenIndices}
		if _, ok := o.r.ParamAt(matB); ok {
			sizes = append(sizes, ldBelow(routine.LDB, rows))
		}
		return solverChecks{enums: enums, dims: square, freeLD: true, sizes: sizes,
			needed: map[routine.Slot]condition{
				routine.Nev:   null(routine.Nev).unless(zero(batchCount)),
				routine.MatZ:  wantedVectors(routine.MatZ),
				routine.Ifail: wantedVectors(routine.Ifail),
			}}.rules(o)
	}
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
