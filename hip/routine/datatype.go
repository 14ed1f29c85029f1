package routine

import "slices"

// Datatype returns the type of the elements of an array, scalar or result of this call, as a value of the library's
// enumeration. For an _ex routine it is whatever number the call gave. The enumeration has no 64-bit integer, so the
// integers of _64 forms count as i32; ElementBytes returns their true size.
func (a *Args) Datatype(p *Param) int64 {
	switch t := a.Routine.Type; p.Elem {
	case OfInt, OfInt32:
		return DatatypeI32
	case OfArgument:
		if datatype := a.DatatypeAt(p.Type); datatype < ComputeF32 || datatype > ComputeBF8BF8 {
			return datatype
		}
		return DatatypeF32 // of the scalars of products whose factors have 8 bits
	case OfSingle:
		return DatatypeF32
	case OfReal:
		return RealOf(t.Datatype())
	default:
		return t.Datatype()
	}
}

// ElementBytes returns the bytes of one element of an array, scalar or result of this call; 0 for a number that is not
// a datatype.
func (a *Args) ElementBytes(p *Param) int64 {
	if p.Elem == OfInt && a.Routine.Wide {
		return 8
	}
	bytes, _ := SizeofDatatype(a.Datatype(p))
	return bytes
}

// RealOf returns the real type of a complex datatype, and any other datatype unchanged.
func RealOf(datatype int64) int64 {
	switch datatype {
	case DatatypeF16C:
		return DatatypeF16
	case DatatypeF32C:
		return DatatypeF32
	case DatatypeF64C:
		return DatatypeF64
	case DatatypeBF16C:
		return DatatypeBF16
	}
	return datatype
}

// IsComplexDatatype reports whether elements of a datatype have an imaginary part.
func IsComplexDatatype(datatype int64) bool { return RealOf(datatype) != datatype }

// SizeofDatatype returns the bytes of one element of a datatype; ok is false for a number that is not a datatype.
func SizeofDatatype(datatype int64) (bytes int64, ok bool) {
	switch datatype {
	case DatatypeI8, DatatypeU8, DatatypeF8, DatatypeBF8:
		return 1, true
	case DatatypeF16, DatatypeBF16, DatatypeI8C, DatatypeU8C:
		return 2, true
	case DatatypeF32, DatatypeF16C, DatatypeBF16C, DatatypeI32, DatatypeU32:
		return 4, true
	case DatatypeF64, DatatypeF32C, DatatypeI32C, DatatypeU32C:
		return 8, true
	case DatatypeF64C:
		return 16, true
	}
	return 0, false
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

// datatypesOfHip are the datatypes of the values of hipDataType, from HipR32F on.
var datatypesOfHip = []int64{DatatypeF32, DatatypeF64, DatatypeF16, DatatypeI8, DatatypeF32C, DatatypeF64C,
	DatatypeF16C, DatatypeI8C, DatatypeU8, DatatypeU8C, DatatypeI32, DatatypeI32C, DatatypeU32, DatatypeU32C,
	DatatypeBF16, DatatypeBF16C}

// HipDatatypeOf returns a datatype as a hipDataType; -1 for a datatype that hipDataType does not have.
func HipDatatypeOf(datatype int64) int64 { return int64(slices.Index(datatypesOfHip, datatype)) }

// fromHip returns the datatype of a hipDataType; -1 for a number without one.
func fromHip(v int64) int64 {
	if v < 0 || v >= int64(len(datatypesOfHip)) {
		return -1
	}
	return datatypesOfHip[v]
}

// precisions are the datatypes of precisions that products are computed in.
var precisions = map[int64]int64{Compute16F: DatatypeF16, Compute32F: DatatypeF32, Compute64F: DatatypeF64,
	Compute32I: DatatypeI32}

// ComputeOf returns the precision of a datatype that products are computed in.
func ComputeOf(datatype int64) int64 {
	for compute, of := range precisions {
		if of == RealOf(datatype) {
			return compute
		}
	}
	return Compute16F
}

// DatatypeAt returns the datatype that an argument of a call gives; -1 for a value that is none. hipBLAS's precisions
// of products are complex if C is.
func (a *Args) DatatypeAt(s Slot) int64 {
	v := a.Int(s)
	p, ok := a.Routine.ParamAt(s)
	switch {
	case !ok:
		return v
	case p.Kind == HipDatatype:
		return fromHip(v)
	case p.Kind != BlasCompute:
		return v
	}
	datatype, ok := precisions[v]
	if c := a.DatatypeAt(CType); ok && RealOf(c) == datatype {
		return c
	}
	if !ok {
		return -1
	}
	return datatype
}
