// Package routine is the table of the routines of rocBLAS and rocSOLVER: their names, types and variants, their
// parameters in C order and the meaning of each.
//
// Everything that needs to know a routine reads it here: the binding that takes its arguments from Lua, the model that
// checks and sizes it, the devices that compute it, the calls into C libraries, and the generated documentation.
//
// A family is a routine without its type and variant. Its declaration (families_*.go) is a list of parts. Each part
// expands to the C parameters of one mathematical argument. Args holds the arguments of a call by Slot. Other packages
// index their tables of size rules, argument checks and kernels by FamilyID.
package routine

import (
	"sync"

	"roclua/hip/routine/buffer"
)

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

// Param is one parameter of a routine, in the order of the C declaration.
type Param struct {
	Name   string // as in the C header
	Slot   Slot
	Kind   Kind
	About  string // its meaning in a few words
	Access Access // arrays only
	Elem   Element
	Layout Layout
	Rows   Extent  // arrays only: rows of a matrix, elements of a vector
	Cols   Extent  // matrices only
	Role   Role    // leading dimensions, increments and strides
	Of     Slot    // the array that a parameter with a role belongs to
	Type   Slot    // arrays and scalars OfArgument: the datatype argument that gives the type of their elements
	Factor Slot    // arrays that are only read: they are not read if this scalar is zero; 0 means Alpha
	Object string  // the C type of an object, or of a number that is not an int
	Values []int64 // enumerations only: the values that the routine accepts; all legal ones if nil

	hasUnread func(*Args) bool // arrays only: see ReadInPart; nil if never
	fallback  fallback         // the default
}

// Extent is a dimension of an array as a function of a call's arguments.
type Extent struct {
	Text string // "m", "transA is none ? m : k"
	of   func(*Args) int64
}

// fallback is the default of a parameter as its family declares it.
type fallback struct {
	rule  defaultRule
	value int64 // of fixed
	slot  Slot  // of follows and followsReal
}

type defaultRule uint8

const (
	byKind      defaultRule = iota // by the kind: null for pointers, 0 for reals, the smallest legal value otherwise
	fixed                          // one number
	null                           // the null pointer
	scalarOne                      // alpha
	scalarZero                     // beta
	realZero                       // 0 of a number that is passed by value
	smallest                       // the smallest legal leading dimension, increment or stride
	follows                        // another argument's datatype
	followsReal                    // the real type of another argument's datatype
)

// places has the places of parameters in Routine.Params, from 1: by slot, and for each array by role. 0 is none.
type places struct {
	bySlot [SlotCount]uint8
	byRole [SlotCount][roleCount]uint8
	slots  []Slot // of the parameters in C order, in little memory, for code that needs nothing else of each call
}

func newPlaces(params []Param) *places {
	ps := places{slots: make([]Slot, len(params))}
	for i := len(params) - 1; i >= 0; i-- {
		p := &params[i]
		ps.slots[i] = p.Slot
		ps.bySlot[p.Slot], ps.byRole[p.Of][p.Role] = uint8(i+1), uint8(i+1)
	}
	return &ps
}

// Family is a routine without its type and variant.
type Family struct {
	ID      FamilyID
	Name    string
	Library Library
	Level   int    // BLAS level 1 to 3, or SolverLevel
	About   string // the result, in a few words

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

	// StridedAsPlain means that the library sizes the solves of a strided batch as those of one problem.
	StridedAsPlain bool

	// HostNumbers means that in host pointer mode the library reads or writes some arrays in host memory.
	HostNumbers bool

	// Triangles counts the solutions with a triangular matrix that a call makes, one after another. Factored means that
	// they are all that it makes: a call of another family factored the matrix.
	Triangles int
	Factored  bool

	// Iterates means that some calls iterate on the host and wait for the device in each iteration. How often depends
	// on the data.
	Iterates bool

	types   string            // BLAS letters, in the order of the headers
	names   map[Type]string   // plain names that are not letter + family name
	params  []part            // in C order
	strides strideStyle       // how the header spells strides
	rename  map[string]string // "strided_batched trans": the name where a header departs from its own style
	arrays  map[Slot]string   // names of arrays in the header, where they are not the usual ones
	wide    bool              // has _64 forms
	// onlyWide: every form has 64-bit sizes, and the names do not say so.
	onlyWide bool
	// narrowBatched: the _batched_64 forms call the code of the _batched ones, which gets 32 bits of each integer.
	narrowBatched bool
	forms         []Variant // the forms that exist; all if nil
	interleaved   bool      // its only form is interleaved_batched, which has the arguments of strided_batched
	idle          []Extent  // more sizes, in addition to Args.Empty, that leave nothing to compute if 0
	leaves        []Slot    // results of one element that an empty call does not set: see Args.Zeroed
	zeroes        []Slot    // the solution, which a call without equations or unknowns sets to zeros
	info          string    // the meaning of an info that is not 0
	shared        bool      // the other library has routines of the same names
	product       bool      // gemm, or a form of it
	operations    operations

	routines []Routine // in the order of All
	declared sync.Once // makes the parameters of the routines
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

// IsProduct reports whether a routine is gemm, gemm_ex or gemm_ex3.
func (r *Routine) IsProduct() bool { return r.Family.product }

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

// Has reports whether a parameter fills a slot.
func (r *Routine) Has(s Slot) bool { return r.places.bySlot[s] != 0 }

// Companion finds the leading dimension, increment or stride of an array.
func (r *Routine) Companion(array Slot, role Role) (*Param, bool) {
	return r.at(r.places.byRole[array][role])
}

func (r *Routine) at(place uint8) (*Param, bool) {
	if place == 0 {
		return nil, false
	}
	return &r.Params[place-1], true
}

// Args are the arguments of one call, by slot. Integers, enumerations, strides and reals are values, arrays are device
// addresses (0 is null), scalars and results are device addresses in device pointer mode and Host or 0 in host mode.
type Args struct {
	Routine *Routine
	mark    uint64 // equal in copies that were not changed; 0 for none
	values  [SlotCount]int64
	scalars [ScalarCount]complex128
}

// ReadInPart reports whether a call reads only a part of an array, so that not all of it needs values: the rows of B of
// gels that are only a part of the result, or the columns of A of orgqr that have no reflections.
func (p *Param) ReadInPart(a *Args) bool { return p.hasUnread != nil && p.hasUnread(a) }

// IsNumber reports whether a call returns the parameter, an integer, in host memory in both pointer modes.
func (p *Param) IsNumber() bool { return p.Kind == Output && p.Slot != Result }

// Of evaluates the extent for a call; arguments are not checked and the result may be negative.
func (e Extent) Of(a *Args) int64 {
	if e.of == nil {
		return 0
	}
	return e.of(a)
}

// IsZero reports whether the array has no such dimension.
func (e Extent) IsZero() bool { return e.of == nil }

// ReadFactor returns the scalar that, if zero, leaves an array unread: Beta for an array to which a product is added,
// mostly Alpha for others. The routine may not have it.
func (p *Param) ReadFactor(r *Routine) Slot {
	if p.Access == InOut && p.Factor == 0 {
		if r.Has(Beta) {
			return Beta
		}
	}
	return p.factor()
}

// factor returns the scalar that, if zero, leaves an array unread.
func (p *Param) factor() Slot {
	if p.Factor != 0 {
		return p.Factor
	}
	return Alpha
}

// Library is the C library that exports a routine.
type Library uint8

const (
	RocBLAS Library = iota
	RocSOLVER
	HipSOLVER
	HipBLAS
)

// String returns the library's prefix in C, which is also the name of its Lua module.
func (l Library) String() string {
	return [...]string{"rocblas", "rocsolver", "hipsolver", "hipblas"}[l]
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

// Prefix returns the prefix of the type in names of routines; "" for Mixed.
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

// CholeskyBlock returns the order up to which rocSOLVER factorizes a matrix in one kernel, in shared memory
// (ideal_sizes.hpp).
func (t Type) CholeskyBlock() int64 {
	switch t {
	case TypeS:
		return 180
	case TypeZ:
		return 90
	}
	return 127
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

// Suffix returns the suffix of the variant in a routine's name.
func (v Variant) Suffix() string { return [...]string{"", "_batched", "_strided_batched"}[v] }
