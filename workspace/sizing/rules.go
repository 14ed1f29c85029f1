package sizing

import (
	"fmt"
	"maps"

	"roclua/hip/routine"
)

// rule returns the demand of a call whose arguments passed the library's checks.
type rule func(t *Target, a *routine.Args) Demand

// noWorkspace is the rule of a family whose calls never need memory.
var noWorkspace rule

// rules holds the rule of every family, by its ID.
var rules = table(
	reductionRules, vectorRules, matrixRules, mixedRules,
	luRules, choleskyRules, qrRules,
)

// table joins the rules of all files. It panics if a family has no rule, or has noWorkspace but declares buffers.
func table(groups ...map[routine.FamilyID]rule) (all [routine.FamilyCount]rule) {
	merged := map[routine.FamilyID]rule{}
	for _, g := range groups {
		for id := range g {
			if _, ok := merged[id]; ok {
				panic(fmt.Sprintf("workspace/sizing: %s has two size rules", id))
			}
		}
		maps.Copy(merged, g)
	}
	for _, f := range routine.Families() {
		of, ok := merged[f.ID]
		switch {
		case !ok:
			panic(fmt.Sprintf("workspace/sizing: %s has no size rule; one that never needs memory is noWorkspace",
				f.Name))
		case of == nil && len(f.Buffers) > 0:
			panic(fmt.Sprintf("workspace/sizing: %s has the rule noWorkspace, but declares buffers", f.Name))
		}
		all[f.ID] = of
	}
	return all
}
