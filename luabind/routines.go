package luabind

import (
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/internal/nearest"
	"roclua/luabind/vm"
)

// bindRoutine makes the binding of one routine of the table: rocblas.dgemm(handle, transA, ...) in C order, or
// rocblas.dgemm{handle = h, m = 4, ...} and h:dgemm{m = 4, ...} by name.
func bindRoutine(r *routine.Routine) *binding {
	b := &binding{module: r.Library.String(), name: r.Name, cName: r.CName()}
	e := &entry{r, inputs(r, false), inputs(r, true)}
	if _, ok := r.ParamAt(routine.Result); ok {
		b.outputs = 1
	}
	b.run = func(c *call) error { return c.routine(e) }
	return b
}

// entry is a routine with the parameters that a script gives, in either pointer mode.
type entry struct {
	*routine.Routine
	onHost, onDevice []*routine.Param
}

func (e *entry) params(onDevice bool) []*routine.Param {
	if onDevice {
		return e.onDevice
	}
	return e.onHost
}

func (c *call) routine(e *entry) error {
	a := &c.s.args // nothing keeps the arguments of a call that has returned
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
	c.status = c.s.status(out.Status)
	if p, ok := e.ParamAt(routine.Result); ok && !h.get().OnDevice() {
		c.out(c.s.results(a, p, out.Results))
	}
	return nil
}

// namedTable returns the table of named arguments, if the call has one: its only argument, or the only one after the
// handle.
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
	h := c.handle("handle")
	onDevice := h.get().OnDevice()
	params := e.params(onDevice)
	if got, want := c.l.GetTop(), len(params)+1; got != want {
		c.s.vm.Raisef(c.l, "%s.%s: takes %d arguments (handle, %s), got %d", c.fn.module, c.fn.name, want, strings.Join(paramNames(params), ", "), got)
	}
	for _, p := range params {
		c.set(a, p, c.take(), onDevice)
	}
	c.hostResult(a, onDevice)
	return h
}

// inputs returns the parameters that a script gives.
func inputs(r *routine.Routine, onDevice bool) []*routine.Param {
	var list []*routine.Param
	for i := range r.Params {
		if p := &r.Params[i]; p.Kind != routine.Output || onDevice {
			list = append(list, p)
		}
	}
	return list
}

func paramNames(params []*routine.Param) []string {
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.Name
	}
	return names
}

// hostResult marks the result of a reduction as present: in host pointer mode the binding itself gives it a place.
func (c *call) hostResult(a *routine.Args, onDevice bool) {
	if _, ok := a.Routine.ParamAt(routine.Result); ok && !onDevice {
		a.SetInt(routine.Result, routine.Host)
	}
}

// named reads a table of named arguments and fills in what is missing.
func (c *call) named(e *entry, a *routine.Args, t *lua.LTable) *handleBox {
	h := c.namedHandle(t)
	onDevice := h.get().OnDevice()
	params := e.params(onDevice)
	c.knownNames(t, params)
	for _, p := range params {
		if v := t.RawGetString(p.Name); v != lua.LNil {
			c.set(a, p, v, onDevice)
		}
	}
	for _, p := range params {
		if t.RawGetString(p.Name) == lua.LNil {
			c.fallback(a, p, onDevice)
		}
	}
	c.hostResult(a, onDevice)
	return h
}

func (c *call) namedHandle(t *lua.LTable) *handleBox {
	if c.l.GetTop() == 2 {
		return c.handle("handle")
	}
	return c.handleValue("handle", t.RawGetString("handle"))
}

func (c *call) knownNames(t *lua.LTable, params []*routine.Param) {
	t.ForEach(func(k, _ lua.LValue) {
		name := k.String()
		if k.Type() == lua.LTNumber {
			c.s.vm.Raisef(c.l, "%s.%s: argument table has an item %s without a name", c.fn.module, c.fn.name, name)
		}
		if name != "handle" && !slices.ContainsFunc(params, func(p *routine.Param) bool { return p.Name == name }) {
			known := append(paramNames(params), "handle")
			c.s.vm.Raisef(c.l, "%s.%s: unknown parameter %q%s (has %s)", c.fn.module, c.fn.name, name, nearest.DidYouMean(name, known), strings.Join(known, ", "))
		}
	})
}

// fallback gives a parameter that was not named its default. The parameters before it in C order have their values: the
// leading dimension of A is known when its stride is asked for. Scalars in device memory have none but null.
func (c *call) fallback(a *routine.Args, p *routine.Param, onDevice bool) {
	if p.Kind == routine.Scalar && onDevice {
		a.SetPtr(p.Slot, 0)
		return
	}
	d, ok := a.Routine.Default(p)
	if !ok {
		c.s.vm.Raisef(c.l, "%s.%s: parameter %s is missing: %s", c.fn.module, c.fn.name, p.Name, p.About)
	}
	d.Set(a)
}

// set reads one argument by the kind of its parameter.
func (c *call) set(a *routine.Args, p *routine.Param, v lua.LValue, onDevice bool) {
	switch {
	case p.Kind.IsEnum():
		a.SetInt(p.Slot, c.enumValue(p.Name, p.Kind, v))
	case p.Kind.IsInteger():
		a.SetInt(p.Slot, c.count(a.Routine, p, v))
	case p.Kind == routine.Scalar && !onDevice:
		if v.Type() != lua.LTNil {
			a.SetScalar(p.Slot, c.complex(p.Name, v))
		}
	default:
		a.SetPtr(p.Slot, uint64(c.pointerValue(p.Name, v)))
	}
}

// count reads an integer parameter within the range of its C type.
func (c *call) count(r *routine.Routine, p *routine.Param, v lua.LValue) int64 {
	n := c.whole(p.Name, v, "an integer")
	if err := r.CheckRange(p, n); err != nil {
		c.bad(p.Name, "%s", err)
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

// results turns what a reduction stored into a number, {re, im}, or an array for a batch.
func (s *State) results(a *routine.Args, p *routine.Param, raw []byte) lua.LValue {
	if raw == nil {
		return lua.LNil
	}
	array := arrayOf(resultKind(a, p), raw)
	if a.Routine.Variant != routine.Plain {
		return s.vm.Object(arrayTypeName, array)
	}
	return s.element(array, 0)
}

// resultKind returns the kind of the array that holds a reduction's results.
func resultKind(a *routine.Args, p *routine.Param) string {
	if p.Elem == routine.OfInt && a.Routine.Wide {
		return "i64"
	}
	return kindOfDatatype(a.Datatype(p))
}
