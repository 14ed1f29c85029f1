package routine

import (
	"strings"
	"sync"
)

// Library is the C library that exports a routine.
type Library uint8

const (
	RocBLAS Library = iota
	RocSOLVER
)

// String returns the library's prefix in C, which is also the name of its Lua module.
func (l Library) String() string {
	if l == RocSOLVER {
		return "rocsolver"
	}
	return "rocblas"
}

// Type is the element type of a routine, by its BLAS letter.
type Type byte

const (
	TypeS  Type = 's' // float
	TypeD  Type = 'd' // double
	TypeC  Type = 'c' // float complex
	TypeZ  Type = 'z' // double complex
	TypeH  Type = 'h' // half: 16 bits, 11 of them significant
	TypeBF Type = 'b' // bfloat16: 16 bits, 8 of them significant; names spell it bf

	// Mixed is the type of the _ex routines: arguments of each call give the datatypes of its arrays.
	Mixed Type = '*'
)

// Prefix returns what names of routines begin with; "" for Mixed.
func (t Type) Prefix() string {
	switch t {
	case Mixed:
		return ""
	case TypeBF:
		return "bf"
	}
	return string(t)
}

// Size returns the bytes of one element; 0 for Mixed.
func (t Type) Size() int64 {
	switch t {
	case TypeH, TypeBF:
		return 2
	case TypeS:
		return 4
	case TypeD, TypeC:
		return 8
	case TypeZ:
		return 16
	}
	return 0
}

// RealSize returns the bytes of one real number of the type; 0 for Mixed.
func (t Type) RealSize() int64 {
	switch t {
	case TypeH, TypeBF:
		return 2
	case TypeS, TypeC:
		return 4
	case TypeD, TypeZ:
		return 8
	}
	return 0
}

// Datatype returns the type as the library's enumeration; 0 for Mixed.
func (t Type) Datatype() int64 {
	switch t {
	case TypeS:
		return DatatypeF32
	case TypeD:
		return DatatypeF64
	case TypeC:
		return DatatypeF32C
	case TypeZ:
		return DatatypeF64C
	case TypeH:
		return DatatypeF16
	case TypeBF:
		return DatatypeBF16
	}
	return 0
}

// IsComplex reports whether elements have an imaginary part.
func (t Type) IsComplex() bool { return t == TypeC || t == TypeZ }

// Variant is one of the three forms of a routine: one problem, or a batch given by an array of pointers or by strides.
type Variant uint8

const (
	Plain Variant = iota
	Batched
	StridedBatched
)

// Suffix returns what the variant adds to a routine's name.
func (v Variant) Suffix() string { return [...]string{"", "_batched", "_strided_batched"}[v] }

// Routine is one callable function of a library.
type Routine struct {
	Name    string // the script's name: the C name less the library's prefix
	Family  *Family
	Library Library
	Type    Type
	Variant Variant
	Wide    bool    // a _64 form: integers are 64 bits wide
	Params  []Param // in C order, without the handle that every routine takes first
	Index   int     // its index in All, for tables that other packages keep

	cName  string
	places *places // of the parameters; nil before they are made
}

// places has the places of parameters in Routine.Params, from 1: by slot, and for each array by role. 0 is none.
type places struct {
	bySlot [SlotCount]uint8
	byRole [SlotCount][roleCount]uint8
}

// newPlaces returns the places of parameters.
func newPlaces(params []Param) *places {
	var ps places
	for i := len(params) - 1; i >= 0; i-- {
		p := &params[i]
		ps.bySlot[p.Slot], ps.byRole[p.Of][p.Role] = uint8(i+1), uint8(i+1)
	}
	return &ps
}

// CName returns the name that the library exports.
func (r *Routine) CName() string { return r.cName }

// Param finds a parameter by its C name.
func (r *Routine) Param(name string) (*Param, bool) {
	for i := range r.Params {
		if r.Params[i].Name == name {
			return &r.Params[i], true
		}
	}
	return nil, false
}

// ParamAt finds the parameter that fills a slot.
func (r *Routine) ParamAt(s Slot) (*Param, bool) {
	return r.at(r.places.bySlot[s])
}

// Companion finds the leading dimension, increment or stride of an array.
func (r *Routine) Companion(array Slot, role Role) (*Param, bool) {
	return r.at(r.places.byRole[array][role])
}

// at returns the parameter in a place.
func (r *Routine) at(place uint8) (*Param, bool) {
	if place == 0 {
		return nil, false
	}
	return &r.Params[place-1], true
}

// Count returns the number of routines, for tables by Routine.Index.
func Count() int { return count() }

// All returns every routine of the table, family by family.
func All() []*Routine { return declared() }

// Lookup finds a routine by its C name.
func Lookup(cName string) (*Routine, bool) {
	r, ok := index().byName[cName]
	if ok {
		r.Family.declare()
	}
	return r, ok
}

// Find finds a routine by the name that scripts use in one library's module.
func Find(lib Library, name string) (*Routine, bool) { return Lookup(lib.String() + "_" + name) }

// catalog has the routines in the order of All, and by their C name.
type catalog struct {
	all    []*Routine
	byName map[string]*Routine
}

// The table is made when it is first used, and the parameters of a family's routines when one of them is: most programs
// use few of the routines, and every worker process would make all.
var (
	count    = sync.OnceValue(countRoutines)
	index    = sync.OnceValue(newCatalog)
	declared = sync.OnceValue(func() []*Routine {
		all := index().all
		for _, f := range families() {
			f.declare()
		}
		return all
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
	c := catalog{make([]*Routine, 0, count()), make(map[string]*Routine, count())}
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

// variants lists the forms that the routines of a family have.
func (f *Family) variants() []Variant {
	if f.forms != nil {
		return f.forms
	}
	return []Variant{Plain, Batched, StridedBatched}
}

// count returns the number of routines of a family.
func (f *Family) count() int {
	n := len(f.types) * len(f.variants())
	if f.wide {
		n *= 2
	}
	return n
}

// makeRoutines makes the routines of a family, without their parameters.
func (f *Family) makeRoutines() {
	f.routines = make([]Routine, 0, f.count())
	for _, wide := range []bool{false, true} {
		if wide && !f.wide {
			continue
		}
		for _, letter := range f.types {
			for _, v := range f.variants() {
				f.routines = append(f.routines, f.routine(Type(letter), v, wide))
			}
		}
	}
}

// declare makes the parameters of a family's routines. Those of one variant share them: they are relative to the type
// and the width of a routine.
func (f *Family) declare() {
	f.declared.Do(func() {
		var params [3][]Param
		var places [3]*places
		for v := range params {
			params[v] = f.expand(Variant(v))
			places[v] = newPlaces(params[v])
		}
		for i := range f.routines {
			r := &f.routines[i]
			r.Params, r.places = params[r.Variant], places[r.Variant]
		}
	})
}

func (f *Family) routine(t Type, v Variant, wide bool) Routine {
	cName := f.Library.String() + "_" + f.nameOf(t, v, wide)
	return Routine{Name: cName[len(f.Library.String())+1:], Family: f, Library: f.Library, Type: t, Variant: v,
		Wide: wide, cName: cName}
}

// expand returns the parameters of a variant.
func (f *Family) expand(v Variant) []Param {
	var list []Param
	for _, p := range f.params {
		list = append(list, p(f, v)...)
	}
	for i := range list {
		if other, ok := f.rename[v.Suffix()+" "+list[i].Name]; ok {
			list[i].Name = other
		}
	}
	return list
}

// nameOf returns the script's name of a routine. The variant comes before _ex, and _64 comes last.
func (f *Family) nameOf(t Type, v Variant, wide bool) string {
	name, ok := f.names[t]
	end := ""
	switch {
	case t == Mixed:
		name, end, _ = strings.Cut(f.Name, "_ex")
		end = "_ex" + end
	case !ok:
		name = t.Prefix() + f.Name
	}
	if wide {
		end += "_64"
	}
	return name + f.suffix(v) + end
}

// suffix returns what a variant adds to the names of a family's routines.
func (f *Family) suffix(v Variant) string {
	if f.interleaved {
		return Batched.Suffix()
	}
	return v.Suffix()
}

// Sibling returns the routine of the same family, type and width in another variant.
func Sibling(r *Routine, v Variant) (*Routine, bool) {
	return Find(r.Library, r.Family.nameOf(r.Type, v, r.Wide))
}
