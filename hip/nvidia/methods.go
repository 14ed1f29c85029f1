package nvidia

import (
	"fmt"
	"sync"

	"roclua/hip/routine"
)

// methods holds the method of every family by its ID. A family without a function to run is not computed.
var methods = sync.OnceValue(func() *[routine.FamilyCount]method {
	return join(directMethods(), level1ExMethods, level3ExMethods, level3Methods, luMethods, choleskyMethods,
		indefiniteMethods, inverseMethods, qrMethods, orthogonalMethods, reflectorMethods, lsqMethods, eigenMethods,
		tridiagonalMethods, bidiagonalMethods, svdMethods)
})

// wideMethods holds the methods of the 64-bit forms of solvers: cuSOLVER has functions with 64-bit integers for all
// datatypes.
var wideMethods = sync.OnceValue(func() *[routine.FamilyCount]method {
	return join(wideLU, wideCholesky, wideQR, wideReflectors)
})

// exceptions are the methods of types that cuBLAS lacks in a family.
var exceptions = map[routine.FamilyID]map[routine.Type]*method{
	routine.Axpy: {routine.TypeH: &axpyMethod},
	routine.Dot:  {routine.TypeH: &halfDot, routine.TypeBF: &halfDot},
	routine.Spr:  {routine.TypeC: &complexSpr, routine.TypeZ: &complexSpr},
}

// join collects the methods of all files. It panics if a family has two.
func join(groups ...map[routine.FamilyID]method) *[routine.FamilyCount]method {
	all := new([routine.FamilyCount]method)
	for _, group := range groups {
		for id, m := range group {
			if all[id].run != nil {
				panic(fmt.Sprintf("hip/nvidia: %s has two methods", id))
			}
			all[id] = m
		}
	}
	return all
}

// byRoutine holds the method of every routine by its index; nil if it is not computed.
var byRoutine = sync.OnceValue(func() []*method {
	list := make([]*method, routine.Count())
	for _, r := range routine.All() {
		how := &methods()[r.Family.ID]
		if other, ok := exceptions[r.Family.ID][r.Type]; ok {
			how = other
		}
		if r.Wide && r.Library == routine.RocSOLVER {
			how = &wideMethods()[r.Family.ID]
		}
		if how.run != nil {
			list[r.Index] = how
		}
	}
	return list
})

// methodOf returns how a routine is computed, or why it is not.
func methodOf(r *routine.Routine) (how *method, reason string) {
	if how = byRoutine()[r.Index]; how == nil {
		return nil, "cuBLAS and cuSOLVER have no function for " + r.Name
	}
	return how, ""
}
