package conformance

import (
	"fmt"
	"strings"

	"roclua/hip/routine"
	"roclua/workspace"
)

// architectureCalls are calls whose bytes depend on the architecture: at the limits of copied triangles, with columns
// that fit a wavefront, and with sums of integers by rocPRIM.
var architectureCalls = []struct {
	routine string
	orders  []int64
}{
	{"rocblas_ssyrk", []int64{2999, 3000, 3999, 4000}},
	{"rocblas_csyrk", []int64{1599, 1600, 2499, 2500}},
	{"rocblas_zherk", []int64{2499, 2500, 2999, 3000}},
	{"rocsolver_slarfg", []int64{1024, 2049}},
	{"rocsolver_dgeqrf", []int64{100, 2100}},
	{"rocsolver_scsrrf_splitlu", []int64{23, 160000, 1<<31 - 1}},
}

// Architecture returns what is different on the architecture of a handle, in a line: the memory of the new handle, the
// math mode after setting xf32, and bytes of calls, which query returns for given arguments.
func Architecture(h workspace.Handle,
	query func(r *routine.Routine, given map[routine.Slot]int64) (uint64, error)) (string, error) {
	bytes, err := h.DeviceMemorySize()
	if err != nil {
		return "", err
	}
	if err := h.SetMathMode(routine.XF32Math); err != nil {
		return "", err
	}
	mode, err := h.MathMode()
	if err != nil {
		return "", err
	}
	var line strings.Builder
	fmt.Fprintf(&line, "default=%d xf32=%d", bytes, mode)
	for _, call := range architectureCalls {
		r, ok := routine.Lookup(call.routine)
		if !ok {
			return "", fmt.Errorf("there is no %s", call.routine)
		}
		for _, n := range call.orders {
			bytes, err := query(r, map[routine.Slot]int64{routine.M: n, routine.N: n, routine.K: 500})
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&line, " %s(%d)=%d", r.Name, n, bytes)
		}
	}
	return line.String(), nil
}
