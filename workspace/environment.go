package workspace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/defect"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/internal/nearest"
	"roclua/workspace/behavior"
	"roclua/workspace/tuning"
)

// The environment variables that the library reads when a handle is created.
const (
	EnvDeviceMemorySize = "ROCBLAS_DEVICE_MEMORY_SIZE"
	EnvStreamOrderAlloc = "ROCBLAS_STREAM_ORDER_ALLOC"
	EnvAtomicsMode      = "ROCBLAS_DEFAULT_ATOMICS_MODE"
	EnvTrsmMemoryLimit  = "ROCBLAS_INTERNAL_TRSM_REG_KERNEL_MEM_LIMIT"
	EnvCheckNumerics    = "ROCBLAS_CHECK_NUMERICS"
)

// EnvLayerBytes makes all functions of hipSOLVER count the sizes of buffers in bytes. The library reads it in each
// call.
const EnvLayerBytes = "HIPSOLVER_BUFFERSIZE_RETURN_BYTES"

// Config decides how a handle is created.
type Config struct {
	Profile     *Profile
	Environment map[string]string // at creation

	// DefaultBytes is the first memory of a handle whose size the environment does not set; 0 and nil mean the default
	// of the architecture. It is for one handle: a handle that uses it, or could, sets it to 0.
	DefaultBytes *uint64

	// Tuning has the tuning files of architectures. Without files the kernels of products are unknown.
	Tuning tuning.Libraries

	// Found, if not nil, gets the known defects of the libraries that concern a call that succeeded, also one that
	// hipBLAS or hipSOLVER makes, and the name of its routine.
	Found    func(defects []defect.Finding, name string)
	Versions *release.Versions // whose defects are meant; nil for the ones of the release

	// UnknownScalars: the device does not have the values of scalars in its memory. They count as 1.
	UnknownScalars bool
}

// takeDefault returns the size for one handle, and 0 if the environment sets the size.
func (c Config) takeDefault() uint64 {
	if _, set := c.getenv(EnvDeviceMemorySize); set || c.DefaultBytes == nil {
		return 0
	}
	bytes := *c.DefaultBytes
	*c.DefaultBytes = 0
	return bytes
}

func (c Config) getenv(name string) (value string, set bool) {
	value, set = c.Environment[name]
	return value, set
}

// lookup looks up an environment variable, as os.LookupEnv does.
type lookup func(name string) (value string, set bool)

// wholeNumber reads a variable as the library does, by C's strtoul with automatic base: leading blanks and a sign, 0x
// for hexadecimal, 0b for binary (since glibc 2.38), 0 for octal, then the longest run of digits. Without digits the
// value is 0, beyond 64 bits it is the largest number, and a minus sign wraps around. No input is an error.
func wholeNumber(text string) uint64 {
	negative, text := sign(text)
	value, ok := magnitude(text)
	if negative && ok {
		return -value
	}
	return value
}

// magnitude reads a number without a sign. ok is false beyond 64 bits.
func magnitude(text string) (value uint64, ok bool) {
	base, prefix := 10, strings.ToLower(text[:min(len(text), 2)])
	switch {
	case prefix == "0x":
		base, text = 16, text[2:]
	case prefix == "0b":
		base, text = 2, text[2:]
	case strings.HasPrefix(text, "0"):
		base = 8
	}
	return digits(text, base)
}

// decimalNumber reads a variable as C's sscanf does with %zu: as wholeNumber, but always to base 10. ok is false
// without digits.
func decimalNumber(text string) (value uint64, ok bool) {
	negative, text := sign(text)
	value, fits := digits(text, 10)
	if negative && fits {
		value = -value
	}
	return value, text != "" && text[0] >= '0' && text[0] <= '9'
}

// sign removes leading blanks and a sign.
func sign(text string) (negative bool, rest string) {
	text = strings.TrimLeft(text, " \t\n\v\f\r")
	if strings.HasPrefix(text, "-") {
		return true, text[1:]
	}
	return false, strings.TrimPrefix(text, "+")
}

// digits reads the longest run of digits. Beyond 64 bits the value is the largest number, and ok is false.
func digits(text string, base int) (value uint64, ok bool) {
	set := "0123456789abcdefABCDEF"
	if base <= 10 {
		set = set[:base]
	}
	rest := strings.TrimLeft(text, set)
	if rest == text {
		return 0, true
	}
	value, err := strconv.ParseUint(text[:len(text)-len(rest)], base, 64)
	return value, err == nil
}

// trsmLimit returns the limit of the environment, or 0 for the library's own. A limit of 0 bytes is returned as 1:
// every solve needs more than either. The library reads the variable when it is loaded, the model for each handle.
func trsmLimit(getenv lookup) uint64 {
	text, _ := getenv(EnvTrsmMemoryLimit)
	limit, ok := decimalNumber(text)
	if !ok {
		return 0
	}
	return max(limit, 1)
}

// initialAtomicsMode returns the mode of a new handle: the default of the release, unless the environment has a number.
func initialAtomicsMode(r *release.Release, getenv lookup) int64 {
	allowed := r.AtomicsAllowed
	if text, set := getenv(EnvAtomicsMode); set {
		allowed = wholeNumber(text) != 0
	}
	if allowed {
		return routine.AtomicsAllowed
	}
	return routine.AtomicsNotAllowed
}

// The environment variables that change which kernels GEMMs use.
const (
	envExperimental = "TENSILE_EXPERIMENTAL_SELECTION"
	envFp16Alt      = "ROCBLAS_INTERNAL_FP16_ALT_IMPL"
	envFp16AltRound = "ROCBLAS_INTERNAL_FP16_ALT_IMPL_RNZ"
	envNoMatrixF64  = "ROCBLAS_INTERNAL_FORCE_VALU_FOR_DGEMM"
)

// Variable is an environment variable that a library reads.
type Variable struct {
	Name, About string
	OfHandles   bool // it changes how handles behave, as modelled

	otherKernels bool     // it changes the kernels of products in ways that are not modelled
	harmless     []string // values with which it does not
}

// Variables are all variables of the libraries, by library.
var Variables = []Variable{
	{Name: EnvDeviceMemorySize, OfHandles: true,
		About: "bytes of the workspace of new handles, which then does not grow"},
	{Name: EnvStreamOrderAlloc, OfHandles: true, About: "1: calls allocate their workspace in the order of the stream"},
	{Name: EnvAtomicsMode, OfHandles: true, About: "atomics mode of new handles, 0 or 1"},
	{Name: EnvTrsmMemoryLimit, OfHandles: true, About: "most bytes of workspace for the fastest triangular solve"},
	{Name: EnvCheckNumerics, OfHandles: true, About: "bits: the handling of NaN, infinity and denormals in arrays"},
	{Name: "ROCBLAS_LAYER", About: "bits: logs calls as 1 trace, 2 command lines of rocblas-bench, 4 counts"},
	{Name: "ROCBLAS_LOG_PATH", About: "file of all logs, instead of standard error"},
	{Name: "ROCBLAS_LOG_TRACE_PATH", About: "file of the log of ROCBLAS_LAYER=1"},
	{Name: "ROCBLAS_LOG_BENCH_PATH", About: "file of the log of ROCBLAS_LAYER=2"},
	{Name: "ROCBLAS_LOG_PROFILE_PATH", About: "file of the log of ROCBLAS_LAYER=4"},
	{Name: "ROCBLAS_TENSILE_LIBPATH", About: "folder of the kernels and tuning files"},
	{Name: "ROCBLAS_TENSILE_GEMM_OVERRIDE_PATH",
		About: "file that chooses the kernels of products", otherKernels: true},
	{Name: "ROCBLAS_USE_HIPBLASLT",
		About: "1: products use hipBLASLt", otherKernels: true, harmless: []string{"", "0"}},
	{Name: "ROCBLAS_USE_HIPBLASLT_BATCHED", About: "0: batched products do not use hipBLASLt"},
	{Name: "ROCBLAS_VERBOSE_HIPBLASLT_ERROR", About: "prints errors of hipBLASLt"},
	{Name: "ROCBLAS_VERBOSE_TENSILE_ERROR", About: "prints errors of Tensile"},
	{Name: envFp16Alt, About: "products of f16 on gfx90a use the instructions of bf16"},
	{Name: envFp16AltRound, About: "such products round to zero"},
	{Name: envNoMatrixF64, About: "products of f64 use no matrix instructions"},

	{Name: "ROCSOLVER_LAYER", About: "bits: logs calls as 1 trace, 2 command lines of rocsolver-bench, 4 times"},
	{Name: "ROCSOLVER_LEVELS", About: "depth of nested calls in the logs"},
	{Name: "ROCSOLVER_LOG_PATH", About: "file of all logs, instead of standard error"},
	{Name: "ROCSOLVER_LOG_TRACE_PATH", About: "file of the log of ROCSOLVER_LAYER=1"},
	{Name: "ROCSOLVER_LOG_BENCH_PATH", About: "file of the log of ROCSOLVER_LAYER=2"},
	{Name: "ROCSOLVER_LOG_PROFILE_PATH", About: "file of the log of ROCSOLVER_LAYER=4"},

	{Name: EnvLayerBytes, OfHandles: true, About: "all functions of hipSOLVER return sizes of buffers in bytes"},

	{Name: "TENSILE_DB", About: "bits: the output of Tensile"},
	{Name: "TENSILE_DB2", About: "1: no kernel is launched"},
	{Name: envExperimental, About: "another choice of kernels of products: 1 by a grid, 2 by decision trees"},
	{Name: "TENSILE_METRIC", About: "distance between a product and the measured ones", otherKernels: true,
		harmless: []string{""}},
	{Name: "TENSILE_NAIVE_SEARCH",
		About: "1: all kernels are compared", otherKernels: true, harmless: []string{"", "0"}},
	{Name: "TENSILE_SOLUTION_INDEX", About: "number of the kernel that all products use", otherKernels: true,
		harmless: []string{"-1"}},
	{Name: "TENSILE_TAM_SELECTION_ENABLE", About: "1: the choice considers tiles", otherKernels: true,
		harmless: []string{"", "0"}},
	{Name: "TENSILE_SOLUTION_SELECTION_TRACE", About: "1: prints the choice of kernels"},
	{Name: "TENSILE_SOLUTION_SELECTION_METHOD", About: "how hipBLASLt chooses kernels"},
	{Name: "TENSILE_PREDICTION_LIB", About: "hipBLASLt predicts the time of kernels"},
	{Name: "TENSILE_GRIDBASED_KDTREE", About: "hipBLASLt searches grids by a tree"},
	{Name: "TENSILE_GRIDBASED_BATCH_EXP", About: "how hipBLASLt considers batches in grids"},
	{Name: "TENSILE_AUTO_GSU_ALGO", About: "how hipBLASLt divides sums among workgroups"},
	{Name: "TENSILE_FIXED_WGM", About: "order of workgroups in kernels of hipBLASLt"},
	{Name: "TENSILE_FIXED_WGMXCC", About: "the same among the dies of a device"},
	{Name: "TENSILE_DISABLE_STAGGERU", About: "kernels of hipBLASLt begin sums at the same place"},
	{Name: "TENSILE_BENCHMARK", About: "hipBLASLt measures kernels"},
	{Name: "TENSILE_ENABLE_MARKER", About: "marks hipBLASLt calls for profilers"},
	{Name: "TENSILE_STREAMK_DYNAMIC_GRID", About: "how Stream-K kernels choose their workgroups"},
	{Name: "TENSILE_STREAMK_DYNAMIC_WGM", About: "how Stream-K kernels order their workgroups"},
	{Name: "TENSILE_STREAMK_FIXED_GRID", About: "number of workgroups of Stream-K kernels"},
	{Name: "TENSILE_STREAMK_GRID_MULTIPLIER", About: "workgroups of Stream-K kernels for each compute unit"},
	{Name: "TENSILE_STREAMK_MAX_CUS", About: "most compute units of Stream-K kernels"},
	{Name: "TENSILE_STREAMK_FULL_TILES", About: "tiles that Stream-K kernels do not divide"},
	{Name: "TENSILE_STREAMK_DATA_PARALLEL", About: "Stream-K kernels divide no tiles"},
}

// HandleVariables are the names of the variables that change how handles behave.
func HandleVariables() []string {
	var names []string
	for _, v := range Variables {
		if v.OfHandles {
			names = append(names, v.Name)
		}
	}
	return names
}

// prefixes are the beginnings of names that belong to the libraries of Variables. hipBLAS reads none.
var prefixes = []string{"ROCBLAS_", "ROCSOLVER_", "HIPBLAS_", "HIPSOLVER_", "TENSILE_"}

// CheckVariable returns an error for a variable with the prefix of a library that no library reads.
func CheckVariable(name string) error {
	if !slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
		return nil
	}
	var known []string
	for _, v := range Variables {
		known = append(known, v.Name)
	}
	if slices.Contains(known, name) {
		return nil
	}
	return fmt.Errorf("no library reads %.200q%s (\"roclua docs variables\" lists what they read)", name,
		nearest.DidYouMean(name, known))
}

// setProducts applies variables to the choice of kernels.
func setProducts(p *behavior.Products, getenv lookup) {
	for _, v := range Variables {
		if text, set := getenv(v.Name); set && v.otherKernels && !slices.Contains(v.harmless, text) {
			p.Unknown = fmt.Sprintf("%s=%s changes the kernels of products, which is not modelled", v.Name, text)
		}
	}
	flag := func(name string) *bool {
		if text, set := getenv(name); set {
			on := wholeNumber(text) != 0
			return &on
		}
		return nil
	}
	v := tuning.Variables{Fp16Alt: flag(envFp16Alt), Fp16AltRound: flag(envFp16AltRound)}
	if text, set := getenv(envExperimental); set {
		v.Experimental = wholeNumber(text)
	}
	_, v.VectorUnitsForF64 = getenv(envNoMatrixF64)
	if v != (tuning.Variables{}) {
		p.Variables = &v
	}
}
