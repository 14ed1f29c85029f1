package lualib

import (
	lua "github.com/yuin/gopher-lua"
)

// openFull opens all of Lua's library, for scripts that are trusted: also the functions that reach files, the variables
// of other functions, or the interpreter itself. Only os.exit does not work, because it would end the host.
func (lib *Library) openFull() {
	m, l, g := lib.m, lib.lua, lib.lua.G.Global
	for _, opened := range []struct {
		name string
		open lua.LGFunction
	}{
		{lua.LoadLibName, lua.OpenPackage}, {lua.BaseLibName, lua.OpenBase}, {lua.StringLibName, lua.OpenString},
		{lua.TabLibName, lua.OpenTable}, {lua.MathLibName, lua.OpenMath}, {lua.CoroutineLibName, lua.OpenCoroutine},
		{lua.IoLibName, lua.OpenIo}, {lua.OsLibName, lua.OpenOs}, {lua.DebugLibName, lua.OpenDebug},
		{lua.ChannelLibName, lua.OpenChannel},
	} {
		l.Push(l.NewFunction(opened.open))
		l.Push(lua.LString(opened.name))
		l.Call(1, 0)
	}
	for _, name := range libraryNames {
		lib.tables[name] = g.RawGetString(name).(*lua.LTable)
		lib.fill(name, nil)
	}
	lib.fill(globals, nil)
	for _, name := range []string{"debug", "package"} {
		openAbsent(m, lib.opts.Sandbox, g.RawGetString(name).(*lua.LTable), name)
	}
	for _, name := range []string{"dump", "__index"} {
		lib.tables["string"].RawSetString(name, lua.LNil)
	}
	lib.tables["os"].RawSetString("exit", m.Function("os.exit", func(l *lua.LState) int {
		m.Raisef(l, "os.exit would end the program; end the script with error(...)")
		return 0
	}))
	loaders := g.RawGetString("package").(*lua.LTable).RawGetString("loaders").(*lua.LTable)
	loaders.RawSetInt(2, m.Function("require", lib.loader.searchPackagePath))
}
