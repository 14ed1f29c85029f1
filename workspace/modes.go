package workspace

import (
	"fmt"

	"roclua/hip/routine"
	"roclua/workspace/status"
)

// modes are the modes of a handle that calls depend on.
type modes struct {
	*base
	pointer, atomics, math, metric int64
	algorithms                     algModes
}

// algModes are the modes of the algorithms of rocSOLVER that a handle can change. gesvd has the mode of bdsqr, and syev
// the modes of sterf and steqr. The zero value means that no mode was ever set.
type algModes struct {
	set                 bool // rocsolver_set_alg_mode was called
	bdsqr, sterf, steqr bool // hybrid
}

// SetPointerMode implements rocblas_set_pointer_mode. Like the library it accepts any number.
func (m *modes) SetPointerMode(mode int64) error { return m.set("pointer_mode", &m.pointer, mode) }

// PointerMode implements rocblas_get_pointer_mode.
func (m *modes) PointerMode() (int64, error) { return m.get("pointer_mode", m.pointer) }

// OnDevice reports whether scalars and results are device addresses.
func (m *modes) OnDevice() bool { return m.pointer == routine.PointerModeDevice }

// SetAtomicsMode implements rocblas_set_atomics_mode.
func (m *modes) SetAtomicsMode(mode int64) error { return m.set("atomics_mode", &m.atomics, mode) }

// AtomicsMode implements rocblas_get_atomics_mode.
func (m *modes) AtomicsMode() (int64, error) { return m.get("atomics_mode", m.atomics) }

// SetMathMode implements rocblas_set_math_mode. A mode that the architecture does not have leaves the mode unchanged,
// with success.
func (m *modes) SetMathMode(mode int64) error {
	if m.state == alive && mode != routine.DefaultMath &&
		(mode != routine.XF32Math || !m.target.Arch.HasXF32(m.target.Release)) {
		mode = m.math
	}
	return m.set("math_mode", &m.math, mode)
}

// MathMode implements rocblas_get_math_mode.
func (m *modes) MathMode() (int64, error) { return m.get("math_mode", m.math) }

// SetPerformanceMetric implements rocblas_set_performance_metric. Like the library it accepts any number.
func (m *modes) SetPerformanceMetric(metric int64) error {
	return m.set("performance_metric", &m.metric, metric)
}

// PerformanceMetric implements rocblas_get_performance_metric.
func (m *modes) PerformanceMetric() (int64, error) { return m.get("performance_metric", m.metric) }

func (m *modes) set(name string, mode *int64, value int64) error {
	if m.state != alive {
		return m.check("rocblas_set_" + name)
	}
	*mode = value
	return nil
}

func (m *modes) get(name string, value int64) (int64, error) {
	if m.state != alive {
		return 0, m.check("rocblas_get_" + name)
	}
	return value, nil
}

// SetAlgMode implements rocsolver_set_alg_mode.
func (m *modes) SetAlgMode(function, mode int64) error {
	const name = "rocsolver_set_alg_mode"
	if err := m.check(name); err != nil {
		return err
	}
	invalid := func(what string, value int64) error {
		return &Error{Status: status.InvalidValue, Func: name,
			Reason: fmt.Sprintf("%s is %d, which cannot be set in %s", what, value, m.profile.Name)}
	}
	if mode == routine.AlgModeMixed && !m.profile.Release.FewAlgModes {
		return invalid("mode", mode)
	}
	m.algorithms.set = true
	flags := m.algFlags(function)
	if flags == nil {
		return invalid("func", function)
	}
	if mode != routine.AlgModeGPU && mode != routine.AlgModeHybrid {
		return invalid("mode", mode)
	}
	for _, flag := range flags {
		*flag = mode == routine.AlgModeHybrid
	}
	m.target.HostSterf = m.algorithms.sterf
	return nil
}

// algFlags returns the flags that make up the mode of a function; nil for a function without modes.
func (m *modes) algFlags(function int64) []*bool {
	switch few := m.profile.Release.FewAlgModes; {
	case function == routine.FunctionBdsqr, function == routine.FunctionGesvd:
		return []*bool{&m.algorithms.bdsqr}
	case function == routine.FunctionSterf:
		return []*bool{&m.algorithms.sterf}
	case function == routine.FunctionSteqr && !few:
		return []*bool{&m.algorithms.steqr}
	case function == routine.FunctionSyev && !few:
		return []*bool{&m.algorithms.sterf, &m.algorithms.steqr}
	}
	return nil
}

// AlgMode implements rocsolver_get_alg_mode. Before a mode of the handle was set, it accepts any function.
func (m *modes) AlgMode(function int64) (int64, error) {
	const name = "rocsolver_get_alg_mode"
	if err := m.check(name); err != nil {
		return 0, err
	}
	flags := m.algFlags(function)
	switch {
	case !m.algorithms.set:
		return routine.AlgModeGPU, nil
	case flags == nil:
		return 0, &Error{Status: status.InvalidValue, Func: name,
			Reason: fmt.Sprintf("func is %d, which has no modes in %s", function, m.profile.Name)}
	case len(flags) == 2 && *flags[0] != *flags[1]:
		return routine.AlgModeMixed, nil
	case *flags[0]:
		return routine.AlgModeHybrid, nil
	}
	return routine.AlgModeGPU, nil
}
