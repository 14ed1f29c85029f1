package lualib

import (
	"math"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/internal/convert"
)

// arithmetic has the operations on numbers, by metamethod.
var arithmetic = map[string]func(a, b float64) float64{
	"__add": func(a, b float64) float64 { return a + b },
	"__sub": func(a, b float64) float64 { return a - b },
	"__mul": func(a, b float64) float64 { return a * b },
	"__div": func(a, b float64) float64 { return a / b },
	"__mod": modulo,
	"__pow": math.Pow,
	"__unm": func(a, _ float64) float64 { return -a },
}

// modulo is the operator % of gopher-lua: the remainder with the sign of b.
func modulo(a, b float64) float64 {
	v := math.Mod(a, b)
	if v != 0 && math.Signbit(v) != math.Signbit(b) {
		v += b
	}
	return v
}

// openArithmetic makes the operators read numbers in strings as Lua 5.1 does. The interpreter calls the metamethods of
// strings before it converts strings itself, in another way: "010" would be 8.
func openArithmetic(m *vm.Machine, meta *lua.LTable) {
	for event, operation := range arithmetic {
		meta.RawSetString(event, m.Function(event, func(l *lua.LState) int {
			if event == "__unm" {
				l.SetTop(1)
				l.Push(l.Get(1))
			}
			a, ok1 := convert.Number(l.Get(1))
			b, ok2 := convert.Number(l.Get(2))
			if ok1 && ok2 {
				return vm.Push(l, lua.LNumber(operation(float64(a), float64(b))))
			}
			return otherOperand(m, l, event)
		}))
	}
}

// otherOperand calls the metamethod of the operand that is not a string, or raises the error that there is none.
func otherOperand(m *vm.Machine, l *lua.LState, event string) int {
	a, b := l.Get(1), l.Get(2)
	other := a
	if a.Type() == lua.LTString {
		other = b
	}
	method := l.GetMetaField(other, event)
	if method.Type() != lua.LTFunction || other.Type() == lua.LTString {
		m.RaiseArithmetic(l)
	}
	l.Push(method)
	l.Push(l.Get(1))
	l.Push(b)
	l.Call(2, 1)
	return 1
}
