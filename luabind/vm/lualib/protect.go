package lualib

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
)

// protectedFields returns pcall and xpcall.
func protectedFields() []field {
	return []field{
		{"pcall", func(lib *Library) lua.LValue { return lib.lua.NewFunction(baseOf(lib).pcall) }},
		{"xpcall", func(lib *Library) lua.LValue { return lib.lua.NewFunction(baseOf(lib).xpcall) }},
	}
}

func (b baseLibrary) pcall(l *lua.LState) int {
	fn := l.CheckAny(1)
	if fn.Type() != lua.LTFunction && l.GetMetaField(fn, "__call").Type() != lua.LTFunction {
		return vm.Push(l, lua.LFalse, lua.LString("attempt to call "+vm.TypeText(fn)))
	}
	if failed := b.m.PCall(l, l.GetTop()-1, nil); failed != nil {
		return pushFailure(l, failed)
	}
	l.Insert(lua.LTrue, 1)
	return l.GetTop()
}

func (b baseLibrary) xpcall(l *lua.LState) int {
	fn, handler := l.CheckAny(1), l.CheckFunction(2)
	top := l.GetTop()
	l.Push(fn)
	if failed := b.m.PCall(l, 0, handler); failed != nil {
		return pushFailure(l, failed)
	}
	l.Insert(lua.LTrue, top+1)
	return l.GetTop() - top
}

func pushFailure(l *lua.LState, failed *lua.ApiError) int {
	return vm.Push(l, lua.LFalse, failed.Object)
}
