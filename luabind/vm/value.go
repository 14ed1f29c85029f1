package vm

import (
	"fmt"
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/layout"
)

// A Describer is a host value that error messages can name.
type Describer interface {
	Describe() string // such as "a file handle"
}

// MaxText is the most bytes of a string that a script may pass to a function of the host, except to print or compare
// it. Names and messages are shorter, and the host copies them.
const MaxText = 64 << 10

// CheckText raises an error about a string of more than MaxText bytes.
func (m *Machine) CheckText(l *lua.LState, what string, v lua.LValue) {
	if text, ok := v.(lua.LString); ok && len(text) > MaxText {
		m.Raisef(l, "%s: got a string of %d bytes, want at most %d", what, len(text), MaxText)
	}
}

// Key returns the key of a field whose metamethod l runs, as text. An error names the object.
func (m *Machine) Key(l *lua.LState, what string) string {
	m.CheckText(l, what, l.Get(2))
	return l.Get(2).String()
}

// MaxExact is 2^53. A Lua number holds every integer up to it.
const MaxExact = 1 << 53

// Describe returns a phrase for a value in error messages, such as `the string "x"` or "a table".
func Describe(v lua.LValue) string {
	switch v := v.(type) {
	case *lua.LNilType:
		return "nil"
	case lua.LString:
		if len(v) > 40 {
			return fmt.Sprintf("the string %.40q...", string(v))
		}
		return fmt.Sprintf("the string %q", string(v))
	case lua.LBool:
		return "the boolean " + v.String()
	case lua.LNumber:
		return "the number " + v.String()
	case *lua.LUserData:
		if d, ok := v.Value.(Describer); ok {
			return d.Describe()
		}
	}
	return "a " + v.Type().String()
}

// TypeText describes a value in messages of the interpreter: by its type, or as its [Describer] does.
func TypeText(v lua.LValue) string {
	if ud, ok := v.(*lua.LUserData); ok {
		if d, ok := ud.Value.(Describer); ok {
			return d.Describe()
		}
	}
	return "a " + v.Type().String() + " value"
}

// Fields returns how many fields a table has.
func Fields(t *lua.LTable) int {
	n := len(layout.StringFields(t)) + len(layout.OtherFields(t))
	for _, v := range layout.Array(t) {
		if v != lua.LNil {
			n++
		}
	}
	return n
}

// Integer returns the value of a number that is an integer of at most 2^53. The error names the value and
// want, a phrase such as "a number of bytes".
func Integer(v lua.LValue, want string) (int64, error) {
	n, ok := v.(lua.LNumber)
	if !ok {
		return 0, fmt.Errorf("got %s, want %s", Describe(v), want)
	}
	f := float64(n)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return 0, fmt.Errorf("got %v, want %s", f, want)
	case f != math.Trunc(f) && strings.HasPrefix(want, "an integer"):
		return 0, fmt.Errorf("got %v, want %s", f, want)
	case f != math.Trunc(f):
		return 0, fmt.Errorf("got %v, want %s without a fraction", f, want)
	case math.Abs(f) > MaxExact:
		return 0, fmt.Errorf("got %.0f, want %s of at most 2^53", f, want)
	}
	return int64(f), nil
}

// Push pushes the results of a function and returns their number.
func Push(l *lua.LState, results ...lua.LValue) int {
	for _, v := range results {
		l.Push(v)
	}
	return len(results)
}
