package lualib

import (
	"slices"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/internal/convert"
	"roclua/luabind/vm/internal/layout"
	"roclua/luabind/vm/internal/original"
	"roclua/luabind/vm/memory"
)

// collectGarbage does nothing, because Go collects garbage by itself.
func collectGarbage(l *lua.LState) int {
	return vm.Push(l, lua.LNumber(0))
}

// arguments returns the table arg.
func arguments(lib *Library) lua.LValue {
	t := lib.lua.CreateTable(0, 0)
	for _, a := range lib.opts.Args {
		t.Append(lua.LString(a))
	}
	return t
}

func (lib *Library) print(l *lua.LState) int {
	lib.m.Print(l)
	return 0
}

// baseFields returns the base functions: gopher-lua's, and our own where those differ from Lua 5.1 or belong to a run.
func baseFields() []field {
	values := []field{
		{globals, func(lib *Library) lua.LValue { return lib.table(globals) }},
		constant("_VERSION", lua.LString(lua.LuaVersion)),
		{"arg", arguments},
	}
	for _, name := range []string{"getmetatable", "rawequal", "rawget", "type"} {
		values = append(values, plain(name, original.Functions()[globals][name]))
	}
	own := methods(globals, method{"assert", (*Library).assert},
		method{"collectgarbage", static(collectGarbage)}, method{"error", (*Library).error},
		method{"next", (*Library).next}, method{"print", (*Library).print},
		method{"rawset", (*Library).rawset}, method{"select", static(selectArguments)},
		method{"setmetatable", static(setMetatable)},
		method{"tonumber", static(tonumber)}, method{"tostring", static(tostring)},
		method{"unpack", (*Library).unpack})
	iterators := []field{
		{"ipairs", func(lib *Library) lua.LValue {
			return lib.iterator(lib.lua.NewFunction(nextElement), lua.LNumber(0))
		}},
		{"pairs", func(lib *Library) lua.LValue { return lib.iterator(lib.value(globals, "next"), lua.LNil) }},
	}
	return slices.Concat(values, own, iterators, []field{alias("gcinfo", globals, "collectgarbage")})
}

// iterator returns a function that takes a table and returns the values for a loop over it: step, the table and first.
func (lib *Library) iterator(step, first lua.LValue) lua.LValue {
	return lib.lua.NewFunction(func(l *lua.LState) int {
		table := l.CheckTable(1)
		return vm.Push(l, step, table, first)
	})
}

// nextElement returns the index after its second argument and the element of a list there, or nothing at the end.
func nextElement(l *lua.LState) int {
	i := l.CheckInt(2) + 1
	v := l.CheckTable(1).RawGetInt(i)
	if v == lua.LNil {
		return 0
	}
	return vm.Push(l, lua.LNumber(i), v)
}

// assert raises its second argument. A message gets the position of the caller.
func (lib *Library) assert(l *lua.LState) int {
	if lua.LVAsBool(l.CheckAny(1)) {
		return l.GetTop()
	}
	message := l.Get(2)
	if message == lua.LNil {
		message = lua.LString("assertion failed!")
	}
	if text, ok := convert.Text(message); ok {
		lib.m.Meter().Reserve(l, uint64(len(text)))
		message = lua.LString(vm.Position(l, 1) + text)
	}
	lib.m.RaiseValue(l, message)
	return 0
}

// error raises its argument. A message gets the position of the caller, or of that many calls further out.
func (lib *Library) error(l *lua.LState) int {
	v, level := l.Get(1), convert.OptionalInteger(l, 2, 1)
	if text, ok := convert.Text(v); ok && level > 0 {
		lib.m.Meter().Reserve(l, uint64(len(text)))
		v = lua.LString(vm.Position(l, level) + text)
	}
	lib.m.RaiseValue(l, v)
	return 0
}

// next is next(table [, key]). A key of the array that was removed meanwhile is allowed.
func (lib *Library) next(l *lua.LState) int {
	table, key := l.CheckTable(1), l.Get(2)
	if !layout.HasKey(table, key) {
		n, ok := key.(lua.LNumber)
		if !ok || n < 1 || n >= lua.LNumber(lua.MaxArrayIndex) || n != lua.LNumber(int(n)) {
			l.RaiseError("invalid key to 'next'")
		}
		if key = lua.LNil; len(layout.Array(table)) > 0 {
			key = lua.LNumber(len(layout.Array(table)))
		}
	}
	k, v := table.Next(key)
	l.Push(k)
	if k == lua.LNil {
		return 1
	}
	l.Push(v)
	return 2
}

// rawset reserves the memory that an assignment takes, and returns the table.
func (lib *Library) rawset(l *lua.LState) int {
	table := l.CheckTable(1)
	lib.m.Meter().Reserve(l, memory.Growth(table, l.Get(2)))
	l.RawSet(table, l.CheckAny(2), l.CheckAny(3))
	return vm.Push(l, table)
}

// selectArguments is select(n, ...).
func selectArguments(l *lua.LState) int {
	count := l.GetTop() - 1
	if l.Get(1) == lua.LString("#") {
		return vm.Push(l, lua.LNumber(count))
	}
	n := convert.IntegerArg(l, 1)
	if n < 0 {
		n += count + 1
	}
	if n < 1 {
		l.ArgError(1, "index out of range")
	}
	return max(count-n+1, 0)
}

// setMetatable is setmetatable(table, metatable). gopher-lua would set the metatable of all numbers, for example.
func setMetatable(l *lua.LState) int {
	table := l.CheckTable(1)
	if l.GetTop() < 2 {
		l.TypeError(2, lua.LTTable)
	}
	l.CheckTypes(2, lua.LTNil, lua.LTTable)
	if l.GetMetaField(table, "__metatable") != lua.LNil {
		l.RaiseError("cannot change a protected metatable")
	}
	l.SetMetatable(table, l.Get(2))
	l.SetTop(1)
	return 1
}

// tonumber is tonumber(value [, base]).
func tonumber(l *lua.LState) int {
	v, base := l.CheckAny(1), convert.OptionalInteger(l, 2, 10)
	if base < 2 || base > 36 {
		l.ArgError(2, "base out of range")
	}
	n, ok := convert.Number(v)
	if base != 10 {
		n, ok = convert.ParseInteger(convert.TextArg(l, 1), base)
	}
	if ok {
		l.Push(n)
	} else {
		l.Push(lua.LNil)
	}
	return 1
}

func tostring(l *lua.LState) int {
	v := l.CheckAny(1)
	if text, ok := convert.Text(v); ok {
		l.Push(lua.LString(text))
	} else {
		l.Push(l.ToStringMeta(v))
	}
	return 1
}

// unpack is unpack(table [, i [, j]]).
func (lib *Library) unpack(l *lua.LState) int {
	table := l.CheckTable(1)
	low := convert.OptionalInteger(l, 2, 1)
	high := convert.OptionalInteger(l, 3, table.Len())
	if low > high {
		return 0
	}
	if uint(high)-uint(low) >= vm.MaxResults {
		l.RaiseError("too many results to unpack")
	}
	step := lib.m.Meter().Every(l, 1<<13)
	for i := low; ; i++ {
		step()
		l.Push(table.RawGet(lua.LNumber(i)))
		if i == high {
			return high - low + 1
		}
	}
}

// protectedFields returns pcall and xpcall.
func protectedFields() []field {
	return []field{
		{"pcall", func(lib *Library) lua.LValue { return lib.lua.NewFunction(lib.pcall) }},
		{"xpcall", func(lib *Library) lua.LValue { return lib.lua.NewFunction(lib.xpcall) }},
	}
}

func (lib *Library) pcall(l *lua.LState) int {
	fn := l.CheckAny(1)
	if fn.Type() != lua.LTFunction && l.GetMetaField(fn, "__call").Type() != lua.LTFunction {
		return vm.Push(l, lua.LFalse, lua.LString("attempt to call "+vm.TypeText(fn)))
	}
	if failed := lib.m.PCall(l, l.GetTop()-1, nil); failed != nil {
		return pushFailure(l, failed)
	}
	l.Insert(lua.LTrue, 1)
	return l.GetTop()
}

func (lib *Library) xpcall(l *lua.LState) int {
	fn, handler := l.CheckAny(1), l.CheckFunction(2)
	top := l.GetTop()
	l.Push(fn)
	if failed := lib.m.PCall(l, 0, handler); failed != nil {
		return pushFailure(l, failed)
	}
	l.Insert(lua.LTrue, top+1)
	return l.GetTop() - top
}

func pushFailure(l *lua.LState, failed *lua.ApiError) int {
	return vm.Push(l, lua.LFalse, failed.Object)
}
