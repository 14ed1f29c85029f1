package workspace

import (
	"fmt"
	"slices"

	"roclua/workspace/sizing"
	"roclua/workspace/tuning"
)

// The environment variables that change which kernels products of matrices use.
const (
	envExperimental = "TENSILE_EXPERIMENTAL_SELECTION"
	envFp16Alt      = "ROCBLAS_INTERNAL_FP16_ALT_IMPL"
	envFp16AltRound = "ROCBLAS_INTERNAL_FP16_ALT_IMPL_RNZ"
	envNoMatrixF64  = "ROCBLAS_INTERNAL_FORCE_VALU_FOR_DGEMM"
)

// unmodelledVariables change the kernels of products in ways that are not modelled. A value in the list is harmless.
var unmodelledVariables = []struct {
	name     string
	harmless []string
}{
	{"TENSILE_METRIC", []string{""}},
	{"TENSILE_NAIVE_SEARCH", []string{"", "0"}},
	{"TENSILE_SOLUTION_INDEX", []string{"-1"}},
	{"TENSILE_TAM_SELECTION_ENABLE", []string{"", "0"}},
	{"ROCBLAS_TENSILE_GEMM_OVERRIDE_PATH", nil},
	{"ROCBLAS_USE_HIPBLASLT", []string{"", "0"}},
}

// setProducts applies variables to the choice of kernels.
func setProducts(p *sizing.Products, getenv lookup) {
	for _, v := range unmodelledVariables {
		if text, set := getenv(v.name); set && !slices.Contains(v.harmless, text) {
			p.Unknown = fmt.Sprintf("%s=%s changes the kernels of products, which is not modelled", v.name, text)
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
