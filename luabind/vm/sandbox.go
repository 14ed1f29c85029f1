package vm

import (
	lua "github.com/yuin/gopher-lua"
)

// Levels of the sandbox: what a script can reach.
const (
	SandboxStrict  = "strict"  // preloaded modules, and Lua files in the script's own folder by require
	SandboxProject = "project" // also Lua files in the library folders, and dofile and loadfile for all these files
	SandboxFull    = "full"    // Lua's whole library: files, processes, debug
)

// Sandboxes lists the levels of the sandbox. The first allows least.
var Sandboxes = []string{SandboxStrict, SandboxProject, SandboxFull}

// DefaultSandbox is the level if Options name none.
const DefaultSandbox = SandboxProject

// openFull opens all of Lua's library, for scripts that are trusted: also the functions that reach files, the variables
// of other functions, or the interpreter itself. Only os.exit does not work, because it would end the host.
func (b baseLibrary) openFull(g *lua.LTable) {
	for _, lib := range []function{
		{lua.LoadLibName, lua.OpenPackage}, {lua.BaseLibName, lua.OpenBase}, {lua.StringLibName, lua.OpenString},
		{lua.TabLibName, lua.OpenTable}, {lua.MathLibName, lua.OpenMath}, {lua.CoroutineLibName, lua.OpenCoroutine},
		{lua.IoLibName, lua.OpenIo}, {lua.OsLibName, lua.OpenOs}, {lua.DebugLibName, lua.OpenDebug},
		{lua.ChannelLibName, lua.OpenChannel},
	} {
		b.m.lua.Push(b.m.lua.NewFunction(lib.call))
		b.m.lua.Push(lua.LString(lib.name))
		b.m.lua.Call(1, 0)
	}
	g.RawGetString("os").(*lua.LTable).RawSetString("exit", b.m.Function("os.exit", func(l *lua.LState) int {
		b.m.Raisef(l, "os.exit would end the program; end the script with error(...)")
		return 0
	}))
}
