package driver

import (
	"cmp"
	"fmt"

	"roclua/hip/routine"
)

// Element is the type of the elements in device memory, as far as it is known.
type Element uint8

// The types of elements. Memory of AnyElement was filled byte by byte, or holds data whose type is not known.
const (
	AnyElement Element = iota
	ElementS
	ElementD
	ElementC
	ElementZ
	ElementF16
	ElementBF16
	ElementI8
	ElementI32
	ElementI64
	ElementPtr

	elements // their number
)

// elementNames have the name of each type in scripts, and in C, and its alignment.
var elementNames = [elements]struct {
	script, c string
	alignment uint64
}{
	ElementS: {"s", "float", 4}, ElementD: {"d", "double", 8}, ElementC: {"c", "float complex", 4},
	ElementZ: {"z", "double complex", 8}, ElementF16: {"f16", "half", 2}, ElementBF16: {"bf16", "bfloat16", 2},
	ElementI8: {"i8", "int8_t", 1}, ElementI32: {"i32", "int32_t", 4}, ElementI64: {"i64", "int64_t", 8},
	ElementPtr: {"ptr", "device address", 8},
}

// String returns the name in scripts and in C: "s (float)".
func (e Element) String() string {
	if e == AnyElement || e >= elements {
		return "bytes"
	}
	return fmt.Sprintf("%s (%s)", elementNames[e].script, elementNames[e].c)
}

// Fits reports whether elements can be at an address. Kernels may use others in any way: NVIDIA's GPUs then report a
// misaligned address, and AMD's ones read from another address, fail, or compute as if nothing was wrong.
func (e Element) Fits(p Ptr) bool {
	return e == AnyElement || e >= elements || uint64(p)%elementNames[e].alignment == 0
}

// Name returns the name in scripts: "s".
func (e Element) Name() string {
	if e >= elements {
		return ""
	}
	return elementNames[e].script
}

// ElementNamed returns the type with a name in scripts, and AnyElement if there is none.
func ElementNamed(name string) Element {
	for e := ElementS; e < elements; e++ {
		if elementNames[e].script == name {
			return e
		}
	}
	return AnyElement
}

var elementOfDatatype = map[int64]Element{
	routine.DatatypeF32: ElementS, routine.DatatypeF64: ElementD, routine.DatatypeF32C: ElementC,
	routine.DatatypeF64C: ElementZ, routine.DatatypeF16: ElementF16, routine.DatatypeBF16: ElementBF16,
	routine.DatatypeI8: ElementI8, routine.DatatypeI32: ElementI32,
}

// ElementOf returns the type of the elements of an array, scalar or result of a call.
func ElementOf(a *routine.Args, p *routine.Param) Element {
	if p.Elem == routine.OfInt && a.Routine.Wide {
		return ElementI64
	}
	return elementOfDatatype[a.Datatype(p)]
}

// UnwrittenRead is a read of device memory that nothing has written since its allocation.
type UnwrittenRead struct {
	Site
	Stream    int
	Param     string // the argument that names the memory; "" for a copy
	Ptr       Ptr    // the first unwritten byte
	Bytes     uint64 // unwritten bytes
	Of        uint64 // bytes that the call reads
	Offset    uint64 // of the first unwritten byte in its allocation
	Allocated Site
	Size      uint64 // bytes of the allocation

	// Uncomputed names the routine that should have written the bytes and that the platform does not compute; "" if
	// there is none.
	Uncomputed string
	Platform   string // the platform, if Uncomputed is not ""
}

// String describes the read: the call, the memory, how much of it was unwritten, and where it was allocated.
func (u UnwrittenRead) String() string {
	what := "device memory"
	if u.Param != "" {
		what = u.Param
	}
	if u.Uncomputed != "" {
		return fmt.Sprintf("%s reads %s, of which %d of %d bytes have no values, because %s is not computed on %s; "+
			"they begin at %#x, byte %d of the %d bytes allocated by %s", u.Site, what, u.Bytes, u.Of, u.Uncomputed,
			u.Platform, uint64(u.Ptr), u.Offset, u.Size, u.Allocated)
	}
	return fmt.Sprintf("%s reads %s, of which nothing has written %d of %d bytes, from %#x on: "+
		"byte %d of the %d bytes allocated by %s", u.Site, what, u.Bytes, u.Of, uint64(u.Ptr), u.Offset, u.Size,
		u.Allocated)
}

// MismatchError reports that memory is used as elements of another type than it holds, or as elements that cannot be at
// its address.
type MismatchError struct {
	Site
	Param   string // the argument that names the memory; "" for a copy
	Ptr     Ptr    // where the other elements begin
	Read    Element
	Holds   Element // not used if elements of the type cannot be at the address
	Written Site    // the call that wrote them
}

func (e *MismatchError) Error() string {
	what := cmp.Or(e.Param, "device memory")
	if e.Call != "" {
		what = e.Call + ": " + what
	}
	if !e.Read.Fits(e.Ptr) {
		return fmt.Sprintf("%s is at %#x, which is not a multiple of %d, as elements of type %s need it", what,
			uint64(e.Ptr), elementNames[e.Read].alignment, e.Read)
	}
	return fmt.Sprintf("%s is read as elements of type %s, but at %#x it holds %s, written by %s; "+
		"hip.reinterpret declares that memory holds another type", what, e.Read, uint64(e.Ptr), e.Holds,
		e.Written)
}
