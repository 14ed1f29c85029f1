package sizing

import (
	"fmt"
	"maps"
	"sync"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Of returns the demand of a call whose arguments passed the library's checks.
func Of(t *Target, a *routine.Args) (d Demand) {
	d.Set(t, a)
	return d
}

// Set makes d the demand of a call whose arguments passed the library's checks.
//
// A rule returns its demand as a value, which stays on the stack. A pointer to a demand would escape to the heap,
// because rules are called through a table.
func (d *Demand) Set(t *Target, a *routine.Args) {
	of := rules()[a.Routine.Family.ID]
	if of == nil {
		*d = Demand{}
		return
	}
	*d = of(t, a.Received())
	if d.Unknown != "" && t.Bound.Given {
		*d = Demand{}
		d.Optimal.Add(Buffer{ID: buffer.Bound, Bytes: t.Bound.Bytes})
	}
}

// rules holds the rule of every family, by its ID; nil for a family whose calls never need memory, which declares no
// buffers.
var rules = sync.OnceValue(func() *[routine.FamilyCount]rule {
	return table(level1Rules, level1ExRules, level2Rules, updatesRules, level3Rules, level3ExRules, luRules,
		inverseRules, choleskyRules, blockTridiagonalRules, reflectorRules, qrRules, orthogonalRules, lsqRules,
		bidiagonalRules, indefiniteRules, tridiagonalRules, eigenRules, eigenDividedRules, eigenPartialRules,
		svdRules, svdPartialRules, sparseRules, unlistedRules)
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
	for id := range routine.FamilyID(routine.FamilyCount) {
		if merged[id] == nil && len(id.Family().Buffers) > 0 {
			panic(fmt.Sprintf("workspace/sizing: %s declares buffers, but has no size rule", id))
		}
		all[id] = merged[id]
	}
	return all
}
