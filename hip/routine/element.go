package routine

// Datatype returns the type of the elements of an array, scalar or result of this call, as a value of the library's
// enumeration. For an _ex routine it is whatever number the call gave. The enumeration has no 64-bit integer, so the
// integers of _64 forms count as i32; ElementBytes returns their true size.
func (a *Args) Datatype(p *Param) int64 {
	switch t := a.Routine.Type; {
	case p.Elem == OfInt:
		return DatatypeI32
	case p.Elem == OfArgument:
		return a.Int(p.Type)
	case p.Elem == OfSingle:
		return DatatypeF32
	case p.Elem == OfReal:
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

// ReadFactor returns the scalar that, if zero, leaves an array unread: Beta for an array to which a product is added,
// mostly Alpha for others. The routine may not have it.
func (p *Param) ReadFactor(r *Routine) Slot {
	if p.Access == InOut && p.Factor == 0 {
		if _, ok := r.ParamAt(Beta); ok {
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
