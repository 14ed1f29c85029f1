package driver

import (
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

// elementNames have the name of each type in scripts, and in C.
var elementNames = [elements]struct{ script, c string }{
	ElementS: {"s", "float"}, ElementD: {"d", "double"}, ElementC: {"c", "float complex"},
	ElementZ: {"z", "double complex"}, ElementF16: {"f16", "half"}, ElementBF16: {"bf16", "bfloat16"},
	ElementI8: {"i8", "int8_t"}, ElementI32: {"i32", "int32_t"}, ElementI64: {"i64", "int64_t"},
	ElementPtr: {"ptr", "device address"},
}

// String returns the name in scripts and in C: "s (float)".
func (e Element) String() string {
	if e == AnyElement || e >= elements {
		return "bytes"
	}
	return fmt.Sprintf("%s (%s)", elementNames[e].script, elementNames[e].c)
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

// MismatchError reports that memory is read as elements of another type than it holds.
type MismatchError struct {
	Site
	Param   string // the argument that names the memory; "" for a copy
	Ptr     Ptr    // where the other elements begin
	Read    Element
	Holds   Element
	Written Site // the call that wrote them
}

func (e *MismatchError) Error() string {
	what := "device memory"
	if e.Param != "" {
		what = e.Param
	}
	return fmt.Sprintf("%s: %s is read as elements of type %s, but at %#x it holds %s, written by %s; "+
		"hip.reinterpret declares that memory holds another type", e.Call, what, e.Read, uint64(e.Ptr), e.Holds,
		e.Written)
}
