package routine

import (
	"fmt"
	"slices"
	"sync"
)

// groups lists the declarations of all files. A family has the library and the level of its group, and the types sdcz,
// unless its declaration says otherwise.
var groups = []struct {
	library      Library
	level        int
	declarations []func() []*Family
}{
	{RocBLAS, 1, []func() []*Family{level1Families, level1ExFamilies, rotationsFamilies}},
	{RocBLAS, 2, []func() []*Family{level2Families, updatesFamilies}},
	{RocBLAS, 3, []func() []*Family{level3Families, level3ExFamilies, geamFamilies}},
	{RocSOLVER, SolverLevel, []func() []*Family{
		luFamilies, choleskyFamilies, indefiniteFamilies, blockTridiagonalFamilies, sparseFamilies,
		qrFamilies, reflectorsFamilies, orthogonalFamilies, lsqFamilies, inverseFamilies,
		bidiagonalFamilies, tridiagonalFamilies, eigenFamilies, svdFamilies, unlistedFamilies,
	}},
}

// families returns every family by its ID. They are made when they are first used: a worker process that does not call
// a routine needs none.
var families = sync.OnceValue(func() []*Family {
	list := make([]*Family, FamilyCount)
	for _, g := range groups {
		for _, declarations := range g.declarations {
			for _, f := range declarations() {
				if list[f.ID] != nil {
					panic(fmt.Sprintf("hip/routine: %s and %s have the same ID", list[f.ID].Name, f.Name))
				}
				list[f.ID] = f.complete(g.library, g.level)
			}
		}
	}
	last := "none"
	for _, f := range list {
		if f == nil {
			panic(fmt.Sprintf("hip/routine: no file declares the family after %s in ids.go", last))
		}
		last = f.Name
	}
	return list
})

// complete sets the fields that most families of a group share.
func (f *Family) complete(library Library, level int) *Family {
	if f.Level == 0 {
		f.Library, f.Level = library, level
	}
	if f.types == "" {
		f.types = sdcz
	}
	return f
}

// Families returns every family that headers declare, in the order of their IDs.
func Families() []*Family { return families()[:endOfListed] }

// String returns the family's name.
func (id FamilyID) String() string { return id.Family().Name }

// Family returns the declaration of the family.
func (id FamilyID) Family() *Family { return families()[id] }

// Count returns the number of routines, for tables by Routine.Index. Those that headers do not declare are the last.
func Count() int { return routineCount() }

// All returns every routine that headers declare, family by family.
func All() []*Routine { return allRoutines() }

// Lookup finds a routine by its C name.
func Lookup(cName string) (*Routine, bool) {
	r, ok := catalogOf().byName[cName]
	if ok {
		r.Family.declare()
	}
	return r, ok
}

// catalog has the routines in the order of the families, and by their C name.
type catalog struct {
	all    []*Routine
	byName map[string]*Routine
}

// The table is made when it is first used, and the parameters of a family's routines when one of them is: most programs
// use few of the routines, and every worker process would make all.
var (
	routineCount = sync.OnceValue(countRoutines)
	catalogOf    = sync.OnceValue(newCatalog)
	allRoutines  = sync.OnceValue(func() []*Routine {
		all, n := catalogOf().all, 0
		for _, f := range Families() {
			f.declare()
			n += f.count()
		}
		return slices.Clip(all[:n])
	})
)

func countRoutines() int {
	n := 0
	for _, f := range families() {
		n += f.count()
	}
	return n
}

func newCatalog() catalog {
	c := catalog{make([]*Routine, 0, routineCount()), make(map[string]*Routine, routineCount())}
	for _, f := range families() {
		f.makeRoutines()
		for i := range f.routines {
			r := &f.routines[i]
			r.Index = len(c.all)
			c.all = append(c.all, r)
			c.byName[r.cName] = r
		}
	}
	return c
}

// Forms returns the routines of the same family and type: for one problem, for a batch by pointers or by
// strides, and each of them with 64-bit integers, as far as they exist.
func (r *Routine) Forms() []*Routine {
	var list []*Routine
	for i := range r.Family.routines {
		if other := &r.Family.routines[i]; other.Type == r.Type {
			list = append(list, other)
		}
	}
	return list
}
