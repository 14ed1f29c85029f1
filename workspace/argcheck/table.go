package argcheck

import (
	"fmt"
	"maps"
	"sync"
	"sync/atomic"

	"roclua/hip/routine"
)

// builder makes the list of rules of a routine. A list is built for each variant, since an array of a batch may be
// checked differently.
type builder func(operands) []rule

// builders holds the builder of every family, by its ID.
var builders = sync.OnceValue(func() *[routine.FamilyCount]builder {
	return table(level1(), rotations(), level2(), updates(), level3(), combinations(), mixed(), lu(), cholesky(), qr(),
		reflections(), tridiagonal(), eigen(), sparse())
})

// table joins the builders of all files. It panics if a family has none or two.
func table(groups ...map[routine.FamilyID]builder) *[routine.FamilyCount]builder {
	all := new([routine.FamilyCount]builder)
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

// byRoutine holds the rules of the routines that were called, by their index.
var byRoutine = sync.OnceValue(func() []atomic.Pointer[rules] { return make([]atomic.Pointer[rules], routine.Count()) })

// rulesOf returns the rules of a call's routine. They are built when the routine is first called, because the table has
// many more routines than a program calls.
func rulesOf(a *routine.Args) *rules {
	if r := byRoutine()[a.Routine.Index].Load(); r != nil {
		return r
	}
	return build(a.Routine)
}

func build(r *routine.Routine) *rules {
	built := split(r, builders()[r.Family.ID](operands{r}))
	byRoutine()[r.Index].Store(built)
	return built
}
