package routine

import "strconv"

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

// enumerations lists every enumeration of the table with its values, in the order of the C headers.
var enumerations = []struct {
	kind   Kind
	name   string // the C name without the prefix of the library
	values []Constant
}{
	{Operation, "operation", []Constant{
		{Name: "operation_none", Value: OperationNone},
		{Name: "operation_transpose", Value: OperationTranspose},
		{Name: "operation_conjugate_transpose", Value: OperationConjugateTranspose},
	}},
	{Fill, "fill", []Constant{
		{Name: "fill_upper", Value: FillUpper},
		{Name: "fill_lower", Value: FillLower},
		{Name: "fill_full", Value: FillFull, Reserved: true},
	}},
	{Diagonal, "diagonal", []Constant{
		{Name: "diagonal_non_unit", Value: DiagonalNonUnit},
		{Name: "diagonal_unit", Value: DiagonalUnit},
	}},
	{SideKind, "side", []Constant{
		{Name: "side_left", Value: SideLeft},
		{Name: "side_right", Value: SideRight},
		{Name: "side_both", Value: SideBoth, Reserved: true},
	}},
	{Datatype, "datatype", []Constant{
		{Name: "datatype_f16_r", Value: DatatypeF16},
		{Name: "datatype_f32_r", Value: DatatypeF32},
		{Name: "datatype_f64_r", Value: DatatypeF64},
		{Name: "datatype_f16_c", Value: DatatypeF16C},
		{Name: "datatype_f32_c", Value: DatatypeF32C},
		{Name: "datatype_f64_c", Value: DatatypeF64C},
		{Name: "datatype_i8_r", Value: DatatypeI8},
		{Name: "datatype_u8_r", Value: DatatypeU8},
		{Name: "datatype_i32_r", Value: DatatypeI32},
		{Name: "datatype_u32_r", Value: DatatypeU32},
		{Name: "datatype_i8_c", Value: DatatypeI8C},
		{Name: "datatype_u8_c", Value: DatatypeU8C},
		{Name: "datatype_i32_c", Value: DatatypeI32C},
		{Name: "datatype_u32_c", Value: DatatypeU32C},
		{Name: "datatype_bf16_r", Value: DatatypeBF16},
		{Name: "datatype_bf16_c", Value: DatatypeBF16C},
		{Name: "datatype_f8_r", Value: DatatypeF8, Reserved: true},
		{Name: "datatype_bf8_r", Value: DatatypeBF8, Reserved: true},
	}},
	{ComputeMode, "computetype", []Constant{
		{Name: "compute_type_f32", Value: ComputeF32},
		{Name: "compute_type_f8_f8_f32", Value: ComputeF8F8},
		{Name: "compute_type_f8_bf8_f32", Value: ComputeF8BF8},
		{Name: "compute_type_bf8_f8_f32", Value: ComputeBF8F8},
		{Name: "compute_type_bf8_bf8_f32", Value: ComputeBF8BF8},
	}},
	{PointerMode, "pointer_mode", []Constant{
		{Name: "pointer_mode_host", Value: PointerModeHost},
		{Name: "pointer_mode_device", Value: PointerModeDevice},
	}},
	{AtomicsMode, "atomics_mode", []Constant{
		{Name: "atomics_not_allowed", Value: AtomicsNotAllowed},
		{Name: "atomics_allowed", Value: AtomicsAllowed},
	}},
	{MathMode, "math_mode", []Constant{
		{Name: "default_math", Value: DefaultMath},
		{Name: "xf32_xdl_math_op", Value: XF32Math},
	}},
	{PerformanceMetric, "performance_metric", []Constant{
		{Name: "default_performance_metric", Value: 0},
		{Name: "device_efficiency_performance_metric", Value: 1},
		{Name: "cu_efficiency_performance_metric", Value: 2},
	}},
	{LayerMode, "layer_mode", []Constant{
		{Name: "layer_mode_none", Value: 0},
		{Name: "layer_mode_log_trace", Value: 1},
		{Name: "layer_mode_log_bench", Value: 2},
		{Name: "layer_mode_log_profile", Value: 4},
		{Name: "layer_mode_log_internal", Value: 8},
	}},
	{SolverFunction, "function", []Constant{
		{Name: "function_bdsqr", Value: FunctionBdsqr, Library: RocSOLVER},
		{Name: "function_gesvd", Value: FunctionGesvd, Library: RocSOLVER},
		{Name: "function_sterf", Value: FunctionSterf, Library: RocSOLVER},
		{Name: "function_steqr", Value: FunctionSteqr, Library: RocSOLVER},
		{Name: "function_syev_heev", Value: FunctionSyev, Library: RocSOLVER},
	}},
	{AlgMode, "alg_mode", []Constant{
		{Name: "alg_mode_gpu", Value: AlgModeGPU, Library: RocSOLVER},
		{Name: "alg_mode_hybrid", Value: AlgModeHybrid, Library: RocSOLVER},
		{Name: "alg_mode_mixed", Value: AlgModeMixed, Library: RocSOLVER, Reserved: true},
	}},
	{RfinfoMode, "rfinfo_mode", []Constant{
		{Name: "rfinfo_mode_lu", Value: RfinfoModeLU, Library: RocSOLVER},
		{Name: "rfinfo_mode_cholesky", Value: RfinfoModeCholesky, Library: RocSOLVER},
	}},
	{Direction, "direct", []Constant{
		{Name: "forward_direction", Value: DirectForward},
		{Name: "backward_direction", Value: DirectBackward},
	}},
	{Storage, "storev", []Constant{
		{Name: "column_wise", Value: StorevColumns},
		{Name: "row_wise", Value: StorevRows},
	}},
	{EigenvectorJob, "evect", []Constant{
		{Name: "evect_original", Value: EvectOriginal},
		{Name: "evect_tridiagonal", Value: EvectTridiagonal},
		{Name: "evect_none", Value: EvectNone},
	}},
	{SingularVectorJob, "svect", []Constant{
		{Name: "svect_all", Value: SvectAll},
		{Name: "svect_singular", Value: SvectSingular},
		{Name: "svect_overwrite", Value: SvectOverwrite},
		{Name: "svect_none", Value: SvectNone},
	}},
	{WorkMode, "workmode", []Constant{
		{Name: "outofplace", Value: WorkOutofplace},
		{Name: "inplace", Value: WorkInplace},
	}},
	{ProblemForm, "eform", []Constant{
		{Name: "eform_ax", Value: EformAx},
		{Name: "eform_abx", Value: EformAbx},
		{Name: "eform_bax", Value: EformBax},
	}},
	{EigenvalueRange, "erange", []Constant{
		{Name: "erange_all", Value: ErangeAll},
		{Name: "erange_value", Value: ErangeValue},
		{Name: "erange_index", Value: ErangeIndex},
	}},
	{EigenvalueOrder, "eorder", []Constant{
		{Name: "eorder_blocks", Value: EorderBlocks},
		{Name: "eorder_entire", Value: EorderEntire},
	}},
	{EigenvalueSort, "esort", []Constant{
		{Name: "esort_none", Value: EsortNone},
		{Name: "esort_ascending", Value: EsortAscending},
	}},
	{SingularValueRange, "srange", []Constant{
		{Name: "srange_all", Value: SrangeAll},
		{Name: "srange_value", Value: SrangeValue},
		{Name: "srange_index", Value: SrangeIndex},
	}},
	{RotationPivot, "pivot", []Constant{
		{Name: "pivot_variable", Value: PivotVariable},
		{Name: "pivot_top", Value: PivotTop},
		{Name: "pivot_bottom", Value: PivotBottom},
	}},
	{GeamOp, "geam_ex_operation", []Constant{
		{Name: "geam_ex_operation_min_plus", Value: GeamMinPlus},
		{Name: "geam_ex_operation_plus_min", Value: GeamPlusMin},
	}},
	{GemmAlgo, "gemm_algo", []Constant{
		{Name: "gemm_algo_standard", Value: GemmAlgoStandard},
		{Name: "gemm_algo_solution_index", Value: GemmAlgoSolutionIndex},
	}},
}

// Constants lists the values of all enumerations in the order of the C headers.
var Constants = constants()

func constants() []Constant {
	var list []Constant
	for _, e := range enumerations {
		for _, c := range e.values {
			c.Enum = e.kind
			list = append(list, c)
		}
	}
	return list
}

// Enumerations returns the kinds of all enumerations, in the order of the C headers.
func Enumerations() []Kind {
	var list []Kind
	for _, e := range enumerations {
		list = append(list, e.kind)
	}
	return list
}

// EnumName returns the name of an enumeration in scripts, such as "operation"; "" for kinds that are not enumerations.
func EnumName(k Kind) string {
	for i := range enumerations {
		if enumerations[i].kind == k {
			return enumerations[i].name
		}
	}
	return ""
}

// EnumLibrary returns the library whose prefix the C name of an enumeration has.
func EnumLibrary(k Kind) Library {
	for i := range enumerations {
		if enumerations[i].kind == k {
			return enumerations[i].values[0].Library
		}
	}
	return RocBLAS
}

// Legal returns the values of an enumeration that routines accept.
func Legal(enum Kind) []int64 {
	var list []int64
	for _, c := range Constants {
		if c.Enum == enum && !c.Reserved {
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
	for _, c := range Constants {
		if c.Enum == enum && c.Value == value {
			return c.Name
		}
	}
	return strconv.FormatInt(value, 10)
}
