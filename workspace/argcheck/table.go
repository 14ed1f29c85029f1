package argcheck

import (
	"fmt"
	"maps"
	"sync"
	"sync/atomic"

	"roclua/hip/routine"
)

// builders holds the builder of every family, by its ID.
var builders = sync.OnceValue(func() *[routine.FamilyCount]builder {
	return table(level1(), level1Ex(), rotations(), level2(), updates(), level3(), level3Ex(), geam(), lu(),
		blockTridiagonal(), cholesky(), indefinite(), inverse(), qr(), lsq(), orthogonal(), reflectors(), bidiagonal(),
		tridiagonal(), eigen(), svd(), sparse())
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
	for id := range routine.FamilyID(routine.FamilyCount) {
		if merged[id] == nil {
			panic(fmt.Sprintf("workspace/argcheck: %s has no argument checks", id))
		}
		all[id] = merged[id]
	}
	return all
}

// byRoutine holds the checks of the routines that were called, by their index.
var byRoutine = sync.OnceValue(func() []atomic.Pointer[[modeCount]checks] {
	return make([]atomic.Pointer[[modeCount]checks], routine.Count())
})

// checksOf returns the checks of a routine in each mode. They are built when the routine is first called, because the
// table has many more routines than a program calls.
func checksOf(r *routine.Routine) *[modeCount]checks {
	if c := byRoutine()[r.Index].Load(); c != nil {
		return c
	}
	return build(r)
}

func build(r *routine.Routine) *[modeCount]checks {
	built := byMode(r, builders()[r.Family.ID](operands{r}))
	byRoutine()[r.Index].Store(built)
	return built
}

// datatypes holds the combinations of datatypes of every family with mixed datatypes.
var datatypes = map[routine.FamilyID]types{
	routine.DotEx:  productTypes,
	routine.DotcEx: productTypes,
	routine.Nrm2Ex: normTypes,
	routine.TrsmEx: solveTypes,
	routine.GemmEx: matrixTypes,
	routine.SyrkEx: rankUpdateTypes,
	routine.AxpyEx: additionTypes,
	routine.ScalEx: scalingTypes,
	routine.RotEx:  rotationTypes,
	routine.GeamEx: sumTypes,
}

// Datatypes returns the combinations of datatypes that an _ex routine computes with, and the arguments that give them.
// Other routines have none.
func Datatypes(r *routine.Routine) (arguments []routine.Slot, combinations [][]int64) {
	t := datatypes[r.Family.ID]
	return t.slots, t.combinations
}
