package sequence

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/hipsolver"
)

// largestBuffer is the largest lwork of drawn calls: its bytes, in elements of 16, fit an array.
const largestBuffer = 1 << 20

// DrawLayers draws a sequence of calls of hipSOLVER on one handle, in any environment, with changes of its memory and
// of its stream and size queries between them. In half of the sequences captures begin and end at arbitrary points.
func DrawLayers(r *rand.Rand, routines []*routine.Routine) []*Operation {
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
			ops = append(ops, &Operation{Call: drawLayerCall(r, routines[r.IntN(len(routines))])})
		}
	}
	if captures {
		ops = append(ops, endCaptures()...)
	}
	return append(ops, DestroyHandle())
}

// drawLayerCall draws a call with a large buffer, a small one, or none.
func drawLayerCall(r *rand.Rand, f *routine.Routine) *Call {
	c := DrawCall(r, f, Executed)
	if _, ok := f.ParamAt(routine.Work); ok {
		c.Ints[routine.Lwork] = []int64{0, largestBuffer, largestBuffer, largestBuffer, int64(r.IntN(1 << 17)),
			64}[r.IntN(6)]
		c.Null[routine.Work] = r.IntN(3) == 0
	}
	if f.IsSize() {
		c.Null[routine.Lwork] = false
	}
	return c
}

// layer calls a function of hipSOLVER.
func (s *Side) layer(c *Call) (a Result, err error) {
	if s.info == nil {
		if s.info, err = hipsolver.NewJacobi(s.Runtime.Device()); err != nil {
			return a, err
		}
	}
	info := s.info
	if _, ok := c.Routine.ParamAt(routine.LayerInfo); !ok || c.Null[routine.LayerInfo] {
		info = nil
	}
	out, err := hipsolver.Call(s.Handle, c.args(s.memory, false), info)
	var refused *workspace.LayerError
	switch {
	case errors.As(err, &refused):
		return Result{Status: layerName(refused.Status.Name())}, nil
	case c.Routine.IsSize():
		a.Value = fmt.Sprint(out.Lwork)
	}
	a.Status = out.Status.Short()
	return a, err
}

// layerPrefix is the prefix of the C names of the statuses of hipSOLVER.
const layerPrefix = "HIPSOLVER_STATUS_"

// layerName returns a status without its prefix.
func layerName(name string) string { return strings.ToLower(strings.TrimPrefix(name, layerPrefix)) }

// usesInfo reports whether an operation has the options of Jacobi's method.
func (op *Operation) usesInfo() bool {
	if op.Call == nil {
		return false
	}
	_, ok := op.Call.Routine.ParamAt(routine.LayerInfo)
	return ok && !op.Call.Null[routine.LayerInfo]
}
