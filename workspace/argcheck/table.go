package argcheck

import (
	"fmt"
	"maps"

	"roclua/hip/routine"
)

// builder makes the list of rules of a routine. A list is built for each variant, since an array of a batch may be
// checked differently.
type builder func(operands) []rule

// builders holds the builder of every family, by its ID.
var builders = table(level1, level2, level3, mixed, lu, cholesky, qr)

// table joins the builders of all files. It panics if a family has none or two.
func table(groups ...map[routine.FamilyID]builder) (all [routine.FamilyCount]builder) {
	merged := map[routine.FamilyID]builder{}
	for _, g := range groups {
		for id := range g {
			if merged[id] != nil {
				panic(fmt.Sprintf("workspace/argcheck: %s has two lists of argument checks", id))
			}
		}
		maps.Copy(merged, g)
	}
	for _, f := range routine.Families() {
		if merged[f.ID] == nil {
			panic(fmt.Sprintf("workspace/argcheck: %s has no argument checks", f.Name))
		}
		all[f.ID] = merged[f.ID]
	}
	return all
}

// byRoutine holds the rules of each routine, by its index.
var byRoutine = build()

// build makes the rules of every routine. Routines that differ only in what no rule depends on share them.
func build() []*rules {
	type key struct {
		family  routine.FamilyID
		variant routine.Variant
		complex bool
		wide    bool
	}
	shared := map[key]*rules{}
	all := make([]*rules, len(routine.All()))
	for _, r := range routine.All() {
		k := key{r.Family.ID, r.Variant, r.Type.IsComplex(), r.Wide}
		if shared[k] == nil {
			shared[k] = split(r, builders[r.Family.ID](operands{r}))
		}
		all[r.Index] = shared[k]
	}
	return all
}

func rulesOf(a *routine.Args) *rules { return byRoutine[a.Routine.Index] }
