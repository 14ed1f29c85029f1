package group

import (
	"fmt"

	"roclua/host/baseline"
)

// Change is a change of a value shared by one or more cases.
type Change struct {
	baseline.Change // of the first case
	IDs             []string
}

// Changes groups changes with the same kind, name and values, in order of first appearance.
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
	return list
}
