package luabind

import (
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/internal/nearest"
	"roclua/luabind/api"
	"roclua/luabind/vm"
)

// newRoutineBinding makes the binding of a routine: rocblas.dgemm(handle, transA, ...) in C order, or
// rocblas.dgemm{handle = h, m = 4, ...} and h:dgemm{m = 4, ...} by name.
func newRoutineBinding(r *routine.Routine) *binding {
	f := api.Of(r)
	e := &entry{Routine: r, handle: &f.Params[0]}
	declared := f.Params[1:]
	for i := range r.Params {
		p := &r.Params[i]
		if p.Kind == routine.Output {
			result := &api.Param{Name: p.Name, Kind: api.Pointer, About: p.About, Nil: "the null pointer"}
			e.onDevice = append(e.onDevice, &input{p, result})
			continue
		}
		in := &input{p, &declared[0]}
		declared = declared[1:]
		e.onHost, e.onDevice = append(e.onHost, in), append(e.onDevice, in)
	}
	_, e.reduces = r.ParamAt(routine.Result)
	return &binding{f, func(c *call) error { return c.routine(e) }}
}

// entry is a routine with the parameters that a script passes, in either pointer mode.
type entry struct {
	*routine.Routine
	handle           *api.Param
	onHost, onDevice []*input
	reduces          bool // has a result
}

// input is a parameter that a script passes, with its declaration.
type input struct {
	*routine.Param
	decl *api.Param
}

func (e *entry) inputs(onDevice bool) []*input {
	if onDevice {
		return e.onDevice
	}
	return e.onHost
}

func (c *call) routine(e *entry) error {
	a := &c.s.args // arguments are not used after the call returns
	*a = routine.Args{Routine: e.Routine}
	var h *handleBox
	if named := c.namedTable(); named != nil {
		h = c.named(e, a, named)
	} else {
		h = c.positional(e, a)
	}
	out, err := h.get().Call(a)
	if err != nil {
		return err
	}
	c.status = c.s.statuses.value(out.Status)
	if e.reduces && !h.get().OnDevice() {
		p, _ := e.ParamAt(routine.Result)
		c.out(c.s.results(a, p, out.Results))
	}
	return nil
}

// namedTable returns the table of named arguments, which is the only argument, or the only one after the handle. It
// returns nil if the call has none.
func (c *call) namedTable() *lua.LTable {
	switch c.l.GetTop() {
	case 1:
		t, _ := c.l.Get(1).(*lua.LTable)
		return t
	case 2:
		t, _ := c.l.Get(2).(*lua.LTable)
		return t
	}
	return nil
}

// positional reads the arguments in C order. A reduction's result is an argument only in device pointer mode.
func (c *call) positional(e *entry, a *routine.Args) *handleBox {
	h := readHandle(c, e.handle, c.l.Get(1))
	onDevice := h.get().OnDevice()
	inputs := e.inputs(onDevice)
	if got, want := c.l.GetTop(), len(inputs)+1; got != want {
		list := strings.Join(inputNames(inputs), ", ")
		c.s.vm.Raisef(c.l, "%s: takes %d arguments (handle, %s), got %d", c.fn.Title(), want, list, got)
	}
	for i, in := range inputs {
		c.set(a, in, c.l.Get(i+2), onDevice)
	}
	c.hostResult(e, a, onDevice)
	return h
}

func inputNames(inputs []*input) []string {
	names := make([]string, len(inputs))
	for i, in := range inputs {
		names[i] = in.Name
	}
	return names
}

// hostResult marks the result of a reduction as present in host pointer mode, in which it is not an argument.
func (c *call) hostResult(e *entry, a *routine.Args, onDevice bool) {
	if e.reduces && !onDevice {
		a.SetInt(routine.Result, routine.Host)
	}
}

// named reads a table of named arguments and sets the others to their defaults.
func (c *call) named(e *entry, a *routine.Args, t *lua.LTable) *handleBox {
	h := c.namedHandle(e, t)
	onDevice := h.get().OnDevice()
	inputs := e.inputs(onDevice)
	c.knownNames(t, inputs)
	for _, in := range inputs {
		if v := t.RawGetString(in.Name); v != lua.LNil {
			c.set(a, in, v, onDevice)
		}
	}
	for _, in := range inputs {
		if t.RawGetString(in.Name) == lua.LNil {
			c.setDefault(a, in.Param, onDevice)
		}
	}
	c.hostResult(e, a, onDevice)
	return h
}

func (c *call) namedHandle(e *entry, t *lua.LTable) *handleBox {
	if c.l.GetTop() == 2 {
		return readHandle(c, e.handle, c.l.Get(1))
	}
	return readHandle(c, e.handle, t.RawGetString("handle"))
}

func (c *call) knownNames(t *lua.LTable, inputs []*input) {
	t.ForEach(func(k, _ lua.LValue) {
		name := k.String()
		if k.Type() == lua.LTNumber {
			c.s.vm.Raisef(c.l, "%s: the table of arguments has an item %s without a name", c.fn.Title(), name)
		}
		if name != "handle" && !slices.ContainsFunc(inputs, func(in *input) bool { return in.Name == name }) {
			known := append(inputNames(inputs), "handle")
			hint := nearest.DidYouMean(name, known)
			c.s.vm.Raisef(c.l, "%s: unknown parameter %q%s (has %s)", c.fn.Title(), name, hint, strings.Join(known, ", "))
		}
	})
}

// setDefault sets a parameter that was not named to its default. The parameters before it in C order are set: the
// leading dimension of A is known when its stride is set. Scalars in device memory have no default except null.
func (c *call) setDefault(a *routine.Args, p *routine.Param, onDevice bool) {
	if p.Kind == routine.Scalar && onDevice {
		a.SetPtr(p.Slot, 0)
		return
	}
	d, ok := a.Routine.Default(p)
	if !ok {
		c.s.vm.Raisef(c.l, "%s: parameter %s is missing: %s", c.fn.Title(), p.Name, p.About)
	}
	d.Set(a)
}

// set reads one argument by the kind of its parameter.
func (c *call) set(a *routine.Args, in *input, v lua.LValue, onDevice bool) {
	switch in.decl.Kind {
	case api.Enum:
		a.SetInt(in.Slot, readWhole(c, in.decl, v))
	case api.Integer:
		a.SetInt(in.Slot, c.count(a.Routine, in, v))
	case api.Number:
		a.SetReal(in.Slot, float64(readNumber(c, in.decl, v)))
	case api.Element:
		c.setScalar(a, in, v, onDevice)
	default:
		a.SetPtr(in.Slot, uint64(readPointer(c, in.decl, v)))
	}
}

// setScalar reads alpha or beta: a number, or in device pointer mode its address.
func (c *call) setScalar(a *routine.Args, in *input, v lua.LValue, onDevice bool) {
	switch {
	case onDevice:
		a.SetPtr(in.Slot, uint64(readPointer(c, scalarAddress(in), v)))
	case v.Type() != lua.LTNil:
		a.SetScalar(in.Slot, c.complex(in.Name, v))
	}
}

// scalarAddress is the parameter of a scalar in device pointer mode, for messages.
func scalarAddress(in *input) *api.Param {
	return &api.Param{Name: in.Name, Kind: api.Pointer, Nil: "the null pointer"}
}

// count reads an integer parameter within the range of its C type.
func (c *call) count(r *routine.Routine, in *input, v lua.LValue) int64 {
	n := readWhole(c, in.decl, v)
	if err := r.CheckRange(in.Param, n); err != nil {
		c.bad(in.Name, "%s", err)
	}
	return n
}

// complex reads a scalar: a number, or {re, im}.
func (c *call) complex(param string, v lua.LValue) complex128 {
	switch v := v.(type) {
	case lua.LNumber:
		return complex(float64(v), 0)
	case *lua.LTable:
		re, ok1 := v.RawGetInt(1).(lua.LNumber)
		im, ok2 := v.RawGetInt(2).(lua.LNumber)
		if ok1 && ok2 && v.Len() == 2 {
			return complex(float64(re), float64(im))
		}
	}
	c.bad(param, "got %s, want a number or {re, im}", vm.Describe(v))
	return 0
}

// results returns the result of a reduction: a number, {re, im}, or an array for a batch.
func (s *State) results(a *routine.Args, p *routine.Param, raw []byte) lua.LValue {
	if raw == nil {
		return lua.LNil
	}
	array := arrayOf(resultKind(a, p), raw)
	if a.Routine.Variant != routine.Plain {
		return s.vm.Object(arrayTypeName, array)
	}
	return s.arrays.element(array, 0)
}

// resultKind returns the kind of the array that holds a reduction's results.
func resultKind(a *routine.Args, p *routine.Param) string {
	if p.Elem == routine.OfInt && a.Routine.Wide {
		return "i64"
	}
	return kindOfDatatype(a.Datatype(p))
}
