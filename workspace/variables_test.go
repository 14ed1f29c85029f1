package workspace

import (
	"strings"
	"testing"
)

// TestCheckVariable checks names of variables that libraries read, misspelt ones, and names of other programs.
func TestCheckVariable(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range Variables {
		if seen[v.Name] || v.About == "" || CheckVariable(v.Name) != nil {
			t.Errorf("%+v: twice %v, %v", v, seen[v.Name], CheckVariable(v.Name))
		}
		seen[v.Name] = true
	}
	for name, want := range map[string]string{
		"ROCBLAS_DEVICE_MEMORY_SIZES":     "ROCBLAS_DEVICE_MEMORY_SIZE",
		"ROCBLAS_STREAM_ORDER_ALOC":       "ROCBLAS_STREAM_ORDER_ALLOC",
		"ROCBLAS_check_numerics":          "ROCBLAS_CHECK_NUMERICS",
		"ROCSOLVER_LEVEL":                 "ROCSOLVER_LEVELS",
		"HIPSOLVER_BUFFERSIZE_RETURN_BYT": "HIPSOLVER_BUFFERSIZE_RETURN_BYTES",
		"TENSILE_NAIV_SEARCH":             "TENSILE_NAIVE_SEARCH",
	} {
		err := CheckVariable(name)
		if err == nil || !strings.Contains(err.Error(), `"`+name+`", did you mean "`+want+`"?`) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if err := CheckVariable("HIPBLAS_WORKSPACE"); err == nil { // hipBLAS reads no variable
		t.Error("HIPBLAS_WORKSPACE is accepted")
	}
	for _, name := range []string{"HIPBLASLT_LOG_LEVEL", "ROCR_VISIBLE_DEVICES", "ROCBLAS", "MY_ROCBLAS_LAYER"} {
		if err := CheckVariable(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
