package argcheck

import (
	"fmt"
	"math"

	"roclua/hip/routine"
)

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

// badIndices holds for a range of indices, chosen by a value of an option, that the results do not have: there are as
// many as the smallest of the dimensions.
func badIndices(option routine.Slot, byIndex int64, dims ...routine.Slot) condition {
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
			low, high, count := a.Int(routine.LowerIndex), a.Int(routine.UpperIndex), most(a)
			return a.Int(option) == byIndex && (low < 1 || high < 0 || high > count || count > 0 && low > high)
		},
		message: func(a *routine.Args) string {
			count := fmt.Sprint(most(a))
			if len(dims) == 1 {
				count = name(a, dims[0]) + " = " + count
			}
			return fmt.Sprintf("il is %d and iu %d, must be at least 1 and at most %s", a.Int(routine.LowerIndex),
				a.Int(routine.UpperIndex), count)
		},
	}
}
