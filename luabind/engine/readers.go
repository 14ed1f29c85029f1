package engine

import (
	"math"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/internal/nearest"
	"roclua/luabind/api"
	"roclua/luabind/vm"
	"roclua/luabind/vm/memory"
	"roclua/workspace/status"
)

// reader reads an argument as a T. It raises an error if the parameter does not accept the value.
type reader[T any] = func(c *Call, p *api.Param, v lua.LValue) T

// variadicReader reads all arguments from a position on.
type variadicReader[T any] = func(c *Call, p *api.Param, position int) T

// readers read each kind of parameter, one for each Go type. Extensions add readers of arrays, handles and other
// objects.
var readers = map[api.Kind][]any{
	api.Pointer:     {ReadPointer},
	api.Bytes:       {ReadBytes, optionally(ReadBytes), each(ReadBytes)},
	api.Integer:     {readInteger, optionally(readInteger)},
	api.Number:      {Typed[lua.LNumber]},
	api.Enum:        {readInteger, optionally(readInteger)},
	api.Status:      {readStatus},
	api.String:      {readString, optionally(readString)},
	api.Choice:      {readChoice},
	api.Element:     {readAny, optionally(readAny)},
	api.Plain:       {readPlain},
	api.Environment: {optionally(readString)},
	api.List:        {Typed[*lua.LTable]},
	api.Options:     {readOptions},
	api.Func:        {Typed[*lua.LFunction]},
	api.Any:         {readAny, each(readAny)},
}

// optionally makes the reader of an optional argument.
func optionally[T any](read reader[T]) reader[Option[T]] {
	return func(c *Call, p *api.Param, v lua.LValue) Option[T] { return Option[T]{read(c, p, v), true} }
}

// each makes the reader of all further arguments.
func each[T any](read reader[T]) variadicReader[[]T] {
	return func(c *Call, p *api.Param, position int) []T {
		var list []T
		for i := position; i <= c.L.GetTop(); i++ {
			list = append(list, read(c, p, c.L.Get(i)))
		}
		if list == nil && !p.Optional {
			c.Want(p, lua.LNil)
		}
		return list
	}
}

// Want raises an error about a value that a parameter does not accept.
func (c *Call) Want(p *api.Param, v lua.LValue) {
	c.Bad(p.Name, "got %s, want %s", vm.Describe(v), p.Want())
}

// Object returns the Go value of an argument that is an object of a class.
func Object[T any](c *Call, p *api.Param, v lua.LValue) T {
	if ud, ok := v.(*lua.LUserData); ok {
		if value, ok := ud.Value.(T); ok {
			return value
		}
	}
	if c.Fn.IsMethod() && p.Kind == c.Fn.Receiver && p.Name == c.Fn.Owner {
		c.VM.Raisef(c.L, "%s: a method was called on %s; write object:method(...), with a colon", c.Fn.Title(),
			vm.Describe(v))
	}
	c.Want(p, v)
	panic("unreachable")
}

func ReadPointer(c *Call, p *api.Param, v lua.LValue) driver.Ptr {
	if v == lua.LNil {
		return 0
	}
	if ud, ok := v.(*lua.LUserData); ok {
		switch x := ud.Value.(type) {
		case DevicePtr:
			return driver.Ptr(x)
		case memory.Sizer:
			c.Bad(p.Name, "got a host array, want %s; copy it to the device with hip.memcpy or hip.upload", p.Want())
		}
	}
	c.Want(p, v)
	return 0
}

// ReadWhole reads an integer that a number of Lua holds exactly.
func ReadWhole(c *Call, p *api.Param, v lua.LValue) int64 {
	if n, ok := v.(lua.LNumber); ok && float64(n) == math.Trunc(float64(n)) && math.Abs(float64(n)) <= api.MaxInteger {
		return int64(n)
	}
	_, err := vm.Integer(v, p.Want())
	c.Bad(p.Name, "%s", err)
	return 0
}

func ReadBytes(c *Call, p *api.Param, v lua.LValue) uint64 {
	n := ReadWhole(c, p, v)
	if n < 0 {
		c.Bad(p.Name, "got %d, want %s that is not negative", n, p.Want())
	}
	return uint64(n)
}

// readInteger reads an integer within the range of its parameter. Enumerations have no range.
func readInteger(c *Call, p *api.Param, v lua.LValue) int64 {
	if p.Kind == api.Enum {
		return ReadConstant(c, p, v)
	}
	n := ReadWhole(c, p, v)
	if n < p.Low || n > p.High {
		c.Bad(p.Name, "got %d, want %s", n, p.Want())
	}
	return n
}

// ReadConstant reads a value of an enumeration: a number, as the constants are, or a short name such as "left".
func ReadConstant(c *Call, p *api.Param, v lua.LValue) int64 {
	text, ok := v.(lua.LString)
	if !ok {
		return ReadWhole(c, p, v)
	}
	n, ok := routine.ConstantNamed(p.Enum, string(text))
	if !ok {
		names := routine.ShortNames(p.Enum)
		c.Bad(p.Name, "got %.40q, want %s, or one of %s%s", string(text), p.Want(), strings.Join(names, ", "),
			nearest.DidYouMean(string(text), names))
	}
	return n
}

// Index reads an index from 1 to n and returns it from 0.
func (c *Call) Index(v lua.LValue, n int) int {
	if i, ok := v.(lua.LNumber); ok && i >= 1 && i <= lua.LNumber(n) && i == lua.LNumber(int(i)) {
		return int(i) - 1
	}
	return int(readInteger(c, &api.Param{Name: "index", Kind: api.Integer, Low: 1, High: int64(n)}, v) - 1)
}

// Within raises an error if an argument is outside of a range that depends on an object, such as its rows.
func (c *Call) Within(param string, n, low, high int64) {
	if n < low || n > high {
		c.Bad(param, "got %d, want an integer between %d and %d", n, low, high)
	}
}

// ReadScalar reads a number. A real number may be given as {re, 0}.
func ReadScalar(c *Call, param string, v lua.LValue, isReal bool) complex128 {
	if isReal && v.Type() != lua.LTNumber && v.Type() != lua.LTTable {
		c.Bad(param, "got %s, want a number", vm.Describe(v))
	}
	z := ReadComplex(c, param, v)
	if isReal && imag(z) != 0 {
		c.Bad(param, "got a number with an imaginary part, want a real one")
	}
	return z
}

// ReadComplex reads a number that may be complex: a number, or {re, im}.
func ReadComplex(c *Call, param string, v lua.LValue) complex128 {
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
	c.Bad(param, "got %s, want a number or {re, im}, such as {1, 0}", vm.Describe(v))
	return 0
}

func readStatus(c *Call, p *api.Param, v lua.LValue) StatusCode {
	if ud, ok := v.(*lua.LUserData); ok {
		if st, ok := ud.Value.(StatusCode); ok {
			return st
		}
	}
	return codeOf(status.Status(ReadWhole(c, p, v)))
}

// readString reads a string, or a number, which Lua converts.
func readString(c *Call, p *api.Param, v lua.LValue) string {
	if !lua.LVCanConvToString(v) {
		c.Want(p, v)
	}
	return v.String()
}

func readChoice(c *Call, p *api.Param, v lua.LValue) string {
	text := string(Typed[lua.LString](c, p, v))
	if !slices.Contains(p.Choices, text) {
		c.Bad(p.Name, "got %q, want %s%s", text, p.Want(), nearest.DidYouMean(text, p.Choices))
	}
	return text
}

// Typed reads a value of a type of Lua.
func Typed[T lua.LValue](c *Call, p *api.Param, v lua.LValue) T {
	value, ok := v.(T)
	if !ok {
		c.Want(p, v)
	}
	return value
}

func readAny(_ *Call, _ *api.Param, v lua.LValue) lua.LValue { return v }

// readPlain reads a number, a string or a boolean.
func readPlain(c *Call, p *api.Param, v lua.LValue) any {
	value, ok := metricValue(v)
	if !ok {
		c.Want(p, v)
	}
	return value
}

// PlainValue converts a Lua number, string or boolean to Go.
func PlainValue(v lua.LValue) (any, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return float64(v), true
	case lua.LString:
		return string(v), true
	case lua.LBool:
		return bool(v), true
	}
	return nil, false
}

// metricValue is like PlainValue, but an integer is an int64: 4732160, not 4.73216e+06.
func metricValue(v lua.LValue) (any, bool) {
	if n, ok := v.(lua.LNumber); ok && float64(n) == float64(int64(n)) && n < vm.MaxExact && n > -vm.MaxExact {
		return int64(n), true
	}
	return PlainValue(v)
}

// Residuals are the results of checks of the module array, with the rounding unit of the type that was checked.
// Metrics with these values consist of rounding errors, which depend on the library that computes.
type Residuals map[float64]float64

// maxResiduals bounds the residuals that a case keeps; a script can compute any number of them.
const maxResiduals = 1 << 16

// Add adds a residual. Whole numbers but zero are left out: counts may have the same values.
func (r *Residuals) Add(value, epsilon float64) {
	if math.IsNaN(value) || value != 0 && value == math.Trunc(value) {
		return
	}
	if *r == nil || len(*r) >= maxResiduals {
		*r = Residuals{}
	}
	(*r)[value] = max((*r)[value], epsilon)
}

// Epsilon returns the rounding unit of a metric with a value; 0 if it is not a residual.
func (r Residuals) Epsilon(value any) float64 {
	switch v := value.(type) {
	case float64:
		return r[v]
	case int64:
		return r[float64(v)]
	}
	return 0
}
