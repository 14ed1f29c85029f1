package argcheck

import (
	"fmt"

	"roclua/hip/routine"
)

// Eigenvalues and singular values.
func eigen() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Sterf: solverChecks{dims: []routine.Slot{n}}.rules,
		routine.Steqr: solverChecks{enums: []condition{badEvect}, dims: []routine.Slot{n}, freeLD: true,
			sizes:  []condition{ldWhenVectors(routine.LDC)},
			needed: map[routine.Slot]condition{matC: wantedVectors(matC)}}.rules,
		routine.Stedc: solverChecks{enums: []condition{badEvect}, dims: []routine.Slot{n}, freeLD: true,
			sizes:  []condition{ldWhenVectors(routine.LDC)},
			needed: map[routine.Slot]condition{matC: wantedVectors(matC)}}.rules,
		routine.Stebz: solverChecks{enums: []condition{badErange, badEorder}, dims: []routine.Slot{n},
			sizes: []condition{emptyInterval, badIndices}}.rules,
		routine.Stein: solverChecks{dims: []routine.Slot{n},
			needed: map[routine.Slot]condition{routine.VecE: quadratic(routine.VecE)}}.rules,
		routine.Lasr: solverChecks{enums: []condition{badSide, illegal(routine.PivotMode, routine.RotationPivot),
			badDirect},
			dims: plainRectangle}.rules,
		routine.Sygs2: solverChecks{enums: []condition{badForm, badUplo}, dims: square}.rules,
		routine.Sygst: solverChecks{enums: []condition{badForm, badUplo}, dims: square}.rules,
		routine.Syev:  solverChecks{enums: []condition{badFullEvect, badUplo}, dims: square}.rules,
		routine.Syevd: solverChecks{enums: []condition{badFullEvect, badUplo}, dims: square}.rules,
		routine.Syevj: solverChecks{enums: []condition{illegal(routine.Esort, routine.EigenvalueSort), badFullEvect,
			badUplo},
			dims: square, sizes: []condition{none(routine.MaxSweeps)}, needed: perProblem}.rules,
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

		routine.Bdsqr: solverChecks{enums: uplo, dims: []routine.Slot{n}, freeLD: true,
			sizes: []condition{negative(routine.NV), negative(routine.NU), negative(routine.NC),
				exceeds(routine.NU, routine.LDU), none(routine.LDV), none(routine.LDC),
				ldWhenColumns(routine.LDV, routine.NV),
				ldWhenColumns(routine.LDC, routine.NC)}}.rules,
		routine.Gesvd: solverChecks{enums: []condition{badSvect(routine.LeftSvect, allJobs...),
			badSvect(routine.RightSvect, allJobs...), bothOverwrite}, dims: rectangle, freeLD: true,
			sizes:  append(singularSizes, ldBelow(routine.LDV, rightRows)),
			needed: map[routine.Slot]condition{routine.MatV: nullRightVectors}}.rules,
		routine.Gesvdj: solverChecks{enums: []condition{badSvect(routine.LeftSvect, storedJobs...),
			badSvect(routine.RightSvect, storedJobs...)}, dims: rectangle, freeLD: true,
			sizes:  append(singularSizes, ldBelow(routine.LDV, rightRows), none(routine.MaxSweeps)),
			needed: perProblem}.rules,
		routine.Gesdd: solverChecks{enums: []condition{badSvect(routine.LeftSvect, storedJobs...),
			badSvect(routine.RightSvect, storedJobs...)}, dims: rectangle, freeLD: true,
			sizes: append(singularSizes, ldBelow(routine.LDV, rightRows)),
			needed: map[routine.Slot]condition{routine.MatU: nullVectors(routine.MatU, routine.LeftSvect, m),
				routine.MatV: nullVectors(routine.MatV, routine.RightSvect, n)}}.rules,
		routine.Bdsvdx: solverChecks{enums: []condition{badUplo, badSvect(routine.Svect, rangeJobs...), badSrange},
			dims: []routine.Slot{n}, freeLD: true,
			sizes: []condition{ldBelow(routine.LDZ, stackedRows), emptySingularInterval, badSingularIndices(n)},
			needed: map[routine.Slot]condition{
				routine.MatZ:  quadratic(routine.MatZ).unless(withoutVectors(routine.Svect)),
				routine.Ifail: quadratic(routine.Ifail).unless(withoutVectors(routine.Svect)),
			}}.rules,
		routine.Gesvdx: solverChecks{enums: []condition{badSvect(routine.LeftSvect, rangeJobs...),
			badSvect(routine.RightSvect, rangeJobs...), badSrange}, dims: rectangle, freeLD: true,
			sizes: append(singularSizes, ldBelow(routine.LDV, foundRows), emptySingularInterval,
				badSingularIndices(m, n)),
			needed: map[routine.Slot]condition{routine.Nsv: null(routine.Nsv).unless(zero(batchCount)),
				routine.Ifail: rectangular(routine.Ifail).unless(noSingularVectors)}}.rules,
	}
}

var (
	badEvect     = illegal(routine.Evect, routine.EigenvectorJob)
	badFullEvect = notOneOf(routine.Evect, routine.EigenvectorJob, routine.EvectOriginal, routine.EvectNone)
	badErange    = illegal(routine.Erange, routine.EigenvalueRange)
	badEorder    = illegal(routine.Eorder, routine.EigenvalueOrder)
	badForm      = illegal(routine.Itype, routine.ProblemForm)

	allJobs    = routine.Legal(routine.SingularVectorJob)
	storedJobs = []int64{routine.SvectAll, routine.SvectSingular, routine.SvectNone}

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
		sizes := []condition{ldBelow(routine.LDA, rows), ldWhenVectors(routine.LDZ), emptyInterval, badIndices}
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

func badSvect(s routine.Slot, legal ...int64) condition {
	return notOneOf(s, routine.SingularVectorJob, legal...)
}

var bothOverwrite = condition{
	slot: routine.RightSvect,
	test: func(a *routine.Args) bool {
		return a.Int(routine.LeftSvect) == routine.SvectOverwrite && a.Int(routine.RightSvect) == routine.SvectOverwrite
	},
	message: func(*routine.Args) string { return "left_svect and right_svect are both svect_overwrite" },
}

// singularSizes are the sizes that singular value decompositions refuse, except ldv.
var singularSizes = []condition{
	ldBelow(routine.LDA, func(a *routine.Args) int64 { return a.Int(m) }),
	none(routine.LDU), none(routine.LDV),
	ldBelow(routine.LDU, func(a *routine.Args) int64 {
		if stored(a.Int(routine.LeftSvect)) {
			return a.Int(m)
		}
		return 1
	}),
}

func stored(job int64) bool { return job == routine.SvectAll || job == routine.SvectSingular }

// rightRows returns the rows of V that a singular value decomposition needs.
func rightRows(a *routine.Args) int64 {
	switch a.Int(routine.RightSvect) {
	case routine.SvectAll:
		return a.Int(n)
	case routine.SvectSingular:
		return min(a.Int(m), a.Int(n))
	}
	return 1
}

// nullRightVectors holds for a null V that is needed. gesvd looks at n only.
var nullRightVectors = condition{
	slot: routine.MatV,
	test: func(a *routine.Args) bool {
		return a.Null(routine.MatV) && stored(a.Int(routine.RightSvect)) && a.Int(n) != 0
	},
	message: func(*routine.Args) string { return "V is null" },
}

// ldBelow holds for a leading dimension that is smaller than a number of rows.
func ldBelow(ld routine.Slot, rows func(*routine.Args) int64) condition {
	return condition{
		slot: ld,
		test: func(a *routine.Args) bool { return a.Int(ld) < rows(a) },
		message: func(a *routine.Args) string {
			return fmt.Sprintf("%s is %d, must be at least %d", name(a, ld), a.Int(ld), rows(a))
		},
	}
}

// in32Bits returns a number of rows as the library computes it, with 32 bits.
func in32Bits(rows int64) int64 { return int64(int32(rows)) }

// ldWhenVectors holds for a leading dimension below n when eigenvectors are computed.
func ldWhenVectors(ld routine.Slot) condition {
	return ldBelow(ld, func(a *routine.Args) int64 {
		if a.Int(routine.Evect) == routine.EvectNone {
			return a.Int(ld)
		}
		return a.Int(n)
	})
}

// ldWhenColumns holds for a leading dimension below n of a matrix that has columns.
func ldWhenColumns(ld, columns routine.Slot) condition {
	return ldBelow(ld, func(a *routine.Args) int64 {
		if a.Int(columns) == 0 {
			return a.Int(ld)
		}
		return a.Int(n)
	})
}

// wantedVectors holds for a null array of eigenvectors that are computed.
func wantedVectors(array routine.Slot) condition {
	return condition{
		slot: array,
		test: func(a *routine.Args) bool {
			return a.Null(array) && a.Int(routine.Evect) != routine.EvectNone && a.Int(n) != 0
		},
		message: func(a *routine.Args) string { return name(a, array) + " is null" },
	}
}

// emptyInterval holds for an interval of eigenvalues without numbers.
var emptyInterval = condition{
	slot: routine.UpperBound,
	test: func(a *routine.Args) bool {
		return a.Int(routine.Erange) == routine.ErangeValue && a.Real(routine.LowerBound) >= a.Real(routine.UpperBound)
	},
	message: func(a *routine.Args) string {
		return fmt.Sprintf("vl is %g, must be less than vu = %g", a.Real(routine.LowerBound),
			a.Real(routine.UpperBound))
	},
}

// badIndices holds for indices of eigenvalues that do not exist.
var badIndices = condition{
	slot: routine.UpperIndex,
	test: func(a *routine.Args) bool {
		low, high := a.Int(routine.LowerIndex), a.Int(routine.UpperIndex)
		return a.Int(routine.Erange) == routine.ErangeIndex &&
			(high > a.Int(n) || a.Int(n) > 0 && low > high || low < 1 || high < 0)
	},
	message: func(a *routine.Args) string {
		return fmt.Sprintf("il is %d and iu %d, must be at least 1 and at most n = %d", a.Int(routine.LowerIndex),
			a.Int(routine.UpperIndex), a.Int(n))
	},
}
