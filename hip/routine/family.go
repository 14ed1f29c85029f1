package routine

import (
	"slices"
	"strings"
	"sync"

	"roclua/hip/arch"
	"roclua/hip/routine/buffer"
)

// Levels of BLAS. Routines of rocSOLVER have the level after the last one.
const SolverLevel = 4

// LayerLevel is the level of the routines of libraries above rocBLAS and rocSOLVER.
const LayerLevel = 5

// Family is a routine without its type and variant.
type Family struct {
	ID      FamilyID
	Name    string
	Library Library
	Level   int    // BLAS level 1 to 3, or SolverLevel
	About   string // what it computes, in a few words

	Hermitian  bool        // its matrix is Hermitian, not symmetric
	Conjugated bool        // it conjugates its first vector
	Buffers    []buffer.ID // the buffers that calls may use as workspace; none for a family that never uses any

	// Without has the names of the releases that do not export the routines; most families have none.
	Without []string

	// Float8 means that the routines exist only for architectures with 8-bit floating-point numbers. On others every
	// call returns arch_mismatch.
	Float8 bool

	// RunsInQueries means that a call inside a size query also allocates its memory and runs, and returns success.
	RunsInQueries bool

	// Iterates means that some calls iterate on the host and wait for the device in each iteration. How often depends
	// on the data.
	Iterates bool

	types   string            // BLAS letters, in the order of the headers
	names   map[Type]string   // plain names that are not letter + family name
	params  []part            // in C order
	strides strideStyle       // how the header spells strides
	rename  map[string]string // "strided_batched trans": the name where a header departs from its own style
	arrays  map[Slot]string   // what the header calls arrays, where that is not the usual name
	wide    bool              // has _64 forms
	// narrowBatched: the _batched_64 forms call the code of the _batched ones, which gets 32 bits of each integer.
	narrowBatched bool
	forms         []Variant // the forms that exist; all if nil
	interleaved   bool      // its only form is interleaved_batched, which has the arguments of strided_batched
	idle          []Extent  // more sizes, in addition to Args.Empty, that leave nothing to compute if 0
	leaves        []Slot    // results of one element that an empty call does not set: see Args.Zeroed

	buffers   buffer.Set
	routines  []Routine // in the order of All
	declared  sync.Once // makes the parameters of the routines
	results   sync.Once // sets reduction
	reduction bool
}

// A part is one argument of the mathematics, such as a matrix, as a family declares it. It expands to the parameters
// that a variant of the routine takes for it: A and lda, and in the strided form its stride.
type part func(f *Family, v Variant) []Param

// strideStyle is the way a header spells strides: strideA, stride_A or stride_a.
type strideStyle uint8

const (
	joined     strideStyle = iota // strideA, stridex
	underscore                    // stride_A, stride_x
	lowerCase                     // stride_a; stride_invA keeps its capital
)

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
