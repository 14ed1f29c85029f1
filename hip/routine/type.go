package routine

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

// Prefix returns what names of routines begin with; "" for Mixed.
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

// IsComplex reports whether elements have an imaginary part.
func (t Type) IsComplex() bool { return t == TypeC || t == TypeZ }

// Variant is one of the three forms of a routine: one problem, or a batch given by an array of pointers or by strides.
type Variant uint8

const (
	Plain Variant = iota
	Batched
	StridedBatched
)

// Suffix returns what the variant adds to a routine's name.
func (v Variant) Suffix() string { return [...]string{"", "_batched", "_strided_batched"}[v] }
