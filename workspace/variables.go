package workspace

import (
	"fmt"
	"slices"
	"strings"

	"roclua/internal/nearest"
	"roclua/workspace/behavior"
	"roclua/workspace/tuning"
)

// The environment variables that change which kernels products of matrices use.
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
	{Name: EnvCheckNumerics, OfHandles: true, About: "bits: what calls do with NaN, infinity and denormals in arrays"},
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

	{Name: "TENSILE_DB", About: "bits: what Tensile prints"},
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
	{Name: "TENSILE_ENABLE_MARKER", About: "marks calls of hipBLASLt for profilers"},
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
