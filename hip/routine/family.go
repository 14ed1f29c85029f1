package routine

import (
	"slices"
	"strings"

	"roclua/hip/arch"
	"roclua/hip/routine/buffer"
)

// Levels of BLAS. Routines of rocSOLVER have the level after the last one.
const SolverLevel = 4

// LayerLevel is the level of the routines of libraries above rocBLAS and rocSOLVER.
const LayerLevel = 5

func (s strideStyle) name(of string) string {
	switch {
	case s == joined:
		return "stride" + of
	case s == lowerCase && len(of) == 1:
		return "stride_" + strings.ToLower(of)
	}
	return "stride_" + of
}

// Mixed reports whether arguments of each call give the datatypes of its arrays.
func (f *Family) Mixed() bool { return f.types == mixedTypes }

// Exists reports whether the routines exist for an architecture.
func (f *Family) Exists(on *arch.Arch) bool { return on.Float8 || !f.Float8 }

// OnlyOn explains why the routines do not exist for an architecture.
func (f *Family) OnlyOn(a *arch.Arch) string {
	names := arch.NamesWith(f.Exists)
	last := len(names) - 1
	return "only " + strings.Join(names[:last], ", ") + " and " + names[last] + " have this function, not " + a.Name
}

// ExportedBy reports whether the libraries of a release export the routines.
func (f *Family) ExportedBy(release string) bool { return !slices.Contains(f.Without, release) }

// Uses reports whether calls may use a buffer as workspace.
func (f *Family) Uses(id buffer.ID) bool { return slices.Contains(f.Buffers, id) }

// arrayName returns the name of an array in the header.
func (f *Family) arrayName(s Slot) string {
	if name, ok := f.arrays[s]; ok {
		return name
	}
	return slotName(s)
}

// The letters of the types of a family.
const (
	sd         = "sd"
	cz         = "cz"
	sdcz       = "sdcz"
	fp16       = string(TypeH)
	bf16       = string(TypeBF)
	mixedTypes = string(Mixed)
)

var plainOnly = []Variant{Plain}

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

// Meanings of an info that is not 0.
const (
	zeroPivot           = "the 1-based place of the first zero pivot"
	zeroOnDiagonal      = "the 1-based place of the first zero on the diagonal"
	lacksRank           = zeroOnDiagonal + " of A's triangular factor: A does not have full rank"
	notPositive         = "the order of the first leading minor that is not positive definite"
	unconvergedElements = "the number of elements of E that did not converge to zero"
	unconvergedValue    = "a positive number if an eigenvalue did not converge"
	unconvergedVectors  = "the number of vectors that did not converge"
	listedVectors       = unconvergedVectors + ", which ifail lists"
	failedMethod        = "1 if the method did not converge"
	orNotPositive       = ", or n + i if the leading minor of order i of B is not positive definite"
)

// CountsUnconverged reports whether info is more than 1 if more than one element did not converge.
func (f *Family) CountsUnconverged() bool { return !strings.HasPrefix(f.info, failedMethod) }

func info() part {
	return func(f *Family, v Variant) []Param {
		about := "0"
		if f.info != "" {
			about += ", or " + f.info
		}
		if v != Plain {
			about += "; one per problem"
		}
		return flat(contiguous(Info, OfInt, length1, Out, about))(f, v)
	}
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

// suffix returns the suffix of a variant in the names of a family's routines.
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
