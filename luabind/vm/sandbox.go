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

// unsafeFunctions are the base functions that only SandboxFull has. They reach files, the variables of other functions,
// or the interpreter itself.
var unsafeFunctions = []string{"dofile", "loadfile", "module", "newproxy", "_printregs", "_GOPHER_LUA_VERSION",
	"getfenv", "setfenv"}

// openFull opens the part of Lua's library that is unsafe, for scripts that are trusted. Only os.exit does not work,
// because it would end the host.
func (b baseLibrary) openFull(g *lua.LTable) {
	for _, lib := range []struct {
		name string
		open lua.LGFunction
	}{
		{lua.LoadLibName, lua.OpenPackage}, {lua.IoLibName, lua.OpenIo}, {lua.OsLibName, lua.OpenOs},
		{lua.DebugLibName, lua.OpenDebug}, {lua.ChannelLibName, lua.OpenChannel},
	} {
		b.openLibrary(lib.name, lib.open)
	}
	g.RawGetString("os").(*lua.LTable).RawSetString("exit", b.m.Function("os.exit", func(l *lua.LState) int {
		b.m.Raisef(l, "os.exit would end the program; end the script with error(...)")
		return 0
	}))
}
