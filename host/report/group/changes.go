package group

import (
	"cmp"
	"fmt"
	"slices"

	"roclua/host/baseline"
)

// Change is a change of a value shared by one or more cases.
type Change struct {
	baseline.Change // of the first case
	IDs             []string
}

// Changes groups changes with the same kind, name and values. The worst are first.
func Changes(changes []baseline.Change) []*Change {
	var list []*Change
	same := map[string]*Change{}
	for _, c := range changes {
		key := fmt.Sprintf("%s\x00%s\x00%T %v\x00%T %v", c.Kind, c.Name, c.Old, c.Old, c.New, c.New)
		if same[key] == nil {
			same[key] = &Change{Change: c}
			list = append(list, same[key])
		}
		same[key].IDs = append(same[key].IDs, c.Case)
	}
	slices.SortStableFunc(list, func(a, b *Change) int { return Worst(a.Change, b.Change) })
	return list
}

// Worst orders changes: errors and values that are gone, sizes, counts and times, in each the one that grew most first,
// then new cases, and values that did not change.
func Worst(a, b baseline.Change) int {
	return cmp.Or(cmp.Compare(rankOf(a), rankOf(b)), cmp.Compare(growth(b), growth(a)))
}

// growth returns by how much a number grew, from zero if it is new; 0 for other values.
func growth(c baseline.Change) float64 {
	if c.Kind == baseline.New {
		c.Old = int64(0)
	}
	d, _ := c.Difference()
	return d
}
