// Package behavior says what the calls of each family of routines do: the checks of arguments, the device memory that a
// call needs, what it does on the host between its kernels, and the arrays in which it searches for unusual numbers.
//
// Each family is one entry in the file of its subject, and what the entry names is in the same file. The checks are
// ordered lists of rules, and the rule that refuses an argument also explains it in words. A size rule names the
// buffers of a call, which its family declares, so that kernels find them by name. Like the library, size rules compute
// in unsigned 64-bit arithmetic; Buffers.Overflow reports a sum that overflows. All follow the published source of
// rocBLAS and rocSOLVER, and agree with every recorded result of the real libraries of ROCm 6.4 and 7.2.
package behavior

import (
	"fmt"
	"reflect"
	"sync"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// family is what the calls of the routines of a family do. All fields but the last must be given; a part that a family
// does not have is noWorkspace, noSteps or noNumbers.
type family struct {
	ID      routine.FamilyID
	checks  builder        // of arguments, in the library's order
	size    sizeRule       // the memory of a call
	steps   func(w *Steps) // what a call does on the host
	numbers *searches      // arrays in which a call searches for unusual numbers

	datatypes *types // that have kernels, for families with mixed datatypes
}

// noWorkspace is the size rule of a family whose calls never need memory.
func noWorkspace(*Target, *routine.Args) Demand { return Demand{} }

// anyDatatypes are the datatypes of a family that does not check them, or whose kernels are not known.
var anyDatatypes = &types{}

// lacks returns the part that the entry of a family lacks; "" if it has all.
func (f *family) lacks() string {
	declared := f.ID.Family()
	switch {
	case f.checks == nil:
		return "argument checks"
	case f.size == nil:
		return "size rule"
	case len(declared.Buffers) > 0 && same(f.size, noWorkspace):
		return "size rule for the buffers that it declares"
	case f.steps == nil:
		return "steps"
	case f.numbers == nil:
		return "arrays to search for unusual numbers"
	case declared.Mixed() && f.datatypes == nil:
		return "datatypes"
	}
	return ""
}

// same reports whether two functions, which are not closures, are the same one.
func same(f, g any) bool { return reflect.ValueOf(f).Pointer() == reflect.ValueOf(g).Pointer() }

// families holds the entry of every family, by its ID.
var families = sync.OnceValue(func() *[routine.FamilyCount]family {
	return complete(level1(), level2(), level3(), lu(), cholesky(), qr(), eigen(), svd(), sparse())
})

// complete joins the entries of all files. It panics if a family has no entry or two, or if its entry lacks a part.
func complete(files ...[]family) *[routine.FamilyCount]family {
	all, known := new([routine.FamilyCount]family), [routine.FamilyCount]bool{}
	for _, file := range files {
		for _, f := range file {
			if known[f.ID] {
				panic(fmt.Sprintf("workspace/behavior: %s has two entries", f.ID))
			}
			if part := f.lacks(); part != "" {
				panic(fmt.Sprintf("workspace/behavior: the entry of %s has no %s", f.ID, part))
			}
			all[f.ID], known[f.ID] = f, true
		}
	}
	for id, ok := range known {
		if !ok {
			panic(fmt.Sprintf("workspace/behavior: %s has no entry", routine.FamilyID(id)))
		}
	}
	return all
}

func familyOf(r *routine.Routine) *family { return &families()[r.Family.ID] }

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
	*d = familyOf(a.Routine).size(t, a.Received())
	if d.Unknown != "" && t.Bound.Given {
		*d = Demand{}
		d.Optimal.Add(Buffer{ID: buffer.Bound, Bytes: t.Bound.Bytes})
	}
}

// Datatypes returns the combinations of datatypes that an _ex routine computes with, and the arguments that give them.
// Other routines have none.
func Datatypes(r *routine.Routine) (arguments []routine.Slot, combinations [][]int64) {
	if t := familyOf(r).datatypes; t != nil {
		return t.slots, t.combinations
	}
	return nil, nil
}
