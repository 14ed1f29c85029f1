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

// Reduction reports whether the routines return a result, one per problem.
func (f *Family) Reduction() bool {
	f.results.Do(func() {
		f.reduction = slices.ContainsFunc(f.expand(Plain), func(p Param) bool { return p.Slot == Result })
	})
	return f.reduction
}

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
func (f *Family) Uses(id buffer.ID) bool { return f.buffers.Has(id) }

// arrayName returns what the header calls an array.
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
