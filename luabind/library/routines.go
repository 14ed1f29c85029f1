package library

import (
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/internal/nearest"
	"roclua/luabind/api"
	"roclua/luabind/array"
	"roclua/luabind/engine"
	"roclua/luabind/vm"
	"roclua/workspace"
	"roclua/workspace/hipsolver"
	"roclua/workspace/status"
)

// newEntry returns a routine with its binding: rocblas.dgemm(handle, transA, ...) in C order, or
// rocblas.dgemm{handle = h, m = 4, ...} and h:dgemm{m = 4, ...} by name.
func newEntry(r *routine.Routine) *entry {
	f := api.Of(r)
	e := &entry{Routine: r, handle: &f.Params[0]}
	declared := f.Params[1:]
	for i := range r.Params {
		p := &r.Params[i]
		if p.IsNumber() {
			continue
		}
		if p.Kind == routine.Output {
			result := &api.Param{Name: p.Name, Kind: api.Pointer, About: p.About, Nil: "the null pointer"}
			e.onDevice = append(e.onDevice, &input{Param: p, decl: result})
			continue
		}
		in := &input{Param: p, decl: &declared[0], real: isRealScalar(r, p)}
		declared = declared[1:]
		e.onHost, e.onDevice = append(e.onHost, in), append(e.onDevice, in)
	}
	_, e.reduces = r.ParamAt(routine.Result)
	e.binding = engine.Binding{Function: f, Run: func(c *engine.Call) error { return callRoutine(c, e) }}
	return e
}

// entries are the routines that were used, by Routine.Index.
var entries = sync.OnceValue(func() []atomic.Pointer[entry] {
	return make([]atomic.Pointer[entry], routine.IndexCount())
})

// entryOf returns a routine with its binding.
func entryOf(r *routine.Routine) *entry {
	if e := entries()[r.Index].Load(); e != nil {
		return e
	}
	e := newEntry(r)
	entries()[r.Index].Store(e)
	return e
}

// bindRoutine returns the binding of a routine.
func bindRoutine(r *routine.Routine) *engine.Binding { return &entryOf(r).binding }

// entry is a routine with the parameters that a script passes, in either pointer mode.
type entry struct {
	*routine.Routine
	binding          engine.Binding
	handle           *api.Param
	onHost, onDevice []*input
	reduces          bool // it has a result
}

// input is a parameter that a script passes, with its declaration.
type input struct {
	*routine.Param
	decl *api.Param
	real bool // a scalar without an imaginary part
}

// isRealScalar reports whether a parameter is a scalar that is real in every call of the routine.
func isRealScalar(r *routine.Routine, p *routine.Param) bool {
	return p.Kind == routine.Scalar && p.Elem != routine.OfArgument &&
		!routine.IsComplexDatatype((&routine.Args{Routine: r}).Datatype(p))
}

func (e *entry) inputs(onDevice bool) []*input {
	if onDevice {
		return e.onDevice
	}
	return e.onHost
}

// routineCall is one routine call.
type routineCall struct {
	*engine.Call
	entry    *entry
	args     *routine.Args
	handle   *handleBox
	onDevice bool     // the handle is in device pointer mode
	inputs   []*input // that a script passes in this mode
	plan     *workspace.Plan
	objects  hipsolver.Objects // of a function of hipSOLVER that takes one
}

// callRoutine reads the arguments of a routine, calls it and returns its result.
func callRoutine(c *engine.Call, e *entry) error {
	rc := routineCall{Call: c, entry: e, args: &of(c).args} // arguments are not used after the call returns
	rc.args.Reset(e.Routine)
	if named := rc.namedTable(); named != nil {
		handle := named.RawGetString("handle")
		if c.L.GetTop() == 2 {
			handle = c.L.Get(1)
		}
		rc.readNamed(named, handle)
	} else {
		rc.readPositional()
	}
	rc.provideResult()
	return rc.make()
}

// provideResult makes the result of a reduction in host pointer mode present, which is not an argument of the script.
func (rc *routineCall) provideResult() {
	if rc.entry.reduces && !rc.onDevice {
		rc.args.SetInt(routine.Result, routine.Host)
	}
}

// make makes the call with the arguments that were read.
func (rc *routineCall) make() error {
	switch rc.entry.Library {
	case routine.HipBLAS:
		return layered(rc.Call, rc.makeHipBLAS())
	case routine.HipSOLVER:
		return layered(rc.Call, rc.makeHipSOLVER())
	}
	out, err := rc.handle.get().Repeat(rc.args, rc.plan)
	if out.Printed != "" {
		io.WriteString(rc.Output, out.Printed)
	}
	if err != nil {
		return err
	}
	if out.Status != status.Success {
		rc.Status = rc.Statuses.Value(out.Status)
	}
	rc.returnResults(out.Results)
	return nil
}

// returnResults returns the results of a reduction in host pointer mode.
func (rc *routineCall) returnResults(raw []byte) {
	if rc.entry.reduces && !rc.onDevice {
		p, _ := rc.entry.ParamAt(routine.Result)
		rc.Out(results(rc.Engine, rc.args, p, raw))
	}
}

// returnNumber returns the number that a function of hipSOLVER or hipBLAS stores in host memory, if it does.
func (rc *routineCall) returnNumber(n int64) {
	if rc.entry.ReturnsNumber() {
		rc.Out(lua.LNumber(n))
	}
}

// namedTable returns the table of named arguments, which is the only argument, or the only one after the handle. It
// returns nil if the call has none.
func (rc *routineCall) namedTable() *lua.LTable {
	switch rc.L.GetTop() {
	case 1:
		t, _ := rc.L.Get(1).(*lua.LTable)
		return t
	case 2:
		t, _ := rc.L.Get(2).(*lua.LTable)
		return t
	}
	return nil
}

// readHandle reads the handle, whose pointer mode determines the parameters. The null handle has no mode: it takes the
// arguments of either mode, in device pointer mode with the result of a reduction.
func (rc *routineCall) readHandle(v lua.LValue, withResult bool) {
	rc.handle = readHandle(rc.Call, rc.entry.handle, v)
	rc.onDevice = rc.handle.get().OnDevice() || rc.handle == nil && withResult
	rc.None = rc.onDevice && rc.entry.reduces
	rc.inputs = rc.entry.inputs(rc.onDevice)
}

// readPositional reads the arguments in C order. A reduction's result is an argument only in device pointer mode.
func (rc *routineCall) readPositional() {
	rc.readHandle(rc.L.Get(1), rc.entry.reduces && rc.L.GetTop() == len(rc.entry.onDevice)+1)
	if got, want := rc.L.GetTop(), len(rc.inputs)+1; got != want {
		list := strings.Join(inputNames(rc.inputs), ", ")
		rc.VM.Raisef(rc.L, "%s: takes %d arguments (handle, %s), got %d", rc.Fn.Title(), want, list, got)
	}
	for i, in := range rc.inputs {
		rc.set(in, rc.L.Get(i+2))
	}
}

func inputNames(inputs []*input) []string {
	names := make([]string, len(inputs))
	for i, in := range inputs {
		names[i] = in.Name
	}
	return names
}

// readNamed reads a table of named arguments and sets the others to their defaults.
func (rc *routineCall) readNamed(t *lua.LTable, handle lua.LValue) {
	result, reduces := rc.entry.ParamAt(routine.Result)
	rc.readHandle(handle, reduces && t.RawGetString(result.Name) != lua.LNil)
	library := of(rc.Call)
	values := library.namedValues[:0]
	found := 0
	for _, in := range rc.inputs {
		v := t.RawGetString(in.Name)
		values = append(values, v)
		if v != lua.LNil {
			found++
		}
	}
	library.namedValues = values
	rc.otherNames(t, values, found)
	for i, in := range rc.inputs {
		if values[i] != lua.LNil {
			rc.set(in, values[i])
		}
	}
	for i, in := range rc.inputs {
		if values[i] == lua.LNil {
			rc.setDefault(in.Param)
		}
	}
}

// otherNames reads the arguments named as in other routines. It raises an error for a name that is neither
// a parameter nor handle. found is how many parameters the table has under their own names.
func (rc *routineCall) otherNames(t *lua.LTable, values []lua.LValue, found int) {
	if t.RawGetString("handle") != lua.LNil {
		found++
	}
	if vm.Fields(t) == found {
		return
	}
	known := append(inputNames(rc.inputs), "handle")
	t.ForEach(func(k, v lua.LValue) {
		rc.VM.CheckText(rc.L, rc.Fn.Title(), k)
		name := k.String()
		if k.Type() == lua.LTNumber {
			rc.VM.Raisef(rc.L, "%s: the table of arguments has an item %s without a name", rc.Fn.Title(), name)
		}
		if slices.Contains(known, name) {
			return
		}
		i := -1
		if p, ok := rc.entry.Spelled(name); ok {
			i = slices.Index(known, p.Name)
		}
		switch {
		case i < 0:
			rc.VM.Raisef(rc.L, "%s: unknown parameter %q%s (has %s)",
				rc.Fn.Title(), name, nearest.DidYouMean(name, known), strings.Join(known, ", "))
		case values[i] != lua.LNil:
			rc.VM.Raisef(rc.L, "%s: %s and %s are the same parameter, which is given twice", rc.Fn.Title(), name,
				known[i])
		}
		values[i] = v
	})
}

// setDefault sets a parameter that was not named to its default. The parameters before it in C order are set already:
// the stride of A depends on its leading dimension. Scalars in device memory have no default except null.
func (rc *routineCall) setDefault(p *routine.Param) {
	if p.Kind == routine.Scalar && rc.onDevice {
		rc.args.SetPtr(p.Slot, 0)
		return
	}
	d, ok := rc.entry.Default(p)
	if !ok {
		rc.VM.Raisef(rc.L, "%s: parameter %s is missing: %s", rc.Fn.Title(), p.Name, p.About)
	}
	d.Set(rc.args)
}

// set reads one argument by the kind of its parameter.
func (rc *routineCall) set(in *input, v lua.LValue) {
	switch in.decl.Kind {
	case api.Enum:
		rc.args.SetInt(in.Slot, engine.ReadConstant(rc.Call, in.decl, v))
	case api.Integer:
		rc.setInteger(in, v)
	case api.Number:
		rc.args.SetReal(in.Slot, float64(engine.Typed[lua.LNumber](rc.Call, in.decl, v)))
	case api.Element:
		rc.setScalar(in, v)
	case api.Jacobi:
		rc.objects.Jacobi = readJacobi(rc.Call, in.decl, v)
	case api.Params:
		rc.objects.Params = readParams(rc.Call, in.decl, v)
	case api.Array: // it is not used
		if v != lua.LNil {
			engine.Object[*array.Array](rc.Call, in.decl, v)
		}
	case api.Rfinfo:
		rc.args.SetPtr(in.Slot, readRfinfo(rc.Call, in.decl, v).Address())
	default:
		rc.args.SetPtr(in.Slot, uint64(engine.ReadPointer(rc.Call, in.decl, v)))
	}
}

// setScalar reads alpha or beta: a number, or in device pointer mode its address. With the null handle it is either.
func (rc *routineCall) setScalar(in *input, v lua.LValue) {
	onDevice := rc.onDevice
	if rc.handle == nil {
		onDevice = v.Type() == lua.LTUserData
	}
	switch {
	case onDevice:
		rc.args.SetPtr(in.Slot, uint64(engine.ReadPointer(rc.Call, scalarAddress(in), v)))
	case v.Type() != lua.LTNil:
		rc.args.SetScalar(in.Slot, engine.ReadScalar(rc.Call, in.Name, v, in.real))
	}
}

// scalarAddress is the parameter of a scalar in device pointer mode, for messages.
func scalarAddress(in *input) *api.Param {
	return &api.Param{Name: in.Name, Kind: api.Pointer, Nil: "the null pointer"}
}

// setInteger reads an integer within the range of its C type.
func (rc *routineCall) setInteger(in *input, v lua.LValue) {
	n := engine.ReadWhole(rc.Call, in.decl, v)
	if err := rc.entry.CheckRange(in.Param, n); err != nil {
		rc.Bad(in.Name, "%s", err)
	}
	rc.args.SetInt(in.Slot, n)
}

// results returns the result of a reduction: a number, {re, im}, or an array for a batch. It is nil for a datatype that
// arrays do not have: an _ex routine with nothing to compute does not check the datatype.
func results(e *engine.Engine, a *routine.Args, p *routine.Param, raw []byte) lua.LValue {
	kind := resultKind(a, p)
	if raw == nil || kind == "" {
		return lua.LNil
	}
	values := array.Of(kind, raw)
	if a.Routine.Variant != routine.Plain {
		return e.VM.Object(array.TypeName, values)
	}
	return array.Element(e, values, 0)
}

// resultKind returns the kind of the array that holds a reduction's results.
func resultKind(a *routine.Args, p *routine.Param) string {
	if p.Elem == routine.OfInt && a.Routine.Wide {
		return "i64"
	}
	return array.KindOfDatatype(a.Datatype(p))
}
