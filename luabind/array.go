package luabind

import (
	"fmt"
	"unsafe"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
)

// Array is a typed array in host memory: column-major rows x cols, read and written 1-based by scripts.
type Array struct {
	kind       string // "s", "d", "c", "z", "i32", "i64", or "ptr" for device addresses
	rows, cols int
	raw        []byte
}

var elementBytes = map[string]int{"s": 4, "d": 8, "c": 8, "z": 16, "i32": 4, "i64": 8, "ptr": 8}

// arrayKinds lists the element types in the order of messages.
var arrayKinds = []string{"s", "d", "c", "z", "i32", "i64", "ptr"}

// newArray makes an array of zeros.
func newArray(kind string, rows, cols int) *Array {
	// Words of 8 bytes keep every element type aligned.
	words := make([]uint64, (rows*cols*elementBytes[kind]+7)/8)
	a := &Array{kind: kind, rows: rows, cols: cols}
	if len(words) > 0 {
		a.raw = unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), rows*cols*elementBytes[kind])
	}
	return a
}

// arrayOf makes a vector of the elements that raw holds.
func arrayOf(kind string, raw []byte) *Array {
	a := newArray(kind, len(raw)/elementBytes[kind], 1)
	copy(a.raw, raw)
	return a
}

func (a *Array) len() int { return a.rows * a.cols }

// view returns the elements as a slice of their Go type.
func view[T any](a *Array) []T {
	if len(a.raw) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&a.raw[0])), a.len())
}

// at returns element i, 0-based, as a complex number; addresses are not numbers.
func (a *Array) at(i int) complex128 {
	switch a.kind {
	case "s":
		return complex(float64(view[float32](a)[i]), 0)
	case "d":
		return complex(view[float64](a)[i], 0)
	case "c":
		return complex128(view[complex64](a)[i])
	case "z":
		return view[complex128](a)[i]
	case "i32":
		return complex(float64(view[int32](a)[i]), 0)
	}
	return complex(float64(view[int64](a)[i]), 0)
}

// put sets element i, 0-based; a real or integer array takes the real part.
func (a *Array) put(i int, v complex128) {
	switch a.kind {
	case "s":
		view[float32](a)[i] = float32(real(v))
	case "d":
		view[float64](a)[i] = real(v)
	case "c":
		view[complex64](a)[i] = complex64(v)
	case "z":
		view[complex128](a)[i] = v
	case "i32":
		view[int32](a)[i] = int32(real(v))
	default:
		view[int64](a)[i] = int64(real(v))
	}
}

func (a *Array) isComplex() bool { return a.kind == "c" || a.kind == "z" }
func (a *Array) isNumber() bool  { return a.kind != "ptr" }

const arrayTypeName = "roclua.array"

func (s *State) openArrays() {
	s.newType(arrayTypeName, map[string]lua.LGFunction{
		"__index":    s.arrayIndex,
		"__newindex": s.arrayNewIndex,
		"__len": func(l *lua.LState) int {
			l.Push(lua.LNumber(l.CheckUserData(1).Value.(*Array).len()))
			return 1
		},
		"__tostring": func(l *lua.LState) int {
			a := l.CheckUserData(1).Value.(*Array)
			l.Push(lua.LString(fmt.Sprintf("array(%s, %dx%d)", a.kind, a.rows, a.cols)))
			return 1
		},
	})
}

// element gives element i, 0-based, to Lua: a number, {re, im}, or a pointer.
func (s *State) element(a *Array, i int) lua.LValue {
	switch {
	case !a.isNumber():
		return s.pointerValue(view[uint64](a)[i])
	case a.isComplex():
		return s.complexValue(a.at(i))
	}
	return lua.LNumber(real(a.at(i)))
}

func (s *State) complexValue(v complex128) lua.LValue {
	t := s.lua.NewTable()
	t.RawSetInt(1, lua.LNumber(real(v)))
	t.RawSetInt(2, lua.LNumber(imag(v)))
	return t
}

func (s *State) arrayIndex(l *lua.LState) int {
	a := l.CheckUserData(1).Value.(*Array)
	if name, ok := l.Get(2).(lua.LString); ok {
		l.Push(s.arrayField(l, a, string(name)))
		return 1
	}
	l.Push(s.element(a, s.arrayCall(l, "[]", 2).integerIndex(a)))
	return 1
}

func (s *State) arrayNewIndex(l *lua.LState) int {
	a := l.CheckUserData(1).Value.(*Array)
	c := s.arrayCall(l, "[]", 2)
	c.putElement(a, c.integerIndex(a), l.Get(3))
	return 0
}

func (s *State) arrayCall(l *lua.LState, name string, next int) *call {
	return &call{s: s, l: l, fn: &binding{module: "array", name: name}, next: next}
}

func (c *call) integerIndex(a *Array) int {
	if a.len() == 0 {
		c.bad("index", "the array is empty")
	}
	return int(c.integer("index", 1, int64(a.len()))) - 1
}

// putElement stores a Lua value, which must fit the element type.
func (c *call) putElement(a *Array, i int, v lua.LValue) {
	switch {
	case !a.isNumber():
		view[uint64](a)[i] = uint64(c.pointerValue("value", v))
		return
	case a.kind == "i32":
		n := c.whole("value", v, "an integer")
		if n != int64(int32(n)) {
			c.bad("value", "%d does not fit a 32-bit integer", n)
		}
	case a.kind == "i64":
		c.whole("value", v, "an integer")
	}
	z := c.complex("value", v)
	if !a.isComplex() && imag(z) != 0 {
		c.bad("value", "got a number with an imaginary part, want a real one")
	}
	a.put(i, z)
}

// arrayField gives rows, cols, type, bytes, and the methods.
func (s *State) arrayField(l *lua.LState, a *Array, name string) lua.LValue {
	switch name {
	case "rows":
		return lua.LNumber(a.rows)
	case "cols":
		return lua.LNumber(a.cols)
	case "type":
		return lua.LString(a.kind)
	case "bytes":
		return lua.LNumber(len(a.raw))
	}
	if method, ok := arrayMethods[name]; ok {
		return s.function("array:"+name, func(l *lua.LState) int { return method(s, l) })
	}
	names := []string{"rows", "cols", "type", "bytes"}
	for method := range arrayMethods {
		names = append(names, method)
	}
	s.usage(l, "an array has no field %q%s", name, routine.DidYouMean(name, names))
	return lua.LNil
}
