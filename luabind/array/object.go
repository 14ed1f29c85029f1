package array

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/luabind/api"
	"roclua/luabind/engine"
	"roclua/luabind/vm"
	"roclua/luabind/vm/memory"
)

const TypeName = "roclua.array"

// openArrays declares the type of arrays.
func openArrays(e *engine.Engine) {
	e.VM.NewType(TypeName, map[string]lua.LGFunction{
		"__index":    func(l *lua.LState) int { return indexArray(e, l) },
		"__newindex": func(l *lua.LState) int { return setIndex(e, l) },
		"__len": func(l *lua.LState) int {
			return vm.Push(l, lua.LNumber(vm.Receiver[*Array](e.VM, l).len()))
		},
		"__tostring": engine.Text(e.VM, (*Array).String),
	})
}

// Element returns element i, 0-based, as a Lua value: a number, {re, im}, or a pointer.
func Element(e *engine.Engine, a *Array, i int) lua.LValue {
	switch {
	case !a.isNumber():
		return e.Pointer(driver.Ptr(view[uint64](a)[i]))
	case a.isComplex():
		return complexValue(e, a.at(i))
	}
	return lua.LNumber(real(a.at(i)))
}

func complexValue(e *engine.Engine, v complex128) lua.LValue {
	t := e.VM.State().CreateTable(2, 0)
	t.RawSetInt(1, lua.LNumber(real(v)))
	t.RawSetInt(2, lua.LNumber(imag(v)))
	return t
}

func indexArray(e *engine.Engine, l *lua.LState) int {
	a := vm.Receiver[*Array](e.VM, l)
	if name, ok := l.Get(2).(lua.LString); ok {
		return vm.Push(l, arrayField(e, l, a, string(name)))
	}
	i := elementIndex(&engine.Call{Engine: e, L: l, Fn: arrayElement}, a)
	a.before("array[i]", i, 1, routine.In)
	return vm.Push(l, Element(e, a, i))
}

func setIndex(e *engine.Engine, l *lua.LState) int {
	a := vm.Receiver[*Array](e.VM, l)
	c := &engine.Call{Engine: e, L: l, Fn: arrayElement}
	i := elementIndex(c, a)
	a.beforeWriting(c, "array[i]", i, 1)
	putElement(c, a, i, l.Get(3))
	return 0
}

// The declaration of a[i].
var (
	arrayElement = &api.Function{Owner: "array", Name: "[]"}
	arrayInteger = &api.Param{Name: "value", Kind: api.Integer, Low: api.MinInteger, High: api.MaxInteger}
	arrayPointer = &api.Param{Name: "value", Kind: api.Pointer, Nil: "the null pointer"}
)

// elementIndex reads the index of an element and returns it from 0.
func elementIndex(c *engine.Call, a *Array) int {
	if a.len() == 0 {
		c.Bad("index", "the array is empty")
	}
	return c.Index(c.L.Get(2), a.len())
}

// putElement stores a Lua value, which must fit the element type.
func putElement(c *engine.Call, a *Array, i int, v lua.LValue) {
	if !a.isNumber() {
		view[uint64](a)[i] = uint64(engine.ReadPointer(c, arrayPointer, v))
		return
	}
	if low, high, ok := a.integers(); ok {
		if n := engine.ReadWhole(c, arrayInteger, v); n < low || n > high {
			c.Bad("value", "%d does not fit an array of %s, which holds %d to %d", n, a.Kind, low, high)
		}
	}
	a.put(i, engine.ReadScalar(c, "value", v, !a.isComplex()))
}

// arrayField returns a field or a method of an array.
func arrayField(e *engine.Engine, l *lua.LState, a *Array, name string) lua.LValue {
	switch name {
	case "rows":
		return lua.LNumber(a.rows)
	case "cols":
		return lua.LNumber(a.cols)
	case "type":
		return lua.LString(a.Kind)
	case "bytes":
		return lua.LNumber(len(a.Raw))
	}
	return e.Member(l, "array", a, name)
}

func arrayGet(c *engine.Call, a InPart, row, column int64) error {
	i := elementAt(c, a.Array, row, column)
	a.before(c.Fn.Title(), i, 1, routine.In)
	return c.Return(nil, Element(c.Engine, a.Array, i))
}

func arraySet(c *engine.Call, a InPart, row, column int64, value lua.LValue) error {
	i := elementAt(c, a.Array, row, column)
	a.beforeWriting(c, c.Fn.Title(), i, 1)
	putElement(c, a.Array, i, value)
	return nil
}

// elementAt returns the index of an element, from 0.
func elementAt(c *engine.Call, a *Array, row, column int64) int {
	c.Within("row", row, 1, int64(a.rows))
	c.Within("column", column, 1, int64(a.cols))
	return int(column-1)*a.rows + int(row-1)
}

func arrayCopy(c *engine.Call, a *Array) error {
	b := reservedArray(c, a.Kind, a.rows, a.cols)
	copy(b.Raw, a.Raw)
	return outArray(c, b)
}

func arrayFill(c *engine.Call, a InPart, value lua.LValue) error {
	a.beforeWriting(c, c.Fn.Title(), 0, a.len())
	for i := range each(c, a.len(), 1) {
		putElement(c, a.Array, i, value)
	}
	return nil
}

func arrayToTable(c *engine.Call, a *Array) error {
	bytes := memory.ListBytes(a.len())
	if a.isComplex() {
		bytes += uint64(a.len()) * memory.PairBytes
	}
	c.VM.Meter().Reserve(c.L, bytes)
	t := c.L.CreateTable(0, 0)
	for i := range each(c, a.len(), 1) {
		t.Append(Element(c.Engine, a, i))
	}
	return c.Return(nil, t)
}
