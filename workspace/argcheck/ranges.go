package argcheck

import (
	"fmt"
	"math"

	"roclua/hip/routine"
)

// rangeJobs are the jobs of the singular value decompositions that compute a range.
var rangeJobs = []int64{routine.SvectSingular, routine.SvectNone}

var badSrange = illegal(routine.Srange, routine.SingularValueRange)

// stackedRows returns the rows of Z of bdsvdx: left vectors above right vectors.
func stackedRows(a *routine.Args) int64 {
	if a.Int(routine.Svect) == routine.SvectNone {
		return 1
	}
	return in32Bits(2 * a.Int(n))
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

// emptySingularInterval holds for an interval of singular values without numbers, or one that begins below zero.
var emptySingularInterval = condition{
	slot: routine.UpperBound,
	test: func(a *routine.Args) bool {
		low := a.Real(routine.LowerBound)
		return a.Int(routine.Srange) == routine.SrangeValue && (low < 0 || low >= a.Real(routine.UpperBound))
	},
	message: func(a *routine.Args) string {
		return fmt.Sprintf("vl is %g, must not be negative and be less than vu = %g", a.Real(routine.LowerBound),
			a.Real(routine.UpperBound))
	},
}

// badSingularIndices holds for indices of singular values that do not exist, given the dimensions of the matrix.
func badSingularIndices(dims ...routine.Slot) condition {
	most := func(a *routine.Args) int64 {
		least := int64(math.MaxInt64)
		for _, d := range dims {
			least = min(least, a.Int(d))
		}
		return least
	}
	return condition{
		slot: routine.UpperIndex,
		test: func(a *routine.Args) bool {
			low, high := a.Int(routine.LowerIndex), a.Int(routine.UpperIndex)
			return a.Int(routine.Srange) == routine.SrangeIndex &&
				(low < 1 || high < 0 || high > most(a) || most(a) > 0 && low > high)
		},
		message: func(a *routine.Args) string {
			return fmt.Sprintf("il is %d and iu %d, must be at least 1 and at most %d", a.Int(routine.LowerIndex),
				a.Int(routine.UpperIndex), most(a))
		},
	}
}

// nullVectors holds for a null array of singular vectors that gesdd stores. All vectors of an empty matrix are still
// stored, if their side is not empty.
func nullVectors(array, job, side routine.Slot) condition {
	return condition{
		slot: array,
		test: func(a *routine.Args) bool {
			switch a.Int(job) {
			case routine.SvectAll:
				return a.Null(array) && a.Int(side) > 0
			case routine.SvectSingular:
				return a.Null(array) && min(a.Int(m), a.Int(n)) > 0
			}
			return false
		},
		message: func(a *routine.Args) string { return name(a, array) + " is null" },
	}
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
