package routine

import "strings"

// variants lists the forms that the routines of a family have.
func (f *Family) variants() []Variant {
	if f.forms != nil {
		return f.forms
	}
	return []Variant{Plain, Batched, StridedBatched}
}

// count returns the number of routines of a family.
func (f *Family) count() int {
	return len(f.types) * len(f.variants()) * len(f.widths())
}

// widths lists whether the routines have 64-bit sizes.
func (f *Family) widths() []bool {
	switch {
	case f.onlyWide:
		return []bool{true}
	case f.wide:
		return []bool{false, true}
	}
	return []bool{false}
}

// makeRoutines makes the routines of a family, without their parameters.
func (f *Family) makeRoutines() {
	f.routines = make([]Routine, 0, f.count())
	for _, wide := range f.widths() {
		for _, letter := range f.types {
			for _, v := range f.variants() {
				f.routines = append(f.routines, f.routine(Type(letter), v, wide))
			}
		}
	}
}

// declare makes the parameters of a family's routines. Routines of one variant share them, because parameters are
// relative to the type and the width of a routine.
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
	if wide && !f.onlyWide {
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

// hermitianNamed names the complex routines of a family: heev for syev.
func hermitianNamed(f *Family) *Family {
	f.names = map[Type]string{TypeC: "che" + f.Name[2:], TypeZ: "zhe" + f.Name[2:]}
	return f
}
