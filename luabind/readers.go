package luabind

import (
	"math"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/internal/nearest"
	"roclua/luabind/api"
	"roclua/luabind/vm"
	"roclua/workspace"
	"roclua/workspace/status"
)

// reader reads an argument as a T. It raises an error if the parameter does not accept the value.
type reader[T any] = func(c *call, p *api.Param, v lua.LValue) T

// variadicReader reads all arguments from a position on.
type variadicReader[T any] = func(c *call, p *api.Param, position int) T

// readers are the functions that read each kind of parameter, one for each Go type.
var readers = map[api.Kind][]any{
	api.Handle:      {readHandle, readModel, readAnyHandle},
	api.Stream:      {readStream},
	api.Event:       {readEvent},
	api.Graph:       {readGraph},
	api.GraphExec:   {readGraphExec},
	api.Pointer:     {readPointer},
	api.Memory:      {readMemory},
	api.Array:       {readArray},
	api.Numbers:     {readNumbers},
	api.Allocation:  {readAllocation},
	api.Test:        {readTest},
	api.Bytes:       {readBytes, optionally(readBytes)},
	api.Integer:     {readInteger, optionally(readInteger)},
	api.Number:      {readNumber},
	api.Enum:        {readInteger},
	api.Rfinfo:      {readRfinfo},
	api.Status:      {readStatus},
	api.String:      {readString, optionally(readString)},
	api.Choice:      {readChoice},
	api.ElementType: {readElementType},
	api.Element:     {readAny, optionally(readAny)},
	api.Plain:       {readPlain},
	api.Environment: {optionally(readString)},
	api.List:        {readTable},
	api.Options:     {optionally(readOptions)},
	api.Func:        {readFunction},
	api.Any:         {readAny},
}

var variadicReaders = map[api.Kind][]any{
	api.Bytes: {each(readBytes)},
	api.Any:   {each(readAny)},
}

// optionally makes the reader of an optional argument.
func optionally[T any](read reader[T]) reader[option[T]] {
	return func(c *call, p *api.Param, v lua.LValue) option[T] { return option[T]{read(c, p, v), true} }
}

// each makes the reader of all further arguments.
func each[T any](read reader[T]) variadicReader[[]T] {
	return func(c *call, p *api.Param, position int) []T {
		var list []T
		for i := position; i <= c.l.GetTop(); i++ {
			list = append(list, read(c, p, c.l.Get(i)))
		}
		if list == nil && !p.Optional {
			c.want(p, lua.LNil)
		}
		return list
	}
}

// want raises an error about a value that a parameter does not accept.
func (c *call) want(p *api.Param, v lua.LValue) {
	c.bad(p.Name, "got %s, want %s", vm.Describe(v), p.Want())
}

// object returns the Go value of an argument that is an object of a class.
func object[T any](c *call, p *api.Param, v lua.LValue) T {
	if ud, ok := v.(*lua.LUserData); ok {
		if value, ok := ud.Value.(T); ok {
			return value
		}
	}
	if c.fn.IsMethod() && p.Kind == c.fn.Receiver && p.Name == c.fn.Owner {
		c.s.vm.Raisef(c.l, "%s: a method was called on %s; write object:method(...), with a colon", c.fn.Title(),
			vm.Describe(v))
	}
	c.want(p, v)
	panic("unreachable")
}

func readAnyHandle(c *call, p *api.Param, v lua.LValue) anyHandle {
	return anyHandle{object[*handleBox](c, p, v)}
}

// anyHandle is a handle that may have been destroyed.
type anyHandle struct{ *handleBox }

func readHandle(c *call, p *api.Param, v lua.LValue) *handleBox {
	if v == lua.LNil && p.Nil != "" {
		return nil
	}
	box := object[*handleBox](c, p, v)
	if box.destroyed != "" {
		c.bad(p.Name, "the handle was destroyed at %s", box.destroyed)
	}
	return box
}

func readModel(c *call, p *api.Param, v lua.LValue) workspace.Handle {
	return readHandle(c, p, v).get()
}

func readStream(c *call, p *api.Param, v lua.LValue) *hip.Stream {
	if v == lua.LNil {
		return c.s.device(c.l).NullStream()
	}
	return object[*streamBox](c, p, v).stream
}

func readEvent(c *call, p *api.Param, v lua.LValue) *hip.Event {
	return object[*eventBox](c, p, v).event
}

func readGraph(c *call, p *api.Param, v lua.LValue) *graphBox { return object[*graphBox](c, p, v) }

func readGraphExec(c *call, p *api.Param, v lua.LValue) *graphExecBox {
	return object[*graphExecBox](c, p, v)
}

func readPointer(c *call, p *api.Param, v lua.LValue) driver.Ptr {
	if v == lua.LNil {
		return 0
	}
	if ud, ok := v.(*lua.LUserData); ok {
		switch x := ud.Value.(type) {
		case devicePtr:
			return driver.Ptr(x)
		case *Array:
			c.bad(p.Name, "got a host array, want %s; copy it to the device with hip.memcpy or hip.upload", p.Want())
		}
	}
	c.want(p, v)
	return 0
}

func readMemory(c *call, p *api.Param, v lua.LValue) hostOrDevice {
	if ud, ok := v.(*lua.LUserData); ok {
		if a, ok := ud.Value.(*Array); ok {
			if !p.Filled {
				a.beforeUse(c.fn.Title())
			}
			return hostOrDevice{array: a}
		}
	}
	return hostOrDevice{ptr: readPointer(c, p, v)}
}

func readArray(c *call, p *api.Param, v lua.LValue) *Array {
	if v == lua.LNil && p.Nil != "" {
		return nil
	}
	a := object[*Array](c, p, v)
	if !p.Filled {
		a.beforeUse(c.fn.Title())
	}
	return a
}

// numbers is a host array of numbers.
type numbers struct{ *Array }

func readNumbers(c *call, p *api.Param, v lua.LValue) numbers {
	a := readArray(c, p, v)
	if !a.isNumber() {
		c.bad(p.Name, "got an array of device pointers, want %s", p.Want())
	}
	return numbers{a}
}

func readAllocation(c *call, p *api.Param, v lua.LValue) *allocationBox {
	return object[*allocationBox](c, p, v)
}

func readTest(c *call, p *api.Param, v lua.LValue) *test { return object[*test](c, p, v) }

// readWhole reads an integer that a number of Lua holds exactly.
func readWhole(c *call, p *api.Param, v lua.LValue) int64 {
	if n, ok := v.(lua.LNumber); ok && float64(n) == math.Trunc(float64(n)) && math.Abs(float64(n)) <= api.MaxInteger {
		return int64(n)
	}
	_, err := vm.Integer(v, p.Want())
	c.bad(p.Name, "%s", err)
	return 0
}

func readBytes(c *call, p *api.Param, v lua.LValue) uint64 {
	n := readWhole(c, p, v)
	if n < 0 {
		c.bad(p.Name, "got %d, want %s that is not negative", n, p.Want())
	}
	return uint64(n)
}

// readInteger reads an integer within the range of its parameter; enumerations have none.
func readInteger(c *call, p *api.Param, v lua.LValue) int64 {
	n := readWhole(c, p, v)
	if p.Kind == api.Integer && (n < p.Low || n > p.High) {
		c.bad(p.Name, "got %d, want %s", n, p.Want())
	}
	return n
}

// index reads an index from 1 to n and returns it from 0.
func (c *call) index(v lua.LValue, n int) int {
	if i, ok := v.(lua.LNumber); ok && i >= 1 && i <= lua.LNumber(n) && i == lua.LNumber(int(i)) {
		return int(i) - 1
	}
	return int(readInteger(c, &api.Param{Name: "index", Kind: api.Integer, Low: 1, High: int64(n)}, v) - 1)
}

// within raises an error if an argument, which its parameter accepts, is beyond what an object allows.
func (c *call) within(param string, n, low, high int64) {
	if n < low || n > high {
		c.bad(param, "got %d, want an integer between %d and %d", n, low, high)
	}
}

func readNumber(c *call, p *api.Param, v lua.LValue) lua.LNumber {
	n, ok := v.(lua.LNumber)
	if !ok {
		c.want(p, v)
	}
	return n
}

func readStatus(c *call, p *api.Param, v lua.LValue) code {
	if ud, ok := v.(*lua.LUserData); ok {
		if st, ok := ud.Value.(code); ok {
			return st
		}
	}
	return rocblasStatus(status.Status(readWhole(c, p, v)))
}

// readString reads a string, or a number, which Lua converts.
func readString(c *call, p *api.Param, v lua.LValue) string {
	if !lua.LVCanConvToString(v) {
		c.want(p, v)
	}
	return v.String()
}

func readChoice(c *call, p *api.Param, v lua.LValue) string {
	text, ok := v.(lua.LString)
	if !ok {
		c.want(p, v)
	}
	if !slices.Contains(p.Choices, string(text)) {
		c.bad(p.Name, "got %q, want %s%s", string(text), p.Want(), nearest.DidYouMean(string(text), p.Choices))
	}
	return string(text)
}

func readElementType(c *call, p *api.Param, v lua.LValue) elementKind {
	text, ok := v.(lua.LString)
	kind, known := elementOf[string(text)]
	if !ok || !known {
		c.want(p, v)
	}
	return kind
}

func readAny(_ *call, _ *api.Param, v lua.LValue) lua.LValue { return v }

// readPlain reads a number, a string or a boolean.
func readPlain(c *call, p *api.Param, v lua.LValue) any {
	value, ok := metricValue(v)
	if !ok {
		c.want(p, v)
	}
	return value
}

func readTable(c *call, p *api.Param, v lua.LValue) *lua.LTable {
	t, ok := v.(*lua.LTable)
	if !ok {
		c.want(p, v)
	}
	return t
}

func readFunction(c *call, p *api.Param, v lua.LValue) *lua.LFunction {
	fn, ok := v.(*lua.LFunction)
	if !ok {
		c.want(p, v)
	}
	return fn
}

// options are the fields of a table of options that are given, by name.
type options map[string]any

// integer returns an integer of a table of options, or otherwise if it is not given.
func (o options) integer(name string, otherwise int64) int64 {
	if n, ok := o[name].(int64); ok {
		return n
	}
	return otherwise
}

// value returns a value of Lua of a table of options, or nil if it is not given.
func (o options) value(name string) lua.LValue {
	v, _ := o[name].(lua.LValue)
	return v
}

// readOptions reads a table of options. Its fields are strings, integers, numbers of bytes, elements and arrays.
func readOptions(c *call, p *api.Param, v lua.LValue) options {
	given := options{}
	readTable(c, p, v).ForEach(func(k, v lua.LValue) {
		i := slices.IndexFunc(p.Fields, func(f api.Param) bool { return f.Name == k.String() })
		if i < 0 {
			var names []string
			for i := range p.Fields {
				names = append(names, p.Fields[i].Name)
			}
			hint := nearest.DidYouMean(k.String(), names)
			c.s.vm.Raisef(c.l, "%s: unknown option %q%s (has %s)", c.fn.Title(), k, hint, strings.Join(names, ", "))
		}
		switch field := &p.Fields[i]; field.Kind {
		case api.Bytes:
			given[field.Name] = readBytes(c, field, v)
		case api.Integer, api.Enum:
			given[field.Name] = readInteger(c, field, v)
		case api.Element:
			given[field.Name] = v
		case api.Numbers:
			given[field.Name] = readNumbers(c, field, v)
		default:
			given[field.Name] = readString(c, field, v)
		}
	})
	return given
}
