package workspace

import (
	"fmt"

	"roclua/hip/routine"
	"roclua/workspace/sizing"
	"roclua/workspace/status"
)

// SetMathMode implements rocblas_set_math_mode. A mode that the architecture does not have leaves the mode unchanged,
// with success.
func (h *Model) SetMathMode(mode int64) error {
	if err := h.alive("rocblas_set_math_mode"); err != nil {
		return err
	}
	if mode == routine.DefaultMath || mode == routine.XF32Math && h.target.Arch.HasXF32(h.target.Release) {
		h.mathMode = mode
	}
	return nil
}

// MathMode implements rocblas_get_math_mode.
func (h *Model) MathMode() (int64, error) {
	if err := h.alive("rocblas_get_math_mode"); err != nil {
		return 0, err
	}
	return h.mathMode, nil
}

// SetPerformanceMetric implements rocblas_set_performance_metric. Like the library it accepts any number.
func (h *Model) SetPerformanceMetric(metric int64) error {
	if err := h.alive("rocblas_set_performance_metric"); err != nil {
		return err
	}
	h.metric = metric
	return nil
}

// PerformanceMetric implements rocblas_get_performance_metric.
func (h *Model) PerformanceMetric() (int64, error) {
	if err := h.alive("rocblas_get_performance_metric"); err != nil {
		return 0, err
	}
	return h.metric, nil
}

// algModes are the modes of the algorithms of rocSOLVER that a handle can change. gesvd has the mode of bdsqr, and syev
// those of sterf and steqr. The zero value is that of a handle whose modes were never set.
type algModes struct {
	set                 bool // rocsolver_set_alg_mode was called
	bdsqr, sterf, steqr bool // hybrid
}

// SetAlgMode implements rocsolver_set_alg_mode.
func (h *Model) SetAlgMode(function, mode int64) error {
	const name = "rocsolver_set_alg_mode"
	if err := h.alive(name); err != nil {
		return err
	}
	invalid := func(what string, value int64) error {
		return &Error{Status: status.InvalidValue, Func: name,
			Reason: fmt.Sprintf("%s is %d, which cannot be set in %s", what, value, h.profile.Name)}
	}
	if mode == routine.AlgModeMixed && !h.profile.Release.FewAlgModes {
		return invalid("mode", mode)
	}
	h.modes.set = true
	flags := h.algFlags(function)
	if flags == nil {
		return invalid("func", function)
	}
	if mode != routine.AlgModeGPU && mode != routine.AlgModeHybrid {
		return invalid("mode", mode)
	}
	for _, flag := range flags {
		*flag = mode == routine.AlgModeHybrid
	}
	h.target.HostSterf = h.modes.sterf
	return nil
}

// algFlags returns what the mode of a function consists of; nil for a function without modes.
func (h *Model) algFlags(function int64) []*bool {
	switch few := h.profile.Release.FewAlgModes; {
	case function == routine.FunctionBdsqr, function == routine.FunctionGesvd:
		return []*bool{&h.modes.bdsqr}
	case function == routine.FunctionSterf:
		return []*bool{&h.modes.sterf}
	case function == routine.FunctionSteqr && !few:
		return []*bool{&h.modes.steqr}
	case function == routine.FunctionSyev && !few:
		return []*bool{&h.modes.sterf, &h.modes.steqr}
	}
	return nil
}

// AlgMode implements rocsolver_get_alg_mode. Before a mode of the handle was set, it accepts any function.
func (h *Model) AlgMode(function int64) (int64, error) {
	const name = "rocsolver_get_alg_mode"
	if err := h.alive(name); err != nil {
		return 0, err
	}
	flags := h.algFlags(function)
	switch {
	case !h.modes.set:
		return routine.AlgModeGPU, nil
	case flags == nil:
		return 0, &Error{Status: status.InvalidValue, Func: name,
			Reason: fmt.Sprintf("func is %d, which has no modes in %s", function, h.profile.Name)}
	case len(flags) == 2 && *flags[0] != *flags[1]:
		return routine.AlgModeMixed, nil
	case *flags[0]:
		return routine.AlgModeHybrid, nil
	}
	return routine.AlgModeGPU, nil
}

// losePointerMode sets the handle to host pointer mode where the library does: potrf, which posv calls, does not
// restore the mode when one kernel factorizes the matrix.
func (h *Model) losePointerMode(a *routine.Args) {
	f := a.Routine.Family.ID
	if h.profile.Platform == "" && (f == routine.Potrf || f == routine.Posv) &&
		a.Int(routine.N) > 0 && a.Int(routine.N) <= sizing.CholeskyBlock(a.Routine.Type) {
		h.pointerMode = routine.PointerModeHost
	}
}
