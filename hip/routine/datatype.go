package routine

// Datatype returns the type of the elements of an array, scalar or result of this call, as a value of the library's
// enumeration. For an _ex routine it is whatever number the call gave. The enumeration has no 64-bit integer, so the
// integers of _64 forms count as i32; ElementBytes returns their true size.
func (a *Args) Datatype(p *Param) int64 {
	switch t := a.Routine.Type; p.Elem {
	case OfInt, OfInt32:
		return DatatypeI32
	case OfArgument:
		if datatype := a.Int(p.Type); datatype < ComputeF32 || datatype > ComputeBF8BF8 {
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
