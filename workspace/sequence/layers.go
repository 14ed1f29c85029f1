package sequence

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/hipblas"
	"roclua/workspace/hipsolver"
	"roclua/workspace/status"
)

// largestBuffer is the largest lwork of drawn calls: its bytes, in elements of 16, fit an array.
const largestBuffer = 1 << 20

// DrawLayers draws a sequence of calls of hipSOLVER and hipBLAS on one handle, in any environment, with changes of its
// memory and of its stream and size queries between them. In half of the sequences captures begin and end at arbitrary
// points.
func DrawLayers(r *rand.Rand, routines []*routine.Routine) []*Operation {
	libraries := map[routine.Library][]*routine.Routine{}
	for _, f := range routines {
		libraries[f.Library] = append(libraries[f.Library], f)
		if hipblas.Repeats(f) { // these are few of hipBLAS's functions
			libraries[f.Library] = append(libraries[f.Library], f, f, f, f, f)
		}
	}
	names := slices.Sorted(maps.Keys(libraries))
	env := drawEnvironment(r)
	delete(env, workspace.EnvCheckNumerics)
	ops := []*Operation{CreateHandle(env)}
	captures := r.IntN(2) == 0
	for range 20 + r.IntN(20) {
		if captures && r.IntN(3) == 0 {
			ops = append(ops, drawCapture(r, env)...)
			continue
		}
		switch r.IntN(13) {
		case 3:
			ops = append(ops, SetStream(r.IntN(streamCount+1)))
		case 0, 1:
			ops = append(ops, DrawMemory(r))
		case 2:
			ops = append(ops, &Operation{Name: []string{startQuery, stopQuery}[r.IntN(2)]})
		default:
			list := libraries[names[r.IntN(len(names))]]
			ops = append(ops, Execute(drawLayerCall(r, list[r.IntN(len(list))]))...)
		}
	}
	if captures {
		ops = append(ops, endCaptures()...)
	}
	return Scriptable(append(ops, DestroyHandle()))
}

// drawLayerCall draws a call with a large buffer, a small one, or none.
func drawLayerCall(r *rand.Rand, f *routine.Routine) *Call {
	c := DrawCall(r, f, Executed)
	if _, ok := f.ParamAt(routine.Work); ok {
		c.Ints[routine.Lwork] = []int64{0, largestBuffer, largestBuffer, largestBuffer, int64(r.IntN(1 << 17)),
			64}[r.IntN(6)]
		c.Null[routine.Work] = r.IntN(3) == 0
	}
	return c
}

// layer calls a function of hipSOLVER or hipBLAS.
func (s *Side) layer(c *Call) (a Result, err error) {
	var number int64
	if c.Routine.Library == routine.HipBLAS {
		var out hipblas.Outcome
		out, err = hipblas.Call(s.Handle, s.args(c))
		number = out.Info
	} else {
		number, err = s.solver(c)
	}
	a.Status = status.Success.Short()
	var refused *workspace.LayerError
	switch {
	case errors.As(err, &refused):
		a.Status, _ = layerName(refused.Status.Name())
		return a, nil
	case c.Routine.ReturnsNumber():
		a.Value = fmt.Sprint(number)
	}
	return a, err
}

// solver calls a function of hipSOLVER.
func (s *Side) solver(c *Call) (lwork int64, err error) {
	if s.info == nil {
		if s.info, err = hipsolver.NewJacobi(s.Runtime.Device()); err != nil {
			return 0, err
		}
	}
	info := s.info
	if _, ok := c.Routine.ParamAt(routine.LayerInfo); !ok || c.Null[routine.LayerInfo] {
		info = nil
	}
	out, err := hipsolver.Call(s.Handle, c.args(s.memory, false), info)
	return out.Lwork, err
}

// layerStatus is the form of the C names of the statuses of hipSOLVER and hipBLAS.
var layerStatus = regexp.MustCompile(`^HIP(?:SOLVER|BLAS)_STATUS_(\w+)$`)

// layerName returns a status without its prefix.
func layerName(name string) (string, bool) {
	found := layerStatus.FindStringSubmatch(name)
	if found == nil {
		return "", false
	}
	return strings.ToLower(found[1]), true
}

// usesInfo reports whether an operation has the options of Jacobi's method.
func (op *Operation) usesInfo() bool {
	if op.Call == nil {
		return false
	}
	_, ok := op.Call.Routine.ParamAt(routine.LayerInfo)
	return ok && !op.Call.Null[routine.LayerInfo]
}
