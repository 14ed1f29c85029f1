package argcheck

import "roclua/hip/routine"

func svd() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Bdsqr: solverChecks{freeLD: true,
			sizes: []condition{negative(routine.NV), negative(routine.NU), negative(routine.NC),
				exceeds(routine.NU, routine.LDU), none(routine.LDV), none(routine.LDC),
				ldWhenColumns(routine.LDV, routine.NV), ldWhenColumns(routine.LDC, routine.NC)}}.rules,
		routine.Bdsvdx: solverChecks{freeLD: true,
			sizes: []condition{ldBelow(routine.LDZ, stackedRows), emptySingularInterval, badSingularIndices(n)},
			special: []condition{quadratic(routine.MatZ).unless(withoutVectors(routine.Svect)),
				quadratic(routine.Ifail).unless(withoutVectors(routine.Svect))}}.rules,
		routine.Gesvd: solverChecks{freeLD: true, sizes: append(singularSizes, ldBelow(routine.LDV, rightRows)),
			special: []condition{either(illegal(routine.RightSvect, routine.SingularVectorJob), bothOverwrite),
				nullRightVectors}}.rules,
		routine.Gesvdj: solverChecks{freeLD: true,
			sizes:   append(singularSizes, ldBelow(routine.LDV, rightRows), none(routine.MaxSweeps)),
			special: append(perProblem, badStored(routine.LeftSvect), badStored(routine.RightSvect))}.rules,
		routine.GesvdjNotTransposed: solverChecks{freeLD: true,
			sizes:   append(singularSizes, ldBelow(routine.LDV, storedColumns), none(routine.MaxSweeps)),
			special: append(perProblem, badStored(routine.LeftSvect), badStored(routine.RightSvect))}.rules,
		routine.Gesdd: solverChecks{freeLD: true, sizes: append(singularSizes, ldBelow(routine.LDV, rightRows)),
			special: []condition{nullVectors(routine.MatU, routine.LeftSvect, m),
				nullVectors(routine.MatV, routine.RightSvect, n)}}.rules,
		routine.Gesvdx:              partialSingular(foundRows),
		routine.GesvdxNotTransposed: partialSingular(storedColumns),
	}
}

// partialSingular are the checks of gesvdx. rows returns the rows that V needs.
func partialSingular(rows func(*routine.Args) int64) builder {
	return solverChecks{freeLD: true,
		sizes: append(singularSizes, ldBelow(routine.LDV, rows), emptySingularInterval, badSingularIndices(m, n)),
		special: []condition{null(routine.Nsv).unless(zero(batchCount)),
			rectangular(routine.Ifail).unless(noSingularVectors)}}.rules
}

func badSingularIndices(dims ...routine.Slot) condition {
	return badIndices(routine.Srange, routine.SrangeIndex, dims...)
}

// badStored holds for a job of gesvdj, which overwrites no matrix.
func badStored(job routine.Slot) condition {
	return notOneOf(job, routine.SingularVectorJob, routine.SvectAll, routine.SvectSingular, routine.SvectNone)
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

// storedColumns returns the rows that V needs if it is not transposed.
func storedColumns(a *routine.Args) int64 {
	if stored(a.Int(routine.RightSvect)) {
		return a.Int(n)
	}
	return 1
}

// foundRows returns the rows of V that gesvdx needs.
func foundRows(a *routine.Args) int64 {
	switch {
	case a.Int(routine.RightSvect) == routine.SvectNone:
		return 1
	case a.Int(routine.Srange) == routine.SrangeIndex:
		return a.Int(routine.UpperIndex) - a.Int(routine.LowerIndex) + 1
	}
	return min(a.Int(m), a.Int(n))
}

// stackedRows returns the rows of Z of bdsvdx: left vectors above right vectors.
func stackedRows(a *routine.Args) int64 {
	if a.Int(routine.Svect) == routine.SvectNone {
		return 1
	}
	return in32Bits(2 * a.Int(n))
}

// nullRightVectors holds for a null V that is needed. gesvd looks at n only.
var nullRightVectors = nullIf(routine.MatV, func(a *routine.Args) bool {
	return stored(a.Int(routine.RightSvect)) && a.Int(n) != 0
})

// nullVectors holds for a null array of singular vectors that gesdd stores. All vectors of an empty matrix are still
// stored, if their side is not empty.
func nullVectors(array, job, side routine.Slot) condition {
	return nullIf(array, func(a *routine.Args) bool {
		switch a.Int(job) {
		case routine.SvectAll:
			return a.Int(side) > 0
		case routine.SvectSingular:
			return min(a.Int(m), a.Int(n)) > 0
		}
		return false
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

// withoutVectors holds when a job computes no vectors.
func withoutVectors(job routine.Slot) condition {
	return condition{
		slot:    job,
		test:    func(a *routine.Args) bool { return a.Int(job) == routine.SvectNone },
		message: func(*routine.Args) string { return "no vectors are computed" },
	}
}

var noSingularVectors = both(withoutVectors(routine.LeftSvect), withoutVectors(routine.RightSvect))

func bidiagonal() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Labrd: solverChecks{sizes: []condition{negative(k), exceeds(k, m), exceeds(k, n)}}.rules,
		routine.Gebd2: standard,
		routine.Gebrd: standard,
	}
}
