package routine

import "strconv"

// Values of the C enumerations, as in rocblas-types.h. They are plain integers because the library accepts any
// integer in their place and answers invalid_value (or, in some size queries, nothing at all).
const (
	OperationNone               = 111
	OperationTranspose          = 112
	OperationConjugateTranspose = 113

	FillUpper = 121
	FillLower = 122
	FillFull  = 123

	DiagonalNonUnit = 131
	DiagonalUnit    = 132

	SideLeft  = 141
	SideRight = 142
	SideBoth  = 143

	DatatypeF16  = 150
	DatatypeF32  = 151
	DatatypeF64  = 152
	DatatypeF16C = 153
	DatatypeF32C = 154
	DatatypeF64C = 155
	DatatypeI8   = 160
	DatatypeU8   = 161
	DatatypeI32  = 162
	DatatypeU32  = 163
	DatatypeI8C  = 164
	DatatypeU8C  = 165
	DatatypeI32C = 166
	DatatypeU32C = 167
	DatatypeBF16 = 168

	DatatypeBF16C = 169

	GemmAlgoStandard      = 0
	GemmAlgoSolutionIndex = 1

	PointerModeHost   = 0
	PointerModeDevice = 1

	AtomicsNotAllowed = 0
	AtomicsAllowed    = 1
)

// Constant is one value of a C enumeration under the name that scripts use: its C name less the library's prefix.
type Constant struct {
	Name  string
	Value int64
	Enum  Kind
}

// Constants lists every enumeration value of the table in the order of the C headers.
var Constants = []Constant{
	{"operation_none", OperationNone, Operation},
	{"operation_transpose", OperationTranspose, Operation},
	{"operation_conjugate_transpose", OperationConjugateTranspose, Operation},
	{"fill_upper", FillUpper, Fill},
	{"fill_lower", FillLower, Fill},
	{"fill_full", FillFull, Fill},
	{"diagonal_non_unit", DiagonalNonUnit, Diagonal},
	{"diagonal_unit", DiagonalUnit, Diagonal},
	{"side_left", SideLeft, SideKind},
	{"side_right", SideRight, SideKind},
	{"side_both", SideBoth, SideKind},
	{"datatype_f16_r", DatatypeF16, Datatype},
	{"datatype_f32_r", DatatypeF32, Datatype},
	{"datatype_f64_r", DatatypeF64, Datatype},
	{"datatype_f16_c", DatatypeF16C, Datatype},
	{"datatype_f32_c", DatatypeF32C, Datatype},
	{"datatype_f64_c", DatatypeF64C, Datatype},
	{"datatype_i8_r", DatatypeI8, Datatype},
	{"datatype_u8_r", DatatypeU8, Datatype},
	{"datatype_i32_r", DatatypeI32, Datatype},
	{"datatype_u32_r", DatatypeU32, Datatype},
	{"datatype_i8_c", DatatypeI8C, Datatype},
	{"datatype_u8_c", DatatypeU8C, Datatype},
	{"datatype_i32_c", DatatypeI32C, Datatype},
	{"datatype_u32_c", DatatypeU32C, Datatype},
	{"datatype_bf16_r", DatatypeBF16, Datatype},
	{"datatype_bf16_c", DatatypeBF16C, Datatype},
	{"pointer_mode_host", PointerModeHost, PointerMode},
	{"pointer_mode_device", PointerModeDevice, PointerMode},
	{"atomics_not_allowed", AtomicsNotAllowed, AtomicsMode},
	{"atomics_allowed", AtomicsAllowed, AtomicsMode},
	{"gemm_algo_standard", GemmAlgoStandard, GemmAlgo},
	{"gemm_algo_solution_index", GemmAlgoSolutionIndex, GemmAlgo},
}

// ConstantName returns the script's name of an enumeration value, or its number when it has none.
func ConstantName(enum Kind, value int64) string {
	for _, c := range Constants {
		if c.Enum == enum && c.Value == value {
			return c.Name
		}
	}
	return strconv.FormatInt(value, 10)
}

// SizeofDatatype returns the bytes of one element of a runtime data type; ok is false for a number that is none.
func SizeofDatatype(datatype int64) (bytes int64, ok bool) {
	switch datatype {
	case DatatypeI8, DatatypeU8:
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
