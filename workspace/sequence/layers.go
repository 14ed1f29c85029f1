package sequence

import (
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
			ops = append(ops, inLayer(r, DrawMemory(r)))
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

// inLayer makes hipBLAS set the workspace of a handle in half of the operations that set one.
func inLayer(r *rand.Rand, op *Operation) *Operation {
	if op.Name == setWorkspace && r.IntN(2) == 0 {
		op.Name = setLayerWorkspace
	}
	return op
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
	if c.Routine.ReturnsNumber() && !c.computes() {
		a.Value = fmt.Sprint(number)
	}
	return a, err
}

// solver calls a function of hipSOLVER.
func (s *Side) solver(c *Call) (lwork int64, err error) {
	var info *hipsolver.Jacobi
	if method := c.method(); method != "" {
		if info, err = s.options(method); err != nil {
			return 0, err
		}
	}
	out, err := hipsolver.Call(s.Handle, c.args(s.memory, false), info)
	return out.Number, err
}

// computes reports whether a call computes the number that it returns, which kernels do not when nothing is computed.
func (d *Call) computes() bool {
	_, ok := d.Routine.ParamAt(routine.Nev)
	return ok && !d.Routine.IsSize()
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

// options returns the options of a method, which are made when a call first needs them.
func (s *Side) options(method string) (*hipsolver.Jacobi, error) {
	if s.infos == nil {
		s.infos = map[string]*hipsolver.Jacobi{}
	}
	if s.infos[method] == nil {
		info, err := hipsolver.NewJacobi(s.Runtime.Device(), method)
		if err != nil {
			return nil, err
		}
		s.infos[method] = info
	}
	return s.infos[method], nil
}

// method returns Jacobi's method whose options a call has; "" for none.
func (d *Call) method() string {
	p, ok := d.Routine.ParamAt(routine.LayerInfo)
	if !ok || d.Null[routine.LayerInfo] {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(p.Object, "hipsolver"), "Info_t")
}
