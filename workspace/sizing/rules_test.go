package sizing

import (
	"strings"
	"testing"

	"roclua/hip/routine"
)

// TestTableIsComplete checks that a family with buffers and no rule, or with two rules, panics.
func TestTableIsComplete(t *testing.T) {
	all := map[routine.FamilyID]rule{}
	for id, of := range rules() {
		if of != nil {
			all[routine.FamilyID(id)] = of
		}
	}
	without := func(id routine.FamilyID) map[routine.FamilyID]rule {
		rest := map[routine.FamilyID]rule{}
		for other, of := range all {
			if other != id {
				rest[other] = of
			}
		}
		return rest
	}
	table(all)
	for _, test := range []struct {
		want   string
		groups []map[routine.FamilyID]rule
	}{
		{"getrf declares buffers, but has no size rule", []map[routine.FamilyID]rule{without(routine.Getrf)}},
		{"getrf has two size rules", []map[routine.FamilyID]rule{all, {routine.Getrf: getrf}}},
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, test.want) {
					t.Errorf("panic %q, want %q", text, test.want)
				}
			}()
			table(test.groups...)
		}()
	}
}
