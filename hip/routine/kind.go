package routine

import (
	"slices"
	"strconv"
)

// Kind is the C type of a parameter, as far as it decides how a value is read and passed.
type Kind uint8

const (
	Int32              Kind = iota // rocblas_int; int64_t in the _64 forms
	Int64                          // rocblas_stride
	Uint32                         // uint32_t
	FixedInt32                     // int32_t, in the _64 forms too
	Size                           // size_t
	Operation                      // rocblas_operation
	Fill                           // rocblas_fill
	Diagonal                       // rocblas_diagonal
	SideKind                       // rocblas_side
	Datatype                       // rocblas_datatype
	GemmAlgo                       // rocblas_gemm_algo
	GeamOp                         // rocblas_geam_ex_operation
	Direction                      // rocblas_direct
	Storage                        // rocblas_storev
	EigenvectorJob                 // rocblas_evect
	SingularVectorJob              // rocblas_svect
	WorkMode                       // rocblas_workmode
	ProblemForm                    // rocblas_eform
	EigenvalueRange                // rocblas_erange
	EigenvalueOrder                // rocblas_eorder
	EigenvalueSort                 // rocblas_esort
	SingularValueRange             // rocblas_srange
	RotationPivot                  // rocblas_pivot
	ComputeMode                    // rocblas_computetype
	PointerMode                    // rocblas_pointer_mode
	AtomicsMode                    // rocblas_atomics_mode
	MathMode                       // rocblas_math_mode
	PerformanceMetric              // rocblas_performance_metric
	LayerMode                      // rocblas_layer_mode
	SolverFunction                 // rocsolver_function
	AlgMode                        // rocsolver_alg_mode
	RfinfoMode                     // rocsolver_rfinfo_mode
	MatrixOperation                // hipblasOperation_t
	FillMode                       // hipblasFillMode_t
	SideMode                       // hipblasSideMode_t
	EigMode                        // hipsolverEigMode_t
	EigType                        // hipsolverEigType_t
	EigRange                       // hipsolverEigRange_t
	VectorLetter                   // signed char
	HipDatatype                    // hipDataType
	BlasCompute                    // hipblasComputeType_t
	BlasAlgo                       // hipblasGemmAlgo_t
	BlasFlags                      // hipblasGemmFlags_t
	Real                           // floating-point number of the routine's real type, passed by value
	Scalar                         // pointer to alpha or beta, on host or device by the pointer mode
	Array                          // device pointer to a matrix, a vector or integers
	ArrayOfArrays                  // device pointer to an array of device pointers, one per problem of a batch
	Output                         // pointer to the result of a reduction, on host or device by the pointer mode
	Object                         // pointer to an object of the library on the host; Param.Object is its type
)

// IsEnum reports whether values of the kind are named constants.
func (k Kind) IsEnum() bool { return k >= Operation && k < Real }

// IsInteger reports whether values of the kind are counts, sizes or strides.
func (k Kind) IsInteger() bool { return k < Operation }

// IsPointer reports whether values of the kind are addresses.
func (k Kind) IsPointer() bool { return k > Real }

// IsArray reports whether values of the kind are addresses of device memory, whose size depends on other arguments.
func (k Kind) IsArray() bool { return k == Array || k == ArrayOfArrays }

// Access is the use of an array by a routine.
type Access uint8

const (
	None Access = iota
	In
	Out
	InOut
)

// Reads reports whether the routine reads the array.
func (a Access) Reads() bool { return a == In || a == InOut }

// Writes reports whether the routine writes the array.
func (a Access) Writes() bool { return a == Out || a == InOut }

// Element is the type of an array's elements relative to the routine's type.
type Element uint8

const (
	OfType     Element = iota // the routine's own type
	OfReal                    // its real type: float for c, double for z
	OfInt                     // rocblas_int
	OfInt32                   // int, in functions with 64-bit sizes too
	OfSingle                  // float, whatever the routine's type is
	OfArgument                // the datatype given by the argument Param.Type
)

// Layout is the way an array's elements lie in memory.
type Layout uint8

const (
	Dense      Layout = iota // column-major, columns a leading dimension apart
	Upper                    // one triangle of a square matrix in dense storage, by uplo
	Packed                   // one triangle column by column, n(n+1)/2 elements
	Band                     // band storage: k+1 rows
	Vector                   // elements an increment apart
	Contiguous               // adjacent elements: pivots, info, results
)

// Role is the part that an integer plays for the array Param.Of.
type Role uint8

const (
	NoRole           Role = iota // the parameter does not belong to an array
	LeadingDimension             // elements between two columns
	Increment                    // elements between two elements of a vector
	Stride                       // elements between the arrays of two problems

	roleCount = iota
)

// Values of the C enumerations, as in rocblas-types.h. They are plain integers because the library accepts any
// integer in their place: it returns invalid_value, or in some size queries does not check them.
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
	DatatypeF8    = 170
	DatatypeBF8   = 171

	ComputeF32    = 300
	ComputeF8F8   = 301
	ComputeF8BF8  = 302
	ComputeBF8F8  = 303
	ComputeBF8BF8 = 304

	DirectForward  = 171
	DirectBackward = 172

	StorevColumns = 181
	StorevRows    = 182

	EvectOriginal    = 211
	EvectTridiagonal = 212
	EvectNone        = 213

	SvectAll       = 191
	SvectSingular  = 192
	SvectOverwrite = 193
	SvectNone      = 194

	WorkOutofplace = 201
	WorkInplace    = 202

	EformAx  = 221
	EformAbx = 222
	EformBax = 223

	ErangeAll   = 231
	ErangeValue = 232
	ErangeIndex = 233

	EorderBlocks = 241
	EorderEntire = 242

	EsortNone      = 251
	EsortAscending = 252

	SrangeAll   = 261
	SrangeValue = 262
	SrangeIndex = 263

	PivotVariable = 281
	PivotTop      = 282
	PivotBottom   = 283

	GeamMinPlus = 0
	GeamPlusMin = 1

	GemmAlgoStandard      = 0
	GemmAlgoSolutionIndex = 1

	PointerModeHost   = 0
	PointerModeDevice = 1

	AtomicsNotAllowed = 0
	AtomicsAllowed    = 1

	DefaultMath = 0
	XF32Math    = 1

	CUEfficiency = 2

	FunctionBdsqr = 401
	FunctionGesvd = 402
	FunctionSterf = 403
	FunctionSteqr = 404
	FunctionSyev  = 405

	AlgModeGPU    = 291
	AlgModeHybrid = 292
	AlgModeMixed  = 293

	RfinfoModeLU       = 271
	RfinfoModeCholesky = 272

	EigModeNoVector = 201
	EigModeVector   = 202

	EigType1 = 211

	EigRangeAll = 221

	HipR32F = 0
	HipR64F = 1
	HipC32F = 4
	HipC64F = 5

	Compute16F = 0
	Compute32F = 2
	Compute64F = 7
	Compute32I = 9

	GemmDefault = 160

	CheckSolutionIndex = 8
)

// Constant is one value of a C enumeration under the name that scripts use: its C name without the library's prefix.
type Constant struct {
	Name  string
	Value int64
	Enum  Kind

	// Library is the one whose prefix the C name has, and whose module has the constant.
	Library Library

	// Reserved marks a value that no routine of the table accepts.
	Reserved bool
}

// enumeration is consecutive values of an enumeration.
type enumeration struct {
	library Library // whose prefix the C names have
	kind    Kind
	name    string // the C name without the prefix of the library
	first   int64
	values  []string // the names of the first value and of those after it
}

// enumerations lists every enumeration of the table with its values, in the order of the C headers.
var enumerations = []enumeration{
	{RocBLAS, Operation, "operation", OperationNone, []string{
		"operation_none", "operation_transpose", "operation_conjugate_transpose",
	}},
	{RocBLAS, Fill, "fill", FillUpper, []string{"fill_upper", "fill_lower", "fill_full"}},
	{RocBLAS, Diagonal, "diagonal", DiagonalNonUnit, []string{"diagonal_non_unit", "diagonal_unit"}},
	{RocBLAS, SideKind, "side", SideLeft, []string{"side_left", "side_right", "side_both"}},
	{RocBLAS, Datatype, "datatype", DatatypeF16, []string{
		"datatype_f16_r", "datatype_f32_r", "datatype_f64_r", "datatype_f16_c", "datatype_f32_c", "datatype_f64_c",
	}},
	{RocBLAS, Datatype, "datatype", DatatypeI8, []string{
		"datatype_i8_r", "datatype_u8_r", "datatype_i32_r", "datatype_u32_r", "datatype_i8_c", "datatype_u8_c",
		"datatype_i32_c", "datatype_u32_c", "datatype_bf16_r", "datatype_bf16_c", "datatype_f8_r", "datatype_bf8_r",
	}},
	{RocBLAS, ComputeMode, "computetype", ComputeF32, []string{
		"compute_type_f32", "compute_type_f8_f8_f32", "compute_type_f8_bf8_f32", "compute_type_bf8_f8_f32",
		"compute_type_bf8_bf8_f32",
	}},
	{RocBLAS, PointerMode, "pointer_mode", PointerModeHost, []string{"pointer_mode_host", "pointer_mode_device"}},
	{RocBLAS, AtomicsMode, "atomics_mode", AtomicsNotAllowed, []string{"atomics_not_allowed", "atomics_allowed"}},
	{RocBLAS, MathMode, "math_mode", DefaultMath, []string{"default_math", "xf32_xdl_math_op"}},
	{RocBLAS, PerformanceMetric, "performance_metric", 0, []string{
		"default_performance_metric", "device_efficiency_performance_metric", "cu_efficiency_performance_metric",
	}},
	{RocBLAS, LayerMode, "layer_mode", 0, []string{"layer_mode_none", "layer_mode_log_trace", "layer_mode_log_bench"}},
	{RocBLAS, LayerMode, "layer_mode", 4, []string{"layer_mode_log_profile"}},
	{RocBLAS, LayerMode, "layer_mode", 8, []string{"layer_mode_log_internal"}},
	{RocBLAS, LayerMode, "layer_mode", 16, []string{"layer_mode_ex_log_kernel"}}, // of rocSOLVER
	{RocSOLVER, SolverFunction, "function", FunctionBdsqr, []string{
		"function_bdsqr", "function_gesvd", "function_sterf", "function_steqr", "function_syev_heev",
	}},
	{RocSOLVER, AlgMode, "alg_mode", AlgModeGPU, []string{"alg_mode_gpu", "alg_mode_hybrid", "alg_mode_mixed"}},
	{RocSOLVER, RfinfoMode, "rfinfo_mode", RfinfoModeLU, []string{"rfinfo_mode_lu", "rfinfo_mode_cholesky"}},
	{RocBLAS, Direction, "direct", DirectForward, []string{"forward_direction", "backward_direction"}},
	{RocBLAS, Storage, "storev", StorevColumns, []string{"column_wise", "row_wise"}},
	{RocBLAS, EigenvectorJob, "evect", EvectOriginal, []string{"evect_original", "evect_tridiagonal", "evect_none"}},
	{RocBLAS, SingularVectorJob, "svect", SvectAll, []string{
		"svect_all", "svect_singular", "svect_overwrite", "svect_none",
	}},
	{RocBLAS, WorkMode, "workmode", WorkOutofplace, []string{"outofplace", "inplace"}},
	{RocBLAS, ProblemForm, "eform", EformAx, []string{"eform_ax", "eform_abx", "eform_bax"}},
	{RocBLAS, EigenvalueRange, "erange", ErangeAll, []string{"erange_all", "erange_value", "erange_index"}},
	{RocBLAS, EigenvalueOrder, "eorder", EorderBlocks, []string{"eorder_blocks", "eorder_entire"}},
	{RocBLAS, EigenvalueSort, "esort", EsortNone, []string{"esort_none", "esort_ascending"}},
	{RocBLAS, SingularValueRange, "srange", SrangeAll, []string{"srange_all", "srange_value", "srange_index"}},
	{RocBLAS, RotationPivot, "pivot", PivotVariable, []string{"pivot_variable", "pivot_top", "pivot_bottom"}},
	{RocBLAS, GeamOp, "geam_ex_operation", GeamMinPlus, []string{
		"geam_ex_operation_min_plus", "geam_ex_operation_plus_min",
	}},
	{RocBLAS, GemmAlgo, "gemm_algo", GemmAlgoStandard, []string{"gemm_algo_standard", "gemm_algo_solution_index"}},
}

// layerEnumerations lists the enumerations of hipSOLVER and of the libraries whose types it uses.
var layerEnumerations = []enumeration{
	{HipSOLVER, MatrixOperation, "op", OperationNone, []string{"op_n", "op_t", "op_c"}},
	{HipSOLVER, FillMode, "fill_mode", FillUpper, []string{"fill_mode_upper", "fill_mode_lower"}},
	{HipSOLVER, SideMode, "side", SideLeft, []string{"side_left", "side_right"}},
	{HipSOLVER, EigMode, "eig_mode", EigModeNoVector, []string{"eig_mode_novector", "eig_mode_vector"}},
	{HipSOLVER, EigType, "eig_type", EigType1, []string{"eig_type_1", "eig_type_2", "eig_type_3"}},
	{HipSOLVER, EigRange, "eig_range", EigRangeAll, []string{"eig_range_all", "eig_range_v", "eig_range_i"}},
	{HipSOLVER, VectorLetter, "job", 'A', []string{"job_a"}},
	{HipSOLVER, VectorLetter, "job", 'N', []string{"job_n", "job_o"}},
	{HipSOLVER, VectorLetter, "job", 'S', []string{"job_s"}},
	{HipSOLVER, HipDatatype, "hip", HipR32F, hipDatatypes},
	{HipBLAS, BlasCompute, "compute", Compute16F, []string{"compute_16f", "compute_16f_pedantic", "compute_32f",
		"compute_32f_pedantic", "compute_32f_fast_16f", "compute_32f_fast_16bf", "compute_32f_fast_tf32",
		"compute_64f", "compute_64f_pedantic", "compute_32i", "compute_32i_pedantic"}},
	{HipBLAS, BlasAlgo, "gemm", GemmDefault, []string{"gemm_default"}},
	{HipBLAS, BlasFlags, "gemm_flags", 0, []string{"gemm_flags_none"}},
	{HipBLAS, BlasFlags, "gemm_flags", 2, []string{"gemm_flags_use_cu_efficiency"}},
	{HipBLAS, BlasFlags, "gemm_flags", 4, []string{"gemm_flags_fp16_alt_impl"}},
	{HipBLAS, BlasFlags, "gemm_flags", CheckSolutionIndex, []string{"gemm_flags_check_solution_index"}},
	{HipBLAS, BlasFlags, "gemm_flags", 16, []string{"gemm_flags_fp16_alt_impl_rnz"}},
}

// hipDatatypes are the names of the values of hipDataType from HipR32F on.
var hipDatatypes = []string{"hip_r_32f", "hip_r_64f", "hip_r_16f", "hip_r_8i", "hip_c_32f", "hip_c_64f", "hip_c_16f",
	"hip_c_8i", "hip_r_8u", "hip_c_8u", "hip_r_32i", "hip_c_32i", "hip_r_32u", "hip_c_32u", "hip_r_16bf", "hip_c_16bf"}

// blasEnumerations lists hipBLAS's names for values of rocBLAS's enumerations, which have the same numbers.
var blasEnumerations = []enumeration{
	{HipBLAS, Operation, "op", OperationNone, []string{"op_n", "op_t", "op_c"}},
	{HipBLAS, Fill, "fill_mode", FillUpper, []string{"fill_mode_upper", "fill_mode_lower", "fill_mode_full"}},
	{HipBLAS, Diagonal, "diag", DiagonalNonUnit, []string{"diag_non_unit", "diag_unit"}},
	{HipBLAS, SideKind, "side", SideLeft, []string{"side_left", "side_right", "side_both"}},
	{HipBLAS, PointerMode, "pointer_mode", PointerModeHost, []string{"pointer_mode_host", "pointer_mode_device"}},
	{HipBLAS, MathMode, "math", DefaultMath, []string{"default_math", "xf32_xdl_math"}},
	{HipBLAS, HipDatatype, "hip", HipR32F, hipDatatypes},
	{HipBLAS, AtomicsMode, "atomics", AtomicsNotAllowed, []string{"atomics_not_allowed", "atomics_allowed"}},
}

// reserved are the values that no routine of the table accepts.
var reserved = []string{"fill_full", "side_both", "datatype_f8_r", "datatype_bf8_r", "alg_mode_mixed"}

// Constants lists the values of the enumerations of rocBLAS and rocSOLVER in the order of the C headers.
var Constants = constants(enumerations)

// allConstants also lists the values of the enumerations of hipSOLVER.
var allConstants = slices.Concat(Constants, constants(layerEnumerations))

// LayerConstants lists the values of the enumerations of a library above rocBLAS and rocSOLVER.
func LayerConstants(l Library) (list []Constant) {
	for _, c := range slices.Concat(allConstants, constants(blasEnumerations)) {
		if c.Library == l {
			list = append(list, c)
		}
	}
	return list
}

// ConstantsOf returns the values of an enumeration, in the order of the C headers.
func ConstantsOf(k Kind) (list []Constant) {
	for _, c := range allConstants {
		if c.Enum == k {
			list = append(list, c)
		}
	}
	return list
}

func constants(rows []enumeration) []Constant {
	var list []Constant
	for _, e := range rows {
		for i, name := range e.values {
			list = append(list, Constant{name, e.first + int64(i), e.kind, e.library, slices.Contains(reserved, name)})
		}
	}
	return list
}

// Enumerations returns the kinds of the enumerations of Constants, in the order of the C headers.
func Enumerations() []Kind {
	var list []Kind
	for _, e := range enumerations {
		list = append(list, e.kind)
	}
	return slices.Compact(list)
}

// rowOf returns the first row of an enumeration; the zero value for kinds that are not enumerations.
func rowOf(k Kind) enumeration {
	for _, rows := range [][]enumeration{enumerations, layerEnumerations} {
		if i := slices.IndexFunc(rows, func(e enumeration) bool { return e.kind == k }); i >= 0 {
			return rows[i]
		}
	}
	return enumeration{}
}

// EnumName returns the name of an enumeration in scripts, such as "operation"; "" for kinds that are not enumerations.
func EnumName(k Kind) string { return rowOf(k).name }

// EnumLibrary returns the library whose prefix the C name of an enumeration has.
func EnumLibrary(k Kind) Library { return rowOf(k).library }

// Legal returns the values of an enumeration that routines accept.
func Legal(enum Kind) []int64 {
	var list []int64
	for _, c := range ConstantsOf(enum) {
		if !c.Reserved {
			list = append(list, c.Value)
		}
	}
	return list
}

// Legal returns the values of an enumeration that the routine accepts.
func (p *Param) Legal() []int64 {
	if p.Values != nil {
		return p.Values
	}
	return Legal(p.Kind)
}

// ConstantName returns the script's name of an enumeration value, or its number when it has none.
func ConstantName(enum Kind, value int64) string {
	for _, c := range allConstants {
		if c.Enum == enum && c.Value == value {
			return c.Name
		}
	}
	return strconv.FormatInt(value, 10)
}
