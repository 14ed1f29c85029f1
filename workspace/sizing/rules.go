package sizing

import (
	"fmt"
	"maps"
	"sync"

	"roclua/hip/routine"
)

// rule returns the demand of a call whose arguments passed the library's checks.
type rule func(t *Target, a *routine.Args) Demand

// rules holds the rule of every family, by its ID; nil for a family whose calls never need memory, which declares no
// buffers.
var rules = sync.OnceValue(func() *[routine.FamilyCount]rule {
	return table(reductionRules, vectorRules, matrixRules, mixedRules, luRules, choleskyRules, qrRules, reflectionRules,
		tridiagonalRules, inverseRules, eigenRules, divideRules, partialRules, singularRules, sparseRules)
})

// table joins the rules of all files. It panics if a family has two rules, or buffers and no rule.
func table(groups ...map[routine.FamilyID]rule) *[routine.FamilyCount]rule {
	all := new([routine.FamilyCount]rule)
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
		if merged[f.ID] == nil && len(f.Buffers) > 0 {
			panic(fmt.Sprintf("workspace/sizing: %s declares buffers, but has no size rule", f.Name))
		}
		all[f.ID] = merged[f.ID]
	}
	return all
}
