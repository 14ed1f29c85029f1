package luabind

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"unsafe"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/internal/nearest"
	"roclua/luabind/api"
	"roclua/luabind/vm"
)

// Array is a typed array in host memory: column-major rows x cols, read and written 1-based by scripts.
type Array struct {
	kind       string // one of api.ElementTypes
	rows, cols int
	raw        []byte
	filling    *hip.HostCopy // the last copy to the array that the host may not have waited for, or nil
}

// elementKind is the type of the elements of an array.
type elementKind struct {
	name     string
	datatype int64 // of the library; 0 for 64-bit integers and addresses, for which it has none
	bytes    int
}

// elementKinds lists the element types in the order of api.ElementTypes.
var elementKinds = []elementKind{
	{"s", routine.DatatypeF32, 4}, {"d", routine.DatatypeF64, 8},
	{"c", routine.DatatypeF32C, 8}, {"z", routine.DatatypeF64C, 16},
	{"f16", routine.DatatypeF16, 2}, {"bf16", routine.DatatypeBF16, 2},
	{"i8", routine.DatatypeI8, 1}, {"i32", routine.DatatypeI32, 4}, {"i64", 0, 8}, {"ptr", 0, 8},
}

// elementOf has the element types by name. It panics if one is declared and has no size.
var elementOf = func() map[string]elementKind {
	byName := map[string]elementKind{}
	for _, k := range elementKinds {
		byName[k.name] = k
	}
	for _, name := range api.ElementTypes {
		if byName[name].bytes == 0 {
			panic("the element type " + name + " is declared and has no size")
		}
	}
	return byName
}()

// kindOfDatatype returns the kind of array that holds elements of a datatype.
func kindOfDatatype(datatype int64) string {
	for _, k := range elementKinds {
		if k.datatype == datatype {
			return k.name
		}
	}
	return ""
}

// newArray makes an array of zeros. Use call.newArray for a size that a script chooses, so that its memory counts.
func newArray(kind string, rows, cols int) *Array {
	// Words of 8 bytes keep every element type aligned.
	bytes := rows * cols * elementOf[kind].bytes
	words := make([]uint64, (bytes+7)/8)
	a := &Array{kind: kind, rows: rows, cols: cols}
	if len(words) > 0 {
		a.raw = unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), bytes)
	}
	return a
}

// arrayOf makes a vector of the elements that raw holds.
func arrayOf(kind string, raw []byte) *Array {
	a := newArray(kind, len(raw)/elementOf[kind].bytes, 1)
	copy(a.raw, raw)
	return a
}

func (a *Array) len() int { return a.rows * a.cols }

// beforeUse reports a hazard if a copy may still write the array, and waits for the copy. call names the use by the
// host that follows.
func (a *Array) beforeUse(call string) {
	if a.filling != nil && a.filling.BeforeHostUse(call) {
		a.filling = nil
	}
}

// beforeElement is beforeUse for element i, 0-based.
func (a *Array) beforeElement(i int) {
	if a.filling != nil && uint64(i*elementOf[a.kind].bytes) < a.filling.Bytes() {
		a.beforeUse("array[i]")
	}
}

// beforeFilling reports a hazard if a copy that is not ordered before the next one may still write the array.
func (a *Array) beforeFilling(call string, stream *hip.Stream) {
	if a.filling != nil {
		a.filling.BeforeCopy(call, stream)
		a.filling = nil
	}
}

// filledBy keeps the copy of n bytes to the array that was queued last on a stream. The host waited for a copy without
// a stream.
func (a *Array) filledBy(dev *hip.Device, stream *hip.Stream, n uint64) {
	if stream != nil {
		a.filling = dev.LastHostCopy(stream, n)
	}
}

// Describe implements vm.Describer.
func (a *Array) Describe() string { return "an array" }

// HostSize implements memory.Sizer.
func (a *Array) HostSize() (bytes uint64, first *byte) {
	if len(a.raw) == 0 {
		return 0, nil
	}
	return uint64(cap(a.raw)), &a.raw[0]
}

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
	case "i64", "ptr":
		return complex(float64(view[int64](a)[i]), 0)
	}
	e := elementOf[a.kind]
	return number.Load(e.datatype, a.raw[i*e.bytes:])
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
	case "i64", "ptr":
		view[int64](a)[i] = int64(real(v))
	default:
		e := elementOf[a.kind]
		number.Store(e.datatype, a.raw[i*e.bytes:], v)
	}
}

func (a *Array) isComplex() bool { return a.kind == "c" || a.kind == "z" }
func (a *Array) isNumber() bool  { return a.kind != "ptr" }

// integers returns the range of an array of integers; ok is false for other kinds.
func (a *Array) integers() (low, high int64, ok bool) {
	switch a.kind {
	case "i8":
		return math.MinInt8, math.MaxInt8, true
	case "i32":
		return math.MinInt32, math.MaxInt32, true
	case "i64":
		return -vm.MaxExact, vm.MaxExact, true
	}
	return 0, 0, false
}

const arrayTypeName = "roclua.array"

// arrayClass makes host arrays and gives scripts their elements.
type arrayClass struct{ s *state }

func (ac arrayClass) open() {
	ac.s.vm.NewType(arrayTypeName, map[string]lua.LGFunction{
		"__index":    ac.index,
		"__newindex": ac.newIndex,
		"__len": func(l *lua.LState) int {
			l.Push(lua.LNumber(vm.Receiver[*Array](ac.s.vm, l).len()))
			return 1
		},
		"__tostring": func(l *lua.LState) int {
			a := vm.Receiver[*Array](ac.s.vm, l)
			l.Push(lua.LString(fmt.Sprintf("array(%s, %dx%d)", a.kind, a.rows, a.cols)))
			return 1
		},
	})
}

// element returns element i, 0-based, as a Lua value: a number, {re, im}, or a pointer.
func (ac arrayClass) element(a *Array, i int) lua.LValue {
	switch {
	case !a.isNumber():
		return ac.s.pointers.value(driver.Ptr(view[uint64](a)[i]))
	case a.isComplex():
		return ac.complex(a.at(i))
	}
	return lua.LNumber(real(a.at(i)))
}

func (ac arrayClass) complex(v complex128) lua.LValue {
	t := ac.s.vm.State().CreateTable(2, 0)
	t.RawSetInt(1, lua.LNumber(real(v)))
	t.RawSetInt(2, lua.LNumber(imag(v)))
	return t
}

func (ac arrayClass) index(l *lua.LState) int {
	a := vm.Receiver[*Array](ac.s.vm, l)
	if name, ok := l.Get(2).(lua.LString); ok {
		l.Push(ac.field(l, a, string(name)))
		return 1
	}
	i := elementIndex(ac.call(l), a)
	a.beforeElement(i)
	l.Push(ac.element(a, i))
	return 1
}

func (ac arrayClass) newIndex(l *lua.LState) int {
	a := vm.Receiver[*Array](ac.s.vm, l)
	c := ac.call(l)
	i := elementIndex(c, a)
	a.beforeElement(i)
	putElement(c, a, i, l.Get(3))
	return 0
}

// The declaration of a[i].
var (
	arrayElement = &api.Function{Owner: "array", Name: "[]"}
	arrayInteger = &api.Param{Name: "value", Kind: api.Integer, Low: api.MinInteger, High: api.MaxInteger}
	arrayPointer = &api.Param{Name: "value", Kind: api.Pointer, Nil: "the null pointer"}
)

func (ac arrayClass) call(l *lua.LState) *call { return &call{s: ac.s, l: l, fn: arrayElement} }

// elementIndex reads the index of an element and returns it from 0.
func elementIndex(c *call, a *Array) int {
	if a.len() == 0 {
		c.bad("index", "the array is empty")
	}
	return c.index(c.l.Get(2), a.len())
}

// putElement stores a Lua value, which must fit the element type.
func putElement(c *call, a *Array, i int, v lua.LValue) {
	if !a.isNumber() {
		view[uint64](a)[i] = uint64(readPointer(c, arrayPointer, v))
		return
	}
	if low, high, ok := a.integers(); ok {
		if n := readWhole(c, arrayInteger, v); n < low || n > high {
			c.bad("value", "%d does not fit an array of %s, which holds %d to %d", n, a.kind, low, high)
		}
	}
	a.put(i, readScalar(c, "value", v, !a.isComplex()))
}

// field returns a field or a method of an array.
func (ac arrayClass) field(l *lua.LState, a *Array, name string) lua.LValue {
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
	if method := ac.s.modules.method(methodsByClass()["array"], name); method != nil {
		return method
	}
	names := slices.AppendSeq(fieldsOf("array"), maps.Keys(methodsByClass()["array"]))
	ac.s.vm.Raisef(l, "an array has no field %q%s", name, nearest.DidYouMean(name, names))
	return lua.LNil
}
