package library

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/luabind/api"
	"roclua/luabind/array"
	"roclua/luabind/engine"
)

// Problems are problems that each form of a routine can solve: one after the other, or in a batch.
type Problems struct {
	*engine.Call
	Forms  []*routine.Routine // of the routine, several
	count  int64
	arrays map[routine.Slot]*lua.LUserData // each with the data of all problems, one after the other
	others map[routine.Slot]lua.LValue
}

// mostProblems bounds the problems: the plain form makes a call for each.
const mostProblems = 1 << 16

// batchCount is the declaration of the number of problems.
var batchCount = &api.Param{Name: "batch_count", Kind: api.Integer, Low: 1, High: mostProblems}

// ReadProblems reads the arguments of a routine, which have the names of its parameters.
func ReadProblems(c *engine.Call, name string, given *lua.LTable) *Problems {
	r := RoutineNamed(c, name, given)
	ps := &Problems{Call: c, Forms: r.Forms(), count: 1, arrays: map[routine.Slot]*lua.LUserData{},
		others: map[routine.Slot]lua.LValue{}}
	if len(ps.Forms) == 1 {
		c.Bad("routine", "%s has no other form", r.CName())
	}
	if v := given.RawGetString(batchCount.Name); v != lua.LNil {
		ps.count = engine.ReadWhole(c, batchCount, v)
		c.Within(batchCount.Name, ps.count, 1, mostProblems)
	}
	given.ForEach(func(key, v lua.LValue) { ps.read(r, key.String(), v) })
	return ps
}

// read reads one argument by its name in a routine.
func (ps *Problems) read(r *routine.Routine, name string, v lua.LValue) {
	p, ok := r.Spelled(name)
	switch {
	case name == batchCount.Name:
	case !ok || p.Role == routine.Stride:
		ps.Bad("arguments", "%s has no argument %s; strides follow from the arrays", r.CName(), name)
	case p.Kind == routine.Array || p.Kind == routine.ArrayOfArrays:
		a := engine.Object[*array.Array](ps.Call, &api.Param{Name: p.Name, Kind: api.Array}, v)
		if rows, cols := a.Shape(); int64(rows*cols)%ps.count != 0 {
			ps.Bad(name, "%dx%d does not hold %d problems of one size", rows, cols, ps.count)
		}
		ps.arrays[p.Slot] = v.(*lua.LUserData)
	default:
		ps.others[p.Slot] = v
	}
}

// Solve calls a form, the plain form once for each problem, and returns the outputs by name. test is the parameter t of
// a scenario, which owns the copies of the arrays on the device.
func (ps *Problems) Solve(l *lua.LState, form *routine.Routine, test, handle lua.LValue) *lua.LTable {
	f := &formCalls{Problems: ps, Routine: form, l: l, test: test, out: l.NewTable()}
	f.named = f.arguments(handle)
	for i := range f.Params {
		if p := &f.Params[i]; f.arrays[p.Slot] != nil {
			f.place(p, f.arrays[p.Slot])
		}
	}
	calls := int64(1)
	if f.Variant == routine.Plain {
		calls = f.count
	}
	for n := range calls {
		f.call(driver.Ptr(n))
	}
	f.invoke(f.ModuleFunction("hip", "device_synchronize"))
	for _, a := range f.placed {
		if a.Access.Writes() {
			f.fetch(a)
		}
	}
	return f.out
}

// formCalls are the calls of one form.
type formCalls struct {
	*Problems
	*routine.Routine
	l      *lua.LState
	test   lua.LValue
	out    *lua.LTable
	named  *lua.LTable // the arguments of a call
	placed []placed
}

// placed is an array of a form on the device.
type placed struct {
	*routine.Param
	host  *lua.LUserData // a copy, whose integers are as wide as the form's
	kind  string         // of the script's array
	at    driver.Ptr
	bytes driver.Ptr // of one problem
}

// arguments returns the named arguments without the arrays.
func (f *formCalls) arguments(handle lua.LValue) *lua.LTable {
	named := f.l.NewTable()
	named.RawSetString("handle", handle)
	for slot, v := range f.others {
		if p, ok := f.ParamAt(slot); ok {
			named.RawSetString(p.Name, v)
		}
	}
	if p, ok := f.ParamAt(routine.BatchCount); ok {
		named.RawSetString(p.Name, lua.LNumber(f.count))
	}
	return named
}

// place copies an array to the device, and names its leading dimension, its stride and its pointers.
func (f *formCalls) place(p *routine.Param, given *lua.LUserData) {
	a := placed{Param: p, kind: given.Value.(*array.Array).Kind}
	kind := a.kind
	if f.Wide && p.Elem == routine.OfInt {
		kind = "i64"
	}
	a.host = f.invoke(f.Method("array", "convert"), given, lua.LString(kind)).(*lua.LUserData)
	host := a.host.Value.(*array.Array)
	rows, cols := host.Shape()
	if ld, ok := f.Companion(p.Slot, routine.LeadingDimension); ok && f.named.RawGetString(ld.Name) == lua.LNil {
		f.named.RawSetString(ld.Name, lua.LNumber(rows))
	}
	if stride, ok := f.Companion(p.Slot, routine.Stride); ok {
		f.named.RawSetString(stride.Name, lua.LNumber(int64(rows*cols)/f.count))
	}
	if uploaded, ok := f.upload(a.host).(*lua.LUserData); ok { // not an empty array
		a.at, a.bytes = driver.Ptr(uploaded.Value.(engine.DevicePtr)), driver.Ptr(int64(len(host.Raw))/f.count)
		if p.Kind == routine.ArrayOfArrays {
			f.named.RawSetString(p.Name, f.upload(f.invoke(f.ModuleFunction("array", "pointers"), uploaded,
				lua.LNumber(f.count), lua.LNumber(a.bytes))))
		}
	}
	f.placed = append(f.placed, a)
}

// call calls the form. The plain form solves a problem by its number, from 0.
func (f *formCalls) call(problem driver.Ptr) {
	for _, a := range f.placed {
		if a.Kind == routine.Array && a.at != 0 {
			f.named.RawSetString(a.Name, f.Pointer(a.at+problem*a.bytes))
		}
	}
	f.result(f.invoke(f.ModuleFunction(f.Library.String(), f.Routine.Name), f.named))
}

// upload copies an array to the device.
func (f *formCalls) upload(host lua.LValue) lua.LValue {
	return f.invoke(f.Method("test", "upload"), f.test, host)
}

// result adds the result of a reduction to the list of the results of all problems.
func (f *formCalls) result(v lua.LValue) {
	const name = "result" // in all forms
	_, reduces := f.ParamAt(routine.Result)
	switch {
	case !reduces:
	case f.Variant == routine.Plain:
		list, ok := f.out.RawGetString(name).(*lua.LTable)
		if !ok {
			list = f.l.NewTable()
			f.out.RawSetString(name, list)
		}
		list.Append(v)
	default:
		f.out.RawSetString(name, f.invoke(f.Method("array", "totable"), v))
	}
}

// fetch copies an array back to the host, with the type that the script gave it.
func (f *formCalls) fetch(a placed) {
	if a.at != 0 {
		f.invoke(f.ModuleFunction("hip", "download"), a.host, f.Pointer(a.at))
	}
	f.out.RawSetString(a.Name, f.invoke(f.Method("array", "convert"), a.host, lua.LString(a.kind)))
}

// invoke calls a function of Lua and returns its first result.
func (f *formCalls) invoke(fn lua.LValue, args ...lua.LValue) lua.LValue {
	f.l.Push(fn)
	for _, arg := range args {
		f.l.Push(arg)
	}
	f.l.Call(len(args), 1)
	v := f.l.Get(-1)
	f.l.Pop(1)
	return v
}
