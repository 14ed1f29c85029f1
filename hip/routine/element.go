package routine

// Datatype returns the type of the elements of an array, scalar or result of this call as the library's enumeration. It
// is any number for an _ex routine that was given any. The integers of _64 forms have no value of their own there and
// count as i32: see ElementBytes.
func (a *Args) Datatype(p *Param) int64 {
	switch t := a.Routine.Type; {
	case p.Elem == OfInt:
		return DatatypeI32
	case p.Elem == OfArgument:
		return a.Int(p.Type)
	case p.Elem == OfReal:
		return RealOf(t.Datatype())
	default:
		return t.Datatype()
	}
}

// ElementBytes returns the bytes of one element of an array, scalar or result of this call; 0 for a datatype that is none.
func (a *Args) ElementBytes(p *Param) int64 {
	if p.Elem == OfInt && a.Routine.Wide {
		return 8
	}
	bytes, _ := SizeofDatatype(a.Datatype(p))
	return bytes
}

// RealOf returns the type of the parts of a complex datatype, and any other as it is.
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

// factor returns the scalar that makes an array unread by being zero.
func (p *Param) factor() Slot {
	if p.Factor != 0 {
		return p.Factor
	}
	return Alpha
}
