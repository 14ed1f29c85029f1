package nvidia

import (
	"fmt"
	"slices"
	"sync"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// method is the way in which the routines of a family are computed.
type method struct {
	needs   func(*device, *routine.Args) (driver.Needs, error)
	run     func(*execution) error
	buffers []buffer.ID                   // that needs may return and run may use
	by      func(*routine.Routine) string // the functions that compute a routine, for documentation
}

// methods holds the method of every family by its ID. A family without a function to run is not computed.
var methods = sync.OnceValue(func() *[routine.FamilyCount]method {
	return join(directMethods(), mixedMethods, triangleMethods, solverMethods, inverseMethods, reflectionMethods,
		reductionMethods, auxiliaryMethods, blockMethods, leastSquaresMethods, eigenMethods, tridiagonalMethods,
		singularMethods)
})

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
			how = wideMethods[r.Family.ID]
		}
		if how != nil && how.run != nil {
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

// uses reports whether the method may use a buffer.
func (m *method) uses(id buffer.ID) bool { return slices.Contains(m.buffers, id) }

// Computes names the functions that compute a routine, or says why there are none.
func (Driver) Computes(r *routine.Routine) (by, reason string) {
	how, reason := methodOf(r)
	if reason != "" {
		return "", reason
	}
	return how.by(r), ""
}
