package luabind

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

func sprintf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

func contains(list []string, name string) bool { return slices.Contains(list, name) }

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// plainValue turns a Lua number, string or boolean into Go's.
func plainValue(v lua.LValue) (any, bool) {
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

// luaValue turns a Go number, string or boolean into Lua's.
func luaValue(v any) lua.LValue {
	switch v := v.(type) {
	case float64:
		return lua.LNumber(v)
	case int64:
		return lua.LNumber(v)
	case int:
		return lua.LNumber(v)
	case string:
		return lua.LString(v)
	case bool:
		return lua.LBool(v)
	}
	return lua.LNil
}

// metricValue keeps whole numbers exact: 4732160 is an int64, not 4.73216e+06.
func metricValue(v lua.LValue) (any, bool) {
	if n, ok := v.(lua.LNumber); ok && float64(n) == float64(int64(n)) && n < maxExact && n > -maxExact {
		return int64(n), true
	}
	return plainValue(v)
}

// show writes a value the way a check reports it.
func (s *State) show(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LNumber:
		if f := float64(v); f == float64(int64(f)) && f < maxExact && f > -maxExact {
			return strconv.FormatInt(int64(f), 10)
		}
		return strconv.FormatFloat(float64(v), 'g', -1, 64)
	case lua.LString:
		return strconv.Quote(string(v))
	case *lua.LTable:
		return s.showTable(v)
	}
	return s.lua.ToStringMeta(v).String()
}

func (s *State) showTable(t *lua.LTable) string {
	var items, fields []string
	for i := 1; i <= t.Len(); i++ {
		items = append(items, s.show(t.RawGetInt(i)))
	}
	t.ForEach(func(k, v lua.LValue) {
		if k.Type() != lua.LTNumber {
			fields = append(fields, k.String()+" = "+s.show(v))
		}
	})
	sort.Strings(fields)
	return "{" + strings.Join(append(items, fields...), ", ") + "}"
}

// same compares two values as a check does: tables item by item, everything else as Lua's ==.
func (s *State) same(a, b lua.LValue) bool {
	ta, ok1 := a.(*lua.LTable)
	tb, ok2 := b.(*lua.LTable)
	if !ok1 || !ok2 {
		return s.lua.Equal(a, b)
	}
	equal := true
	ta.ForEach(func(k, v lua.LValue) { equal = equal && s.same(v, tb.RawGet(k)) })
	tb.ForEach(func(k, _ lua.LValue) { equal = equal && ta.RawGet(k).Type() != lua.LTNil })
	return equal
}
