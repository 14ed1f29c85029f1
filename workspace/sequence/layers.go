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

// DrawLayers draws a sequence of hipSOLVER and hipBLAS calls on one handle, in any environment, with changes of its
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
	if r.IntN(4) == 0 {
		env[workspace.EnvLayerBytes] = "0" // the value does not matter
	}
	ops := []*Operation{CreateHandle(env)}
	captures := r.IntN(2) == 0
	for range 20 + r.IntN(20) {
		if captures && r.IntN(3) == 0 {
			ops = append(ops, drawCapture(r, env)...)
			continue
		}
		switch r.IntN(14) {
		case 4:
			ops = append(ops, drawOption(r))
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
	return append(ops, DestroyHandle())
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
	if f.Has(routine.Work) {
		c.Ints[routine.Lwork] = []int64{0, largestBuffer, largestBuffer, largestBuffer, int64(r.IntN(1 << 17)),
			64}[r.IntN(6)]
		c.Null[routine.Work] = r.IntN(3) == 0
	}
	if !f.Has(routine.LowerIndex) && r.IntN(8) > 0 {
		if f.Has(routine.UpperIndex) {
			c.Ints[routine.UpperIndex] = 1 + r.Int64N(max(1, min(c.Ints[routine.M], c.Ints[routine.N])))
		}
	}
	if f.Library == routine.HipSOLVER && f.Wide && r.IntN(8) > 0 {
		datatype := []int64{routine.HipR32F, routine.HipR64F, routine.HipC32F, routine.HipC64F}[r.IntN(4)]
		for _, slot := range []routine.Slot{routine.AType, routine.BType, routine.ComputeType} {
			c.Ints[slot] = datatype
		}
	}
	return c
}

// options are the functions for the options of one of Jacobi's methods, without the beginning of their names, with the
// drawn arguments of those that have one.
var options = []struct {
	name   string
	values []int64
}{{"SetMaxSweeps", []int64{-1, 0, 1, 100}}, {"SetSortEig", []int64{0, 1}}, {"SetTolerance", []int64{0, 1}},
	{name: "GetResidual"}, {name: "GetSweeps"}}

func drawOption(r *rand.Rand) *Operation {
	option := options[r.IntN(len(options))]
	op := &Operation{Name: option.name, Method: []string{hipsolver.Syevj, hipsolver.Gesvdj}[r.IntN(2)]}
	if option.values != nil {
		op.Option = option.values[r.IntN(len(option.values))]
	}
	return op
}

// optionName returns the name of a function for the options of Jacobi's method.
func (op *Operation) optionName() string { return "X" + strings.ToLower(op.Method) + op.Name }

// option calls a function for the options of Jacobi's method.
func (s *Side) option(op *Operation) error {
	info, err := s.options(op.Method)
	if err != nil {
		return err
	}
	switch op.Name {
	case "SetMaxSweeps":
		return info.SetMaxSweeps(op.Option)
	case "SetSortEig":
		return info.SetSorted(op.Option)
	case "SetTolerance":
		return info.SetTolerance(float64(op.Option))
	case "GetResidual":
		_, err = info.GetResidual(s.Handle)
	default:
		_, err = info.GetSweeps(s.Handle)
	}
	return err
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
	var objects hipsolver.Objects
	switch method := c.object(); {
	case method == paramsObject:
		objects.Params, err = s.params()
	case method != "":
		objects.Jacobi, err = s.options(method)
	}
	if err != nil {
		return 0, err
	}
	out, err := hipsolver.Call(s.Handle, c.args(s.memory, false), objects)
	return out.Number, err
}

// computes reports whether a call computes the number that it returns, which kernels do not when nothing is computed.
func (d *Call) computes() bool {
	return d.Routine.Has(routine.Nev) && !d.Routine.IsSize()
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

// params returns the object of functions with 64-bit sizes, which is made when a call first needs it.
func (s *Side) params() (*hipsolver.Params, error) {
	var err error
	if s.solverParams == nil {
		s.solverParams, err = hipsolver.NewParams(s.Runtime.Device())
	}
	return s.solverParams, err
}

// paramsObject is the object of functions with 64-bit sizes.
const paramsObject = "params"

// object returns Jacobi's method whose options a call has, or paramsObject; "" for none.
func (d *Call) object() string {
	p, ok := d.Routine.ParamAt(routine.LayerInfo)
	switch {
	case !ok || d.Null[routine.LayerInfo]:
		return ""
	case d.Routine.Wide:
		return paramsObject
	}
	return strings.TrimSuffix(strings.TrimPrefix(p.Object, "hipsolver"), "Info_t")
}
