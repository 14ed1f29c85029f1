package engine

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
)

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
