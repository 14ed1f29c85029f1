package routine

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

// Access is what a routine does with an array.
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
