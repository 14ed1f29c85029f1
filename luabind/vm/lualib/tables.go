package lualib

import (
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/internal/convert"
	"roclua/luabind/vm/internal/layout"
	"roclua/luabind/vm/internal/original"
	"roclua/luabind/vm/memory"
)

// tableFields returns the table library. Its functions replace functions of gopher-lua that differ from Lua 5.1, run
// for long, or allocate much memory.
func tableFields() []field {
	own := methods("table",
		method{"sort", (*Library).sort}, method{"concat", (*Library).concat},
		method{"insert", (*Library).insert}, method{"remove", (*Library).remove},
		method{"maxn", (*Library).maxn}, method{"foreach", (*Library).foreach},
		method{"foreachi", (*Library).foreachi}, method{"setn", static(setn)})
	return append(own, plain("getn", original.Functions()["table"]["getn"]), alias("unpack", globals, "unpack"))
}

// concat is table.concat(list [, separator [, i [, j]]]).
func (lib *Library) concat(l *lua.LState) int {
	table, separator := l.CheckTable(1), ""
	if l.Get(2) != lua.LNil {
		separator = convert.TextArg(l, 2)
	}
	low, high := convert.OptionalInteger(l, 3, 1), convert.OptionalInteger(l, 4, table.Len())
	if low > high {
		return vm.Push(l, lua.LString(""))
	}
	bytes := lib.itemBytes(l, table, low, high) + uint64(len(separator))*uint64(high-low)
	lib.m.Meter().Reserve(l, bytes)
	var out strings.Builder
	out.Grow(int(bytes))
	step := lib.m.Meter().Every(l, 1<<13)
	for i := low; ; i++ {
		step()
		text, _ := convert.Text(table.RawGet(lua.LNumber(i)))
		out.WriteString(text)
		if i == high {
			break
		}
		out.WriteString(separator)
	}
	return vm.Push(l, lua.LString(out.String()))
}

// itemBytes returns the size of the items of a list together, as text.
func (lib *Library) itemBytes(l *lua.LState, table *lua.LTable, low, high int) (bytes uint64) {
	step := lib.m.Meter().Every(l, 1<<13)
	for i := low; ; i++ {
		step()
		v := table.RawGet(lua.LNumber(i))
		text, ok := convert.Text(v)
		if !ok {
			l.RaiseError("invalid value (%s) at index %d in table for 'concat'", v.Type().String(), i)
		}
		if bytes += uint64(len(text)); i == high {
			return bytes
		}
	}
}

// insert is table.insert(list, [position,] value).
func (lib *Library) insert(l *lua.LState) int {
	table := l.CheckTable(1)
	n := table.Len()
	switch l.GetTop() {
	case 2:
		table.RawSetInt(n+1, l.Get(2))
		return 0
	case 3:
	default:
		l.RaiseError("wrong number of arguments to 'insert'")
	}
	at := convert.IntegerArg(l, 2)
	switch {
	case at >= 1 && at <= n: // the loop below does the same, more slowly
		trim(table, n)
		table.Insert(at, l.Get(3))
		return 0
	case at < -maxShift:
		l.ArgError(2, "position out of bounds")
	}
	lib.m.Meter().Reserve(l, memory.Growth(table, lua.LNumber(at)))
	for i := n; i >= at; i-- {
		table.RawSet(lua.LNumber(i+1), table.RawGet(lua.LNumber(i)))
	}
	table.RawSet(lua.LNumber(at), l.Get(3))
	return 0
}

// maxShift is the maximum distance below the list at which table.insert may insert an item.
const maxShift = 1 << 16

// trim removes nil from the end of a table's array, so that it has n items.
func trim(table *lua.LTable, n int) {
	for len(layout.Array(table)) > n {
		table.Remove(-1)
	}
}

// remove is table.remove(list [, position]). It returns nothing if there is no such item.
func (lib *Library) remove(l *lua.LState) int {
	table := l.CheckTable(1)
	n := table.Len()
	at := convert.OptionalInteger(l, 2, n)
	if at < 1 || at > n {
		return 0
	}
	trim(table, n)
	return vm.Push(l, table.Remove(at))
}

// maxn returns the largest positive number that is a key.
func (lib *Library) maxn(l *lua.LState) int {
	table := l.CheckTable(1)
	most := lua.LNumber(table.MaxN())
	for key, v := range layout.OtherFields(table) {
		if n, ok := key.(lua.LNumber); ok && v != lua.LNil && !math.IsNaN(float64(n)) {
			most = max(most, n)
		}
	}
	return vm.Push(l, most)
}

// setn raises an error, as in Lua 5.1.
func setn(l *lua.LState) int {
	l.RaiseError("'setn' is obsolete")
	return 0
}

// foreach calls a function with each key and value until it returns a value.
func (lib *Library) foreach(l *lua.LState) int {
	table, fn := l.CheckTable(1), l.CheckFunction(2)
	for key, v := table.Next(lua.LNil); key != lua.LNil; key, v = table.Next(key) {
		if stop := call2(l, fn, key, v); stop != lua.LNil {
			return vm.Push(l, stop)
		}
	}
	return 0
}

// foreachi calls a function with each index and item of a list until it returns a value.
func (lib *Library) foreachi(l *lua.LState) int {
	table, fn := l.CheckTable(1), l.CheckFunction(2)
	for i, n := 1, table.Len(); i <= n; i++ {
		if stop := call2(l, fn, lua.LNumber(i), table.RawGetInt(i)); stop != lua.LNil {
			return vm.Push(l, stop)
		}
	}
	return 0
}

// call2 calls a function with two arguments and returns its first result.
func call2(l *lua.LState, fn *lua.LFunction, a, b lua.LValue) lua.LValue {
	l.Push(fn)
	l.Push(a)
	l.Push(b)
	l.Call(2, 1)
	v := l.Get(-1)
	l.Pop(1)
	return v
}
